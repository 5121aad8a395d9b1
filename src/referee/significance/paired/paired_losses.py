"""Two fixed models that predicted the same quantities or label sets: a t test of their losses.

The difference of each case's losses is tested as one of scores is (`paired_scores`): Student's t
with the variance over cases, or over groups that move together, and the degrees of freedom that
few or unequal groups leave.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.results import Target
from referee.core.scores.scores import ItemScores
from referee.errors import arg
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    Setting,
    interval_of_the_test,
)
from referee.significance.contrast import Contrast
from referee.significance.paired.paired_scores import FORMULA, TEST, paired_scores
from referee.significance.samples import PairedSample

__all__ = ["PAIRED_T"]

_ASSUMPTIONS = (
    "cases (or groups) are independent draws of what the models will meet",
    "both models are fixed",
    "differences of losses are not so skewed that their mean is far from normal",
)


def _compute(sample: PairedSample) -> Contrast:
    differences = ItemScores(
        values=sample.differences,
        cluster=sample.difference_groups,
        weight=sample.weights,
        low=-sample.measure.widest,
        high=sample.measure.widest,
    )
    paired = paired_scores(differences)
    null = f"both models have the same {sample.measure.title} on new cases"
    return replace(paired.contrast, null=null, assumptions=_ASSUMPTIONS, seen=paired.value)


def _refusal(situation: ComparisonSituation) -> str | None:
    measure = situation.measure
    suited = measure is not None and (measure.numeric or measure.sets)
    if not suited or not situation.mean_loss:
        name = situation.measure_name
        return (
            f"{arg('significance', TEST)} is for mean losses of quantities or label sets, not for "
            f"{name}; use {arg('significance', 'paired-bootstrap')}"
        )
    return interval_of_the_test(situation)


PAIRED_T = ComparisonTest(
    TEST,
    title="a paired t test of the losses",
    formula=FORMULA.replace("item", "case").replace("cluster", "group"),
    label="paired t",
    target=Target.FIXED,
    assumptions=_ASSUMPTIONS,
    setting=Setting.SAME_CASES,
    weighs=True,
    refusal=_refusal,
    compute=_compute,
)
