"""ScoresComparison: the answer to "which of two models scores better, or is it chance?"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.comparing.scores.pair import ScoresPair
from referee.core.results import Estimate, Evidence, Finding, Verdict
from referee.core.scores.scores import Scores
from referee.core.showing.reportable import Reportable
from referee.judging.evaluation import Provenance
from referee.judging.scores.evaluation import JudgeCorrection

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ScoresComparison", "pair_row"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoresComparison(Reportable):
    """Which of two models scores better, with everything needed to defend it.

    Attributes
    ----------
    names : tuple of two str
        The models; FIRST means that the first of them is better.
    verdict : Verdict
        One outcome and one sentence.
    pair : ScoresPair
        Difference, interval, test and power.
    estimates : mapping of str to Estimate
        Each model's own mean score, on the items that are compared.
    correction : JudgeCorrection or None
        What people's marks say of the judge, where they put the difference right.
    findings : tuple of Finding
        What should be known before the numbers are used.
    how, methods : str
        How it was measured; the same as a paragraph for a paper.
    scores : Scores
        What everything was computed from.
    """

    names: tuple[str, str]
    verdict: Verdict
    pair: ScoresPair
    estimates: Mapping[str, Estimate]
    correction: JudgeCorrection | None
    findings: tuple[Finding, ...]
    how: str
    methods: str
    advice: str
    level: float
    rope: float
    scores: Scores
    provenance: Provenance

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<ScoresComparison of {', '.join(self.names)}: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The models in a few words."""
        return " against ".join(self.names)

    @property
    def difference(self) -> Estimate:
        """The mean score of the first minus that of the second."""
        return self.pair.difference

    @property
    def evidence(self) -> Evidence:
        """The test of no difference."""
        return self.pair.evidence

    def frame(self) -> pd.DataFrame:
        """Return one row: difference, interval, test, p, outcome, power."""
        import pandas as pd

        return pd.DataFrame([pair_row(self.pair)])


def pair_row(pair: ScoresPair) -> dict[str, Any]:
    """Return a pair as a row of a table."""
    i = pair.difference.interval
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference.value,
        "low": i.low if i else math.nan,
        "high": i.high if i else math.nan,
        "method": i.method if i else "",
        "test": pair.evidence.test,
        "statistic": pair.evidence.statistic,
        "p": pair.evidence.p_value,
        "p_adjusted": pair.p_adjusted,
        "outcome": pair.outcome.value,
        "better": pair.better or "",
        "paired": pair.paired,
        "detectable": math.nan if pair.detectable is None else pair.detectable,
        "items_needed": math.nan if pair.items_needed is None else pair.items_needed,
        "n": pair.evidence.n,
    }
