"""Verbs that read files of predictions."""
