"""The paired test for grouped cases: flip the sign of each group's sum of differences.

Cases of one group (a patient, a document) resemble each other, so McNemar's test counts them as
more evidence than they are. If the models are interchangeable within each group, the sum of the
differences of loss in a group is as likely to be s as -s, whatever the dependence inside; groups
are independent. The p-value is the share of all sign patterns whose total is at least as far from
0 as the observed one: exact, the exact form of Durkalski's chi-square (sum s)² / sum s². Groups of
one case with 0/1 losses give McNemar's exact test.

References
----------
Durkalski, Palesch, Lipsitz and Rust (2003), Statistics in Medicine 22. Fisher (1935), The Design of
Experiments, section 21. Phipson and Smyth (2010), Stat. Appl. in Genetics and Mol. Biology 9.
"""

from __future__ import annotations

import numpy as np
import scipy

from referee.core.arrays import Anything, Codes, Floats
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Evidence, Target
from referee.core.showing.numbers import p_number
from referee.errors import InputError, arg, named
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    Setting,
    unsuited,
)
from referee.significance.paired.mcnemar import smallest_p
from referee.significance.samples import PairedSample
from referee.significance.works import DURKALSKI_2003

__all__ = ["FORMULA", "GROUP_FLIP", "MEASURED", "group_flip", "group_sums", "smallest_group_p"]

NULL = "in new groups of cases either model is ahead by any amount as often as the other"
ASSUMPTIONS = (
    "the groups are independent draws from one population of groups",
    "models that err equally often are ahead by like amounts: where one gains a little in many "
    "groups and loses much in a few, up to 21 % of equal models are told apart at the 5 % level",
    "both models were fixed before the cases were seen",
)

MOST_ENUMERATED = 20
"""Groups up to which all sign patterns of real-valued sums are listed (half a million)."""

ROUNDS = 9_999
"""Random sign patterns beyond that, so that the smallest p is 1 / 10 000."""


def group_flip(differences: Floats, groups: Anything, *, random_state: RandomState = 0) -> Evidence:
    """Return the exact sign-flip test of groups; the statistic is the mean difference of loss.

    Parameters
    ----------
    differences : array
        Loss of the first model minus loss of the second, case by case.
    groups : array
        The group of each case.
    random_state : int, generator or None
        Used only for real-valued losses in more than 20 groups that differ, where 9999 random
        sign patterns stand for all of them and p = (1 + hits) / 10 000.

    Notes
    -----
    Sums of 0/1 losses are whole numbers, so the law of the total follows by convolution of one
    stretched binomial for each distinct size of sum: exact for any number of groups.

    Examples
    --------
    Six patients, ten scans each; the first model loses three scans in each of five patients.

    >>> differences = np.tile([1.0] * 3 + [0.0] * 7, 6)
    >>> differences[50:] = 0
    >>> e = group_flip(differences, np.repeat(np.arange(6), 10))
    >>> round(e.p_value, 4)
    0.0625
    """
    d, g = _checked(differences, groups)
    sums = group_sums(d, g)
    sums = sums[sums != 0]
    p, how = _p_value(sums, random_state)
    return Evidence(
        test="group-flip",
        statistic=float(d.mean()),
        p_value=p,
        null=NULL,
        n=len(d),
        assumptions=(*ASSUMPTIONS, *how),
        flag=_flag(len(sums), len(np.unique(g))),
    )


def group_sums(differences: Floats, groups: Anything) -> Floats:
    """Return each group's sum of differences, groups in sorted order.

    A sum that is 0 but for rounding is 0.

    Examples
    --------
    >>> group_sums(np.array([1.0, 0.0, -1.0, 0.0]), np.array(["b", "b", "a", "a"]))
    array([-1.,  1.])
    """
    _, unit = np.unique(groups, return_inverse=True)
    sums = np.bincount(unit, weights=differences)
    scale = np.bincount(unit, weights=np.abs(differences))
    return np.where(np.abs(sums) <= 1e-12 * scale, 0.0, sums)


def smallest_group_p(differences: Floats, groups: Anything) -> float:
    """Return the smallest p that so many differing groups can reach: 2 / 2**groups, at most 1.

    Examples
    --------
    >>> smallest_group_p(np.array([1.0, 1.0, 0.0, -1.0]), np.array([0, 0, 1, 2]))
    0.5
    """
    return smallest_p(int(np.sum(group_sums(*_checked(differences, groups)) != 0)))


def _p_value(sums: Floats, random_state: RandomState) -> tuple[float, tuple[str, ...]]:
    if len(sums) < 2:
        return 1.0, ()
    if np.all(sums == np.round(sums)):
        return _convolved(np.abs(sums).astype(np.intp), abs(round(float(sums.sum())))), ()
    if len(sums) <= MOST_ENUMERATED:
        return _enumerated(sums), ()
    return _sampled(sums, integer_seed(random_state)), (f"{ROUNDS} random sign patterns",)


