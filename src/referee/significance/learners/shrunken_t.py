"""The shrunken t: the halves-calibrated t of ten halvings, its factor drawn towards a line.

Ten halvings tell badly by what factor the variance of a cross-validated difference has to be
raised, and forty cost 400 fits a learner. Learners whose results change with the folds are those
whose variance is told too small, so the factor is drawn towards .9 + 6 u, where u, the instability,
is the variance between repetitions over that of one of them and costs no fit. The line counts as
twelve halvings. Weight and line were chosen on tuning cells and frozen before a fresh cell was
drawn (`python -m benchmarks.learner_rules`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import arg
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    LearnerTrial,
    Setting,
)
from referee.significance.contrast import Contrast
from referee.significance.learners.calibrated_t import ASSUMPTIONS, Halves, Spreads, inflation
from referee.significance.samples import LearnerSample

__all__ = ["SHRUNKEN_T", "shrunken_contrast", "shrunken_t"]

_WEIGHT = 12
_BASE, _SLOPE = 0.9, 6.0


def shrunken_t(main: Floats, halves: Sequence[Halves]) -> Evidence:
    """Test whether two learners differ; see `shrunken_contrast`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> main = rng.integers(-1, 2, size=(10, 60)).astype(float)
    >>> halves = [(main[0, :30], main[0, 30:]), (main[1, ::2], main[1, 1::2])]
    >>> e = shrunken_t(main, halves)
    >>> e.test, e.target.value, e.p_value > 0.05
    ('shrunken-t', 'expected', True)
    """
    return shrunken_contrast(main, halves).evidence()


def shrunken_contrast(main: Floats, halves: Sequence[Halves]) -> Contrast:
    """Return the mean difference of two learners' losses with its standard error.

    Parameters
    ----------
    main : array of shape (repetitions, cases)
        Loss of the first learner minus loss of the second, from repeated cross-validation.
    halves : sequence of pairs of arrays
        The same differences from cross-validations inside the two halves of each halving.

    Notes
    -----
    As `calibrated_contrast`, with φ = [M φ_M + 12 (.9 + 6 u)] / (M + 12), u = S2 / V1, and
    df = 1/(1/(M + 12) + 1/(n - 1)).

    Examples
    --------
    >>> nothing = np.zeros((10, 20))
    >>> c = shrunken_contrast(nothing, [(nothing[0, :10], nothing[0, 10:])])
    >>> c.value, c.se, c.evidence().p_value
    (0.0, 0.0, 1.0)
    """
    spreads, seen = Spreads.of(main), inflation(halves)
    many = len(halves)
    instability = spreads.between / spreads.of_one if spreads.of_one > 0 else 0.0
    line = _BASE + _SLOPE * instability
    flat = spreads.per_case[0] and np.all(spreads.per_case == spreads.per_case[0])
    return spreads.contrast(
        (many * seen + _WEIGHT * line) / (many + _WEIGHT),
        many + _WEIGHT,
        test="shrunken-t",
        assumptions=ASSUMPTIONS,
        flag="every case gave the same difference, so its variance cannot be told" if flat else "",
    )


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.mean_loss:
        return (
            f"shrunken-t compares mean losses case by case, and {situation.measure_name} has "
            f"none; use {arg('significance', 'corrected-t')}"
        )
    if situation.grouped:
        return (
            "shrunken-t was never tried with groups; use "
            f"{arg('significance', 'calibrated-t')} or {arg('significance', 'corrected-t')}"
        )
    if not (situation.halved and situation.partition):
        return (
            f"shrunken-t needs halvings; use {arg('by', 'calibrated-cv')} or "
            f"{arg('significance', 'corrected-t')}"
        )
    return None


def _compute(sample: LearnerSample) -> Contrast:
    return shrunken_contrast(sample.by_repetition, sample.halves)


SHRUNKEN_T = ComparisonTest(
    "shrunken-t",
    title="a t test on the mean cross-validated difference whose standard error is calibrated by "
    "few cross-validations inside random halves of the data and by how much repetitions differ",
    formula=r"""As [calibrated-t](calibrated-t.md), with $M$ halvings in which $\varphi_M$ is seen,
and the instability $u = S_2 / V_1$ of repetitions:

$$
\varphi = \frac{M \varphi_M + 12 \, (0.9 + 6 u)}{M + 12}, \quad
\nu = 1 / \left(\frac{1}{M + 12} + \frac{1}{n - 1}\right)
$$
""",
    label="shrunken halves-calibrated t",
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SEVERAL_FITS,
    refusal=_refusal,
    compute=_compute,
    tried=(LearnerTrial("200 fits"),),
)
