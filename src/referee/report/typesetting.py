"""Typesetting: minus signs that are minus signs, and one separator of thousands on a page."""

from __future__ import annotations

import re

__all__ = ["typeset", "typeset_cell"]

_MINUS = re.compile(r"(?:^|(?<=[\s(\[]))-(?=\d*\.\d|\d+ (?:to|points?|%))")
"""Before numbers with a unit or decimals: a class may be called -1, and options begin with it."""

_NOUNS = (
    "cases|rows|items|groups|data sets|fits|models|answers|predictions|pairs|patterns|resamples|"
    "labellings|relabellings|repetitions|runs|others"
)
_OF = rf"(?= (?:of \d+ )?(?:\w+ ){{0,2}}(?:{_NOUNS})\b)"
_COUNT = re.compile(
    rf"(?:^|(?<=[\s(]))\d{{4,}}(?:{_OF}|(?= more\b))|(?<=\bn = )\d{{4,}}"
    rf"|(?:(?<=\bat most )|(?<=\bat least ))\d{{4,}}(?=[ ,;)]|$)"
)
_SIGNED = re.compile(r"(?:^|(?<=[\s(]))-(?=\.?\d)")
_WHOLE = re.compile(r"^\d{4,}(?=$| each$| to \d+$)|(?<=\d to )\d{4,}$")


def typeset(text: str) -> str:
    """Return running text with minus signs, and blanks in numbers of cases.

    Examples
    --------
    >>> typeset("0.6 points lower (95 % interval -2.4 to 3.6 points), n = 20000")
    '0.6 points lower (95 % interval −2.4 to 3.6 points), n = 20 000'
    >>> typeset("it always answers -1 on 12345 test cases; see --seed 12345")
    'it always answers -1 on 12 345 test cases; see --seed 12345'
    >>> typeset("3338 of 11183 tested cases (lines 1024, 2048 and 3333 more)")
    '3 338 of 11 183 tested cases (lines 1024, 2048 and 3 333 more)'
    >>> typeset("tested on 3257 others, n = 3257; 32561 rows (at least 20000)")
    'tested on 3 257 others, n = 3 257; 32 561 rows (at least 20 000)'
    """
    return _COUNT.sub(_parted, _MINUS.sub("−", text))


def typeset_cell(text: str) -> str:
    """Return a cell of a column of numbers, set likewise.

    Examples
    --------
    >>> typeset_cell("-3 to -1"), typeset_cell("10891"), typeset_cell("lr-2")
    ('−3 to −1', '10 891', 'lr-2')
    >>> typeset_cell("1356 each"), typeset_cell("1568 to 4676")
    ('1 356 each', '1 568 to 4 676')
    """
    return _WHOLE.sub(_parted, _SIGNED.sub("−", text))


def _parted(match: re.Match[str]) -> str:
    return f"{int(match[0]):,}".replace(",", " ")
