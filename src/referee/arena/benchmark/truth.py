"""Truth: the secret side of a benchmark, labels and halves, in a sealed file of its own."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.arena.arena import Arena
from referee.arena.benchmark.definition import Definition
from referee.core.arrays import Codes, Flags, Floats
from referee.intervals.looks import Groups, independent_cases
from referee.measures import ShareMeasure
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.labels.commitment import commitment
from referee.vault.sealed.labels.sealed_file import read_sealed_file, seal_bytes
from referee.vault.sealed.labels.secret_labels import SecretLabels
from referee.vault.sealed.ledger.canonical import canonical_text
from referee.vault.sealed.ledger.durable import create_file
from referee.vault.sealed.sealed_measure import SealedMeasure
from referee.vault.sealed.submissions.submission import Submission

__all__ = ["Truth", "seal_truth", "truth_of"]

_LENGTHS = struct.Struct(">II")


@dataclass(frozen=True, eq=False, repr=False)
class Truth:
    """The right answers, and which cases are in the public half. It prints as nothing.

    Attributes
    ----------
    labels : SecretLabels
        The label of each case, in the order of test.csv.
    public : array of bool
        Whether a case counts before the end.
    groups : array of int or None
        Which cases belong together.

    Examples
    --------
    >>> labels = SecretLabels(("ill", "well"), np.array([1, 0]), bytes(32))
    >>> truth = Truth(labels, np.array([True, False]), None)
    >>> truth, Truth.of(truth.to_bytes()).public.tolist()
    (<truth about 2 cases>, [True, False])
    """

    labels: SecretLabels
    public: Flags
    groups: Codes | None

    def __repr__(self) -> str:
        return f"<truth about {len(self.public)} cases>"

    def to_bytes(self) -> bytes:
        """Return the bytes to be encrypted."""
        labels = self.labels.to_bytes()
        groups = b"" if self.groups is None else self.groups.astype(">u4").tobytes()
        start = _LENGTHS.pack(len(labels), len(groups))
        return start + labels + self.public.astype(np.uint8).tobytes() + groups

    @classmethod
    def of(cls, data: bytes) -> Truth:
        """Read what was decrypted."""
        length, grouped = _LENGTHS.unpack_from(data)
        at = _LENGTHS.size + length
        labels = SecretLabels.of(data[_LENGTHS.size : at])
        public = np.frombuffer(data, np.uint8, len(labels.codes), at).astype(bool)
        groups = np.frombuffer(data, ">u4", grouped // 4, at + len(public)) if grouped else None
        return cls(labels, public, None if groups is None else groups.astype(np.intp))

    def commitment(self, ids: tuple[str, ...]) -> str:
        """Return the public hash of labels and halves."""
        halves = ["public" if public else "private" for public in self.public.tolist()]
        texts = [canonical_text(list(p)) for p in zip(self.labels.texts, halves, strict=True)]
        return commitment(self.labels.salt, ids, texts)

    def half(self, *, public: bool) -> Flags:
        """Return which cases are in a half."""
        return self.public if public else ~self.public

    def relevant(self, measure: SealedMeasure, *, public: bool) -> Flags:
        """Return the cases of a half that a measure is about: of a class rate, one class."""
        cases = self.half(public=public)
        if not (measure.by_class and isinstance(measure.measure, ShareMeasure)):
            return cases
        positive = self.labels.codes == measure.positive
        wanted: Flags = cases & (positive if measure.measure.of_class else ~positive)
        return wanted

    def groups_of(self, measure: SealedMeasure, *, public: bool) -> Groups | None:
        """Return how those cases come in groups; None where each stands for itself."""
        if self.groups is None or measure.is_area:
            return None
        return Groups.of(self.groups[self.relevant(measure, public=public)])

    def independent(self, measure: SealedMeasure) -> float | None:
        """Return how many independent cases the public half is worth; None for all of them."""
        if self.groups is None or measure.is_area:
            return None
        return independent_cases(self.groups[self.relevant(measure, public=True)])

    def loss(self, definition: Definition, submission: Submission, *, public: bool) -> float:
        """Return what a submission loses on a half, as its grid counts it. It is a secret."""
        cases = self.half(public=public)
        return definition.measure.loss(
            self.labels.codes[cases], _part(submission.answers, cases), _floats(submission, cases)
        )


def _part(answers: Codes | None, cases: Flags) -> Codes | None:
    return None if answers is None else answers[cases]


def _floats(submission: Submission, cases: Flags) -> Floats | None:
    return None if submission.scores is None else submission.scores[cases]


def seal_truth(path: Path, truth: Truth, key: Key, header: dict[str, object]) -> None:
    """Write the sealed file, which only its owner can read."""
    create_file(path, seal_bytes(header, truth.to_bytes(), key.labels), mode=0o600)


def read_truth(path: Path, key: Key) -> Truth:
    """Decrypt a sealed file."""
    return Truth.of(read_sealed_file(path).decrypt(key.labels))


def truth_of(arena: Arena, version: int, slug: str, number: int) -> Truth:
    """Return the truth of a version; decrypted once a process."""
    if version not in arena.truths:
        # Several threads may come here at once; all of them have to go on with the same object.
        read = read_truth(arena.places.labels(slug, number), arena.key)
        return arena.truths.setdefault(version, read)
    return arena.truths[version]
