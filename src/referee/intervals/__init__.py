"""Confidence intervals: for a proportion, a risk, a curve's area, from one test set or many."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
