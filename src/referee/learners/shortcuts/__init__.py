"""Shortcuts: plain scikit-learn models whose predictions over a plan come from shared work."""
