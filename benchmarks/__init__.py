"""Races against peers: ratios measured side by side in one run."""
