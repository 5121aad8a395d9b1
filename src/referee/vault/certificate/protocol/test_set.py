"""The test set of a protocol: what may be known of it before it is used.

It is a vault, or a file of labels that somebody keeps. Ids are public, classes are known by salted
hashes, labels by a commitment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError, Refusal
from referee.sources.tables import Header, Table, read_table
from referee.vault.sealed.cases.case_ids import few, ids_in_table, repeated
from referee.vault.sealed.files import TEST
from referee.vault.sealed.labels.commitment import commitment
from referee.vault.sealed.labels.header import class_digest
from referee.vault.sealed.labels.secret_labels import label_text
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical
from referee.vault.sealed.ledger.ledger import file_digest
from referee.vault.sealed.sealed_measure import SealedMeasure
from referee.vault.sealed.vault import Vault

__all__ = ["LabelsFile", "Opening", "TestSet", "labels_file", "set_of_vault"]


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """What is public about the cases.

    Attributes
    ----------
    kind : {"vault", "labels"}
        Where the labels are.
    vault, sealed : str
        The name of the vault and the SHA-256 of its sealed file; empty for a file of labels.
    ids : tuple of str
        The cases, in their order.
    id_column, target : str
        The columns of ids and labels.
    class_salt, classes : str, tuple of str
        Salted hashes of the classes.
    commitment : str
        The salted SHA-256 of the labels.
    """

    __test__ = False  # pytest, this is no test

    kind: str
    vault: str
    sealed: str
    ids: tuple[str, ...]
    id_column: str
    target: str
    class_salt: str
    classes: tuple[str, ...]
    commitment: str

    @property
    def n(self) -> int:
        """How many cases there are."""
        return len(self.ids)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each id stands."""
        return {name: position for position, name in enumerate(self.ids)}

    @property
    def measure(self) -> SealedMeasure:
        """Answers are wanted, not scores."""
        return SealedMeasure("error", None, None, len(self.classes))

    @property
    def cases_file(self) -> str:
        """Where a person finds the cases."""
        return TEST if self.kind == "vault" else "the test set"

    @property
    def header(self) -> Header:
        """Whether its files begin with names: those of a vault do, even if names are numbers."""
        return True if self.kind == "vault" else "auto"

    @property
    def classes_place(self) -> str:
        """Where a person finds the classes."""
        return f"the test set, column {self.target!r}"

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {digest: code for code, digest in enumerate(self.classes)}

    def class_code(self, label: str) -> int | None:
        """Return the position of a class, None for what is no legal answer."""
        return self._codes.get(class_digest(self.class_salt, label))

    def record(self) -> dict[str, Any]:
        """Return the test set as a lock writes it."""
        return {
            "kind": self.kind,
            "vault": self.vault,
            "sealed": self.sealed,
            "ids": list(self.ids),
            "id_column": self.id_column,
            "target": self.target,
            "class_salt": self.class_salt,
            "classes": list(self.classes),
            "commitment": self.commitment,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> TestSet:
        """Read it from a lock."""
        parts = {"ids": tuple(record["ids"]), "classes": tuple(record["classes"])}
        return cls(**{**record, **parts})


def set_of_vault(vault: Vault) -> TestSet:
    """Return what a vault tells of its cases; one whose cases are not independent is refused."""
    header = vault.header
    if header.grouped:
        raise Refusal(
            f"{vault.directory} was sealed in groups of cases, and the exact binomial law holds "
            "for independent cases only",
            remedy="seal a test set with one case of each group",
        )
    vault.refuse_used()
    table = vault.directory / TEST
    if not table.is_file() or file_digest(table) != header.files.get(TEST):
        raise InputError(
            f"{table} is not the file that was written at the seal", remedy="restore it"
        )
    return TestSet(
        kind="vault",
        vault=header.vault,
        sealed=file_digest(vault.directory / "labels.sealed"),
        ids=header.ids,
        id_column=header.id_column,
        target=header.target,
        class_salt=header.class_salt,
        classes=header.classes,
        commitment=header.commitment,
    )


@dataclass(frozen=True)
class Opening:
    """The salt by which labels are recognised as those of a commitment; a secret like them."""

    commitment: str
    salt: str

    def content(self) -> bytes:
        """Return the file that keeps it."""
        return canonical_bytes({"commitment": self.commitment, "salt": self.salt}) + b"\n"

    @classmethod
    def read(cls, path: Path) -> Opening:
        """Read it from a file; also the opening.json of a vault."""
        try:
            record = read_canonical(file_bytes(path).rstrip(b"\n"))
            bytes.fromhex(record["salt"])
            return cls(str(record["commitment"]), str(record["salt"]))
        except OSError as problem:
            raise InputError(
                f"{path} cannot be read ({problem.strerror}); it holds the salt of the labels, "
                "and referee certify freeze, or referee vault open, wrote it",
                at=str(path),
            ) from None
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{path} holds no salt of labels", remedy="restore it from a copy"
            ) from None


@dataclass(frozen=True, eq=False, repr=False)
class LabelsFile:
    """Labels as a file has them. They print as nothing.

    Attributes
    ----------
    ids, labels : list of str
        The cases and their labels, in the order of the file.
    table : Table
        The whole table.
    """

    ids: list[str]
    labels: list[str]
    table: Table

    def __repr__(self) -> str:
        return f"<labels of {len(self.ids)} cases>"

    def committed(
        self, id_column: str, target: str, more: Sequence[str]
    ) -> tuple[TestSet, Opening]:
        """Return what may be known of the labels, and the salt that proves them later."""
        classes = sorted({*self.labels, *more})
        if len(classes) < 2:
            raise InputError(
                f"{self.table.path}, column {target!r} holds one class only",
                remedy="name all that may be answered with data.classes",
            )
        salt, class_salt = os.urandom(32), os.urandom(16).hex()
        promise = commitment(salt, self.ids, self.labels)
        cases = TestSet(
            kind="labels",
            vault="",
            sealed="",
            ids=tuple(self.ids),
            id_column=id_column,
            target=target,
            class_salt=class_salt,
            classes=tuple(class_digest(class_salt, name) for name in classes),
            commitment=promise,
        )
        return cases, Opening(promise, salt.hex())

    def ordered(self, cases: TestSet) -> list[str]:
        """Return the labels in the order of the cases; other ids are refused."""
        if set(self.ids) != set(cases.ids):
            odd = sorted(set(self.ids) ^ set(cases.ids))
            raise InputError(
                f"{self.table.path} does not hold the cases of the protocol ({few(odd)} in one of "
                "them only)",
                remedy="name the file that was frozen",
            )
        return [
            label
            for _, label in sorted(
                zip(map(cases.positions.__getitem__, self.ids), self.labels, strict=True)
            )
        ]


def labels_file(path: Path, id_column: str, target: str, header: Header = "auto") -> LabelsFile:
    """Read labels; every case must have one id and one label."""
    table = read_table(path, header=header)
    ids = ids_in_table(table, id_column)
    twice = repeated(ids)
    if twice:
        raise InputError(
            f"{table.places(twice)}, column {id_column!r}: the id {ids[twice[0]]!r} stands "
            f"{len(twice)} times; every case needs an id of its own",
            at=table.places(twice),
        )
    return LabelsFile(ids, [label_text(value) for value in table.labels(target).tolist()], table)
