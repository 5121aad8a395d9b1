"""The nouns of the straight line: Dataset, Plan, Predictions and what is concluded from them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
