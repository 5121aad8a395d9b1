"""The evidence for one part of a claim in one stratum: counts, p-values on both sides, bounds.

p_pass speaks against "the claim is false" (small: the claim is shown), p_fail against "the claim
is true" (small: it is shown to be false). Fixed plans use the exact binomial law, or the exact
unconditional test for two models; sequential plans use e-values, whose p-values hold at any time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Flags, Floats
from referee.core.results import Interval
from referee.intervals.difference.paired import tango
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.sequential.beta_binomial import Side, beta_binomial, log_mixture
from referee.intervals.sequential.betting import betting
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.equivalence import non_inferiority
from referee.significance.paired.inferiority import inferiority
from referee.significance.sequential.differences import (
    difference_e_process,
    non_inferiority_e_process,
)
from referee.vault.certificate.protocol.claim import PairPart, Part, SharePart
from referee.vault.certificate.protocol.plan import CertificatePlan

__all__ = ["PartEvidence", "Thresholds", "counted_evidence", "evidence_of", "paired_evidence"]


@dataclass(frozen=True)
class Thresholds:
    """At which p-values a sequential test may stop, and the level of the printed bound."""

    passing: float
    failing: float
    level: float
    bound_level: float


@dataclass(frozen=True, kw_only=True)
class PartEvidence:
    """What the cases of a stratum say about a part of the claim.

    Attributes
    ----------
    part, stratum : str
        What is claimed, and of which cases.
    n : int
        How many cases counted.
    counts : tuple of int
        Failures; or, for two models, cases that both, only this, only the other, or none got right.
    value : float or None
        The measure; for two models the difference in failures, this minus the other.
    low, high : float
        The two-sided interval at the level of the protocol.
    bound, bound_level : float
        The one-sided bound that decides, and its level.
    p_pass, p_fail : float
        See the module.
    method : str
        How they were computed.
    within : bool
        Whether an acceptance plan allows so many failures, and has its cases.
    note : str
        What is odd, where something is.
    """

    part: str
    stratum: str
    n: int
    counts: tuple[int, ...]
    value: float | None
    low: float
    high: float
    bound: float
    bound_level: float
    p_pass: float
    p_fail: float
    method: str
    within: bool = True
    note: str = ""


def evidence_of(
    part: Part,
    stratum: str,
    plan: CertificatePlan,
    wrong: Flags,
    other: Flags | None,
    thresholds: Thresholds,
) -> PartEvidence:
    """Return the evidence of the cases that count, in the order of the test set.

    Parameters
    ----------
    part : SharePart or PairPart
        What is claimed.
    stratum : str
        Of which cases.
    plan : CertificatePlan
        How many of them count.
    wrong, other : array of bool
        Whether this model, and the baseline, answered each case wrongly.
    thresholds : Thresholds
        When to stop.
    """
    wrong = wrong[: plan.length]
    if not wrong.size:
        return _no_cases(part, stratum, thresholds)
    if isinstance(part, SharePart):
        if plan.kind == "sequential":
            return _share_in_order(part, stratum, wrong, thresholds)
        return counted_evidence(part, stratum, plan, len(wrong), int(wrong.sum()), thresholds)
    assert other is not None
    other = other[: plan.length]
    if plan.kind == "sequential":
        return _pair_in_order(part, stratum, wrong, other, thresholds)
    return paired_evidence(part, stratum, PairedCounts.of(wrong, other), thresholds)


def _no_cases(part: Part, stratum: str, thresholds: Thresholds) -> PartEvidence:
    rising = isinstance(part, SharePart) and part.rising
    low = 0.0 if isinstance(part, SharePart) else -1.0
    return PartEvidence(
        part=part.text, stratum=stratum, n=0,
        counts=(0,) if isinstance(part, SharePart) else (0, 0, 0, 0),
        value=None, low=low, high=1.0, bound=low if rising else 1.0,
        bound_level=thresholds.bound_level, p_pass=1.0, p_fail=1.0, method="none", within=False,
        note="no case counts",
    )  # fmt: skip


def counted_evidence(
    part: SharePart,
    stratum: str,
    plan: CertificatePlan,
    n: int,
    failures: int,
    thresholds: Thresholds,
) -> PartEvidence:
    """Return the evidence of so many failures among n cases, exactly.

    Examples
    --------
    >>> from referee.vault.certificate.protocol.claim import claim_of
    >>> part = claim_of("error <= 0.01").parts[0]
    >>> at = Thresholds(0.05, 0.05, 0.95, 0.95)
    >>> e = counted_evidence(part, "all cases", CertificatePlan("exact"), 299, 0, at)
    >>> round(e.p_pass, 4), round(e.bound, 5), e.p_fail
    (0.0495, 0.00997, 1.0)
    """
    limit, level = part.tolerance, thresholds.bound_level
    upper = 1.0 if failures == n else float(special.betaincinv(failures + 1, n - failures, level))
    both = clopper_pearson(failures, n, thresholds.level)
    note, within = "", True
    if plan.kind == "acceptance":
        assert plan.n is not None
        assert plan.failures is not None
        within = n == plan.n and failures <= plan.failures
        note = "" if n == plan.n else f"the plan takes {plan.n} cases, and there were {n}"
    return PartEvidence(
        part=part.text,
        stratum=stratum,
        n=n,
        counts=(failures,),
        value=part.value(failures / n),
        low=_ends(part, both)[0],
        high=_ends(part, both)[1],
        bound=part.value(upper),
        bound_level=level,
        p_pass=float(special.bdtr(failures, n, limit)),
        p_fail=1.0 if failures == 0 else float(special.bdtrc(failures - 1, n, limit)),
        method="exact binomial",
        within=within,
        note=note,
    )


def _ends(part: SharePart, failures: Interval) -> tuple[float, float]:
    """Turn an interval of the rate of failures into one of the measure."""
    turned = failures.complement() if part.rising else failures
    return turned.low, turned.high


def paired_evidence(
    part: PairPart, stratum: str, pairs: PairedCounts, thresholds: Thresholds
) -> PartEvidence:
    """Return the evidence of a table of pairs, exactly up to 20 000 cases."""
    passing, failing = non_inferiority(pairs, part.margin), inferiority(pairs, part.margin)
    both = tango(pairs, thresholds.level)
    exact = passing.test.endswith("exact")
    return PartEvidence(
        part=part.text,
        stratum=stratum,
        n=int(pairs.n),
        counts=tuple(
            int(c)
            for c in (pairs.both_right, pairs.first_right, pairs.second_right, pairs.both_wrong)
        ),
        value=pairs.difference,
        low=both.low,
        high=both.high,
        bound=tango(pairs, 2 * thresholds.bound_level - 1).high,
        bound_level=thresholds.bound_level,
        p_pass=passing.p_value,
        p_fail=failing.p_value,
        method="exact unconditional" if exact else "score",
        note="" if exact else "more than 20 000 cases: a normal law stands in for the exact one",
    )


def _share_in_order(
    part: SharePart, stratum: str, wrong: Flags, thresholds: Thresholds
) -> PartEvidence:
    limit = part.tolerance
    # As in planning.sequential_acceptance: rates of the size of the limit are mixed.
    a, b = 0.5, 0.5 * (1 - limit) / limit
    failures = np.cumsum(wrong).astype(float)
    n = np.arange(1.0, len(wrong) + 1)
    sides: tuple[Side, Side] = ("upper", "lower")
    passing, failing = (log_mixture(failures, n, limit, a=a, b=b, side=side) for side in sides)
    end, p_pass, p_fail = _stop(passing, failing, thresholds)
    scores = wrong[:end].astype(float)
    upper = beta_binomial(scores, thresholds.bound_level, a=a, b=b, side="upper").interval.high
    both = beta_binomial(scores, thresholds.level, a=a, b=b).interval
    count = int(failures[end - 1])
    return PartEvidence(
        part=part.text,
        stratum=stratum,
        n=end,
        counts=(count,),
        value=part.value(count / end),
        low=_ends(part, both)[0],
        high=_ends(part, both)[1],
        bound=part.value(upper),
        bound_level=thresholds.bound_level,
        p_pass=p_pass,
        p_fail=p_fail,
        method="beta-binomial sequence",
        note=_stopped(end, len(wrong)),
    )


def _pair_in_order(
    part: PairPart, stratum: str, wrong: Flags, other: Flags, thresholds: Thresholds
) -> PartEvidence:
    differences = wrong.astype(float) - other.astype(float)
    level = 1 - thresholds.passing
    passing = non_inferiority_e_process(wrong, other, part.margin, level=level).log_e
    failing = difference_e_process(
        differences, margin=part.margin, alternative="greater", level=level
    ).log_e
    end, p_pass, p_fail = _stop(passing, failing, thresholds)
    both = betting(differences[:end], thresholds.level, bounds=(-1.0, 1.0)).interval
    pairs = PairedCounts.of(wrong[:end], other[:end])
    cells = (pairs.both_right, pairs.first_right, pairs.second_right, pairs.both_wrong)
    one_sided = betting(differences[:end], 2 * thresholds.bound_level - 1, bounds=(-1.0, 1.0))
    return PartEvidence(
        part=part.text,
        stratum=stratum,
        n=end,
        counts=tuple(int(c) for c in cells),
        value=pairs.difference,
        low=both.low,
        high=both.high,
        bound=one_sided.interval.high,
        bound_level=thresholds.bound_level,
        p_pass=p_pass,
        p_fail=p_fail,
        method="betting",
        note=_stopped(end, len(wrong)),
    )


def _stop(passing: Floats, failing: Floats, thresholds: Thresholds) -> tuple[int, float, float]:
    """Return after how many cases it was clear, and both p-values until then."""
    reached = (passing >= -math.log(thresholds.passing)) | (
        failing >= -math.log(thresholds.failing)
    )
    end = int(np.argmax(reached)) + 1 if reached.any() else len(reached)
    return end, _p(passing[:end]), _p(failing[:end])


def _p(log_e: Floats) -> float:
    return math.exp(-max(0.0, float(log_e.max())))


def _stopped(end: int, n: int) -> str:
    return f"stopped after {end} of {n} cases" if end < n else ""
