"""Predictions handed in for the sealed cases, checked before any label is decrypted."""
