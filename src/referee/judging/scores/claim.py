"""A claim about a mean score, and the verdict on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.core.results import Estimate, Finding, Outcome, Verdict
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.numbers import level_text
from referee.errors import InputError, named

__all__ = ["Claim", "verdict_on"]


@dataclass(frozen=True)
class Claim:
    """That a mean score is at least, or at most, some value; or nothing at all.

    Examples
    --------
    >>> Claim.of(0.7, None).text(Writing(True))
    'at least 70.0 %'
    """

    bound: float | None = None
    least: bool = True

    @classmethod
    def of(cls, at_least: float | None, at_most: float | None) -> Claim:
        """Return the claim of the two arguments, of which one may be given."""
        if at_least is not None and at_most is not None:
            raise InputError(
                f"and {named('at_most')} are two claims",
                argument="at_least",
                remedy="judge one at a time",
            )
        bound = at_most if at_least is None else at_least
        if bound is None:
            return cls()
        number = isinstance(bound, (int, float)) and not isinstance(bound, bool)
        if not number or not math.isfinite(bound):
            raise InputError(
                "a claim needs a finite number",
                concerning="at_least",
                value=repr(bound),
                remedy="for example 0.7",
            )
        return cls(float(bound), at_least is not None)

    def text(self, write: Writing) -> str:
        """Return the claim in words; empty where there is none."""
        if self.bound is None:
            return ""
        return f"at {'least' if self.least else 'most'} {write.value(self.bound)}"


def verdict_on(
    name: str,
    scores: Scores,
    estimate: Estimate,
    claim: Claim,
    write: Writing,
    how: str,
    findings: Sequence[Finding] = (),
) -> Verdict:
    """Return the verdict: what was measured and, where there is a claim, whether it was shown."""
    value = write.value(estimate.value)
    what = "scores" if scores.name == "score" else f"has a mean {scores.name} of"
    average = " on average" if scores.name == "score" else ""
    if estimate.interval is None:
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"{name} {what} {value}{average} over {how}; there is no interval: "
            f"{estimate.reason}.",
        )
    i = estimate.interval
    start = (
        f"{name} {what} {value}{average} ({level_text(i.level)} interval "
        f"{write.span(i.low, i.high)}; {how})"
    )
    if claim.bound is None:
        return Verdict(outcome=Outcome.UNDECIDED, sentence=f"{start}.")
    verdict = _on_claim(start, estimate, claim, write)
    return verdict.withheld(findings) if verdict.outcome is Outcome.PASS else verdict


def _on_claim(start: str, estimate: Estimate, claim: Claim, write: Writing) -> Verdict:
    i, bound = estimate.interval, claim.bound
    assert i is not None
    assert bound is not None
    kept, broken = (
        (i.low >= bound, i.high < bound) if claim.least else (i.high <= bound, i.low > bound)
    )
    if kept:
        text = f"{start}: {claim.text(write)}, as claimed."
        return Verdict(outcome=Outcome.PASS, sentence=text)
    if broken:
        text = f"{start}: not {claim.text(write)}, as claimed."
        return Verdict(outcome=Outcome.FAIL, sentence=text)
    text = f"{start}: not shown to be {claim.text(write)}{_needed(estimate, claim)}."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _needed(estimate: Estimate, claim: Claim) -> str:
    """Say about how many items would show the claim, if the mean stayed what it is."""
    i, bound = estimate.interval, claim.bound
    assert i is not None
    assert bound is not None
    away = estimate.value - bound if claim.least else bound - estimate.value
    reach = estimate.value - i.low if claim.least else i.high - estimate.value
    if away <= 0 or reach <= 0:
        return ""
    rows = estimate.n * (reach / away) ** 2
    step = 10 ** max(0, len(str(int(rows))) - 2)
    return f"; with about {math.ceil(rows / step) * step} items this mean would show it"
