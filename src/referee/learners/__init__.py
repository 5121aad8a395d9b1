"""Learners: models by name, models made ready for tables, and models of our own."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
