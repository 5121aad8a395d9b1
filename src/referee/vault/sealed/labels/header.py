"""The header of a sealed file: all that may be known before the labels come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from referee.errors import InputError
from referee.intervals.looks import Grid
from referee.vault.sealed.files import TEST, TRAIN
from referee.vault.sealed.keys.passphrase import Stretching
from referee.vault.sealed.policies import CATALOGUE, Policy
from referee.vault.sealed.request import Baseline
from referee.vault.sealed.sealed_measure import SealedMeasure

__all__ = ["Header"]


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a vault is about. Nothing in it was computed from the labels, but for `sizes`.

    Attributes
    ----------
    vault : str
        32 hexadecimal digits that name the vault.
    created, referee : str
        When it was sealed, and by which version.
    ids : tuple of str
        The cases, in the order of test.csv.
    id_column, target : str
        The columns of ids (in test.csv) and of labels (in train.csv).
    class_salt : str
        The salt of `classes`.
    classes : tuple of str
        A salted SHA-256 of each class: enough to recognise a legal answer.
    sizes : tuple of int or None
        How many cases each class has, where the measure needs that to be public.
    measure : SealedMeasure
        What is scored.
    grid : Grid
        The values that can be released.
    policy : Policy
        How they are released.
    level : float
        The probability with which all intervals hold.
    baseline : Baseline
        The value to be improved on, and where it comes from.
    grouped : bool
        Whether groups of cases were kept together.
    commitment : str
        The salted SHA-256 of the labels.
    files : mapping of str to str
        SHA-256 of train.csv and test.csv.
    key_check : str
        Digits by which the right key is recognised.
    stretching : Stretching or None
        How the passphrase becomes the key; None for a key file.
    """

    vault: str
    created: str
    referee: str
    ids: tuple[str, ...]
    id_column: str
    target: str
    class_salt: str
    classes: tuple[str, ...]
    sizes: tuple[int, ...] | None
    measure: SealedMeasure
    grid: Grid
    policy: Policy
    level: float
    baseline: Baseline
    grouped: bool
    commitment: str
    files: Mapping[str, str]
    key_check: str
    stretching: Stretching | None

    @property
    def n(self) -> int:
        """The number of sealed cases."""
        return len(self.ids)

    @property
    def start(self) -> float:
        """The baseline; that of a ladder counts whole cases."""
        return self.baseline.value if self.policy.exact else self.grid.value(0)

    @property
    def cases_file(self) -> str:
        """Where a person finds the cases."""
        return TEST

    @property
    def classes_place(self) -> str:
        """Where a person finds the classes."""
        return f"{TRAIN}, column {self.target!r}"

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each id stands."""
        return {name: position for position, name in enumerate(self.ids)}

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {digest: code for code, digest in enumerate(self.classes)}

    def class_code(self, label: str) -> int | None:
        """Return the position of a class, None for what is no legal answer."""
        return self._codes.get(class_digest(self.class_salt, label))

    def record(self) -> dict[str, Any]:
        """Return the header as it is written."""
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        return plain | {
            "ids": list(self.ids),
            "classes": list(self.classes),
            "sizes": None if self.sizes is None else list(self.sizes),
            "measure": asdict(self.measure),
            "grid": asdict(self.grid),
            "policy": {"looks": self.policy.looks, "name": self.policy.name},
            "baseline": asdict(self.baseline),
            "files": dict(self.files),
            "stretching": None if self.stretching is None else asdict(self.stretching),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any], path: str) -> Header:
        """Read a header that is not known to be authentic; refuse what cannot be one."""
        try:
            return cls(**{**record, **_parts(record)})
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(
                f"{path} is damaged: its header is not as it was sealed",
                remedy="restore it from a copy",
            ) from None


def _parts(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a header that are more than texts and numbers."""
    sizes, stretching = record["sizes"], record["stretching"]
    bytes.fromhex(record["vault"]), bytes.fromhex(record["class_salt"])
    if len(record["vault"]) != 32 or not 0 < record["level"] < 1:
        raise ValueError("no vault has such a header")
    return {
        "ids": tuple(_texts(record["ids"])),
        "classes": tuple(_texts(record["classes"])),
        "sizes": None if sizes is None else tuple(int(size) for size in sizes),
        "measure": SealedMeasure.of(record["measure"]),
        "grid": Grid(**record["grid"]),
        "policy": replace(CATALOGUE[record["policy"]["name"]], looks=record["policy"]["looks"]),
        "baseline": Baseline(**record["baseline"]),
        "files": {str(name): str(digest) for name, digest in record["files"].items()},
        "stretching": None if stretching is None else Stretching.of(stretching),
    }


def _texts(values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise TypeError("not texts")
    return values


def class_digest(salt: str, label: str) -> str:
    """Return the hash by which a class is recognised in a header.

    Examples
    --------
    >>> class_digest("00" * 16, "ill")[:16]
    '2f456e206078a212'
    """
    return sha256(bytes.fromhex(salt) + label.encode(errors="surrogatepass")).hexdigest()
