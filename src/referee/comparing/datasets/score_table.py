"""A table of one score for each model and data set: which model ranks better over all of them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.comparing.datasets.datasets_comparison import DatasetsComparison
from referee.comparing.datasets.ranks_methods import cited_works, methods_paragraph
from referee.comparing.datasets.ranks_verdict import (
    equivalent_within,
    ranks_verdict,
    score_differences,
    with_direction,
)
from referee.comparing.question import check_rope
from referee.core.machine.limits import MOST_SCORED
from referee.core.results import Evidence, Finding, check_level
from referee.errors import InputError, Refusal, arg
from referee.measures import measure_named
from referee.significance.bayes import bayes_signed_rank
from referee.significance.catalogue import DATASET_TESTS
from referee.significance.datasets.critical_difference import (
    CriticalDifference,
    critical_difference,
)
from referee.significance.datasets.dataset_test import DatasetSituation, DatasetTest, Role
from referee.significance.datasets.friedman import friedman
from referee.significance.datasets.iman_davenport import IMAN_DAVENPORT, iman_davenport
from referee.significance.datasets.sign import sign_test
from referee.significance.multiplicity.holm import holm

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["compare_score_table"]

_ENOUGH = 6
"""Fewer data sets can show no difference by a test, and leave a posterior to its prior."""


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
    pairs = _raised(
        {(a, b): tests[Role.PAIR].evidence(score_differences(frame, a, b)) for a, b in every}
    )
    by_iman_davenport = iman_davenport(values, greater_is_better=up)
    omnibus = by_iman_davenport
    if tests[Role.ALL] is not IMAN_DAVENPORT:
        omnibus = tests[Role.ALL].evidence(values, greater_is_better=up)
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
            score_differences(frame, *names),
            rope=rope,
            random_state=random_state,
            greater_is_better=up,
        )
    verdict = equivalent_within(
        ranks_verdict(critical, tests, pairs, omnibus, frame, up, alpha), posterior, rope, level
    )
    return DatasetsComparison(
        names=names,
        verdict=with_direction(verdict, measure, up).withheld(findings),
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
        signs={(a, b): sign_test(score_differences(frame, a, b)) for a, b in every},
        methods=methods_paragraph(critical, tests, measure, level, how=how, seed=random_state),
        citations=cited_works(critical, tests),
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
            str(problem),
            remedy=f"for scores of another kind say {arg('greater_is_better', True)} or False",
        ) from None


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
