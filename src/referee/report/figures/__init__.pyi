from .forest import (
    draw_bars as draw_bars,
)
from .ranks import (
    draw_ranks as draw_ranks,
)

__all__: list[str]
