"""Measures of label sets, which look at the labels inside: Hamming, Jaccard, micro and macro F1.

That any label of a set is wrong is the plain `error` (the subset error), and all are right the
`accuracy`. The measures here give half-right sets their due. A `SetMeasure` is a mean of one
number per case; a `RatioMeasure` a ratio of sums over cases, of all labels together (micro) or as
the mean of each label's own (macro).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Flags, Floats, Label
from referee.core.citations import Citation
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.measures.formulas.cost import Costs
from referee.measures.mean_losses import LossMeasure
from referee.measures.measure import Judge, Measure, PairJudge, always

__all__ = [
    "CASE_F1",
    "HAMMING",
    "JACCARD",
    "MACRO_LABEL_F1",
    "MICRO_LABEL_F1",
    "MICRO_LABEL_PRECISION",
    "MICRO_LABEL_RECALL",
    "RatioMeasure",
    "SetMeasure",
]

_TSOUMAKAS = Citation(
    "Tsoumakas and Katakis 2007",
    "Tsoumakas, G. and Katakis, I. (2007). Int. J. Data Warehousing and Mining 3, 1-13.",
)
_NONE = "no case has a label, and none was answered"


def _at_most_one(classes: int, costs: Costs | None) -> float:
    return 1.0


@dataclass(frozen=True, kw_only=True)
class SetMeasure(LossMeasure):
    """The mean over cases of how far a predicted set is from the right one, or 1 minus that.

    Attributes
    ----------
    of_rows : callable
        From a table to the loss of every row, between 0 and 1, also where greater is better.
    """

    high: float = 1.0
    percent: bool = True
    of_shares: bool = False
    sets: bool | None = True
    greatest: Callable[[int, Costs | None], float] | None = _at_most_one

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the (weighted) mean over all rows."""
        loss = super().value(table)
        return 1 - loss if self.greater_is_better else loss


Counted = Callable[[Floats, Floats, Floats], Floats]
"""From labels hit, answered wrongly and missed, by row and label, to what is added up."""


