"""The formulas that measures are made of: plain functions of arrays."""
