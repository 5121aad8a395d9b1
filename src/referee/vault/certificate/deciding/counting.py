"""Counting: from labels and answers to the evidence of every part of the claim in every stratum."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.core.arrays import Codes, Rows
from referee.vault.certificate.deciding.decision import Decision, decide, thresholds
from referee.vault.certificate.deciding.evidence import PartEvidence, Thresholds, evidence_of
from referee.vault.certificate.protocol.claim import PairPart, Part
from referee.vault.certificate.protocol.lock import Lock
from referee.vault.certificate.protocol.strata import ALL_CASES

__all__ = ["counted", "overall", "stops"]


def stops(lock: Lock) -> Thresholds:
    """Return when a sequential test may stop, and the level of bounds."""
    sizes = {"strata": len(lock.strata.members), "parts": len(lock.claim.parts)}
    return thresholds(lock.strata.rule, lock.level, **sizes)


def counted(lock: Lock, truth: Codes, answers: Codes, others: Mapping[str, Codes]) -> Decision:
    """Judge the answers.

    Parameters
    ----------
    lock : Lock
        The protocol.
    truth, answers : array of int
        The class of each case, and what the model says.
    others : mapping of str to array of int
        What baselines say, by file.
    """
    evidence = [
        _evidence(lock, part, name, lock.strata.rows(name), truth, answers, others, stops(lock))
        for name in lock.strata.members
        for part in lock.claim.parts
    ]
    return decide(evidence, lock.strata.rule, lock.level)


def overall(
    lock: Lock, truth: Codes, answers: Codes, others: Mapping[str, Codes]
) -> tuple[PartEvidence, ...]:
    """Return the evidence of all cases together, for the reader; it decides nothing."""
    if ALL_CASES in lock.strata.members:
        return ()
    rows = np.unique(np.concatenate([lock.strata.rows(name) for name in lock.strata.members]))
    at = Thresholds(1 - lock.level, 1 - lock.level, lock.level, lock.level)
    return tuple(
        _evidence(lock, part, ALL_CASES, rows, truth, answers, others, at)
        for part in lock.claim.parts
    )


def _evidence(
    lock: Lock,
    part: Part,
    name: str,
    rows: Rows,
    truth: Codes,
    answers: Codes,
    others: Mapping[str, Codes],
    at: Thresholds,
) -> PartEvidence:
    rows = rows[part.counted(truth[rows], lock.positive)]
    wrong = truth[rows] != answers[rows]
    if part.by_class:  # of two sides: being taken for another class of the same side is no failure
        wrong = (truth[rows] == lock.positive) != (answers[rows] == lock.positive)
    other = None
    if isinstance(part, PairPart):
        said = others[part.baseline][rows]
        other = truth[rows] != said
        if part.by_class:
            other = (truth[rows] == lock.positive) != (said == lock.positive)
    return evidence_of(part, name, lock.plan, wrong, other, at)
