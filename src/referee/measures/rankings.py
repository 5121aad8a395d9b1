"""Measures of the order of the scores."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Label
from referee.core.citations import Citation
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError, Refusal, arg, named
from referee.measures.formulas.cost import Costs
from referee.measures.formulas.multiclass import (
    auc_one_against_one,
    auc_one_against_rest,
    pairs_apart,
    rests_apart,
)
from referee.measures.formulas.precision_recall import average_precision
from referee.measures.formulas.roc import RocCurve, auc_k, partial_auc, roc_curve
from referee.measures.measure import Judge, Measure, PairJudge, always

__all__ = [
    "AUC",
    "AUC50",
    "AUC_OVO",
    "AUC_OVR",
    "AVERAGE_PRECISION",
    "PARTIAL_AUC",
    "AreaMeasure",
    "ClassesMeasure",
    "RankingMeasure",
    "area_up_to_k",
    "required_scores",
]

_UNDEFINED = "one class has no case"


def required_scores(table: Predictions) -> Floats:
    """Return the scores of a table, or say that it has none."""
    if table.scores is None:
        raise InputError(
            "this measure needs scores",
            concerning="y_score",
            remedy=(f"pass {named('y_score')}, or a model with predict_proba or decision_function"),
        )
    return table.scores


def _weight(table: Predictions) -> Floats | None:
    return None if table.weight is None else table.weight[table.case]


@dataclass(frozen=True, kw_only=True)
class RankingMeasure(Measure):
    """A function of the ROC curve of one class against the rest.

    Attributes
    ----------
    of_curve : callable
        From a `RocCurve` to the value.
    column : str
        The column of the compiled bootstrap (`intervals.one_set.ranking.MEASURES`) that holds its
        replicates; empty where it is computed on every resample instead.
    k : int
        How many false positives that column is to reach to.
    whole_cases : bool
        Whether it counts whole cases, so that weights make no sense.
    up_to : float
        The false positive rate up to which it reads the curve.

    Examples
    --------
    >>> table = Predictions.of([0, 1, 1], [0, 1, 0], y_score=[0.1, 0.9, 0.3])
    >>> AUC.value(table, 1)
    1.0
    """

    scores: bool = True
    positive: bool = True
    one_fit: bool = True
    percent: bool = False
    undefined: str = _UNDEFINED
    of_curve: Callable[[RocCurve], float]
    column: str = ""
    k: int = 50
    whole_cases: bool = False
    up_to: float = 1.0

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of all rows, taken as one ranking."""
        hit, score = self.ranking(table, positive)
        return self.of_curve(roc_curve(hit, score, _weight(table)))

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the interval of resampled rankings."""
        return judge.of_ranking(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two rankings of the same cases."""
        return pair.of_rankings(self)

    @property
    def pools(self) -> bool:
        """Scores of different models need not share a scale."""
        return False

    def negatives_read(self, negatives: float) -> float:
        """Return how many of the negatives its value depends on: those up to where it reads."""
        return min(negatives * self.up_to, float(self.k) if self.whole_cases else math.inf)

    @staticmethod
    def ranking(table: Predictions, positive: Label | None) -> tuple[Flags, Floats]:
        """Return which rows are positive, and their scores."""
        at = table.classes.index(positive)
        hit = np.asarray(table.row_truth == at)
        scores = required_scores(table)
        return hit, scores if scores.ndim == 1 else np.asarray(scores[:, at])


@dataclass(frozen=True, kw_only=True)
class AreaMeasure(RankingMeasure):
    """The whole area under the curve, which has intervals and tests of its own."""

    def estimate(self, judge: Judge) -> Estimate:
        """Return the area with an interval from its placements."""
        return judge.of_area(self)


@dataclass(frozen=True, kw_only=True)
class ClassesMeasure(Measure):
    """A function of the rankings of all classes.

    Attributes
    ----------
    of_scores : callable
        From truth, a column of scores per class and weights to the value.
    apart : callable or None
        From truth and the number of classes to (class, rows): the areas, each of one class among
        some rows, that it is the mean of.
    """

    scores: bool = True
    one_fit: bool = True
    percent: bool = False
    undefined: str = _UNDEFINED
    of_scores: Callable[..., float]
    apart: Callable[[Codes, int], Iterator[tuple[int, Flags]]] | None = None

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of all rows, taken as one ranking a class."""
        scores = required_scores(table)
        if scores.ndim == 1:
            raise InputError(
                f"{self.name} needs a score for each of the {len(table.classes)} classes",
                remedy=f"pass {named('y_score')} with one column per class",
            )
        return self.of_scores(table.row_truth, scores, _weight(table))

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the interval of resampled rankings."""
        return judge.of_classes(self)

    def paired(self, pair: PairJudge) -> object:
        """Refuse: no test of a difference of such measures was tried yet."""
        raise Refusal(
            f"{self.name} of fixed models cannot be compared yet",
            remedy=(
                f"name {named('pos_label')} and compare {arg('measure', 'auc')} of one "
                "class against the rest"
            ),
        )

    @property
    def pools(self) -> bool:
        """Scores of different models need not share a scale."""
        return False


