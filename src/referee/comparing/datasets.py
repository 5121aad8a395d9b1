"""Several data sets: which model ranks better over all of them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from referee.comparing.comparison_verdict import while_none_stands
from referee.comparing.question import check_rope
from referee.core.arrays import Floats
from referee.core.citations import Citation
from referee.core.fingerprint import fingerprint
from referee.core.machine.limits import MOST_SCORED
from referee.core.results import Evidence, Finding, Outcome, Verdict, check_level
from referee.core.showing.numbers import level_text, p_text
from referee.core.showing.reportable import Reportable
from referee.errors import InputError, Refusal, arg
from referee.judging.evaluation import Provenance
from referee.judging.settings import versions
from referee.measures import measure_named
from referee.significance.bayes import Posterior, bayes_signed_rank
from referee.significance.catalogue import DATASET_TESTS
from referee.significance.datasets.critical_difference import (
    CriticalDifference,
    critical_difference,
)
from referee.significance.datasets.dataset_test import DatasetSituation, DatasetTest, Role
from referee.significance.datasets.friedman import friedman
from referee.significance.datasets.iman_davenport import IMAN_DAVENPORT, iman_davenport
from referee.significance.datasets.sign import sign_test
from referee.significance.datasets.wilcoxon import WILCOXON
from referee.significance.multiplicity.holm import HOLM, holm
from referee.significance.works import DEMSAR_2006

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DatasetsComparison", "compare_score_table"]

_ENOUGH = 6
"""Fewer data sets can show no difference by a test, and leave a posterior to its prior."""


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


def compare_score_table(
    scores: Any,
    *,
    measure: str = "accuracy",
    greater_is_better: bool | None = None,
    control: str | None = None,
    significance: str | DatasetTest = "auto",
    rope: float = 0.0,
    level: float = 0.95,
    random_state: int = 0,
    how: str = "",
    findings: Sequence[Finding] = (),
) -> DatasetsComparison:
    """Compare models over data sets, from a table of one score each.

    Parameters
    ----------
    scores : DataFrame, or mapping of model to scores
        One row per data set, one column per model; a DataFrame's index names the data sets.
    measure : str
        What the scores are; a measure's name settles which direction is better.
    greater_is_better : bool, optional
        The direction, needed where `measure` is not a name of `referee.measures.MEASURES`.
    control : str, optional
        Compare every model with this one only (Bonferroni-Dunn), not all pairs (Nemenyi).
    significance : str or DatasetTest
        The test of two models, of all, or of which differ, by its name in
        `referee.significance.DATASET_TESTS`, or one of your own.
    rope : float
        Differences up to this size do not matter, for the Bayesian test of two models.
    level : float
        Confidence level.
    how, findings
        How the scores were measured, and what was found meanwhile, where that is known.

    Returns
    -------
    DatasetsComparison

    Examples
    --------
    >>> scores = {"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.6], "b": [0.8, 0.7, 0.6, 0.8, 0.7, 0.5]}
    >>> c = compare_score_table(scores)
    >>> c.verdict.outcome.value, c.evidence.p_value
    ('first', 0.03125)
    """
    frame = _frame(scores)
    if len(frame.columns) > MOST_SCORED:
        raise InputError(
            f"scores must hold at most {MOST_SCORED} models, as every pair is compared",
            concerning="scores",
            value=str(len(frame.columns)),
            remedy="leave out those that do not matter",
        )
    up = _direction(measure, greater_is_better)
    _check_rope(rope, len(frame.columns))
    alpha = 1 - check_level(level)
    values = frame.to_numpy(float)
    names = tuple(frame.columns)
    every = list(combinations(names, 2))
    situation = DatasetSituation(
        role=Role.PAIR, models=len(names), data_sets=len(frame), control=control is not None
    )
    tests = DATASET_TESTS.asked(significance, situation)
    pairs = _raised({(a, b): tests[Role.PAIR].compute(_apart(frame, a, b)) for a, b in every})
    by_iman_davenport = iman_davenport(values, greater_is_better=up)
    omnibus = by_iman_davenport
    if tests[Role.ALL] is not IMAN_DAVENPORT:
        omnibus = tests[Role.ALL].compute(values, greater_is_better=up)
    critical = critical_difference(
        values,
        names,
        greater_is_better=up,
        alpha=alpha,
        control=control,
        after=tests[Role.AFTER],
    )
    if len(names) > 2:
        critical = replace(critical, alike=omnibus.p_value > alpha)
    else:
        critical = _as_the_test(critical, next(iter(pairs.values())), alpha)
    posterior = None
    if len(names) == 2 and len(frame) >= _ENOUGH:
        posterior = bayes_signed_rank(
            _apart(frame, *names), rope=rope, random_state=random_state, greater_is_better=up
        )
    verdict = _equivalent(
        _verdict(critical, tests, pairs, omnibus, frame, up, alpha), posterior, rope, level
    )
    return DatasetsComparison(
        names=names,
        verdict=while_none_stands(_with_direction(verdict, measure, up), findings),
        scores=frame,
        measure=measure,
        greater_is_better=up,
        friedman=friedman(values, greater_is_better=up),
        iman_davenport=by_iman_davenport,
        omnibus=omnibus,
        tests=tests,
        significance=significance,
        critical=critical,
        pairs=pairs,
        signs={(a, b): sign_test(_apart(frame, a, b)) for a, b in every},
        methods=_methods(critical, tests, measure, level, how=how, seed=random_state),
        citations=_citations(critical, tests),
        level=level,
        rope=rope,
        posterior=posterior,
        seed=random_state,
        how=how,
        findings=tuple(findings),
    )


def _raised(pairs: Mapping[tuple[str, str], Evidence]) -> dict[tuple[str, str], Evidence]:
    """Return the evidence of all pairs with p-values raised by Holm's method."""
    raised = holm([e.p_value for e in pairs.values()])
    return {
        pair: replace(e, p_value=float(p))
        for (pair, e), p in zip(pairs.items(), raised, strict=True)
    }


def _frame(scores: Any) -> pd.DataFrame:
    import pandas as pd

    frame = scores if isinstance(scores, pd.DataFrame) else None
    if frame is None:
        try:
            frame = pd.DataFrame(scores)
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"scores must be a table with one column per model: {problem}", concerning="scores"
            ) from None
    frame = frame.rename(columns=str)
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(
            f"two models are called {twice[0]!r}",
            concerning="models",
            remedy="give them names of their own",
        )
    if frame.shape[1] < 2:
        raise InputError(
            "scores must hold at least two models to compare",
            concerning="scores",
            value=str(frame.shape[1]),
        )
    if len(frame) < 2:
        raise InputError(
            "scores must hold at least two data sets",
            concerning="scores",
            value=str(len(frame)),
            remedy="for one data set use compare(models, X, y)",
        )
    for name in frame.columns:
        _refuse_hole(frame, name)
    return frame.astype(float)


