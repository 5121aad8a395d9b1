"""How numbers are written for people."""

from __future__ import annotations

import math

__all__ = ["level_text", "percent", "plain", "points", "span"]


def percent(value: float) -> str:
    """Write a share as a percentage, with enough digits for small ones.

    Examples
    --------
    >>> percent(0.2284), percent(0.0042), percent(0.0), percent(float("nan"))
    ('22.8 %', '0.42 %', '0.0 %', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    digits = 2 if 0 < abs(value) < 0.1 else 1
    # Neither 0 nor 100 is written where it is not meant.
    while digits < 14 and (round(100 * value, digits) in (0, 100)) and value not in (0, 1):
        digits += 1
    text = f"{100 * value:.{digits}f}"
    return f"{text if float(text) or not value else f'{100 * value:.2g}'} %"


def span(low: float, high: float) -> str:
    """Write an interval of shares.

    Examples
    --------
    >>> span(0.197, 0.262), span(0.0, 0.004)
    ('19.7 to 26.2 %', '0 to 0.40 %')
    """
    digits = 2 if high < 0.1 else 1
    left = "0" if low == 0 else f"{100 * low:.{digits}f}"
    return f"{left} to {100 * high:.{digits}f} %"


def points(value: float) -> str:
    """Write a difference of shares in percentage points, with its sign.

    Examples
    --------
    >>> points(0.2), points(-0.004)
    ('+20.0 points', '-0.4 points')
    """
    return f"{100 * value:+.1f} points"


def level_text(level: float) -> str:
    """Write a confidence level without rounding it up.

    Examples
    --------
    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:.10g} %"


def plain(value: float) -> str:
    """Write a number that is not a share.

    Examples
    --------
    >>> plain(0.70353), plain(float("nan"))
    ('0.704', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:.3f}"
