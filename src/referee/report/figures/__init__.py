"""Pictures: data first, drawing later."""

from referee.report.figures.forest import draw_bars

__all__ = ["draw_bars"]
