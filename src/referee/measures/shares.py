"""Shares: measures that are a plain share of cases, so that exact intervals exist."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError
from referee.measures.formulas import rates
from referee.measures.formulas.confusion import confusion
from referee.measures.formulas.cost import Costs
from referee.measures.measure import Judge, Measure, PairJudge, always

__all__ = [
    "ACCURACY",
    "ERROR",
    "FNR",
    "FPR",
    "NPV",
    "PRECISION",
    "TNR",
    "TPR",
    "ShareMeasure",
    "matrix_value",
]


def matrix_value(measure: Measure, table: Predictions, positive: Label | None) -> float:
    """Return a measure of the confusion matrix of a table."""
    assert measure.of_matrix is not None
    at = (table.classes.index(positive),) if measure.positive else ()
    return float(measure.of_matrix(confusion(table), *at))


@dataclass(frozen=True, kw_only=True)
class ShareMeasure(Measure):
    """A share of cases.

    Attributes
    ----------
    given : {"all", "truth", "answer"}
        Which cases it is a share of: all, those that are of a class, or those answered so.
    of_class : bool
        Whether that class is the positive one (True) or the rest.
    """

    given: str = "all"
    of_class: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of_matrix is None or self.given not in ("all", "truth", "answer"):
            raise InputError(
                f"the share {self.name!r} needs of_matrix, and given must be 'all', 'truth' or "
                "'answer'",
                concerning="of_matrix",
                value=repr(self.given),
            )

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the share among all rows of a table."""
        return matrix_value(self, table, positive)

    def estimate(self, judge: Judge) -> Estimate:
        """Return the share with the exact limits of a share of cases."""
        return judge.of_share(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two confusion matrices."""
        return pair.of_matrices(self)

    def losses(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> Floats:
        """Return the zero-one loss of every row."""
        return table.wrong

    @property
    def is_mean_loss(self) -> bool:
        """Whether it is a share of all cases."""
        return self.given == "all"

    @property
    def counts_all_cases(self) -> bool:
        """Whether it is a share of all cases."""
        return self.given == "all"

    @property
    def counts_cases(self) -> bool:
        """Whether the cases it is a share of are known before any answer."""
        return self.given != "answer"

    @property
    def whose(self) -> str:
        """The class whose cases it is about, where these are known before any answer."""
        if self.given != "truth":
            return ""
        return "positive" if self.of_class else "negative"

    def counts(self, matrix: Floats, at: int) -> tuple[int, int]:
        """Return the errors among the cases it is a share of, and how many those are.

        Parameters
        ----------
        matrix : array
            Counts: rows are the truth, columns the answers.
        at : int
            The position of the positive class; not read where the share is one of all cases.
        """
        total, right = matrix.sum(), np.trace(matrix)
        if self.given == "all":
            return int(total - right), int(total)
        table = matrix if self.given == "truth" else matrix.T
        of_class, hits = table[at].sum(), table[at, at]
        if self.of_class:
            return int(of_class - hits), int(of_class)
        return int(table[:, at].sum() - hits), int(total - of_class)

    def among(self, table: Predictions, positive: Label | None) -> Predictions:
        """Return the rows it is a share of, with one class against the rest."""
        if self.given == "all":
            return table
        at = table.classes.index(positive)
        of = table.row_truth if self.given == "truth" else table.predicted
        table = table.rows((of == at) if self.of_class else (of != at))
        # One class against the rest: mistaking one negative class for another is no error here.
        return replace(
            table,
            truth=(table.truth == at).astype(np.intp),
            predicted=(table.predicted == at).astype(np.intp),
        )


ERROR = ShareMeasure(
    "error",
    title="error",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; $n$ is all of them.

$$
1 - \frac{1}{n} \sum_i n_{ii}
$$
""",
    greater_is_better=False,
    of_matrix=rates.error,
    sets=None,
    shown=always,
    undefined="no case",
    aliases=("subset_error",),
)
ACCURACY = ShareMeasure(
    "accuracy",
    title="accuracy",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; $n$ is all of them.

$$
\frac{1}{n} \sum_i n_{ii}
$$
""",
    greater_is_better=True,
    of_matrix=rates.accuracy,
    sets=None,
    shown=always,
    undefined="no case",
)
TPR = ShareMeasure(
    "tpr",
    title="true positive rate",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{TP}{TP + FN}
$$
""",
    greater_is_better=True,
    of_matrix=rates.true_positive_rate,
    given="truth",
    positive=True,
    undefined="no positive case",
    shown=always,
    aliases=("recall", "sensitivity"),
)
TNR = ShareMeasure(
    "tnr",
    title="true negative rate",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{TN}{TN + FP}
$$
""",
    greater_is_better=True,
    of_matrix=rates.true_negative_rate,
    given="truth",
    of_class=False,
    positive=True,
    undefined="no negative case",
    shown=always,
    aliases=("specificity",),
)
FPR = ShareMeasure(
    "fpr",
    title="false positive rate",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{FP}{TN + FP}
$$
""",
    greater_is_better=False,
    of_matrix=rates.false_positive_rate,
    given="truth",
    of_class=False,
    positive=True,
    undefined="no negative case",
)
FNR = ShareMeasure(
    "fnr",
    title="false negative rate",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{FN}{TP + FN}
$$
""",
    greater_is_better=False,
    of_matrix=rates.false_negative_rate,
    given="truth",
    positive=True,
    undefined="no positive case",
)
PRECISION = ShareMeasure(
    "precision",
    title="precision",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{TP}{TP + FP}
$$
""",
    greater_is_better=True,
    of_matrix=rates.precision,
    given="answer",
    positive=True,
    of_shares=True,
    undefined="no positive answer",
    shown=always,
    aliases=("ppv",),
)
NPV = ShareMeasure(
    "npv",
    title="negative predictive value",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{TN}{TN + FN}
$$
""",
    greater_is_better=True,
    of_matrix=rates.negative_predictive_value,
    given="answer",
    of_class=False,
    positive=True,
    of_shares=True,
    undefined="no negative answer",
)
