"""The lock: a protocol frozen, with everything it refers to, in bytes that cannot change unseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee import __version__
from referee.core.machine.plain_file import file_bytes
from referee.core.results import Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.errors import InputError
from referee.sources.tables import read_table
from referee.vault.certificate.extra import extra_module
from referee.vault.certificate.protocol.claim import Claim, claim_of
from referee.vault.certificate.protocol.plan import CertificatePlan, plan_of
from referee.vault.certificate.protocol.protocol import Protocol
from referee.vault.certificate.protocol.strata import (
    Exclusions,
    Strata,
    column_reader,
    exclusions_of,
    strata_of,
)
from referee.vault.certificate.protocol.test_set import Opening, TestSet, labels_file, set_of_vault
from referee.vault.certificate.signing.signing_key import PublicKey, read_public_key
from referee.vault.sealed.files import TEST
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical
from referee.vault.sealed.ledger.entry import now
from referee.vault.sealed.ledger.ledger import file_digest
from referee.vault.sealed.submissions.offer import offered_file
from referee.vault.sealed.submissions.submission import checked_submission
from referee.vault.sealed.vault import Vault

__all__ = ["FORMAT", "VERSION", "Lock", "Signer", "frozen", "lock_of", "read_lock"]

FORMAT, VERSION = "referee protocol", 1


@dataclass(frozen=True)
class Signer:
    """Who signs, and with which key."""

    name: str
    role: str
    key: PublicKey


@dataclass(frozen=True, kw_only=True, eq=False)
class Lock(Reportable):
    """A frozen protocol.

    Attributes
    ----------
    title : str
        What is certified.
    claim : Claim
        What is to be shown.
    level : float
        How surely.
    pos_label : str or None
        The positive class.
    plan : CertificatePlan
        When it is enough.
    cases : TestSet
        The test set.
    strata : Strata
        Groups of cases that each must hold.
    exclusions : Exclusions
        Cases that do not count.
    baselines : mapping of str to str
        SHA-256 of the answers of other models, by file.
    signer : Signer
        Who signs.
    time, referee : str
        When it was frozen, and by which version.
    """

    title: str
    claim: Claim
    level: float
    pos_label: str | None
    plan: CertificatePlan
    cases: TestSet
    strata: Strata
    exclusions: Exclusions
    baselines: Mapping[str, str]
    signer: Signer
    time: str
    referee: str

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Lock {self.fingerprint[:16]}: {self.claim.text}>"

    @property
    def name(self) -> str:
        """The title."""
        return self.title

    @property
    def verdict(self) -> Verdict:
        """What was frozen, in one sentence; nothing is judged yet."""
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"Frozen: {self.claim.text}, at level {self.level:g}, on "
            f"{self.cases.n - len(self.exclusions.ids)} cases; fingerprint "
            f"{self.fingerprint[:16]}.",
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything else in the lock: the number to publish."""
        return sha256(canonical_bytes(self._record())).hexdigest()

    @cached_property
    def content(self) -> bytes:
        """The file."""
        return canonical_bytes(self._record() | {"fingerprint": self.fingerprint}) + b"\n"

    @property
    def positive(self) -> int | None:
        """The position of the positive class."""
        return None if self.pos_label is None else self.cases.class_code(self.pos_label)

    def _record(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "referee": self.referee,
            "frozen": self.time,
            "title": self.title,
            "claim": self.claim.text,
            "level": self.level,
            "pos_label": self.pos_label,
            "plan": self.plan.record(),
            "cases": self.cases.record(),
            "strata": self.strata.record(),
            "exclusions": self.exclusions.record(),
            "baselines": dict(self.baselines),
            "signer": {
                "name": self.signer.name,
                "role": self.signer.role,
                "public_key": self.signer.key.hex,
                "keyid": self.signer.key.keyid,
            },
        }


