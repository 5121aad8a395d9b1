"""The paired bootstrap: the difference of any measure of two models on the same cases.

Cases are drawn with all that both models said about them, so that what the models share cancels.
Matrix measures are drawn without regard to class and rankings class by class, as their intervals
are (docs/architecture.md); groups are drawn whole.

The test divides the difference by its bootstrap standard error, never below the jackknife's where
there is one, and asks Student's t, whose degrees of freedom know how few cases a class has. The
percentile form, which counts the replicates on the other side of 0, is there by name and flagged:
with five positives it rejects equal models in 13 % of the tests. See the Notes section of
`PairedBootstrap`.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13, 15 and 16. Satterthwaite
(1946), Biometrics Bulletin 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.core.randomness import Seed
from referee.core.results import Evidence, Interval, Target
from referee.errors import InputError, Refusal, nearest
from referee.intervals.one_set.bootstrap.bootstrap import Bootstrapped, bootstrap_mean, percentile
from referee.measures import MEASURES, Measure, RankingMeasure, roc_curve
from referee.measures.formulas.ranking import checked_ranking
from referee.significance.comparison_test import (
    ComparisonTest,
    Setting,
    interval_of_the_test,
)
from referee.significance.contrast import Contrast
from referee.significance.paired.paired_units import (
    aligned_answers,
    drawn_differences,
    group_units,
    jackknife,
    kinds_of_units,
)
from referee.significance.samples import PairedSample
from referee.significance.works import EFRON_TIBSHIRANI_1993

__all__ = [
    "PAIRED_BOOTSTRAP",
    "PairedBootstrap",
    "assumptions_of",
    "enough_defined",
    "paired_matrix",
    "paired_mean",
    "paired_ranking",
]

_TEST = "paired-bootstrap"
_METHODS = ("t", "percentile")
_TOO_OFTEN = "rejects equal models too often where a class is small (.13 at .05 with five cases)"
_ENOUGH = 0.5
"""Share of the resamples in which the measure must be defined."""


_MORE = "test more cases of every class"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedBootstrap:
    """A difference of two models, first minus second, and its bootstrap replicates.

    Attributes
    ----------
    value : float
        The difference on the cases themselves.
    replicates : array of float
        The difference in each resample where it is defined.
    jackknife_se : float
        The jackknife's standard error; 0 where it was not made (rankings).
    df : float
        Degrees of freedom of the standard error.
    n : int
        Cases.

    Notes
    -----
    Size at .05 for equal models, lowest to highest of 8 cells a number of cases (a tenth, three
    tenths and half of them positive, rates .6/.05 to .95/.05, models correlated by 0 and .7; 1500
    repetitions of 999 resamples; the t column is an upper bound, as the larger of two standard
    errors counts) and, for rankings, of 6 cells of binormal scores (areas .7 to .9, a fifth and
    half of the cases positive, correlated by 0 to .9; 600 repetitions of 499):

    =================  ===  ============  ============
    measure            n    percentile    t
    =================  ===  ============  ============
    MCC                50   .031 to .095  .018 to .056
    MCC                100  .050 to .071  .027 to .051
    MCC                500  .049 to .060  .045 to .058
    F1                 50   .021 to .071  .007 to .049
    F1                 100  .048 to .061  .029 to .049
    F1                 500  .043 to .055  .043 to .054
    cost (1 and 5)     50   .034 to .090  .002 to .051
    cost (1 and 5)     100  .050 to .079  .013 to .049
    cost (1 and 5)     500  .045 to .063  .039 to .059
    AUC50              50   .048 to .052  .008 to .040
    AUC50              100  .027 to .053  .018 to .050
    AUC50              500  .025 to .058  .023 to .062
    average precision  50   .053 to .065  .023 to .068
    average precision  100  .047 to .073  .032 to .075
    average precision  500  .037 to .068  .043 to .067
    =================  ===  ============  ============

    With few positives (600 repetitions, correlated by 0 and .7), percentile against t: 5 of 50 or
    100 cases, AUC .088 to .128 against .008 to .033, AUC50 .095 to .137 against .007 to .050; 10 of
    100, AUC50 .077 to .108 against .027 to .075, average precision .080 to .082 against .043 to
    .067. BCa reaches .25 where few cases are discordant, and t with n - 1 degrees of freedom .12
    (MCC).
    """

    value: float
    replicates: Floats
    df: float
    n: int
    jackknife_se: float = 0.0
    measure: str = "the measure"
    assumptions: tuple[str, ...] = ("cases are independent of each other",)

    @property
    def standard_error(self) -> float:
        """The bootstrap's standard error, or the jackknife's where that is larger."""
        return max(float(np.std(self.replicates, ddof=1)), self.jackknife_se)

    @property
    def contrast(self) -> Contrast:
        """The difference with its standard error: what tests and equivalence tests need."""
        constant = bool(np.ptp(self.replicates) <= 1e-12) and self.jackknife_se <= 1e-12
        lone = constant and abs(self.value) > 1e-12
        flag = "the difference is the same in every resample, so its spread is not known"
        return Contrast(
            value=self.value if abs(self.value) > 1e-12 else 0.0,
            # A difference that never varies may still be chance; then no test can tell.
            se=math.inf if lone else (0.0 if constant else self.standard_error),
            df=self.df,
            test=_TEST,
            null=f"{self.measure} is the same for both models",
            n=self.n,
            target=Target.FIXED,
            assumptions=self.assumptions,
            flag=flag if lone else "",
        )

    def evidence(self, method: str = "t") -> Evidence:
        """Return the two-sided test of no difference, by "t" or by "percentile".

        The latter inverts the percentile interval: p = 2 min((1 + #≤0), (1 + #≥0)) / (B + 1), at
        most 1; two models that never differ give 1 either way.
        """
        by_t = self.contrast.evidence()
        if _known(method) == "t" or by_t.flag:
            return by_t
        drawn = np.where(np.abs(self.replicates) < 1e-12, 0.0, self.replicates)
        below, above = (1 + int(np.sum(side)) for side in (drawn <= 0, drawn >= 0))
        return Evidence(
            test=_TEST,
            statistic=self.value,
            p_value=min(1.0, 2 * min(below, above) / (len(drawn) + 1)),
            null=by_t.null,
            n=self.n,
            assumptions=self.assumptions,
            flag=_TOO_OFTEN,
        )

    def interval(self, level: float = 0.95, method: str = "t") -> Interval:
        """Return the interval of the difference that agrees with the test."""
        if _known(method) == "t" or self.contrast.flag:
            return self.contrast.interval(level)
        ends = percentile(Bootstrapped(self.value, self.replicates, np.array([])), level)
        return Interval(low=ends.low, high=ends.high, level=level, method=_TEST, flag=_TOO_OFTEN)


def paired_matrix(
    truth: Codes,
    first: Codes,
    second: Codes,
    form: Callable[[Floats], Any],
    *,
    classes: int | None = None,
    groups: Any = None,
    weights: Floats | None = None,
    stratify: bool = False,
    rounds: int = 2000,
    seed: Seed = 0,
    measure: str = "the measure",
) -> PairedBootstrap:
    """Bootstrap the difference of a measure of two confusion matrices.

    Parameters
    ----------
    truth, first, second : arrays of int
        The true class of each case and what both models answered, counted from 0.
    form : callable
        From a stack of matrices (truth in the rows) to values, nan where undefined.
    classes : int, optional
        How many classes there are; by default as many as occur.
    groups, weights : arrays, optional
        Draw whole groups; weigh the cases.
    stratify : bool
        Keep the number of cases of each true class; off, as that share is as random as the rest.

    Examples
    --------
    >>> from referee.measures.formulas.rates import matthews
    >>> truth = np.arange(200) % 2
    >>> first = np.where(np.arange(200) < 20, 1 - truth, truth)
    >>> second = np.where(np.arange(200) < 60, 1 - truth, truth)
    >>> drawn = paired_matrix(truth, first, second, matthews)
    >>> round(drawn.value, 6), drawn.evidence().p_value < 0.001
    (0.4, True)
    """
    t, a, b = aligned_answers(truth, first, second)
    k = classes or int(max(t.max(), a.max(), b.max())) + 1
    units = group_units(groups, len(t), stratify)
    patterns, times, kinds = kinds_of_units(t, a, b, k, units, weights)

    def difference(stack: Floats) -> Floats:
        pair = np.asarray(stack, float).reshape(-1, 2, k, k)
        return np.asarray(form(pair[:, 0]) - form(pair[:, 1]), float)

    total = np.asarray(patterns.T @ times)
    value = float(difference(total)[0])
    rng = np.random.default_rng(seed)
    parts = [np.flatnonzero(kinds == c) for c in np.unique(kinds)] if stratify else None
    drawn = drawn_differences(patterns, times, parts, rounds, rng, difference)
    rest = np.concatenate([difference(total - row.toarray()) for row in patterns])
    se, df = jackknife(rest, times, None if units is not None else kinds)
    return PairedBootstrap(
        value=_defined_value(value, measure),
        replicates=enough_defined(drawn, measure),
        df=df,
        n=len(t),
        jackknife_se=se,
        measure=measure,
        assumptions=assumptions_of(groups),
    )


def paired_ranking(
    positive: Flags,
    first: Floats,
    second: Floats,
    measure: str | Measure = "auc",
    *,
    groups: Any = None,
    stratify: bool = True,
    rounds: int = 2000,
    seed: Seed = 0,
) -> PairedBootstrap:
    """Bootstrap the difference of a measure of two rankings of the same cases.

    Parameters
    ----------
    positive : array of bool
        Which cases are positive.
    first, second : arrays of float
        Scores of both models.
    measure : str or RankingMeasure
        "auc", "auc50" (or another number), "partial_auc" or "average_precision".
    stratify : bool
        Draw positives and negatives apart; groups are always drawn whole.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(200) < 100
    >>> scores = rng.normal(size=200) + positive
    >>> drawn = paired_ranking(positive, scores, rng.normal(size=200), "auc50", rounds=500)
    >>> drawn.evidence().p_value < 0.05
    True
    """
    hit, one, _ = checked_ranking(positive, first)
    _, two, _ = checked_ranking(positive, second)
    if hit.all() or not hit.any():
        raise InputError(
            "a ranking needs cases of both classes", value="one", remedy="test more cases"
        )
    ranking = _ranking_measure(measure)
    units = group_units(groups, len(hit), False)
    # Compiled loops are imported only where they are used: they cost a second to load.
    from referee.intervals.one_set.bootstrap.ranking import MEASURES as COLUMNS
    from referee.intervals.one_set.bootstrap.ranking import bootstrap_ranking_pair

    drawn = bootstrap_ranking_pair(
        hit, one, two, k=ranking.k, rounds=rounds, seed=seed, groups=units, stratify=stratify
    )[:, :, COLUMNS.index(ranking.column)]
    owner = np.arange(len(hit)) if units is None else units
    smallest = min(len(np.unique(owner[hit])), len(np.unique(owner[~hit])))
    return PairedBootstrap(
        value=ranking.of_curve(roc_curve(hit, one)) - ranking.of_curve(roc_curve(hit, two)),
        replicates=enough_defined(drawn[:, 0] - drawn[:, 1], ranking.name),
        df=float(max(smallest - 1, 1)),
        n=len(hit),
        measure=ranking.name,
        assumptions=assumptions_of(groups),
    )


def paired_mean(
    first: Floats,
    second: Floats,
    *,
    groups: Any = None,
    weights: Floats | None = None,
    rounds: int = 2000,
    seed: Seed = 0,
    measure: str = "the mean loss",
) -> PairedBootstrap:
    """Bootstrap the difference of two mean losses (cost, log loss, Brier score) case by case.

    Examples
    --------
    >>> first, second = np.array([0.0, 1.0, 0.0, 5.0] * 25), np.array([0.0, 1.0, 1.0, 5.0] * 25)
    >>> drawn = paired_mean(first, second, rounds=500)
    >>> drawn.value, drawn.df
    (-0.25, 99.0)
    """
    one, two = (np.asarray(v, dtype=float) for v in (first, second))
    if one.shape != two.shape or one.ndim != 1:
        raise InputError(
            "both models need one loss for each of the same cases",
            value=f"{one.shape} and {two.shape}",
        )
    units = group_units(groups, len(one), False)
    drawn = bootstrap_mean(
        one - two, weights=weights, groups=units, rounds=rounds, random_state=seed
    )
    count = len(drawn.jackknife)
    se = math.sqrt((count - 1) * float(np.var(drawn.jackknife)))
    return PairedBootstrap(
        value=drawn.value,
        replicates=drawn.replicates,
        df=float(max(count - 1, 1)),
        n=len(one),
        jackknife_se=se if count > 1 else 0.0,
        measure=measure,
        assumptions=assumptions_of(groups),
    )


def _ranking_measure(measure: str | Measure) -> RankingMeasure:
    """Return a measure of the ranking whose replicates the compiled sweep knows."""
    known = [m.name for m in MEASURES.values() if isinstance(m, RankingMeasure) and m.column]
    try:
        ranking = MEASURES.named(measure)
    except InputError:
        raise InputError(
            f"measure {measure!r} is no ranking measure",
            concerning="measure",
            remedy=nearest(str(measure), known),
        ) from None
    if not isinstance(ranking, RankingMeasure) or not ranking.column:
        raise InputError(
            f"measure {ranking.name!r} is no ranking measure",
            concerning="measure",
            remedy=nearest(ranking.name, known),
        )
    return ranking


def enough_defined(drawn: Floats, measure: str, remedy: str = _MORE) -> Floats:
    """Return the defined replicates, or refuse where they are too few."""
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < max(2, _ENOUGH * len(drawn)):
        raise Refusal(
            f"{measure} is undefined in most resamples, so the bootstrap cannot compare it",
            remedy=remedy,
        )
    return defined


def _defined_value(value: float, measure: str) -> float:
    if math.isnan(value):
        raise Refusal(
            f"{measure} is undefined for one of the models on these cases, so it cannot be "
            "compared",
            remedy=_MORE,
        )
    return value


def assumptions_of(groups: Any) -> tuple[str, ...]:
    """Return what a paired bootstrap of cases, or of groups, takes for granted."""
    who = "cases are" if groups is None else "groups are"
    return (f"{who} independent of each other", "both models are fixed")


def _known(method: str) -> str:
    if method not in _METHODS:
        raise InputError(
            f"method {method!r} is unknown", concerning="method", remedy=nearest(method, _METHODS)
        )
    return method


def _compute(sample: PairedSample) -> Contrast:
    contrast = sample.resampled.contrast
    # The bootstrap speaks of the measure itself; contrasts are of losses.
    return contrast.swapped if sample.measure.greater_is_better else contrast


PAIRED_BOOTSTRAP = ComparisonTest(
    _TEST,
    title="a bootstrap of the paired cases",
    formula=r"""$\theta_1 - \theta_2$ is the difference of the measure, and $s^*$ the standard
deviation of that difference over resamples of the cases (with all that both models said about
them), or the jackknife's standard error where that is larger.

$$
t = \frac{\theta_1 - \theta_2}{s^*}
$$

The degrees of freedom are Satterthwaite's, from what each class adds to the jackknife's variance;
for rankings those of the smaller class, $\min(m, n) - 1$.
""",
    measured=(
        "Equal models, 50 to 500 cases: size of MCC, F1 and cost at most .059, of AUC50 and "
        "average precision at most .075 (`pytest -m slow "
        "tests/significance/paired/test_paired_bootstrap.py -s`)."
    ),
    label="paired bootstrap",
    citations=(EFRON_TIBSHIRANI_1993,),
    target=Target.FIXED,
    assumptions=assumptions_of(None),
    setting=Setting.SAME_CASES,
    weighs=True,
    any_measure=True,
    refusal=interval_of_the_test,
    compute=_compute,
)
