"""Intervals from one test set."""
