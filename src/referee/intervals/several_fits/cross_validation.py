"""An interval from cross-validation that covers: Jeffreys at an effective number of cases.

Cross-validation tests every case, but its n tests are worth fewer than n independent ones: the
models differ from fold to fold and are trained on the very cases they do not test. The interval
divides n by a factor c, larger for unstable learners:

    U      = mean over cases of h (1 - h), times R / (R - 1), over p (1 - p), within [0, 1]
    n_eff  = n / (c (1 + U / 2))

where h is a case's mean loss over R repetitions, so U is the share of the loss's variance that
comes from the choice of training set. c = 1.25 for the model trained on all the data, 1.75 for the
learning procedure. The first is raised to 2 when the learner is unstable (U > 1/2) or still
learning steeply: its twofold error p50 differs from p by more than .75 sqrt(p (1 - p) / n). From a
single pass (R = 1) U is unknown and c is 1.5 and 2 instead.

References
----------
Brown, Cai and DasGupta (2001), Statistical Science 16, for Jeffreys' interval; the factors come
from simulation against known truth (docs/methods.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import Refusal, arg
from referee.intervals import works
from referee.intervals.one_set.dependent.effective_n import effective_n
from referee.intervals.one_set.proportion import jeffreys
from referee.intervals.risk import RiskInterval, RiskSample, both_targets
from referee.measures.losses import Losses

__all__ = [
    "EFFECTIVE_JEFFREYS",
    "EffectiveSize",
    "Factor",
    "effective_jeffreys",
    "effective_size",
    "factor_of",
]

_C_STEADY, _C_FLAGGED, _C_SINGLE = 1.25, 2.0, 1.5
_E_REPEATED, _E_SINGLE = 1.75, 2.0


@dataclass(frozen=True, kw_only=True)
class EffectiveSize:
    """How many independent cases a cross-validation is worth, and why.

    Attributes
    ----------
    n_effective : float
        n divided by the factor.
    instability : float
        U; nan from a single pass.
    flagged : bool
        Whether the learner is unstable or still learning steeply.
    basis : str
        What was seen of the learner, in words.
    """

    n_effective: float
    instability: float
    flagged: bool
    basis: str


@dataclass(frozen=True)
class Factor:
    """By what n is divided, and what that rests on, in words."""

    value: float
    basis: str


def factor_of(
    *, instability: float, steep: bool | None, repetitions: int, target: Target
) -> Factor:
    """Return by what n is divided after a cross-validation, for losses of any kind.

    Parameters
    ----------
    instability : float
        U, the share of the loss's variance due to the choice of training set.
    steep : bool or None
        Whether the twofold loss is far from the mean loss; None where it is not known.
    repetitions : int
        Passes of the cross-validation.
    target : Target
        CONDITIONAL or EXPECTED.

    Examples
    --------
    >>> factor_of(instability=0.2, steep=False, repetitions=10, target=Target.CONDITIONAL).value
    1.375
    """
    conditional = target is Target.CONDITIONAL
    if repetitions < 2:
        c = _C_SINGLE if conditional else _E_SINGLE
        return Factor(c, _costs("one pass does not show how stable the learner is", c))
    unstable = instability > 0.5
    if not conditional:
        c = _E_REPEATED
    elif unstable or steep:
        c = _C_FLAGGED
    else:
        c = _C_SINGLE if steep is None else _C_STEADY
    kinds = ["unstable"] * unstable + ["still learning steeply"] * bool(steep)
    kinds = kinds or ["stable" if steep is None else "steady"]
    value = c * (1 + instability / 2)
    judged = f"the learner was judged {' and '.join(kinds)} (instability {instability:.2f})"
    return Factor(value, _costs(judged, value))


def effective_size(
    losses: Losses, *, halves: Losses | None = None, target: Target = Target.CONDITIONAL
) -> EffectiveSize:
    """Return the effective number of cases of a (repeated) cross-validation.

    Parameters
    ----------
    losses : Losses
        Every case tested once in each repetition.
    halves : Losses, optional
        The same cases under twofold cross-validation; without them a repeated cross-validation is
        treated as a single pass would be, unless it is unstable.
    target : Target
        CONDITIONAL or EXPECTED.
    """
    n, R = losses.n, losses.repetitions
    p = float(np.clip(losses.mean, 0.25 / n, 1 - 0.25 / n))
    if R < 2:
        c = _C_SINGLE if target is Target.CONDITIONAL else _E_SINGLE
        basis = "one pass does not show how stable the learner is"
        return EffectiveSize(
            n_effective=n / c, instability=math.nan, flagged=False, basis=_costs(basis, c)
        )
    U = instability(losses.per_case, R, p)
    unstable = U > 0.5
    steep = halves is not None and _steep(p, halves.mean, n)
    flagged = unstable or steep
    if target is Target.EXPECTED:
        c = _E_REPEATED
    elif flagged:
        c = _C_FLAGGED
    else:
        c = _C_SINGLE if halves is None else _C_STEADY
    factor = c * (1 + U / 2)
    return EffectiveSize(
        n_effective=n / factor,
        instability=U,
        flagged=flagged,
        basis=_costs(_judged(U, p, halves, unstable=unstable, steep=steep), factor),
    )


def effective_jeffreys(
    losses: Losses,
    level: float = 0.95,
    *,
    halves: Losses | None = None,
    target: Target = Target.CONDITIONAL,
) -> Interval:
    """Return Jeffreys' interval at the effective number of cases of a cross-validation.

    Examples
    --------
    >>> cases, errors = 100, np.arange(100) < 20
    >>> one_pass = Losses(errors.astype(float), np.arange(cases), np.arange(cases) % 10,
    ...     np.zeros(cases, int), np.full(cases, 90))
    >>> i = effective_jeffreys(one_pass)
    >>> round(i.low, 3), round(i.high, 3), round(i.n_effective, 1)
    (0.118, 0.308, 66.7)
    """
    if losses.groups is not None:
        raise Refusal(_in_groups(), concerning="groups")
    worth = effective_size(losses, halves=halves, target=target)
    size = worth.n_effective
    size *= effective_n(0 * losses.per_case, weights=losses.case_weight) / len(losses.per_case)
    plain = jeffreys(losses.mean * size, size, level, target=target)
    return replace(plain, method="effective-jeffreys", n_effective=size, basis=worth.basis)


def instability(per_case: Floats, repetitions: int, p: float) -> float:
    """Return U, the share of the loss's variance due to the choice of training set.

    Examples
    --------
    >>> instability(np.array([0.0, 1.0, 0.0, 0.0]), 10, 0.25)
    0.0
    >>> round(instability(np.full(4, 0.5), 10, 0.5), 3)
    1.0
    """
    within = repetitions / (repetitions - 1) * float(np.mean(per_case * (1 - per_case)))
    return float(np.clip(within / (p * (1 - p)), 0, 1))


def _judged(U: float, p: float, halves: Losses | None, *, unstable: bool, steep: bool) -> str:
    """Return in words whether the learner is stable, and whether it still improves steeply."""
    other = f"instability {U:.2f}"
    if halves is not None:
        other += f", twofold error {halves.mean:.3f} against {p:.3f}"
    kinds = ["unstable"] * unstable + ["still learning steeply"] * steep
    if not kinds:
        kinds = ["stable"] if halves is None else ["steady"]
    return f"the learner was judged {' and '.join(kinds)} ({other})"


def _costs(basis: str, factor: float) -> str:
    return f"{basis}, so n is divided by {factor:.2f}"


def _steep(p: float, p50: float, n: int) -> bool:
    return abs(p50 - p) > 0.75 * math.sqrt(p * (1 - p) / n)


def _refusal(situation: Situation) -> str | None:
    if situation.fixed or not situation.partition:
        return (
            "effective-jeffreys belongs to cross-validation; for one test set use "
            f"{arg('interval', 'clopper-pearson')}, for repeated holdout 'corrected-t'"
        )
    return _in_groups() if situation.grouped else None


def _of_sample(sample: RiskSample) -> Interval:
    return effective_jeffreys(
        sample.losses, sample.level, halves=sample.halves, target=sample.target
    )


EFFECTIVE_JEFFREYS = RiskInterval(
    "effective-jeffreys",
    of_losses="0/1",
    title="Jeffreys' interval at the number of independent cases that the cross-validation is "
    "worth",
    formula=r"""$p$ is the mean error, $h_i$ the mean loss of case $i$ over $R$ repetitions and $B$
a quantile of the beta law. $c$ is 1.25 for the model trained on all cases (2 if the learner is
unstable, $U > \frac{1}{2}$, or still learns steeply; 1.5 if twofold errors are not known) and 1.75
for the learning procedure. A single pass does not show $U$; then $m = n / 1.5$ and $n / 2$.

$$
U = \frac{R}{R - 1} \cdot \frac{\frac{1}{n} \sum_i h_i (1 - h_i)}{p (1 - p)}, \quad
m = \frac{n}{c \, (1 + U / 2)}
$$

$$
[\, B(\alpha/2;\; p m + \frac{1}{2},\; m - p m + \frac{1}{2}),\quad
B(1 - \alpha/2;\; p m + \frac{1}{2},\; m - p m + \frac{1}{2}) \,]
$$
""",
    citations=(works.BROWN,),
    assumptions=("the learner is stable under resampling",),
    refusal=_refusal,
    compute=_of_sample,
    at_size=jeffreys,
    tried=(*both_targets("10x10"), *both_targets("10x10", first_pass=True)),
)


def _in_groups() -> str:
    return (
        "effective-jeffreys takes cases as independent, and these come in groups; use "
        f"{arg('interval', 'clustered')}"
    )
