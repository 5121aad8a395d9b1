"""Canonical JSON: one way to write a record, so that its bytes can be hashed and compared."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["canonical_bytes", "canonical_text", "read_canonical"]


def canonical_text(value: Any) -> str:
    """Return a record as JSON on one line: keys sorted, no blanks, no nan.

    Examples
    --------
    >>> canonical_text({"b": [1, 2.5], "a": "ä"})
    '{"a":"ä","b":[1,2.5]}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def canonical_bytes(value: Any) -> bytes:
    """Return `canonical_text` in UTF-8."""
    # Half characters occur in names of files and in badly decoded tables.
    return canonical_text(value).encode(errors="surrogatepass")


def read_canonical(data: bytes) -> Any:
    """Return the record of canonical bytes; ValueError where they are not written in that one way.

    Examples
    --------
    >>> read_canonical(b'{"a":1}')
    {'a': 1}
    >>> read_canonical(b'{"a": 1}')
    Traceback (most recent call last):
    ...
    ValueError: not canonical JSON
    """
    value = json.loads(data)  # a ValueError, too, where it is no JSON or no UTF-8
    if canonical_bytes(value) != data:
        raise ValueError("not canonical JSON")
    return value
