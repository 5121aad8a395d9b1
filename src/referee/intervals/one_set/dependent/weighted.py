"""The exact interval at the number of independent cases that weighted ones are worth.

It is exact no more where weights differ. Errors that fall on heavy cases vary more than Kish's
number of cases says; the variance of a weighted mean sees that, and Student's t pays for estimating
it from few of them.

References
----------
Korn and Graubard (1998), Survey Methodology 24. Kish (1965), Survey Sampling.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals import works
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.risk import RiskInterval, RiskSample, of_several_models

__all__ = ["WEIGHTED", "weighted"]


def weighted(sample: RiskSample) -> Interval:
    """Return the exact interval at the number of independent cases the weighted ones are worth.

    Examples
    --------
    >>> import numpy as np
    >>> from referee.core.predictions import Predictions
    >>> from referee.measures.losses import Losses
    >>> table = Predictions.of(np.arange(60) % 2, np.zeros(60, int), sample_weight=[1, 2] * 30)
    >>> i = weighted(RiskSample(losses=Losses.of(table)))
    >>> round(i.low, 2), round(i.high, 2), round(i.n_effective)
    (0.53, 0.79, 54)
    """
    n = sample.independent_cases
    errors = min(sample.losses.mean, 1.0) * n
    return replace(clopper_pearson(errors, n, sample.level), n_effective=n)


def _refusal(situation: Situation) -> str | None:
    if situation.weighted and not situation.grouped:
        return None
    other = "'clustered'" if situation.grouped else "'clopper-pearson'"
    return f"{arg('interval', 'weighted')} is for weighted cases without groups; use {other}"


WEIGHTED = RiskInterval(
    "weighted",
    title="the exact interval at the number of independent cases that the weighted ones are worth",
    formula=r"""Case $i$ has weight $w_i$, and $p$ is the weighted mean of the errors $e_i$; $z$ and
$t$ are quantiles, $t$ with $\nu$ degrees of freedom, and $B$ is one of the beta law.

$$
v_i = \left(\frac{w_i (e_i - p)}{\sum_j w_j}\right)^2, \quad V = \sum_i v_i, \quad
\nu = \frac{V^2}{\sum_i v_i^2} - 1, \quad
m = \frac{p (1 - p)}{V} \left(\frac{z}{t}\right)^2
$$

$$
[\, B(\alpha/2;\; p m,\; m - p m + 1),\quad B(1 - \alpha/2;\; p m + 1,\; m - p m) \,]
$$

$m$ lies between $\sum_i w_i / \max_i w_i$ and Kish's number, $(\sum_i w_i)^2 / \sum_i w_i^2$; where
all cases or none are wrong it is the latter.
""",
    citations=(works.KORN,),
    target=Target.FIXED,
    refusal=_refusal,
    reservation=of_several_models,
    compute=weighted,
    of_losses="0/1",
)
