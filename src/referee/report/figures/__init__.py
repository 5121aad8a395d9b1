"""Pictures of a report, drawn with matplotlib or as SVG when a renderer asks for them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