def _area(curve: RocCurve) -> float:
    return curve.auc


def _of_a_coin(classes: int) -> float:
    return 0.5


def _with_enough_negatives(table: Predictions, positive: Label | None) -> bool:
    at = table.classes.index(positive)
    counts = table.unseen.cell_counts
    return int(counts.sum() - counts[at].sum()) >= 50


def _with_a_score_per_class(table: Predictions, positive: Label | None) -> bool:
    return len(table.classes) > 2 and table.scores is not None and table.scores.ndim == 2


_GRIBSKOV = Citation(
    "Gribskov and Robinson 1996",
    "Gribskov, M. and Robinson, N. L. (1996). Computers and Chemistry 20, 25-33.",
)

AUC = AreaMeasure(
    "auc",
    title="area under ROC",
    formula=r"""$s_i$ are the scores of $m$ positives, $u_j$ those of $n$ negatives; ties count
half.

$$
\frac{1}{m n} \sum_{i=1}^{m} \sum_{j=1}^{n}
\left(1_{s_i > u_j} + \frac{1}{2} \, 1_{s_i = u_j}\right)
$$
""",
    greater_is_better=True,
    of_curve=_area,
    column="auc",
    one_fit=False,
    by_chance=_of_a_coin,
    ability="ranks {} of pairs of a positive and a negative rightly (AUC",
    shown=always,
    aliases=("roc_auc",),
    citations=(
        Citation(
            "Hanley and McNeil 1982", "Hanley, J. A. and McNeil, B. J. (1982). Radiology 143."
        ),
    ),
)
AUC50 = RankingMeasure(
    "auc50",
    title="AUC50",
    formula=r"""$t_j$ of $m$ positives stand above the $j$-th negative from the top; ties are shared
evenly. With fewer than 50 negatives it is the plain area.

$$
\frac{1}{50 \, m} \sum_{j=1}^{50} t_j
$$
""",
    greater_is_better=True,
    of_curve=auc_k,
    column="auc_k",
    whole_cases=True,
    of_shares=True,
    shown=_with_enough_negatives,
    citations=(_GRIBSKOV,),
)
PARTIAL_AUC = RankingMeasure(
    "partial_auc",
    title="partial area, FPR up to .1",
    formula=r"""The area under the ROC curve up to a false positive rate of .1; a perfect ranking
has .1.

$$
\int_0^{0.1} TPR(x) \, dx
$$
""",
    greater_is_better=True,
    high=0.1,
    up_to=0.1,
    of_curve=partial_auc,
    column="partial_auc",
    citations=(
        Citation("McClish 1989", "McClish, D. K. (1989). Medical Decision Making 9, 190-195."),
    ),
)
AVERAGE_PRECISION = RankingMeasure(
    "average_precision",
    title="average precision",
    formula=r"""$P_j$ and $R_j$ are precision and recall where all cases from the $j$-th distinct
score on up are called positive, $R_0 = 0$.

$$
\sum_j (R_j - R_{j-1}) \, P_j
$$
""",
    greater_is_better=True,
    of_curve=average_precision,
    column="average_precision",
    of_shares=True,
    shown=always,
)
AUC_OVR = ClassesMeasure(
    "auc_ovr",
    title="area under ROC, one against rest",
    formula=r"""$A_c$ is the area of class $c$ of $k$ against all others, by the scores of that
class.

$$
\frac{1}{k} \sum_c A_c
$$
""",
    greater_is_better=True,
    of_scores=auc_one_against_rest,
    apart=rests_apart,
    shown=_with_a_score_per_class,
    citations=(
        Citation(
            "Provost and Domingos 2000",
            "Provost, F. and Domingos, P. (2000). CeDER working paper IS-00-04, Stern School of "
            "Business, New York University.",
        ),
    ),
)
AUC_OVO = ClassesMeasure(
    "auc_ovo",
    title="area under ROC, one against one",
    formula=r"""$A_{c|b}$ is the area of class $c$ of $k$ against class $b$ alone, by the scores of
class $c$.

$$
\frac{2}{k (k - 1)} \sum_{b < c} \frac{A_{b|c} + A_{c|b}}{2}
$$
""",
    greater_is_better=True,
    of_scores=auc_one_against_one,
    apart=pairs_apart,
    citations=(
        Citation(
            "Hand and Till 2001",
            "Hand, D. J. and Till, R. J. (2001). Machine Learning 45, 171-186.",
        ),
    ),
)


@cache
def area_up_to_k(name: str) -> RankingMeasure | None:
    """Return the area up to the k-th false positive by its name, auc and k; None for other names.

    Examples
    --------
    >>> area_up_to_k("auc10").title, area_up_to_k("auc")
    ('AUC10', None)
    """
    match = re.fullmatch(r"auc([1-9]\d*)", name)
    if match is None:
        return None
    return RankingMeasure(
        name,
        title=f"AUC{match[1]}",
        greater_is_better=True,
        of_curve=partial(auc_k, k=int(match[1])),
        column="auc_k",
        k=int(match[1]),
        whole_cases=True,
        of_shares=True,
        citations=(_GRIBSKOV,),
    )
