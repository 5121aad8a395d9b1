"""Cheaper rules for comparing two learners: their sizes and size-adjusted power."""
