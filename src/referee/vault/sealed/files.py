"""The files of a vault's directory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from referee.core.labels.labels import is_missing

__all__ = ["LABELS", "LEDGER", "OPENING", "SEALED", "TEST", "TRAIN", "cell_text", "csv_bytes"]

TRAIN, TEST = "train.csv", "test.csv"
SEALED, LEDGER = "labels.sealed", "ledger.sqlite"
LABELS, OPENING = "labels.csv", "opening.json"


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    r"""Return a CSV file in UTF-8.

    Examples
    --------
    >>> csv_bytes(["id", "text"], [["1", "a, b"]])
    b'id,text\n1,"a, b"\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode(errors="surrogatepass")


def cell_text(value: Any) -> str:
    """Write a value into a cell; an empty one stands for a missing value.

    Examples
    --------
    >>> cell_text(39.0), cell_text(0.1), cell_text(None), cell_text("red"), cell_text(np.True_)
    ('39', '0.1', '', 'red', 'True')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if is_missing(value):
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)
