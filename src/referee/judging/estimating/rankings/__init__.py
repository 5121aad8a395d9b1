"""Measures of the order of scores on their way to a value and an interval."""
