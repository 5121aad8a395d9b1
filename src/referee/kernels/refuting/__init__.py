"""Showing that a function is no kernel: a search for points that refute it."""