def _refuse_hole(frame: pd.DataFrame, name: str) -> None:
    import pandas as pd

    column = pd.to_numeric(frame[name], errors="coerce")
    bad = np.flatnonzero(~np.isfinite(column.to_numpy(float)))
    if bad.size:
        where = frame.index[bad[0]]
        raise InputError(
            f"scores of {name!r} on data set {where!r} must be a number",
            value=repr(frame[name].iloc[bad[0]]),
            remedy="leave out the data set, or score it",
        )


def _direction(measure: str, greater_is_better: bool | None) -> bool:
    if greater_is_better is not None:
        return greater_is_better
    try:
        return bool(measure_named(measure).greater_is_better)
    except InputError as problem:
        raise InputError(
            problem,
            remedy=f"for scores of another kind say {arg('greater_is_better', True)} or False",
        ) from None


def _apart(frame: pd.DataFrame, first: str, second: str) -> Floats:
    return np.asarray(frame[first].to_numpy(float) - frame[second].to_numpy(float))


def _with_direction(verdict: Verdict, measure: str, up: bool) -> Verdict:
    """Add to the sentence what was compared and which way is better."""
    way = "greater" if up else "smaller"
    sentence = verdict.sentence.replace("data sets", f"data sets ({measure}, {way} is better)", 1)
    return replace(verdict, sentence=sentence)


