"""The exact interval at the number of independent cases that groups are worth.

References
----------
Korn and Graubard (1998), Survey Methodology 24.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals import works
from referee.intervals.one_set.proportion import clopper_pearson, reaching_none
from referee.intervals.risk import RiskInterval, RiskSample, Trial

__all__ = ["CLUSTERED", "worth_fewer"]

_SINGLE_PASS = {Target.CONDITIONAL: 1.5, Target.EXPECTED: 2.0}
"""What a single pass of cross-validation costs in cases (see `several_fits.cross_validation`)."""


def worth_fewer(sample: RiskSample) -> Interval:
    """Return the exact interval at the number of independent cases, fewer after several fits."""
    n = sample.independent_cases
    target = _aim(sample.situation)
    if sample.fits > 1:
        n = max(1.0, n / _SINGLE_PASS[target])
    exact = clopper_pearson(sample.losses.mean * n, n, sample.level, target=target)
    cost = _SINGLE_PASS[target] if sample.fits > 1 else 1.0
    return replace(reaching_none(exact, sample, cost), n_effective=n)


def _aim(situation: Situation) -> Target:
    if situation.fixed:
        return Target.FIXED
    return situation.target if situation.partition else Target.EXPECTED


def _refusal(situation: Situation) -> str | None:
    if situation.grouped:
        return None
    return (
        f"{arg('interval', 'clustered')} needs {arg('groups')}; without them use 'clopper-pearson'"
    )


CLUSTERED = RiskInterval(
    "clustered",
    of_losses="0/1",
    title="the exact interval at the number of independent cases that the groups are worth",
    formula=r"""$p$ is the mean error. Group $g$ has the share $w_g$ of the $n$ cases and the sum
$S_g = \sum_{i \in g} (e_i - p)$. There are $G$ groups, worth $c$ of one size; $t$ has $c - 1$
degrees of freedom and $B$ is a quantile of the beta law.

$$
c = 1 / \sum_g w_g^2, \quad
V = \frac{G - 1}{G \, n^2} \sum_g \left(\frac{S_g}{1 - w_g}\right)^2, \quad
m = \min\left(\frac{p (1 - p)}{V},\; n\right) \left(\frac{z}{t}\right)^2
$$

$$
[\, B(\alpha/2;\; p m,\; m - p m + 1),\quad B(1 - \alpha/2;\; p m + 1,\; m - p m) \,]
$$

$m$ is never less than $c$ nor more than $n$, and after several fits it is divided by 1.5 (2 for the
learning procedure). Both ends are moved out to what $c$ cases without an error, or with nothing
else, would have shown.
""",
    citations=(works.KORN,),
    refusal=_refusal,
    aim=_aim,
    compute=worth_fewer,
    at_size=None,
    tried=(Trial(by="groups", target=Target.CONDITIONAL, grouped=True),),
)
