"""Tables as CSV that a spreadsheet cannot mistake for formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.vault.sealed.files import csv_bytes

__all__ = ["table_bytes"]

_ACTING = ("=", "+", "-", "@", "\t", "\r", "|", "%")


def table_bytes(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Return a table; a text that a spreadsheet would compute gets an apostrophe in front.

    Numbers stay numbers, negative ones too, and None is an empty cell.

    Examples
    --------
    >>> table_bytes(["team", "value"], [["=1+1", -0.5], ["Ada", None]])
    b"team,value\n'=1+1,-0.5\nAda,\n"
    """
    return csv_bytes(columns, ([_cell(value) for value in row] for row in rows))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return repr(value)
    text = str(value)
    return f"'{text}" if text.startswith(_ACTING) else text
