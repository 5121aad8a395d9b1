"""An interval of a mean loss from cross-validation: a t interval at fewer cases than were tested.

It is for losses of any size what `cross_validation` is for errors. With h a case's mean loss over
R repetitions, W the mean over cases of the variance between repetitions, and V the variance of a
loss in one repetition,

    U    = W / V, within [0, 1]              the share that the choice of training set has in it
    se²  = V / n  c (1 + U / 2)

with the same factors c: 1.25 for the model trained on all the data, 2 where the learner is
unstable (U > 1/2) or still learning steeply (the twofold loss differs from the mean loss by more
than .75 sqrt(V / n)); 1.75 for the learning procedure; 1.5 and 2 from a single pass. Losses are
skewed, so the ends are those of the skewed t interval. Groups and weights enter V as in
`intervals.scores.cluster_mean`.

The factors were chosen for errors of classifiers and are kept as they were;
`tests/study/test_regression_intervals.py` tries them where the truth is known. Squared losses
under noise so heavy-tailed that it has no fourth moment are covered too rarely, whatever the
factor: a sample that lacks the rare large loss does not show that there are any.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.core.results import Interval, Target
from referee.core.scores.scores import ItemScores
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals.risk import RiskInterval, RiskSample
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.intervals.scores.skewed_t import FORMULA, skewed_ends, skewed_t
from referee.intervals.scores.works import WILLINK_2005
from referee.intervals.several_fits.cross_validation import factor_of
from referee.measures.losses import Losses

__all__ = ["EFFECTIVE_T", "LOSS_T", "effective_t"]

_HEAVY = "the losses seen show how skewed losses are, and how large rare ones can be"


def effective_t(
    losses: Losses,
    level: float = 0.95,
    *,
    halves: Losses | None = None,
    target: Target = Target.CONDITIONAL,
) -> Interval:
    """Return the skewed t interval of a mean loss from a (repeated) cross-validation.

    Parameters
    ----------
    losses : Losses
        Every case tested once in each repetition.
    halves : Losses, optional
        The same cases under twofold cross-validation.
    target : Target
        CONDITIONAL or EXPECTED.

    Examples
    --------
    >>> off = np.abs(np.sin(np.arange(100.0)))
    >>> one_pass = Losses(off, np.arange(100), np.arange(100) % 10, np.zeros(100, int),
    ...     np.full(100, 90), zero_one=False)
    >>> i = effective_t(one_pass)
    >>> round(i.low, 3), round(i.high, 3), round(i.n_effective, 1)
    (0.555, 0.711, 66.7)
    """
    mean = cluster_mean(items_of(losses))
    shown = _Variation.of(losses)
    factor = factor_of(
        instability=shown.instability,
        steep=None if halves is None else abs(halves.mean - losses.mean) > 0.75 * shown.se,
        repetitions=losses.repetitions,
        target=target,
    )
    inflated = replace(mean, variance=mean.variance * shown.raised * factor.value)
    low, high = skewed_ends(inflated, inflated.quantile(level))
    return Interval(
        low=max(0.0, low),
        high=high,
        level=level,
        method="effective-t",
        target=target,
        n_effective=losses.n / factor.value,
        basis=factor.basis,
    )


def items_of(losses: Losses) -> ItemScores:
    """Return the mean loss of each case as scores of items, groups as their clusters."""
    return ItemScores(
        values=losses.per_case,
        weight=losses.case_weight,
        cluster=losses.case_group,
        low=0.0,
    )


@dataclass(frozen=True)
class _Variation:
    """How much losses vary: between cases, and between repetitions.

    Attributes
    ----------
    instability : float
        U; 0 from a single pass.
    raised : float
        V over the variance of the cases' mean losses.
    se : float
        sqrt(V / n).
    """

    instability: float
    raised: float
    se: float

    @classmethod
    def of(cls, losses: Losses) -> _Variation:
        between = float(np.var(losses.per_case, ddof=1)) if losses.n > 1 else 0.0
        times = losses.repetitions
        within = 0.0
        if times > 1:
            _, case = np.unique(losses.case, return_inverse=True)
            apart = (losses.value - losses.per_case[case]) ** 2
            within = float(apart.sum()) / (losses.n * (times - 1))
        whole = between + within * (times - 1) / times
        if between <= 0 or whole <= 0:
            return cls(0.0, 1.0, 0.0)
        share = min(1.0, within / whole)
        return cls(share, whole / between, float(np.sqrt(whole / losses.n)))


def _refusal(situation: Situation) -> str | None:
    if not situation.fixed and situation.partition:
        return None
    return (
        f"effective-t belongs to cross-validation; for one test set use "
        f"{arg('interval', 'skewed-t')}, for repeated holdout 'corrected-t'"
    )


def _of_sample(sample: RiskSample) -> Interval:
    halves = None if sample.losses.groups is not None else sample.halves
    return effective_t(sample.losses, sample.level, halves=halves, target=sample.target)


def _of_one_set(sample: RiskSample) -> Interval:
    return skewed_t(items_of(sample.losses), sample.level)


def _several_models(situation: Situation) -> str | None:
    if situation.fixed:
        return None
    return (
        "skewed-t takes predictions of several models as those of one; use "
        f"{arg('interval', 'auto')}"
    )


EFFECTIVE_T = RiskInterval(
    "effective-t",
    title="the skewed t interval at the number of independent cases that the cross-validation is "
    "worth",
    formula=r"""$\bar e$ is the mean loss, $V$ the variance of a loss within one repetition and $W$
the mean over cases of the variance between $R$ repetitions. $c$ is 1.25 for the model trained on
all cases (2 if the learner is unstable, $U > \frac{1}{2}$, or still learns steeply; 1.5 if twofold
losses are not known) and 1.75 for the learning procedure. A single pass does not show $U$; then $c$
is 1.5 and 2, without the bracket.

$$
U = \min(1, W / V), \quad se^2 = \frac{V}{n} \, c \, (1 + U / 2), \quad
[\, \bar e - d \, se,\; \bar e + u \, se \,]
$$

$d$ and $u$ are $t$, or what Willink's correction for skewness makes of it where that is more (see
[skewed-t](skewed-t.md)).
""",
    measured=(
        "On 36 fresh cells (linear models, nearest neighbours, forests and boosting) the interval "
        "of the mean absolute error held that of the model trained on all cases in at least .950 "
        "of the data sets, and that of the learning procedure in at least .975 (`pytest -m slow "
        "tests/study/test_regression_intervals.py -k fresh`)."
    ),
    citations=(WILLINK_2005,),
    assumptions=("the learner is stable under resampling", _HEAVY),
    refusal=_refusal,
    compute=_of_sample,
    of_losses="numbers",
    at_size=None,
)
LOSS_T = RiskInterval(
    "skewed-t",
    title="the wider of Student's t and Willink's interval for a skewed mean",
    formula=FORMULA,
    citations=(WILLINK_2005,),
    target=Target.FIXED,
    assumptions=(_HEAVY,),
    refusal=_several_models,
    compute=_of_one_set,
    of_losses="numbers",
    at_size=None,
)
