"""Before the experiment, or instead of it: power, sample sizes, acceptance plans, tables."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
