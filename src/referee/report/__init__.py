"""From a result to something a person can read or hand on."""

from __future__ import annotations

from typing import Any

from referee.errors import InputError
from referee.report.describe import describe
from referee.report.files import check_directory, write_result, write_text, write_together
from referee.report.html import to_fragment_text, to_html_text
from referee.report.json import json_text, to_json_text
from referee.report.latex import to_latex_text
from referee.report.markdown import to_markdown_text
from referee.report.record import record_of
from referee.report.text.text import print_document, to_plain_text

__all__ = [
    "CATALOGUE",
    "check_directory",
    "describe",
    "plot",
    "print_document",
    "to_fragment",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_text",
    "write_result",
    "write_text",
    "write_together",
]

CATALOGUE = {
    "text": to_plain_text,
    "html": to_html_text,
    "json": to_json_text,
    "markdown": to_markdown_text,
    "latex": to_latex_text,
}
"""Format -> renderer of a document."""


def to_text(result: Any) -> str:
    """Return the report of a result as plain text."""
    return to_plain_text(describe(result))


def to_html(result: Any) -> str:
    """Return the report of a result as one HTML page."""
    return to_html_text(describe(result))


def to_fragment(result: Any) -> str:
    """Return the report of a result as HTML that can stand inside another page."""
    return to_fragment_text(describe(result))


def to_json(result: Any) -> str:
    """Return the content of a result as JSON."""
    known = record_of(type(result))
    return json_text(known(result) if known else describe(result).data)


def to_markdown(result: Any) -> str:
    """Return the report of a result as Markdown."""
    return to_markdown_text(describe(result))


def to_latex(result: Any) -> str:
    """Return the tables of a result as LaTeX."""
    return to_latex_text(describe(result))


def plot(result: Any, ax: Any = None) -> Any:
    """Draw the first picture of a result on matplotlib axes and return them."""
    from referee.report.figures.picture import draw_picture

    picture = describe(result).first_picture
    if picture is None:
        raise InputError(
            f"a {type(result).__name__} of this kind has no picture", remedy="see frame()"
        )
    return draw_picture(picture, ax=ax)
