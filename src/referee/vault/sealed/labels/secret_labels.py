"""The labels of a sealed test set, and the bytes they are encrypted from.

====== ===== ====================================================================
offset size  content
====== ===== ====================================================================
0      32    the salt of the commitment
32     4     N, the number of cases
36     4     L, the length of the classes
40     L     the classes: canonical JSON, a list of texts
40+L   4 N   the class of each case, as a position in that list
====== ===== ====================================================================

Numbers are unsigned and big-endian. The length does not depend on who has which label.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes
from referee.vault.sealed.labels.commitment import commitment
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical

__all__ = ["SecretLabels", "label_text"]

_START = struct.Struct(">32sII")


@dataclass(frozen=True, eq=False, repr=False)
class SecretLabels:
    """The right answers. They print as nothing, so that no message can give them away.

    Attributes
    ----------
    classes : tuple of str
        All classes, in the order of the header's digests.
    codes : array of int
        The class of each case, in the order of the header's ids.
    salt : bytes
        The salt of the commitment.

    Examples
    --------
    >>> labels = SecretLabels(("ill", "well"), np.array([1, 0, 1]), bytes(32))
    >>> labels
    <labels of 3 cases>
    >>> SecretLabels.of(labels.to_bytes()).codes.tolist()
    [1, 0, 1]
    """

    classes: tuple[str, ...]
    codes: Codes
    salt: bytes

    @classmethod
    def new(cls, classes: Sequence[str], codes: Codes) -> SecretLabels:
        """Return the labels with a fresh salt."""
        return cls(tuple(classes), codes, os.urandom(32))

    @classmethod
    def of(cls, data: bytes) -> SecretLabels:
        """Read the labels from what was decrypted."""
        salt, n, length = _START.unpack_from(data)
        end = _START.size + length
        classes = read_canonical(data[_START.size : end])
        codes = np.frombuffer(data, dtype=">u4", offset=end)
        if len(codes) != n:
            raise ValueError("not as many labels as cases")
        return cls(tuple(classes), codes.astype(np.intp), salt)

    def __repr__(self) -> str:
        return f"<labels of {len(self.codes)} cases>"

    def to_bytes(self) -> bytes:
        """Return the bytes to be encrypted."""
        classes = canonical_bytes(list(self.classes))
        start = _START.pack(self.salt, len(self.codes), len(classes))
        return start + classes + self.codes.astype(">u4").tobytes()

    @property
    def texts(self) -> list[str]:
        """The label of each case."""
        return [self.classes[code] for code in self.codes.tolist()]

    def commitment(self, ids: Sequence[str]) -> str:
        """Return the public hash of these labels."""
        return commitment(self.salt, ids, self.texts)


def label_text(value: Any) -> str:
    """Write a label the same way whether it comes from a file or from an array.

    Examples
    --------
    >>> label_text(1), label_text(1.0), label_text("1"), label_text(np.True_)
    ('1', '1', '1', 'True')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)
