"""Intervals from several fits: cross-validation, repeated holdout, bootstrap."""
