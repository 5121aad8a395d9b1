"""DatasetsComparison: the answer to "which model ranks better over several data sets?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.core.citations import Citation
from referee.core.fingerprint import fingerprint
from referee.core.results import Evidence, Finding, Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.judging.evaluation import Provenance
from referee.judging.settings import versions
from referee.significance.bayes import Posterior
from referee.significance.datasets.critical_difference import (
    CriticalDifference,
)
from referee.significance.datasets.dataset_test import DatasetTest, Role

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["DatasetsComparison"]


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsComparison(Reportable):
    """Models compared over several data sets by their ranks.

    Attributes
    ----------
    scores : DataFrame
        One row per data set, one column per model.
    measure : str
        What the scores are.
    greater_is_better : bool
        Their direction.
    friedman, iman_davenport : Evidence
        The tests that all models rank alike.
    critical : CriticalDifference
        Average ranks, the critical difference, and groups not shown to differ.
    pairs : mapping of pair to Evidence
        The test of each pair (Wilcoxon's unless another was asked for), p-values raised by Holm's
        method.
    signs : mapping of pair to Evidence
        The sign test of each pair, not adjusted.
    posterior : Posterior or None
        The Bayesian signed rank test, for two models on six data sets or more.
    seed : int
        Of splits and fits, and of the draws of the posterior.
    how : str
        How the values were measured; empty where scores were given.
    findings : tuple of Finding
        What was found on any of the data sets; a serious one withholds the verdict.
    significance : str or DatasetTest
        The test that was asked for.
    tests : mapping of Role to DatasetTest
        The test of pairs, of all models, and of which differ after it.
    omnibus : Evidence
        The test of all models at once that the verdict starts from: Iman and Davenport's unless
        another was asked for.
    methods, citations : str, tuple of Citation
        A paragraph for a paper, and the works it cites.
    """

    names: tuple[str, ...]
    verdict: Verdict
    scores: pd.DataFrame
    measure: str
    greater_is_better: bool
    friedman: Evidence
    iman_davenport: Evidence
    critical: CriticalDifference
    pairs: Mapping[tuple[str, str], Evidence]
    signs: Mapping[tuple[str, str], Evidence]
    methods: str
    level: float
    rope: float
    tests: Mapping[Role, DatasetTest]
    omnibus: Evidence
    significance: str | DatasetTest = "auto"
    posterior: Posterior | None = None
    seed: int = 0
    citations: tuple[Citation, ...] = ()
    how: str = ""
    findings: tuple[Finding, ...] = ()

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<DatasetsComparison of {', '.join(self.names)}: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The models and data sets in a few words."""
        return f"{len(self.names)} models on {len(self.scores)} data sets"

    @property
    def provenance(self) -> Provenance:
        """The seed, and a fingerprint of the scores with their names."""
        return Provenance(
            seed=self.seed,
            data=fingerprint([*self.names, *map(str, self.scores.index), self.scores.to_numpy()]),
            plan="",
            versions=versions(),
        )

    @property
    def evidence(self) -> Evidence:
        """The test the verdict starts from: of the pair for two models, else of all at once."""
        return next(iter(self.pairs.values())) if len(self.names) == 2 else self.omnibus

    @property
    def best(self) -> tuple[str, ...]:
        """The model of the best average rank and those not shown to differ from it.

        With a control: the models shown to be better than it, else it and those not told apart.
        """
        if len(self.names) == 2:
            won = {Outcome.FIRST: self.names[:1], Outcome.SECOND: self.names[1:]}
            return won.get(self.verdict.outcome, self.critical.order)
        order, control = self.critical.order, self.critical.control
        if control is None:
            return tuple(m for m in order if not self.critical.differ(m, order[0]))
        apart = [m for m in order if self.critical.differ(m, control)]
        above = [m for m in apart if self.critical.rank(m) < self.critical.rank(control)]
        return tuple(above or [m for m in order if m not in apart])

    def frame(self) -> pd.DataFrame:
        """Return one row per pair: average ranks, whether they differ, the adjusted p."""
        import pandas as pd

        rows = [
            {
                "first": a,
                "second": b,
                "rank_first": self.critical.rank(a),
                "rank_second": self.critical.rank(b),
                "differ": self.critical.differ(a, b),
                "test": e.test,
                "statistic": e.statistic,
                "p_adjusted": e.p_value,
                "sign_p": self.signs[a, b].p_value,
            }
            for (a, b), e in self.pairs.items()
        ]
        return pd.DataFrame(rows)

    def ranking(self) -> pd.DataFrame:
        """Return one row per model, best first: average rank and mean score."""
        import pandas as pd

        rows = [
            {"model": m, "average_rank": self.critical.rank(m), "mean": self.scores[m].mean()}
            for m in self.critical.order
        ]
        return pd.DataFrame(rows)
