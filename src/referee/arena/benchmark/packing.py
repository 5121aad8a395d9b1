"""Packing: the predictions of a submission as bytes, under the name of their own hash."""

from __future__ import annotations

import numpy as np

from referee.arena.benchmark.definition import Definition
from referee.vault.sealed.submissions.submission import Submission

__all__ = ["packed", "unpacked"]


def packed(submission: Submission) -> bytes:
    """Return answers as the shortest whole numbers that hold them, scores as they are."""
    if submission.answers is not None:
        most = int(submission.answers.max(initial=0))
        kind, letter = next((k, c) for k, c in _KINDS if most <= np.iinfo(k).max)
        return letter + submission.answers.astype(kind).tobytes()
    assert submission.scores is not None
    return b"f" + np.ascontiguousarray(submission.scores, "<f8").tobytes()


_KINDS: tuple[tuple[type[np.unsignedinteger], bytes], ...] = (
    (np.uint8, b"1"),
    (np.uint16, b"2"),
    (np.uint32, b"4"),
)


def unpacked(content: bytes, definition: Definition) -> Submission:
    """Return the predictions that bytes hold; ValueError where they cannot be any of these."""
    letter, data = content[:1], content[1:]
    if letter == b"f":
        scores = np.frombuffer(data, "<f8").astype(float)
        each = definition.measure.classes if definition.measure.of_probabilities else 1
        shape = (definition.n,) if each == 1 else (definition.n, each)
        return Submission(None, scores.reshape(shape))
    kinds = {name: kind for kind, name in _KINDS}
    if letter not in kinds:
        raise ValueError("no predictions")
    answers = np.frombuffer(data, kinds[letter]).astype(np.intp)
    if len(answers) != definition.n or answers.max(initial=0) >= len(definition.classes):
        raise ValueError("predictions of another benchmark")
    return Submission(answers, None)
