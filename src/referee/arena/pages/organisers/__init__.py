"""Pages for organisers: making a benchmark, running and finishing it, accounts, the log."""
