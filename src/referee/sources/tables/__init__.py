"""From a file to columns: tables that know the file and line of every row."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
