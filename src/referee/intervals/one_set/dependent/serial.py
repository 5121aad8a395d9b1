"""The exact interval at the number of independent cases that those of a stretch of time are worth.

References
----------
Korn and Graubard (1998), Survey Methodology 24. Lazarus, Lewis, Stock and Watson (2018), Journal of
Business and Economic Statistics 36.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals import works
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.risk import RiskInterval, RiskSample

__all__ = ["FEW_MOMENTS", "SERIAL", "serial"]

FEW_MOMENTS = 200
"""Below so many moments the interval is flagged: it cannot see a class that has yet to come."""

_SHORT = (
    f"in fewer than {FEW_MOMENTS} moments it may fall short, as errors that last may not have been "
    "seen at all; where one of two lasting classes errs it covered .85 at 50 moments "
    "(docs/methods.md); test over a longer time"
)

_SINGLE_PASS = {Target.CONDITIONAL: 1.5, Target.EXPECTED: 2.0}
"""What a single pass of cross-validation costs in cases (see `several_fits.cross_validation`)."""


def serial(sample: RiskSample) -> Interval:
    """Return the exact interval at the number of independent cases, fewer after several fits.

    Examples
    --------
    >>> import numpy as np
    >>> from referee.core.predictions import Predictions
    >>> from referee.measures.losses import Losses
    >>> truth, answers = np.arange(200) % 2, np.arange(200) % 2
    >>> answers[50:80] = 0  # half of these are wrong, in one stretch
    >>> table = Predictions.of(truth, answers, time=np.arange(200))
    >>> i = serial(RiskSample(losses=Losses.of(table)))
    >>> round(i.low, 2), round(i.high, 2), round(i.n_effective)
    (0.0, 0.36, 13)
    """
    n, target = sample.independent_cases, _aim(sample.situation)
    if sample.fits > 1:
        # Sharing training rows and resembling one's neighbours both cost; the dearer is paid.
        n = max(1.0, min(n, sample.losses.n / _SINGLE_PASS[target]))
    errors = min(sample.losses.mean, 1.0) * n
    exact = clopper_pearson(errors, n, sample.level, target=target)
    moments = sample.losses.case_moment
    few = moments is not None and len(np.unique(moments)) < FEW_MOMENTS
    return replace(exact, n_effective=n, flag=_SHORT if few else "")


def _aim(situation: Situation) -> Target:
    return Target.FIXED if situation.fixed else situation.target


def _refusal(situation: Situation) -> str | None:
    if situation.timed and not situation.grouped and situation.partition:
        return None
    if not situation.timed:
        other = f"needs {arg('time')}; without it use 'clopper-pearson'"
    elif situation.grouped:
        other = "is for cases without groups; use 'clustered'"
    else:
        other = "is for cases that are tested once; use 'corrected-t'"
    return f"{arg('interval', 'serial')} {other}"


SERIAL = RiskInterval(
    "serial",
    of_losses="0/1",
    title="the exact interval at the number of independent cases that the cases of this time are "
    "worth, by the slow movements of their losses",
    formula=r"""$p$ is the mean error of $n$ cases at $M$ moments, and $d_j$ the sum of $e_i - p$ at
moment $j$. $K = \max(4, \lfloor \sqrt{M} / 2 \rfloor)$ cosines measure the slow movements of the
losses; $t$ has $K$ degrees of freedom and $B$ is a quantile of the beta law.

$$
\lambda_k = \frac{2}{M} \left(\sum_{j=1}^{M} d_j \cos \frac{\pi k (j - 1/2)}{M}\right)^2, \quad
r = \frac{M}{\sum_i (e_i - p)^2} \cdot \frac{1}{K} \sum_{k=1}^{K} \lambda_k, \quad
m = \frac{n}{r} \left(\frac{z}{t}\right)^2
$$

$$
[\, B(\alpha/2;\; p m,\; m - p m + 1),\quad B(1 - \alpha/2;\; p m + 1,\; m - p m) \,]
$$

$m$ lies between 1 and $n$, and after several fits it is at most $n / 1.5$ ($n / 2$ for the learning
procedure).
""",
    measured=(
        "Where labels persist with probability .95 it covers .928, .918, .952 and .945 at 50, 100,"
        " 300 and 1000 cases; the exact interval covers .752 to .720 there (`pytest -m slow "
        "tests/intervals/one_set/dependent/test_serial_n.py -s`)."
    ),
    citations=(works.KORN, works.LAZARUS),
    assumptions=("the times to come are like these",),
    refusal=_refusal,
    aim=_aim,
    compute=serial,
    at_size=None,
)
