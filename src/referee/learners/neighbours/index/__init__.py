"""Indexes: what finds the nearest training rows, one file for each way of doing it."""
