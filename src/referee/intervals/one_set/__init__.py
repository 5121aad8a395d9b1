"""Intervals from one test set: proportions, means, matrices, rankings."""
