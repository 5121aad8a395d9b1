"""The pictures of a document as files, numbered in reading order."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.errors import InputError
from referee.report.document import Document, Drawing, Picture
from referee.report.figures.picture import draw_picture
from referee.report.legible import legible

__all__ = ["FIGURES", "FORMATS", "checked_formats", "figure_names", "write_figures"]

FIGURES = "figures"
"""The folder they are written into."""

FORMATS = ("svg", "pdf")
"""Written unless others are asked for: for pages, and for papers."""

KNOWN_FORMATS = ("svg", "pdf", "png")

_STYLE: Any = {"svg.hashsalt": "referee", "svg.fonttype": "none", "pdf.fonttype": 42}
"""The same picture gives the same file; text stays text, in whatever font the reader has. Type 42
fonts are those that publishers accept."""

_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "referee"},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": "referee"},
    "png": {"Software": "referee"},
}

_DPI = 300


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


def checked_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of files that are asked for, each once; refuse others.

    Examples
    --------
    >>> checked_formats(["png", "svg", "png"])
    ('png', 'svg')
    """
    asked = (formats,) if isinstance(formats, str) else tuple(dict.fromkeys(formats))
    for name in asked:
        if name not in KNOWN_FORMATS:
            raise InputError(
                f"figures must be of {', '.join(map(repr, KNOWN_FORMATS))}", value=repr(name)
            )
    return asked


def write_figures(document: Document, folder: Path, formats: Sequence[str] = FORMATS) -> None:
    """Write every picture in files that stand by themselves; no folder is made for none."""
    named = figure_names(legible(document))
    if not named or not formats:
        return
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    folder.mkdir()
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # Letters that matplotlib's own font lacks are drawn by the reader's.
        warnings.filterwarnings("ignore", message=r"(?s).*Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        for name, picture in named.items():
            figure = draw_picture(picture).figure
            try:
                for kind in formats:
                    path = (folder / name).with_suffix(f".{kind}")
                    figure.savefig(path, metadata=_METADATA[kind], dpi=_DPI)
            finally:
                plt.close(figure)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40] or "figure"
