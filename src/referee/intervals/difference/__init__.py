"""Intervals of a difference between two models."""
