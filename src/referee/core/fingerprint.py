"""Fingerprints: short hashes by which data and plans are recognised again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from referee.core.machine.blocks import blocks

__all__ = ["Written", "fingerprint"]

_WRITTEN = 10_000
"""Rows of objects that are written down at once."""


class Written(bytes):
    """Parts as a fingerprint would write them, one after the other."""


def fingerprint(parts: Iterable[Any], *, codes: bool = False) -> str:
    """Return 16 hexadecimal digits that change when any part changes.

    Arrays count with their type and shape, objects and frames by the ``repr`` of their rows,
    everything else by its own. Codes count by their
    values alone: in whatever type of whole numbers they are held, they count as 64 bits.

    Examples
    --------
    >>> fingerprint([np.arange(3)]) == fingerprint([np.arange(3)])
    True
    >>> fingerprint([np.arange(3)]) == fingerprint([np.arange(4)])
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, Written):
            digest.update(part)
            continue
        if isinstance(part, np.ndarray) and part.dtype.kind != "O":
            dtype = np.dtype(np.int64) if codes and part.dtype.kind in "iu" else part.dtype
            digest.update(f"{dtype.str}{part.shape}".encode())
            _add_numbers(digest, part, dtype)
        elif (isinstance(part, np.ndarray) and part.ndim) or hasattr(part, "iloc"):
            _add_objects(digest, part)
        elif isinstance(part, np.ndarray):
            digest.update(repr(part.tolist()).encode())
        else:
            digest.update(repr(part).encode())
        digest.update(b"\0")  # so that 1, 23 is not 12, 3
    return digest.hexdigest()[:16]


def _add_numbers(digest: Any, part: Any, dtype: Any) -> None:
    """Add the bytes of an array, without a copy where they stand as they are to be read."""
    if part.ndim and part.nbytes and part.flags.c_contiguous and part.dtype == dtype:
        digest.update(part.view(np.uint8))
        return
    for rows in blocks(len(part)) if part.ndim else (...,):
        digest.update(np.ascontiguousarray(part[rows], dtype=dtype).tobytes())


def _add_objects(digest: Any, rows: Any) -> None:
    """Add what the list of all rows would be written as, a block of them at a time."""
    digest.update(b"[")
    for block in blocks(len(rows), rows=_WRITTEN):
        some = rows.iloc[block].to_numpy() if hasattr(rows, "iloc") else rows[block]
        listed = some.tolist()
        digest.update(f"{', ' if block.start else ''}{repr(listed)[1:-1]}".encode())
    digest.update(b"]")