def _as_the_test(critical: CriticalDifference, test: Evidence, alpha: float) -> CriticalDifference:
    """Let the test of two models, not their ranks, say whether they differ."""
    if test.p_value > alpha:
        return replace(critical, alike=True)
    apart = abs(critical.ranks[0] - critical.ranks[1])
    return replace(critical, difference=min(critical.difference, apart))


def _check_rope(rope: float, models: int) -> None:
    check_rope(rope)
    if rope > 0 and models > 2:
        raise Refusal(
            "over data sets a rope is judged for two models only",
            concerning="rope",
            remedy="leave it out, or compare two",
        )


def _equivalent(
    verdict: Verdict, posterior: Posterior | None, rope: float, level: float
) -> Verdict:
    """Return EQUIVALENT where the posterior has the difference within the rope at the level."""
    if posterior is None or rope == 0 or posterior.equivalent < level:
        return verdict
    text = (
        f"The models are equivalent within {rope:g} over {posterior.n} data sets: posterior "
        f"probability {posterior.equivalent:.3g} (Bayesian signed rank)."
    )
    return Verdict(outcome=Outcome.EQUIVALENT, sentence=text)


def _verdict(
    critical: CriticalDifference,
    tests: Mapping[Role, DatasetTest],
    pairs: Mapping[tuple[str, str], Evidence],
    omnibus: Evidence,
    frame: pd.DataFrame,
    up: bool,
    alpha: float,
) -> Verdict:
    if len(critical.names) == 2:
        first, second = critical.names
        lead = _lead(_apart(frame, first, second)) * (1 if up else -1)
        return _of_two(critical, tests[Role.PAIR], next(iter(pairs.values())), lead, alpha)
    tested = f"{tests[Role.ALL].called} = {omnibus.statistic:.3g}, {p_text(omnibus.p_value)}"
    if critical.control is not None and not critical.alike:
        return _against_control(critical, tested)
    return _of_many(critical, tested)


def _lead(differences: Floats) -> float:
    """Return the sum of signed ranks: above 0 where they favour larger values of the first."""
    return float(np.sum(np.sign(differences) * stats.rankdata(np.abs(differences))))


def _of_two(
    critical: CriticalDifference,
    test: DatasetTest,
    evidence: Evidence,
    lead: float,
    alpha: float,
) -> Verdict:
    best, other = critical.names if lead >= 0 else critical.names[::-1]
    n = critical.n
    tested = f"{test.called} = {evidence.statistic:g}, {p_text(evidence.p_value)}"
    if evidence.p_value <= alpha:
        outcome = Outcome.FIRST if best == critical.names[0] else Outcome.SECOND
        text = f"{best} is better than {other} over {n} data sets: {tested}."
        return Verdict(outcome=outcome, sentence=text)
    reach = test.can_show(n, alpha)
    text = (
        f"No difference was shown between {best} and {other} over {n} data sets: {tested}"
        f"{'; ' if reach else ''}{reach}."
    )
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _against_control(critical: CriticalDifference, tested: str) -> Verdict:
    """Judge every model against the control, and nothing else."""
    control = critical.control
    assert control is not None
    others = [m for m in critical.order if m != control]
    apart = [m for m in others if critical.differ(m, control)]
    above = [m for m in apart if critical.rank(m) < critical.rank(control)]
    below = [m for m in apart if m not in above]
    sides = [(above, "better than it"), (below, "worse than it")]
    result = " and ".join(f"{', '.join(names)} {how}" for names, how in sides if names)
    result = result or "none is told apart from it"
    text = (
        f"Against {control} (average rank {critical.rank(control):.2f}) over {critical.n} data "
        f"sets: {result}; average ranks must differ by {critical.difference:.2f} "
        f"({critical.method}); {tested}."
    )
    outcome = Outcome.SECOND if above else Outcome.UNDECIDED
    return Verdict(outcome=Outcome.FIRST if len(below) == len(others) else outcome, sentence=text)