@dataclass(frozen=True, kw_only=True)
class RatioMeasure(Measure):
    """A ratio of sums over cases, of all labels together or label by label.

    Attributes
    ----------
    above, below : callable
        What is added up above and below the line.
    by_label : bool
        Whether the measure is the mean of the labels' ratios (macro), or the ratio of all labels
        together (micro). A label that no case has and that was never answered is left out.
    """

    greater_is_better: bool | None = True
    sets: bool | None = True
    undefined: str = _NONE
    above: Counted
    below: Counted
    by_label: bool = False

    def sums(self, table: Predictions) -> tuple[Floats, Floats]:
        """Return what each row adds above and below the line; a column per label, or one."""
        truth, answers = table.truth_members, table.predicted_members
        counts = _hit(truth, answers), _false(truth, answers), _missed(truth, answers)
        above, below = self.above(*counts), self.below(*counts)
        if self.by_label:
            return above, below
        return above.sum(axis=1, keepdims=True), below.sum(axis=1, keepdims=True)

    def of_sums(self, above: Floats, below: Floats) -> Floats:
        """Return the measure of sums over cases, labels in the last axis; nan where undefined."""
        nothing = np.full(np.shape(below), np.nan)
        each = np.divide(above, below, out=nothing, where=below > 0)
        known = np.count_nonzero(below > 0, axis=-1)
        total = np.nansum(each, axis=-1)
        return np.asarray(
            np.divide(total, known, out=np.full(np.shape(known), np.nan), where=known > 0)
        )

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of all rows."""
        weight = np.ones(len(table.case)) if table.weight is None else table.weight[table.case]
        above, below = (weight @ part for part in self.sums(table))
        return float(self.of_sums(above, below))

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the interval of a ratio over cases."""
        return judge.of_ratios(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two ratios."""
        return pair.of_ratios(self)


def _hit(truth: Flags, answers: Flags) -> Floats:
    return (truth & answers).astype(float)


def _false(truth: Flags, answers: Flags) -> Floats:
    return (~truth & answers).astype(float)


def _missed(truth: Flags, answers: Flags) -> Floats:
    return (truth & ~answers).astype(float)


def _hamming(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    return np.asarray(np.mean(table.truth_members != table.predicted_members, axis=1))


def _distance(shared: Floats, whole: Floats) -> Floats:
    """Return 1 minus a share; two empty sets are alike."""
    return np.asarray(1 - np.divide(shared, whole, out=np.ones_like(shared), where=whole > 0))


def _jaccard(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    truth, answers = table.truth_members, table.predicted_members
    both, either = (truth & answers).sum(axis=1), (truth | answers).sum(axis=1)
    return _distance(both.astype(float), either.astype(float))


def _case_f1(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    truth, answers = table.truth_members, table.predicted_members
    both = 2.0 * (truth & answers).sum(axis=1)
    return _distance(both, (truth.sum(axis=1) + answers.sum(axis=1)).astype(float))


def _twice_hit(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return 2 * hit


def _dice(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return 2 * hit + false + missed


def _hits(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return hit


def _answered(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return hit + false


def _had(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return hit + missed


HAMMING = SetMeasure(
    "hamming",
    title="Hamming loss",
    formula=r"""Of $L$ labels case $i$ of $n$ has the set $Y_i$ and was answered $\hat Y_i$;
$\triangle$ is what only one of them holds.

$$
\frac{1}{n} \sum_i \frac{|Y_i \triangle \hat Y_i|}{L}
$$
""",
    of_rows=_hamming,
    shown=always,
    aliases=("hamming_loss",),
    citations=(_TSOUMAKAS,),
)
JACCARD = SetMeasure(
    "jaccard",
    title="Jaccard index",
    formula=r"""Case $i$ of $n$ has the labels $Y_i$ and was answered $\hat Y_i$. Two empty sets
count 1.

$$
\frac{1}{n} \sum_i \frac{|Y_i \cap \hat Y_i|}{|Y_i \cup \hat Y_i|}
$$
""",
    greater_is_better=True,
    of_rows=_jaccard,
    shown=always,
    aliases=("jaccard_samples",),
    citations=(_TSOUMAKAS,),
)
CASE_F1 = SetMeasure(
    "case_f1",
    title="F1 per case",
    formula=r"""Case $i$ of $n$ has the labels $Y_i$ and was answered $\hat Y_i$. Two empty sets
count 1.

$$
\frac{1}{n} \sum_i \frac{2 \, |Y_i \cap \hat Y_i|}{|Y_i| + |\hat Y_i|}
$$
""",
    greater_is_better=True,
    of_rows=_case_f1,
    aliases=("f1_samples",),
)
MICRO_LABEL_F1 = RatioMeasure(
    "micro_label_f1",
    title="micro F1 of the labels",
    formula=r"""$TP_l$, $FP_l$ and $FN_l$ count the cases that were rightly, wrongly and not given
label $l$.

$$
\frac{2 \sum_l TP_l}{\sum_l \left(2 \, TP_l + FP_l + FN_l\right)}
$$
""",
    above=_twice_hit,
    below=_dice,
    shown=always,
)
MACRO_LABEL_F1 = RatioMeasure(
    "macro_label_f1",
    title="macro F1 of the labels",
    formula=r"""$TP_l$, $FP_l$ and $FN_l$ count the cases that were rightly, wrongly and not given
label $l$. The mean is over the labels that any case has or was given.

$$
\operatorname{mean}_l \; \frac{2 \, TP_l}{2 \, TP_l + FP_l + FN_l}
$$
""",
    above=_twice_hit,
    below=_dice,
    by_label=True,
    shown=always,
)
MICRO_LABEL_PRECISION = RatioMeasure(
    "micro_label_precision",
    title="micro precision of the labels",
    formula=r"""$TP_l$, $FP_l$ and $FN_l$ count the cases that were rightly, wrongly and not given
label $l$.

$$
\frac{\sum_l TP_l}{\sum_l (TP_l + FP_l)}
$$
""",
    above=_hits,
    below=_answered,
    undefined="no label was answered",
)
MICRO_LABEL_RECALL = RatioMeasure(
    "micro_label_recall",
    title="micro recall of the labels",
    formula=r"""$TP_l$, $FP_l$ and $FN_l$ count the cases that were rightly, wrongly and not given
label $l$.

$$
\frac{\sum_l TP_l}{\sum_l (TP_l + FN_l)}
$$
""",
    above=_hits,
    below=_had,
    undefined="no case has a label",
)
