"""Comparison: the answer to "which model is better, or is it chance?"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.core.arrays import Label
from referee.core.citations import Citation
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Evidence, Finding, Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.errors import InputError, nearest
from referee.judging.evaluation import Provenance
from referee.measures import Measure
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.bayes import Posterior
from referee.significance.comparison_test import ComparisonTest

if TYPE_CHECKING:
    import pandas as pd

    from referee.comparing.grounds import ComparisonGrounds
    from referee.comparing.pairs.sequential_pair import InOrder
    from referee.intervals.sequential import ConfidenceSequence
    from referee.significance.sequential import EProcess

__all__ = ["Comparison", "Pair", "Standing"]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two models held against each other.

    Attributes
    ----------
    first, second : str
        The models.
    difference : Estimate
        The measure of the first minus that of the second, with its interval.
    evidence : Evidence
        The test of no difference.
    p_adjusted : float
        Its p-value, raised for the number of pairs (Holm); the same for a single pair.
    outcome : Outcome
        FIRST, SECOND, EQUIVALENT or UNDECIDED (PASS or UNDECIDED for non-inferiority).
    equivalence : Evidence or None
        The test that the difference is smaller than the rope, or that the first is not worse by
        more than it, where a rope was stated; its p is adjusted like the other.
    posterior : Posterior or None
        The Bayesian correlated t test's three probabilities, for learners with a rope.
    counts : PairedCounts or None
        The table of cases by who answered them rightly, for fixed models.
    detectable : float or None
        The difference this comparison can detect with 80 % power; None if none.
    rows_needed : float or None
        About how many cases would show the observed difference with that power.
    smallest_p : float or None
        The smallest p-value the test can give for the cases on which the models differ.
    reservation : str
        Why the pair cannot be decided whatever its p-value; empty otherwise.
    """

    first: str
    second: str
    difference: Estimate
    evidence: Evidence
    p_adjusted: float = math.nan
    outcome: Outcome = Outcome.UNDECIDED
    equivalence: Evidence | None = None
    posterior: Posterior | None = None
    counts: PairedCounts | None = None
    detectable: float | None = None
    rows_needed: float | None = None
    smallest_p: float | None = None
    reservation: str = ""

    @property
    def better(self) -> str | None:
        """The name of the model that was shown to be better, if one was."""
        return {Outcome.FIRST: self.first, Outcome.SECOND: self.second}.get(self.outcome)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A model's place among the others.

    Attributes
    ----------
    rank : int
        One more than the number of models with a better value; equal values share a rank.
    best_rank, worst_rank : int
        The ranks that the pairs leave open: the true rank lies between them with the level's
        confidence, for all models at once.
    tier : int
        1 for models no other was shown to beat; 2 for those that only models of tier 1 beat; ...
    """

    name: str
    estimate: Estimate
    rank: int
    best_rank: int
    worst_rank: int
    tier: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Reportable):
    """Which model is better, with everything needed to defend it.

    Attributes
    ----------
    names : tuple of str
        The models, in the order given.
    verdict : Verdict
        One outcome and one sentence. For two models FIRST means the first-named is better; for
        more it means that one model is better than all the others.
    measure : Measure
        What was compared.
    pairs : tuple of Pair
        All pairs.
    standings : tuple of Standing
        All models, best first.
    omnibus : Evidence or None
        The test that all models are alike (Cochran's Q), for more than two fixed models.
    guessing : Estimate or None
        The error of always giving the commonest answer, for comparisons of errors.
    findings : tuple of Finding
        What should be known before the numbers are used.
    how, methods : str
        How it was measured; the same as a paragraph for a paper.
    citations : tuple of Citation
        The works that the paragraph cites.
    test : ComparisonTest or None
        The test that every pair was judged by.
    others : mapping of str to Comparison
        The same models by each of the other measures asked for; the verdict rests on the first.
    predictions : mapping of str to Predictions
        The tables everything was computed from.
    grounds : ComparisonGrounds or None
        What everything was concluded from; ``grounds.comparison()`` concludes it again.
    """

    names: tuple[str, ...]
    verdict: Verdict
    measure: Measure
    pairs: tuple[Pair, ...]
    standings: tuple[Standing, ...]
    omnibus: Evidence | None
    findings: tuple[Finding, ...]
    how: str
    methods: str
    level: float
    rope: float
    adjust: str
    family_wise: bool = True
    guessing: Estimate | None
    predictions: Mapping[str, Predictions]
    provenance: Provenance
    plan: Plan | None = None
    pos_label: Label | None = None
    models: Mapping[str, Any] | None = None
    grounds: ComparisonGrounds | None = None
    citations: tuple[Citation, ...] = ()
    test: ComparisonTest | None = None
    others: Mapping[str, Comparison] = field(default_factory=dict)

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.names)}: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The models in a few words."""
        return " against ".join(self.names) if len(self.names) == 2 else f"{len(self.names)} models"

    @property
    def leading(self) -> Pair:
        """The pair of the two, or of the two best, models; else the first one."""
        top = {s.name for s in self.standings[:2]}
        return next((d for d in self.pairs if {d.first, d.second} == top), self.pairs[0])

    @property
    def difference(self) -> Estimate:
        """The difference of the leading pair, first minus second."""
        return self.leading.difference

    @property
    def evidence(self) -> Evidence:
        """The test of the leading pair."""
        return self.leading.evidence

    @property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each model's own value with its interval."""
        return {s.name: s.estimate for s in self.standings}

    @property
    def sequence(self) -> ConfidenceSequence | None:
        """The intervals of the first pair's difference of losses after every case.

        None unless `sequential` was asked for.
        """
        cases = self._in_order
        return None if cases is None else cases.sequence

    @property
    def evidence_process(self) -> EProcess | None:
        """The evidence that the first pair differs after every case.

        None unless `sequential` was asked for.
        """
        cases = self._in_order
        return None if cases is None else cases.process

    @property
    def _in_order(self) -> InOrder | None:
        from referee.comparing.pairs.sequential_pair import InOrder

        if self.grounds is None or not self.grounds.question.sequential:
            return None
        first, second = (self.predictions[name] for name in self.names[:2])
        return InOrder(first, second, self.grounds.question)

    @property
    def best(self) -> tuple[str, ...]:
        """The models no other was shown to beat."""
        return tuple(s.name for s in self.standings if s.tier == 1)

    def pair(self, first: str, second: str) -> Pair:
        """Return the pair of two models, in either order."""
        for name in (first, second):
            if name not in self.names:
                raise InputError(
                    f"there is no model {name!r}",
                    concerning="model",
                    remedy=nearest(str(name), self.names),
                )
        held = [d for d in self.pairs if {d.first, d.second} == {first, second}]
        if not held:
            raise InputError(
                f"{first!r} and {second!r} were not compared with each other", concerning="second"
            )
        return held[0]

    def frame(self) -> pd.DataFrame:
        """Return one row per pair: difference, interval, test, p, adjusted p, outcome, power.

        Pairs by other measures follow those by the first.
        """
        import pandas as pd

        every = [*self.pairs, *(d for other in self.others.values() for d in other.pairs)]
        return pd.DataFrame([_row(d) for d in every])

    def ranking(self) -> pd.DataFrame:
        """Return one row per model, best first: value, interval, rank, rank interval, tier."""
        import pandas as pd

        return pd.DataFrame([_place(s) for s in self.standings])


def _row(d: Pair) -> dict[str, Any]:
    i = d.difference.interval
    return {
        "first": d.first,
        "second": d.second,
        "measure": d.difference.name,
        "difference": d.difference.value,
        "low": i.low if i else math.nan,
        "high": i.high if i else math.nan,
        "method": i.method if i else "",
        "test": d.evidence.test,
        "statistic": d.evidence.statistic,
        "p": d.evidence.p_value,
        "p_adjusted": d.p_adjusted,
        "outcome": d.outcome.value,
        "better": d.better or "",
        "detectable": math.nan if d.detectable is None else d.detectable,
        "rows_needed": math.nan if d.rows_needed is None else d.rows_needed,
        "n": d.evidence.n,
        "target": d.evidence.target.value,
        "reservation": d.reservation,
    }


def _place(s: Standing) -> dict[str, Any]:
    i = s.estimate.interval
    return {
        "model": s.name,
        "tier": s.tier,
        "rank": s.rank,
        "best_rank": s.best_rank,
        "worst_rank": s.worst_rank,
        s.estimate.name: s.estimate.value,
        "low": i.low if i else math.nan,
        "high": i.high if i else math.nan,
    }
