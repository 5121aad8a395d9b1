"""Fixed models by exact enumeration: every possible sample of a test set."""