def _convolved(sizes: Codes, total: int) -> float:
    """Return P(abs(sum of ± sizes) >= total) for whole numbers.

    With random signs the sum is 2 R - T, where T adds up all sizes and R those with a plus.
    """
    law, start = np.ones(1), 0
    values, counts = np.unique(sizes, return_counts=True)
    for value, count in zip(values, counts, strict=True):
        stretched = np.zeros(value * count + 1)
        stretched[::value] = scipy.stats.binom.pmf(np.arange(count + 1), count, 0.5)
        # What underflows to 0 need not be carried along; the law is symmetric about its middle.
        law, cut = _trimmed(_product(law, stretched, int(value)))
        start += cut
    signed = np.abs(2 * (np.arange(len(law)) + start) - int(sizes.sum()))
    return min(1.0, float(law[signed >= total].sum()))


def _product(law: Floats, stretched: Floats, step: int) -> Floats:
    """Convolve, skipping the zeros between the steps."""
    short, cut = _trimmed(stretched[::step])
    product = np.zeros(len(law) + len(stretched) - 1)
    for residue in range(min(step, len(law))):
        lane = np.convolve(law[residue::step], short)
        first = residue + cut * step
        product[first : first + step * len(lane) : step] += lane
    return product


def _trimmed(law: Floats) -> tuple[Floats, int]:
    held = np.flatnonzero(law > 1e-200)
    return law[held[0] : held[-1] + 1], int(held[0])


def _enumerated(sums: Floats) -> float:
    totals = np.array([sums[0]])  # the first sign may stay: a pattern and its mirror image agree
    for value in sums[1:]:
        totals = np.concatenate([totals + value, totals - value])
    return float(np.mean(np.abs(totals) >= _at_least(sums)))


def _sampled(sums: Floats, seed: int) -> float:
    rng = np.random.default_rng(seed)
    hits, done = 0, 0
    at_once = max(1, 2_000_000 // len(sums))
    while done < ROUNDS:
        rounds = min(at_once, ROUNDS - done)
        signs = rng.integers(0, 2, size=(rounds, len(sums)), dtype=np.int8)
        totals = 2 * (signs @ sums) - sums.sum()
        hits += int(np.sum(np.abs(totals) >= _at_least(sums)))
        done += rounds
    return (1 + hits) / (1 + ROUNDS)


def _at_least(sums: Floats) -> float:
    # Patterns with the same total must not be told apart by rounding.
    return abs(float(sums.sum())) - 1e-9 * float(np.abs(sums).sum())


def _flag(differing: int, all_groups: int) -> str:
    if all_groups == 1:
        return "there is one group only, and one group cannot tell the models apart"
    if differing == 0:
        return "no group tells the models apart"
    if smallest_p(differing) > 0.05:
        least = smallest_p(differing)
        return (
            f"only {differing} groups tell the models apart; p cannot fall below {p_number(least)}"
        )
    return ""


def _checked(differences: Floats, groups: Anything) -> tuple[Floats, Anything]:
    d, g = np.asarray(differences, dtype=float), np.asarray(groups)
    if d.ndim != 1 or len(d) == 0:
        raise InputError(
            "must be a list of at least one number",
            argument="differences",
            value=f"shape {d.shape}",
        )
    if g.shape != d.shape:
        raise InputError(
            f"must name one group for each of the {len(d)} cases",
            argument="groups",
            value=str(g.size),
        )
    if not np.all(np.isfinite(d)):
        at = int(np.flatnonzero(~np.isfinite(d))[0])
        raise InputError(
            "must be finite",
            argument="differences",
            value=f"{d[at]} at row {at}",
            remedy="leave that case out of both",
        )
    return d, g


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.counts_cases:
        return unsuited("group-flip", situation)
    if not situation.grouped:
        return (
            f"{arg('significance', 'group-flip')} needs {named('groups')}; without them use "
            "'mcnemar-exact'"
        )
    return None


def _compute(sample: PairedSample) -> Evidence:
    return group_flip(sample.differences, _groups(sample))


def _smallest(sample: PairedSample) -> float:
    return smallest_group_p(sample.differences, _groups(sample))


def _groups(sample: PairedSample) -> Codes:
    assert sample.difference_groups is not None  # without groups the situation is refused
    return sample.difference_groups


FORMULA = r"""$s_g$ is the sum over the cases of group $g$ of the first model's loss less the
second's; the signs $\varepsilon_g$ are $+1$ or $-1$ with probability $\frac{1}{2}$ each.

$$
p = \Pr\left(\left|\sum_g \varepsilon_g s_g\right| \ge \left|\sum_g s_g\right|\right)
$$

Whole sums are convolved, others enumerated in up to 20 groups; beyond that 9999 random patterns
stand for all.
"""
"""How it is computed."""

MEASURED = (
    "Simulated size .005 to .050 with 8 to 100 groups that err together, where McNemar's test has "
    ".081 to .553 (`pytest -m slow tests/significance/paired/test_group_flip.py -s`)."
)
"""How often it was right."""

GROUP_FLIP = ComparisonTest(
    "group-flip",
    title="an exact randomisation test that flips the sign of whole groups of cases, the exact "
    "form of Durkalski's test",
    formula=FORMULA,
    measured=MEASURED,
    label="exact group-flip",
    citations=(DURKALSKI_2003,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SAME_CASES,
    refusal=_refusal,
    compute=_compute,
    smallest_p=_smallest,
    by_groups=True,
)
