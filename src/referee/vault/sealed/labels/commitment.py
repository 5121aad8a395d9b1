"""The commitment: a salted hash of the labels, public from the first day.

Once the labels are out, anyone can compute it again and see that they are those of the first day.
Before, the salt keeps anyone from trying labellings until one fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from referee.vault.sealed.ledger.canonical import canonical_bytes

__all__ = ["commitment"]


def commitment(salt: bytes, ids: Sequence[str], labels: Sequence[str]) -> str:
    """Return SHA-256 of the salt and of ``[[id, label], ...]`` as canonical JSON, in hexadecimal.

    Examples
    --------
    >>> commitment(bytes(32), ["1", "2"], ["ill", "well"])[:16]
    '48c43e91ab390209'
    """
    pairs = [list(pair) for pair in zip(ids, labels, strict=True)]
    return sha256(salt + canonical_bytes(pairs)).hexdigest()
