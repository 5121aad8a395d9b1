"""How numbers are written for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = [
    "alike",
    "count_text",
    "level_text",
    "p_number",
    "p_text",
    "percent",
    "percents",
    "plain",
    "points",
    "quantities",
    "signed_span",
    "size_text",
    "span",
    "spans",
]


def count_text(count: float) -> str:
    """Write how many cases there were; weighted ones need not be whole.

    Examples
    --------
    >>> count_text(10891.0), count_text(1234.56), count_text(0.0321)
    ('10891', '1234.6', '0.032')
    """
    if count == round(count):
        return f"{count:.0f}"
    return f"{count:.1f}" if count >= 1 else f"{count:.2g}"


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


def percents(values: Sequence[float]) -> list[str]:
    """Write the shares of one column, all with as many decimals as the one that has most.

    Examples
    --------
    >>> percents([0.0211, 0.373, math.nan])
    ['2.11 %', '37.30 %', 'undefined']
    """
    most = max((_decimals(text) for text in map(percent, values)), default=0)
    texts = (percent(v) if math.isnan(v) else f"{100 * v:z.{most}f} %" for v in values)
    return list(texts)


def spans(intervals: Sequence[tuple[float, float]]) -> list[str]:
    """Write the intervals of one column, all with as many decimals as the one that has most.

    Examples
    --------
    >>> spans([(0.0088, 0.0429), (0.042, 0.1)])
    ['0.88 to 4.29 %', '4.20 to 10.00 %']
    """
    digits = max((_span_digits(high) for _, high in intervals), default=1)
    return [span(low, high, digits) for low, high in intervals]


def span(low: float, high: float, digits: int | None = None) -> str:
    """Write an interval of shares, with so many decimals or as its upper end asks for.

    Examples
    --------
    >>> span(0.197, 0.262), span(0.0, 0.004)
    ('19.7 to 26.2 %', '0 to 0.40 %')
    """
    digits = _span_digits(high) if digits is None else digits
    left = "0" if low == 0 else f"{100 * low:z.{digits}f}"
    return f"{left} to {100 * high:.{digits}f} %"


def _span_digits(high: float) -> int:
    return 2 if high < 0.1 else 1


def _decimals(text: str) -> int:
    return len(text.removesuffix(" %").partition(".")[2])


def points(value: float) -> str:
    """Write a difference of shares in percentage points, with its sign.

    Examples
    --------
    >>> points(0.2), points(-0.004)
    ('+20.0 points', '-0.4 points')
    """
    return f"{100 * value:+z.1f} points"


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
    return "undefined" if math.isnan(value) else f"{value:z.3f}"


def quantities(width: float, *values: float) -> list[str]:
    """Write numbers of any scale with the digits that an interval of that width can show.

    Examples
    --------
    >>> quantities(0.7, 3.1247, 2.81, 3.51), quantities(1234.0, 51234.5)
    (['3.1', '2.8', '3.5'], ['51234'])
    >>> quantities(0.0004, 0.01234), quantities(0.0, 2.0)
    (['0.01234'], ['2'])
    """
    if not (0 < width < math.inf):
        return ["undefined" if math.isnan(v) else f"{v:.4g}" for v in values]
    digits = max(0, math.ceil(-math.log10(width / 5)))
    if digits > 12:
        return ["undefined" if math.isnan(v) else f"{v:.4g}" for v in values]
    return ["undefined" if math.isnan(v) else f"{v:z.{digits}f}" for v in values]


def alike(values: Sequence[float]) -> list[str]:
    """Write the numbers of one table with the same decimals: four digits of the largest.

    Decimals that are 0 in all of them are left out.

    Examples
    --------
    >>> alike([0.05333, 0.2448, 0.3]), alike([97.5, 8.0]), alike([12345.6, math.nan])
    (['0.0533', '0.2448', '0.3000'], ['97.5', '8.0'], ['12346', '–'])
    """
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    decimals = min(12, max(0, 3 - math.floor(math.log10(largest)))) if largest else 0
    texts = [f"{v:z.{decimals}f}" for v in values if math.isfinite(v)]
    spare = min((len(t) - len(t.rstrip("0")) for t in texts), default=0) if decimals else 0
    decimals -= min(spare, decimals)
    return [f"{v:z.{decimals}f}" if math.isfinite(v) else "–" for v in values]


def p_text(p: float) -> str:
    """Write a p-value with three decimals, without claiming that it is 0.

    Examples
    --------
    >>> p_text(0.0184), p_text(0.45), p_text(1e-13), p_text(1.0), p_text(float("nan"))
    ('p = .018', 'p = .450', 'p < .001', 'p = 1', 'no p-value')
    """
    if math.isnan(p):
        return "no p-value"
    number = p_number(p)
    return f"p {number}" if number.startswith("<") else f"p = {number}"


def p_number(p: float) -> str:
    """Write a p-value for a column that says what it holds.

    Examples
    --------
    >>> p_number(0.0184), p_number(0.00099), p_number(0.9996), p_number(float("nan"))
    ('.018', '< .001', '1', '–')
    """
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return "< .001"
    text = f"{p:.3f}"
    return text.lstrip("0") if float(text) < 1 else "1"


def size_text(value: float, *, percent: bool = True, sign: bool = False) -> str:
    """Write the size of a difference: points for shares, a plain number otherwise.

    Examples
    --------
    >>> size_text(0.025), size_text(-0.025, sign=True), size_text(0.0321, percent=False)
    ('2.5 points', '-2.5 points', '0.032')
    >>> size_text(0.0042), size_text(0.0)
    ('0.42 points', '0 points')
    """
    shown = 100 * value if percent else value
    digits = _digits(abs(shown), percent)
    text = f"{shown:{'+' if sign else ''}.{digits}f}"
    if not float(text):
        text = "0" if not value else f"{shown:.1g}"
    return f"{text} points" if percent else text


def signed_span(low: float, high: float, *, percent: bool = True) -> str:
    """Write an interval of differences.

    Examples
    --------
    >>> signed_span(0.004, 0.046), signed_span(-0.012, 0.03, percent=False)
    ('0.4 to 4.6 points', '-0.012 to 0.030')
    >>> signed_span(-0.0001, 0.03)
    '0.0 to 3.0 points'
    """
    left, right = (100 * low, 100 * high) if percent else (low, high)
    digits = _digits(max(abs(left), abs(right)), percent)
    return f"{left:z.{digits}f} to {right:z.{digits}f}" + (" points" if percent else "")


def _digits(shown: float, percent: bool) -> int:
    if not percent:
        return 3
    return 2 if shown < 1 else 1
