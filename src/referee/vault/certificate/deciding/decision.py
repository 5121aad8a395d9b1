"""From the evidence of all parts and strata to PASS, FAIL or UNDECIDED.

Rule ``each``: the claim is that every stratum holds. It is shown where each is, so every test of
PASS has the full level (an intersection-union test: Berger 1982). That some stratum fails is said
at a level adjusted by Holm, since with many strata one would fail by chance.

Rule ``single``: every stratum is a claim of its own, so the tests of PASS are adjusted by Holm over
the strata, and those of FAIL over all tests.

References
----------
Berger (1982), Technometrics 24. Holm (1979), Scandinavian Journal of Statistics 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.core.results import Outcome
from referee.significance.multiplicity.holm import holm
from referee.vault.certificate.deciding.evidence import PartEvidence, Thresholds

__all__ = ["RULES", "Decision", "PartResult", "decide", "thresholds"]

RULES = ("each", "single")


@dataclass(frozen=True)
class PartResult:
    """A part of the claim in a stratum, judged.

    Attributes
    ----------
    evidence : PartEvidence
        What the cases say.
    p_pass, p_fail : float
        The p-values that decide: adjusted where the rule says so.
    outcome : Outcome
        PASS, FAIL or UNDECIDED.
    """

    evidence: PartEvidence
    p_pass: float
    p_fail: float
    outcome: Outcome


@dataclass(frozen=True)
class Decision:
    """The verdict, and how each part and stratum stands.

    Attributes
    ----------
    outcome : Outcome
        PASS where all strata pass, FAIL where one fails, UNDECIDED otherwise.
    parts : tuple of PartResult
        In the order of strata, then of parts.
    """

    outcome: Outcome
    parts: tuple[PartResult, ...]

    def strata(self, outcome: Outcome) -> tuple[str, ...]:
        """Name the strata that ended so: the worst of its parts speaks for a stratum."""
        names = dict.fromkeys(result.evidence.stratum for result in self.parts)
        return tuple(n for n in names if worst(self._of(n)) is outcome)

    def _of(self, stratum: str) -> list[Outcome]:
        return [r.outcome for r in self.parts if r.evidence.stratum == stratum]


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """Return FAIL where anything failed, PASS where all passed, UNDECIDED otherwise.

    Examples
    --------
    >>> worst([Outcome.PASS, Outcome.UNDECIDED]).value
    'undecided'
    """
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    return Outcome.PASS if set(outcomes) == {Outcome.PASS} else Outcome.UNDECIDED


def thresholds(rule: str, level: float, *, strata: int, parts: int) -> Thresholds:
    """Return at which p-values one test may stop whatever the others show.

    Bounds that are printed hold for their stratum alone under ``each``, and all together under
    ``single``.
    """
    alpha = 1 - level
    passing = alpha if rule == "each" else alpha / strata
    bound_level = level if rule == "each" else 1 - alpha / strata
    return Thresholds(passing, alpha / (strata * parts), level, bound_level)


def decide(evidence: Sequence[PartEvidence], rule: str, level: float) -> Decision:
    """Judge all evidence together."""
    alpha = 1 - level
    strata = list(dict.fromkeys(e.stratum for e in evidence))
    failing = holm([e.p_fail for e in evidence])
    worst_pass = {s: max(e.p_pass for e in evidence if e.stratum == s) for s in strata}
    adjusted = dict(zip(strata, holm(list(worst_pass.values())), strict=True))
    parts = []
    for e, p_fail in zip(evidence, failing, strict=True):
        p_pass = e.p_pass if rule == "each" else max(e.p_pass, float(adjusted[e.stratum]))
        outcome = Outcome.UNDECIDED
        if e.n and p_pass <= alpha and e.within and e.p_pass < e.p_fail:
            outcome = Outcome.PASS
        elif e.n and p_fail <= alpha and e.p_fail < e.p_pass:
            outcome = Outcome.FAIL
        parts.append(PartResult(e, p_pass, float(p_fail), outcome))
    return Decision(worst([p.outcome for p in parts]), tuple(parts))
