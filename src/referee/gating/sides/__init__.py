"""Both sides of a gate: where they are read from, and what is kept of a baseline."""
