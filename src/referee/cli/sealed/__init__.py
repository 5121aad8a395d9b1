"""Verbs for sealed test sets, certificates and bundles."""
