"""Verbs that read one number per item."""
