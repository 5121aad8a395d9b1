"""DeLong's test of two areas under the ROC curve on the same cases.

The area is a mean over positives and, at the same time, over negatives of how well each is placed
among the other class. On the same cases the two models' placements are subtracted case by case, so
that the test of the difference is DeLong's variance of those differences.

Measured size at .05 for equal binormal models (areas .5 to .98, scores correlated by 0 to .9; 6000
to 20 000 repetitions a cell), the largest over the cells:

=========  =====================  =========================
cases      normal law (paper)     t, smaller class less one
=========  =====================  =========================
3 + 100    .165                   .028
5 + 5      .066                   .015
5 + 100    .110                   .040
5 + 1000   .128                   .056
10 + 10    .064                   .034
10 + 100   .073                   .043
20 + 100   .063                   .047
50 + 50    .054                   .049
=========  =====================  =========================

So Student's t with the smaller class less one degrees of freedom is the default, and ``law="z"``
the paper's test. (Satterthwaite's degrees of freedom reach .13 where a class has two cases.) Near
an area of 1 both are conservative (area .98, 10 + 10 cases: below .001), unlike DeLong's interval
of one area.

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Obuchowski (1997), Biometrics 53 (groups).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.intervals.area.placements import Placements, placements, with_groups
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    Setting,
    interval_of_the_test,
    unsuited,
)
from referee.significance.contrast import Contrast
from referee.significance.samples import PairedSample
from referee.significance.works import DELONG_1988, OBUCHOWSKI_1997

__all__ = ["DELONG_PAIRED", "NULL", "UNKNOWN", "paired_delong", "paired_delong_contrast"]

NULL = "the areas under the two ROC curves are equal"
_FEW = 20
UNKNOWN = "{why}, so the spread of the difference is not known; the largest possible was taken"


def paired_delong(
    positive: Flags,
    first: Floats,
    second: Floats,
    groups: Any = None,
    *,
    weights: Any = None,
    law: str = "t",
) -> Evidence:
    """Test whether two models rank the same cases equally well.

    Parameters
    ----------
    positive : array of bool
        Which cases are positive.
    first, second : array of float
        Scores of both models for the same cases, higher for the positive class.
    groups : array, optional
        Which cases belong together (Obuchowski).
    weights : array of float, optional
        How much each case counts.
    law : "t" or "z"
        Student's t with the smaller class less one degrees of freedom, or the normal law of the
        paper and of pROC, which rejects equal models too often where a class is small.

    Examples
    --------
    >>> positive = np.arange(60) < 25
    >>> first = np.sin(np.arange(60.0)) + positive
    >>> e = paired_delong(positive, first, first**3)
    >>> e.test, e.p_value  # the same order, so the same areas
    ('delong-paired', 1.0)
    """
    contrast = paired_delong_contrast(positive, first, second, groups, weights=weights, law=law)
    return contrast.evidence()


def paired_delong_contrast(
    positive: Flags,
    first: Floats,
    second: Floats,
    groups: Any = None,
    *,
    weights: Any = None,
    law: str = "t",
) -> Contrast:
    """Return the difference of two areas, first minus second, with its standard error."""
    if law not in ("t", "z"):
        raise InputError("must be 't' or 'z'", argument="law", value=repr(law))
    if len(first) != len(second):
        raise InputError(
            "both models must score the same cases",
            concerning="second",
            value=f"{len(first)} and {len(second)} scores",
            remedy="for different cases use unpaired_delong",
        )
    hit = np.asarray(positive, dtype=bool)
    apart = _difference(placements(hit, first, weights), placements(hit, second, weights))
    n, units = len(hit), (int(hit.sum()), int((~hit).sum()))
    if groups is not None:
        coded = _coded(groups, n)
        apart = with_groups(apart, hit, coded)
        units = (len(np.unique(coded[hit])), len(np.unique(coded[~hit])))
    se, flag = _spread(apart, units)
    if law == "z" and min(units) < _FEW and not flag:
        flag = "the normal law rejects equal models too often with so few cases in a class; use t"
    return Contrast(
        value=apart.auc,
        se=se,
        df=float(max(min(units) - 1, 1)) if law == "t" else math.inf,
        test="delong-paired",
        null=NULL,
        n=n,
        assumptions=(
            "cases are independent of each other" if groups is None else "groups are independent",
            "both models are fixed and score the same cases",
        ),
        flag=flag,
    )


def _coded(groups: Any, n: int) -> Codes:
    coded = np.unique(np.asarray(groups), return_inverse=True)[1]
    if len(coded) != n:
        raise InputError(
            "must have one entry a case", argument="groups", value=f"{len(coded)} for {n} cases"
        )
    return np.asarray(coded, dtype=np.intp)


def _difference(first: Placements, second: Placements) -> Placements:
    """Return how much better the first model places each case; the mean is that of the areas."""
    return Placements(
        of_positives=_clean(first.of_positives - second.of_positives),
        of_negatives=_clean(first.of_negatives - second.of_negatives),
        weights=first.weights,
    )


def _clean(differences: Floats) -> Floats:
    """Return differences of shares of whole cases, exactly 0 where only rounding is left."""
    return np.where(np.abs(differences) < 1e-12, 0.0, differences)


def _spread(apart: Placements, units: tuple[int, int]) -> tuple[float, str]:
    """Return the standard error of the difference, and why it is only a bound where it is one.

    Placements and their differences lie between -1 and 1, so no variance exceeds 1 - d², d their
    mean. Where all cases are placed apart by the same amount d itself is uncertain; a case for and
    a case against either model are added to each class, as in Agresti and Coull's interval.
    """
    at_most = math.sqrt(1 / units[0] + 1 / units[1])
    same = not (np.any(apart.of_positives) or np.any(apart.of_negatives))
    if same:
        return 0.0, ""  # both models place every case alike: no difference, p = 1
    if min(units) < 2:
        kind = "case" if min(len(apart.of_positives), len(apart.of_negatives)) < 2 else "group"
        return at_most, UNKNOWN.format(why=f"a class has one {kind} only")
    if apart.variance <= 1e-24 and apart.auc != 0:
        bound = sum((1 - (n * apart.auc / (n + 2)) ** 2) / (n + 2) for n in units)
        return math.sqrt(bound), UNKNOWN.format(why="all cases are placed apart by the same amount")
    return math.sqrt(apart.variance), ""


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.area:
        return unsuited("delong-paired", situation)
    return interval_of_the_test(situation)


def _compute(sample: PairedSample) -> Contrast:
    # The area is something to make large; contrasts are of losses.
    return paired_delong_contrast(*sample.ranking, sample.groups, weights=sample.weights).swapped


DELONG_PAIRED = ComparisonTest(
    "delong-paired",
    title="DeLong's test for correlated ROC curves with t quantiles at the smaller class less one "
    "degrees of freedom",
    formula=r"""Each positive is placed by the share of negatives below it, each negative by the
share of positives above it. Of the differences of the two models' placements $s_+^2$ and $s_-^2$
are the variances over $m$ positives and $n$ negatives; $A_1$ and $A_2$ are the areas, and $t$ has
$\min(m, n) - 1$ degrees of freedom.

$$
t = \frac{A_1 - A_2}{\sqrt{s_+^2 / m + s_-^2 / n}}
$$

In groups the variance comes from sums over groups (Obuchowski), and groups take the place of cases
in the degrees of freedom.
""",
    measured=(
        "Equal binormal models, areas of .5 to .98, 3 + 100 to 50 + 50 cases: size at most .049, "
        "and .056 with 5 + 1000 (the normal law of the paper: .054 to .165) (`pytest -m slow "
        "tests/significance/paired/test_delong.py -s`)."
    ),
    label="paired DeLong",
    title_of_groups="DeLong's test for correlated ROC curves with Obuchowski's variance of groups "
    "of cases",
    citations=(DELONG_1988,),
    citations_of_groups=(OBUCHOWSKI_1997,),
    target=Target.FIXED,
    assumptions=("cases are independent of each other", "both models are fixed"),
    setting=Setting.SAME_CASES,
    weighs=True,
    any_measure=True,
    refusal=_refusal,
    compute=_compute,
)
