"""Tests over several data sets."""
