"""Is a difference real, or due to chance? One file per test; each returns Evidence."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
