"""Templates: every text is escaped, and a name that is missing is an error."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from referee.arena.pages.showing.markdown import markdown
from referee.arena.pages.showing.static import address_of
from referee.core.showing.characters import one_line

__all__ = ["rendered"]


def rendered(template: str, **values: Any) -> str:
    """Return a page as text."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("referee.arena", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "markdown": markdown,
        "number": number,
        "p_value": p_value,
        "percent": percent,
        "plain": plain,
        "sentence": sentence,
        "time": time_element,
    }
    environment.globals |= {"static": address_of}
    return environment


def plain(text: object) -> str:
    """Return a text from a file on one line, with codes for characters that act."""
    return one_line(str(text))


def sentence(text: str) -> str:
    """Begin a text with a capital letter and leave the rest as it is.

    Examples
    --------
    >>> sentence("area under ROC")
    'Area under ROC'
    """
    return text[:1].upper() + text[1:]


def number(value: float | None) -> str:
    """Write a value of a measure.

    Examples
    --------
    >>> number(0.25), number(1234.5), number(None)
    ('0.2500', '1234', '–')
    """
    if value is None:
        return "–"
    return f"{value:.4f}" if abs(value) < 100 else f"{value:.4g}"


def percent(share: float) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.95)
    '95 %'
    """
    return f"{100 * share:g} %"


def p_value(p: float | None) -> str:
    """Write a p-value.

    Examples
    --------
    >>> p_value(0.0312), p_value(1e-9), p_value(None)
    ('.031', '< .001', '–')
    """
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def time_element(time: str | None, missing: str = "–") -> Markup:
    """Return a time in UTC that a script may write in the reader's zone.

    Examples
    --------
    >>> time_element("2026-05-01T12:30:00.000Z")
    Markup('<time datetime="2026-05-01T12:30:00.000Z">2026-05-01 12:30 UTC</time>')
    """
    if time is None:
        return escape(missing)
    return Markup('<time datetime="{}">{} {} UTC</time>').format(time, time[:10], time[11:16])
