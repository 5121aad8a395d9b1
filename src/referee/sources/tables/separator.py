"""The separator of a delimited file, told from its first lines."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import islice

__all__ = ["SEPARATORS", "sniff_separator"]

SEPARATORS = ("\t", ";", "|", ",")
"""In order of preference: a comma may be a decimal comma, the others hardly occur in numbers."""

_LINES = 20


def sniff_separator(text: str) -> str:
    r"""Return the separator that cuts the first lines into equally many fields.

    Parameters
    ----------
    text : str
        The contents of the file.

    Returns
    -------
    str
        One of `SEPARATORS`; a comma where the lines hold a single field each.

    Examples
    --------
    >>> sniff_separator("a,b\n1,2\n")
    ','
    >>> sniff_separator("1,5;2,5\n3,5;4,5\n")
    ';'
    >>> sniff_separator("a\n1\n")
    ','
    """
    lines = [line for line in islice(text.splitlines(), 5 * _LINES) if line.strip()][:_LINES]
    agreement = {separator: _agreement(lines, separator) for separator in SEPARATORS}
    best = max(agreement.values())
    return next(s for s in SEPARATORS if agreement[s] == best) if best > 0 else ","


def _agreement(lines: list[str], separator: str) -> float:
    """Return the share of lines with the most usual number of fields, 0 if that is one field."""
    try:
        records = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        widths = Counter(len(record) for record in records)
    except csv.Error:  # a field longer than any is, where the separator is another
        return 0.0
    if not widths:
        return 0.0
    width, lines_of_width = widths.most_common(1)[0]
    return lines_of_width / widths.total() if width > 1 else 0.0