def frozen(protocol: Protocol) -> tuple[Lock, Opening | None]:
    """Read everything a protocol names, and fix it.

    Returns
    -------
    Lock, Opening or None
        The salt of a file of labels is a secret, and kept apart.
    """
    cases, opening, table_path = _cases(protocol)
    table = read_table(table_path, header=cases.header)
    column = column_reader(table, cases.id_column, cases.ids)
    exclusions = exclusions_of(protocol.exclusions, cases.ids, column)
    strata = strata_of(protocol.strata, cases.ids, exclusions.ids, column)
    protocol.plan.refuse_hopeless(protocol.claim, protocol.level, strata.sizes)
    if protocol.pos_label is not None and cases.class_code(protocol.pos_label) is None:
        raise InputError(
            f"pos_label {protocol.pos_label!r} is none of the {len(cases.classes)} classes of the "
            "test set",
            remedy="correct it",
        )
    lock = Lock(
        title=protocol.title,
        claim=protocol.claim,
        level=protocol.level,
        pos_label=protocol.pos_label,
        plan=protocol.plan,
        cases=cases,
        strata=strata,
        exclusions=exclusions,
        baselines={name: _baseline(protocol, name, cases) for name in protocol.claim.baselines},
        signer=Signer(
            str(protocol.signer["name"]).strip(),
            str(protocol.signer.get("role", "")).strip(),
            read_public_key(protocol.file(str(protocol.signer["public_key"]))),
        ),
        time=now(),
        referee=__version__,
    )
    return lock, opening


def _cases(protocol: Protocol) -> tuple[TestSet, Opening | None, Path]:
    data = protocol.data
    if "vault" in data:
        vault = Vault(protocol.file(str(data["vault"])))
        return set_of_vault(vault), None, vault.directory / TEST
    path, target = protocol.file(str(data["labels"])), str(data["target"])
    id_column = str(data.get("id", "id"))
    labels = labels_file(path, id_column, target)
    more = [str(name) for name in data.get("classes", ())]
    cases, opening = labels.committed(id_column, target, more)
    return cases, opening, protocol.file(str(data.get("inputs", data["labels"])))


def _baseline(protocol: Protocol, name: str, cases: TestSet) -> str:
    """Check the answers of another model, and return the hash of their file."""
    path = protocol.file(name)
    checked_submission(offered_file(path, cases), cases)
    return file_digest(path)


def read_lock(path: Path) -> Lock:
    """Read a lock; one that was edited is refused."""
    try:
        content = file_bytes(path)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); referee certify freeze writes it",
            at=str(path),
        ) from None
    return lock_of(content, str(path))


def lock_of(content: bytes, path: str) -> Lock:
    """Read a lock from its bytes."""
    record = _record(content, path)
    extra_module("securesystemslib.signer")  # keys have their names from it
    try:
        signer = record["signer"]
        lock = Lock(
            title=record["title"],
            claim=claim_of(record["claim"]),
            level=float(record["level"]),
            pos_label=record["pos_label"],
            plan=plan_of(record["plan"]),
            cases=TestSet.of(record["cases"]),
            strata=Strata.of(record["strata"]),
            exclusions=Exclusions.of(record["exclusions"]),
            baselines=dict(record["baselines"]),
            signer=Signer(signer["name"], signer["role"], PublicKey(signer["public_key"])),
            time=record["frozen"],
            referee=record["referee"],
        )
        same = lock.content == content
    except (KeyError, TypeError, ValueError, AttributeError):
        same = False
    if not same:
        raise InputError(
            f"{path} was edited after it was frozen: its fingerprint does not fit",
            remedy="restore it, or freeze a new protocol",
        )
    return lock


def _record(content: bytes, path: str) -> Mapping[str, Any]:
    try:
        record = read_canonical(content.removesuffix(b"\n"))
        ours = record["format"] == FORMAT
        version = int(record["version"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"{path} is no frozen protocol, or was edited after it was frozen",
            remedy="restore it, or make one with referee certify freeze",
        ) from None
    if not ours or version < 1:
        raise InputError(
            f"{path} is no frozen protocol", remedy="make one with referee certify freeze"
        )
    if version > VERSION:
        raise InputError(
            f"{path} was frozen in version {version} of the format; referee {__version__} reads "
            f"up to version {VERSION}",
            remedy="update referee",
        )
    assert isinstance(record, dict)
    return record
