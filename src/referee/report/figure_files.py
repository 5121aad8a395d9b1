"""The pictures of a document as files, numbered in reading order."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

from referee.report.document import Document, Drawing, Picture
from referee.report.figures.picture import draw_picture
from referee.report.legible import legible

__all__ = ["FIGURES", "figure_names", "write_figures"]

FIGURES = "figures"
"""The folder they are written into."""

_SVG: Any = {"svg.hashsalt": "referee", "svg.fonttype": "none"}
"""The same picture gives the same file; text stays text, in whatever font the reader has."""


def figure_names(document: Document) -> dict[str, Picture]:
    """Return the pictures by the names of their files, as ``01-average-ranks.svg``."""
    titles = {
        id(b.picture if isinstance(b, Drawing) else b): s.title
        for s in document.sections
        for b in s.blocks
    }
    if document.headline is not None:
        titles[id(document.headline.picture)] = "headline"
    return {
        f"{number:02d}-{_slug(titles.get(id(picture), ''))}.svg": picture
        for number, picture in enumerate(document.pictures, start=1)
    }


def write_figures(document: Document, folder: Path) -> None:
    """Write every picture as SVG that stands by itself; no folder is made for none."""
    named = figure_names(legible(document))
    if not named:
        return
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    folder.mkdir()
    with mpl.rc_context(_SVG), warnings.catch_warnings():
        # Letters that matplotlib's own font lacks are drawn by the reader's.
        warnings.filterwarnings("ignore", message=r"(?s).*Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        for name, picture in named.items():
            figure = draw_picture(picture).figure
            try:
                figure.savefig(folder / name, metadata={"Date": None, "Creator": "referee"})
            finally:
                plt.close(figure)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40] or "figure"
