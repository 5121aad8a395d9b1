"""Measures of the confusion matrix that are no plain share of cases."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial

from referee.core.arrays import Label
from referee.core.citations import Citation
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError
from referee.measures.formulas import rates
from referee.measures.formulas.cost import Costs
from referee.measures.measure import Judge, Measure, PairJudge, always
from referee.measures.shares import matrix_value

__all__ = [
    "BALANCED_ACCURACY",
    "F1",
    "INFORMEDNESS",
    "KAPPA",
    "MACRO_F1",
    "MACRO_PRECISION",
    "MCC",
    "MICRO_F1",
    "WEIGHTED_F1",
    "WEIGHTED_PRECISION",
    "MatrixMeasure",
    "RatesMeasure",
    "f_beta",
]

_ONE_CLASS = "truth or answers are all of one class"
_NO_CASE = "a class has no case"
_NO_ANSWER = "a class has no case and no answer, or was never answered"
_NO_POSITIVE = "no positive case and no positive answer"


@dataclass(frozen=True, kw_only=True)
class MatrixMeasure(Measure):
    """Any function of the confusion matrix; its interval comes from resampled cases."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of_matrix is None:
            raise InputError(
                f"the measure {self.name!r} of the confusion matrix needs of_matrix",
                concerning="of_matrix",
            )

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of the confusion matrix of all rows."""
        return matrix_value(self, table, positive)

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the interval of resampled matrices."""
        return judge.of_matrix(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two matrices."""
        return pair.of_matrices(self)


@dataclass(frozen=True, kw_only=True)
class RatesMeasure(MatrixMeasure):
    """The mean of the classes' rates, or low + (high - low) times that mean."""

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the limits that follow from those of every class's rate."""
        return judge.of_rates(self)


def _more_than_two(table: Predictions, positive: Label | None) -> bool:
    return len(table.classes) > 2


def _one_of(classes: int) -> float:
    return 1 / classes


BALANCED_ACCURACY = RatesMeasure(
    "balanced_accuracy",
    title="balanced accuracy",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\frac{1}{k} \sum_i \frac{n_{ii}}{n_{i \cdot}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.balanced_accuracy,
    by_chance=_one_of,
    ability="is right on {} of a class, on average (balanced accuracy",
    undefined=_NO_CASE,
    shown=always,
)
INFORMEDNESS = RatesMeasure(
    "informedness",
    title="informedness",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{TP}{TP + FN} - \frac{FP}{TN + FP}
$$
""",
    greater_is_better=True,
    of_matrix=rates.informedness,
    low=-1.0,
    positive=True,
    percent=False,
    undefined=_NO_CASE,
    citations=(Citation("Youden 1950", "Youden, W. J. (1950). Cancer 3, 32-35."),),
)
MCC = MatrixMeasure(
    "mcc",
    title="Matthews correlation",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\frac{n \sum_i n_{ii} - \sum_i n_{i \cdot} n_{\cdot i}}
{\sqrt{\left(n^2 - \sum_i n_{i \cdot}^2\right) \left(n^2 - \sum_i n_{\cdot i}^2\right)}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.matthews,
    low=-1.0,
    percent=False,
    of_shares=True,
    undefined=_ONE_CLASS,
    shown=always,
    aliases=("matthews_corrcoef",),
    citations=(
        Citation(
            "Matthews 1975", "Matthews, B. W. (1975). Biochimica et Biophysica Acta 405, 442-451."
        ),
        Citation(
            "Gorodkin 2004",
            "Gorodkin, J. (2004). Computational Biology and Chemistry 28, 367-374.",
        ),
    ),
)
KAPPA = MatrixMeasure(
    "kappa",
    title="Cohen's kappa",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\frac{p - e}{1 - e}, \quad p = \frac{1}{n} \sum_i n_{ii}, \quad
e = \frac{1}{n^2} \sum_i n_{i \cdot} n_{\cdot i}
$$
""",
    greater_is_better=True,
    of_matrix=rates.kappa,
    low=-1.0,
    percent=False,
    of_shares=True,
    undefined=_ONE_CLASS,
    citations=(
        Citation(
            "Cohen 1960",
            "Cohen, J. (1960). Educational and Psychological Measurement 20, 37-46.",
        ),
    ),
)
F1 = MatrixMeasure(
    "f1",
    title="F1",
    formula=r"""$TP$ and $FN$ are positives answered right and wrong, $TN$ and $FP$ negatives
answered right and wrong.

$$
\frac{2 \, TP}{2 \, TP + FP + FN}
$$
""",
    greater_is_better=True,
    of_matrix=rates.f1,
    positive=True,
    of_shares=True,
    undefined=_NO_POSITIVE,
    shown=always,
)
MACRO_PRECISION = MatrixMeasure(
    "macro_precision",
    title="macro precision",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\frac{1}{k} \sum_i \frac{n_{ii}}{n_{\cdot i}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.macro_precision,
    of_shares=True,
    undefined=_NO_ANSWER,
)
WEIGHTED_PRECISION = MatrixMeasure(
    "weighted_precision",
    title="weighted precision",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\sum_i \frac{n_{i \cdot}}{n} \cdot \frac{n_{ii}}{n_{\cdot i}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.weighted_precision,
    of_shares=True,
    undefined=_NO_ANSWER,
)
MACRO_F1 = MatrixMeasure(
    "macro_f1",
    title="macro F1",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\frac{1}{k} \sum_i \frac{2 n_{ii}}{n_{i \cdot} + n_{\cdot i}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.macro_f1,
    of_shares=True,
    undefined=_NO_ANSWER,
    shown=_more_than_two,
)
WEIGHTED_F1 = MatrixMeasure(
    "weighted_f1",
    title="weighted F1",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes.

$$
\sum_i \frac{n_{i \cdot}}{n} \cdot \frac{2 n_{ii}}{n_{i \cdot} + n_{\cdot i}}
$$
""",
    greater_is_better=True,
    of_matrix=rates.weighted_f1,
    of_shares=True,
    undefined=_NO_ANSWER,
)
MICRO_F1 = MatrixMeasure(
    "micro_f1",
    title="micro F1",
    formula=r"""$n_{ij}$ cases of class $i$ were answered $j$; a dot adds up, $n$ is all of them and
$k$ the number of classes. Over all classes together it is the accuracy.

$$
\frac{2 \sum_i n_{ii}}{\sum_i n_{i \cdot} + \sum_i n_{\cdot i}} = \frac{1}{n} \sum_i n_{ii}
$$
""",
    greater_is_better=True,
    of_matrix=rates.accuracy,
    of_shares=True,
    undefined="no case",
)


@cache
def f_beta(name: str) -> MatrixMeasure | None:
    """Return F-beta by its name, f and a number; None for other names.

    Examples
    --------
    >>> f_beta("f0.5").title, f_beta("fpr")
    ('F0.5', None)
    """
    match = re.fullmatch(r"f(\d+(?:\.\d+)?)", name)
    if match is None:
        return None
    beta = float(match[1])
    if beta <= 0:
        raise InputError(f"the beta of {name} must be positive", remedy="for example f2 or f0.5")
    return MatrixMeasure(
        name,
        title=f"F{beta:g}",
        greater_is_better=True,
        of_matrix=partial(rates.f_beta, beta=beta),
        positive=True,
        of_shares=True,
        undefined=_NO_POSITIVE,
    )
