"""A document as one self-contained HTML page: no network, no script, light and dark."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.report.document import Document
from referee.report.figures.picture import svg_of

__all__ = ["to_html_text"]


def to_html_text(document: Document) -> str:
    """Return the page; every text in it is escaped."""
    return str(_template().render(document=document))


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("referee.report"), autoescape=True, trim_blocks=True
    )
    environment.globals["kind_of"] = lambda block: type(block).__name__
    environment.globals["picture"] = lambda block: Markup(svg_of(block))
    return environment.get_template("report.html")
