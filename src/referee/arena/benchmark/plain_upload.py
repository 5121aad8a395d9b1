"""The plainest upload: every case once, in the order of test.csv, with a class of few letters.

Most files are of this kind. Their bytes are compared with those of the ids, all at once and
without a cell being made; whatever differs in any way is left to the slower readers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Codes

__all__ = ["PlainForm"]

_Bytes = npt.NDArray[np.uint8]
_LINE, _COMMA, _RETURN = b"\n"[0], b","[0], b"\r"[0]
_MOST = 8
"""Bytes of a class: they are compared as one number."""


@dataclass(frozen=True, eq=False)
class PlainForm:
    r"""What a plain file of a benchmark looks like.

    Attributes
    ----------
    id_column : bytes
        The name of the ids' column.
    ids : bytes
        All ids, one after another.
    lengths : array of int
        Bytes of each id.
    classes : array of int
        The bytes of each class as a number, in rising order.
    order : array of int
        Which class each of these numbers is.

    Examples
    --------
    >>> form = PlainForm.of("id", ("a", "b"), ("no", "yes"))
    >>> form.codes(b"id,answer\na,yes\nb,no\n"), form.codes(b"id,answer\nb,yes\na,no\n")
    (array([1, 0]), None)
    """

    id_column: bytes
    ids: bytes
    lengths: Codes
    classes: npt.NDArray[np.uint64]
    order: Codes

    @classmethod
    def of(cls, id_column: str, ids: tuple[str, ...], classes: tuple[str, ...]) -> PlainForm | None:
        """Return the form for these ids and classes; None where there is none."""
        names, cells = [name.encode() for name in ids], [name.encode() for name in classes]
        signs = (b",", b"\n", b"\r", b'"', b"\0")
        if any(sign in name for name in (*names, *cells, id_column.encode()) for sign in signs):
            return None
        if not all(1 <= len(cell) <= _MOST for cell in cells) or not all(names):
            return None
        numbers = np.array([int.from_bytes(cell, "little") for cell in cells], dtype=np.uint64)
        order = np.argsort(numbers)
        return cls(
            id_column=id_column.encode(),
            ids=b"".join(names),
            lengths=np.array([len(name) for name in names]),
            classes=numbers[order],
            order=order,
        )

    def codes(self, content: bytes) -> Codes | None:
        """Return the class of each case; None where the file is of another form."""
        head, _, body = content.partition(b"\n")
        names = head.removesuffix(b"\r").removeprefix(b"\xef\xbb\xbf").split(b",")
        if len(names) != 2 or names[0] != self.id_column:
            return None
        if names[1] == names[0] or not names[1].isalnum():
            return None
        data = np.frombuffer(body, np.uint8)
        ends = np.flatnonzero(data == _LINE)
        if body and not body.endswith(b"\n"):
            ends = np.append(ends, len(data))
        commas = np.flatnonzero(data == _COMMA)
        if not len(ends) == len(commas) == len(self.lengths):
            return None
        starts = np.append(0, ends[:-1] + 1)
        # As many commas as lines, each as far behind its line's start as the id is long.
        if not np.array_equal(commas - starts, self.lengths) or np.any(commas >= ends):
            return None
        if _between(data, starts, commas) != self.ids:
            return None
        if data[ends[0] - 1] == _RETURN:
            if not np.all(data[ends - 1] == _RETURN):
                return None
            ends = ends - 1
        return self._classes(body, commas + 1, ends - commas - 1)

    def _classes(self, body: bytes, starts: Codes, sizes: Codes) -> Codes | None:
        if np.any(sizes < 1) or np.any(sizes > _MOST) or b"\0" in body:
            return None
        padded = body + bytes(_MOST)
        every = np.ndarray(len(body) + 1, "<u8", padded, strides=(1,))  # the 8 bytes from each on
        spare = (8 * (_MOST - sizes)).astype(np.uint64)
        numbers = every[starts] << spare >> spare
        at = np.minimum(np.searchsorted(self.classes, numbers), len(self.classes) - 1)
        return self.order[at] if np.array_equal(self.classes[at], numbers) else None


def _between(data: _Bytes, starts: Codes, ends: Codes) -> bytes:
    """Return the bytes from each start to before its end, one after another."""
    change = np.zeros(len(data) + 1, dtype=np.int8)
    change[starts], change[ends] = 1, -1
    parts: _Bytes = data[np.cumsum(change[:-1], dtype=np.int8).view(bool)]
    return parts.tobytes()
