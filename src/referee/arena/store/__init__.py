"""The store: what the arena remembers, and how it is written so that nothing is lost."""
