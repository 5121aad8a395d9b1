"""Verbs that fit models to a table."""
