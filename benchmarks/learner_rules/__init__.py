"""Cheaper rules for comparing two learners, tried on mirror tasks: sizes and size-adjusted power."""
