"""Signatures: keys, envelopes, statements and time stamps."""
