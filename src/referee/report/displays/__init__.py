"""Displays in scikit-learn's manner: data first, drawing later.

They are imported only when asked for: compiled loops and matplotlib take a while to load.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
