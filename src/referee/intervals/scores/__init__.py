"""Intervals of a mean score: items and clusters, repeated runs, passes, a judge put right."""
