"""Pipelines whose first steps never look at labels: what they learn serves all label columns."""
