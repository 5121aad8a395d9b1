"""Intervals of areas under the ROC curve."""