def _of_many(critical: CriticalDifference, tested: str) -> Verdict:
    names, n = critical.order, critical.n
    apart = f"average ranks must differ by {critical.difference:.2f} ({critical.method})"
    ranks = ", ".join(f"{m} {critical.rank(m):.2f}" for m in names[:6])
    ranks += " …" if len(names) > 6 else ""
    if critical.alike:
        text = f"No difference was shown between {len(names)} models over {n} data sets: {tested}"
        return Verdict(outcome=Outcome.UNDECIDED, sentence=f"{text}; {apart}; they are {ranks}.")
    near = [m for m in names if m == names[0] or not critical.differ(m, names[0])]
    if len(near) == 1:
        text = f"{names[0]} is better than each of the other {len(names) - 1} over {n} data sets"
        return Verdict(outcome=Outcome.FIRST, sentence=f"{text}: {tested}; {apart}: {ranks}.")
    others = [m for m in near if m != names[0]]
    shared = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not"
    shared = "no other is" if len(near) == len(names) else shared
    text = (
        f"The {len(names)} models differ over {n} data sets ({tested}), but {shared} told apart "
        f"from {names[0]}, the best by rank: {apart}; they are {ranks}."
    )
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _methods(
    critical: CriticalDifference,
    tests: Mapping[Role, DatasetTest],
    measure: str,
    level: float,
    *,
    how: str,
    seed: int,
) -> str:
    names = ", ".join(critical.names[:-1]) + f" and {critical.names[-1]}"
    measured = f" Each value comes from {how}; the seed was {seed}." if how else ""
    return (
        f"We compared {names} by {measure} on {critical.n} data sets.{measured} "
        f"{_tested(critical, tests, level_text(1 - level))} "
        f"All was computed with referee {versions()['referee']}."
    )


def _tested(critical: CriticalDifference, tests: Mapping[Role, DatasetTest], alpha: str) -> str:
    pair = tests[Role.PAIR]
    if len(critical.names) == 2:
        exact = ", exact and two-sided" if pair is WILCOXON else ", two-sided"
        zeros = f", zeros split evenly {DEMSAR_2006.in_text}" if pair is WILCOXON else ""
        return f"The difference was tested with {pair.cited}{exact} at the {alpha} level{zeros}."
    control = critical.control
    which = "pairs" if control is None else f"{control} against each other model"
    beside = (
        "pairwise Wilcoxon signed rank tests" if pair is WILCOXON else f"for pairs {pair.cited}"
    )
    return (
        f"Equality was tested with {tests[Role.ALL].cited}, {which} by "
        f"{tests[Role.AFTER].cited}, both at the {alpha} level "
        f"{DEMSAR_2006.in_text}; {beside} adjusted by {HOLM.cited} are given beside."
    )


def _citations(
    critical: CriticalDifference, tests: Mapping[Role, DatasetTest]
) -> tuple[Citation, ...]:
    """Return the works that the paragraph cites."""
    pair = tests[Role.PAIR]
    if len(critical.names) == 2:
        return tuple(sorted({*pair.citations, *((DEMSAR_2006,) if pair is WILCOXON else ())}))
    used = [tests[Role.ALL], tests[Role.AFTER], HOLM, *([] if pair is WILCOXON else [pair])]
    return tuple(sorted({DEMSAR_2006, *(work for t in used for work in t.citations)}))
