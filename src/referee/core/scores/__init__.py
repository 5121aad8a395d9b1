"""Scores: one number per item, model and run, and the tables they come from."""
