"""Checks of what a model answered and of what was concluded from it."""
