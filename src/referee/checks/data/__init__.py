"""Checks of the data and of how it was split."""
