"""ScoresEvaluation: the answer to "how well does this model score?"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.core.results import Estimate, Finding, Verdict
from referee.core.scores.scores import Scores
from referee.core.showing.reportable import Reportable
from referee.intervals.scores.prediction_powered import PredictionPowered
from referee.intervals.scores.runs import RunSplit
from referee.judging.evaluation import Provenance

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["JudgeCorrection", "ScoresEvaluation"]


@dataclass(frozen=True, kw_only=True)
class JudgeCorrection:
    """What people's marks say about a judge, and what became of the mean.

    Attributes
    ----------
    powered : PredictionPowered
        The corrected mean, or difference.
    bias : Estimate
        By how much the judge marks higher than people do, with its interval.
    people : Estimate
        The mean of the people's marks alone.
    """

    powered: PredictionPowered
    bias: Estimate
    people: Estimate


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoresEvaluation(Reportable):
    """How well one model scores, with everything needed to defend it.

    Attributes
    ----------
    name : str
        The model.
    verdict : Verdict
        The sentence; PASS, FAIL or UNDECIDED where a claim was made (`at_least`, `at_most`).
    estimate : Estimate
        The mean score with its interval; corrected where people marked some of the items.
    raw : Estimate
        The mean of the scores as they are; the same as `estimate` unless it was corrected.
    runs : RunSplit or None
        How the doubt is split between items and runs, where any item was run more than once.
    advice : str
        What would narrow the interval most, where runs were repeated or people marked items.
    passes : tuple of Estimate
        pass@k, pass^k and at-least-k, for repeated runs that succeed or fail.
    correction : JudgeCorrection or None
        What people's marks say of the judge, where there are any.
    findings : tuple of Finding
        What should be known before the numbers are used.
    how, methods : str
        How it was measured; the same as a paragraph for a paper.
    claim : str
        What was to be shown, in words; empty where nothing was.
    scores : Scores
        What everything was computed from.
    """

    name: str
    verdict: Verdict
    estimate: Estimate
    raw: Estimate
    runs: RunSplit | None
    advice: str
    passes: tuple[Estimate, ...]
    correction: JudgeCorrection | None
    findings: tuple[Finding, ...]
    how: str
    methods: str
    claim: str
    level: float
    scores: Scores
    provenance: Provenance

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<ScoresEvaluation of {self.name}: {self.verdict.sentence}>"

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Everything that was estimated, the mean score first."""
        more = (self.raw,) if self.correction is not None else ()
        people = (self.correction.people, self.correction.bias) if self.correction else ()
        return (self.estimate, *more, *people, *self.passes)

    def frame(self) -> pd.DataFrame:
        """Return one row per estimate: name, value, interval, method, n."""
        import pandas as pd

        return pd.DataFrame([_row(e) for e in self.estimates])


def _row(estimate: Estimate) -> dict[str, Any]:
    i = estimate.interval
    return {
        "estimate": estimate.name,
        "value": estimate.value,
        "low": i.low if i else math.nan,
        "high": i.high if i else math.nan,
        "level": i.level if i else math.nan,
        "method": i.method if i else "",
        "n": estimate.n,
        "n_effective": i.n_effective if i and i.n_effective else float(estimate.n),
        "reason": estimate.reason or (i.flag if i else ""),
    }
