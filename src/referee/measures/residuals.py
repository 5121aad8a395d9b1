"""Measures of predicted quantities: how far predictions are from the right answers.

A `ResidualMeasure` is a function of the mean of one loss per case: the mean absolute error is that
mean, the root mean squared error its root, R² one minus the mean squared error over the variance
of the target. Their intervals are those of the mean. The median absolute error goes by the share
of cases that are off by more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.citations import Citation
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError
from referee.measures.formulas.cost import Costs
from referee.measures.measure import Judge, Measure, PairJudge, always, on_request

__all__ = [
    "MAE",
    "MEDIAN_AE",
    "MSE",
    "R2",
    "RMSE",
    "MedianMeasure",
    "ResidualMeasure",
    "make_loss",
    "pinball",
    "weighted_quantile",
]

Loss = Callable[[Floats, Floats], Floats]
"""From right answers and predictions to one loss per case."""


def weighted_quantile(values: Floats, share: float, weight: Floats | None = None) -> float:
    """Return the value that a share of the weight does not exceed; halfway where two will do.

    Examples
    --------
    >>> weighted_quantile(np.array([3.0, 1.0, 2.0, 10.0]), 0.5)
    2.5
    >>> weighted_quantile(np.array([1.0, 2.0]), 0.5, np.array([1.0, 3.0]))
    2.0
    """
    if weight is None:
        return float(np.quantile(values, share, method="averaged_inverted_cdf"))
    order = np.argsort(values)
    mass = np.cumsum(weight[order]) / float(np.sum(weight))
    low = int(np.searchsorted(mass, share - 1e-12))
    high = int(np.searchsorted(mass, share + 1e-12))
    last = len(values) - 1
    return float(values[order][[min(low, last), min(high, last)]].mean())


def _mean(values: Floats, weight: Floats | None) -> float:
    return float(np.average(values, weights=weight))


def _median(values: Floats, weight: Floats | None) -> float:
    return weighted_quantile(values, 0.5, weight)


def _same(mean: float) -> float:
    return mean


@dataclass(frozen=True, kw_only=True)
class ResidualMeasure(Measure):
    """A function of the mean of one loss per case, for predicted quantities.

    Attributes
    ----------
    loss : callable
        From right answers and predictions to the loss of every row, at least 0.
    of_mean : callable
        From the mean loss to the measure; rising, or falling where greater is better.
    relative : bool
        Whether the loss is taken relative to the variance of the right answers.
    constant : callable
        From right answers and weights to the one prediction for all that makes the loss least.
    guess : str
        What that prediction is called.
    says, guess_says : str
        How a sentence states the measure of a model, and of that one prediction.
    """

    greater_is_better: bool | None = False
    high: float = math.inf
    percent: bool = False
    numeric: bool = True
    loss: Loss
    of_mean: Callable[[float], float] = _same
    relative: bool = False
    constant: Callable[[Floats, Floats | None], float] = _mean
    guess: str = "the mean"
    says: str = ""
    guess_says: str = "has {}"

    def losses(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> Floats:
        """Return the loss of every row; relative ones are linearised, so that they average right.

        A ratio of two means m / v has the mean of m / v + (loss - (m / v) square) / v, which also
        varies as the ratio does (the infinitesimal jackknife).
        """
        truth = np.asarray(table.truth[table.case], dtype=float)
        loss = np.asarray(self.loss(truth, np.asarray(table.predicted, dtype=float)), dtype=float)
        if not self.relative:
            return loss
        weight = None if table.weight is None else table.weight[table.case]
        square = (truth - _mean(truth, weight)) ** 2
        variance = _mean(square, weight)
        # The mean of alike numbers may differ from them by rounding, so squares alone do not tell.
        if variance <= 0 or np.ptp(truth) == 0:
            return np.full(len(loss), math.nan)
        ratio = _mean(loss, weight) / variance
        return np.asarray(ratio + (loss - ratio * square) / variance)

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of all rows."""
        weight = None if table.weight is None else table.weight[table.case]
        return self.of_mean(_mean(self.losses(table), weight))

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with the interval of a mean loss."""
        return judge.of_residuals(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two mean losses, or of functions of them."""
        return pair.of_means(self) if self.is_mean_loss else pair.of_functions(self)

    @property
    def is_mean_loss(self) -> bool:
        """Whether it is the mean itself."""
        return self.of_mean is _same


@dataclass(frozen=True, kw_only=True)
class MedianMeasure(Measure):
    """The median of one loss per case."""

    greater_is_better: bool | None = False
    high: float = math.inf
    percent: bool = False
    numeric: bool = True
    loss: Loss
    constant: Callable[[Floats, Floats | None], float] = _median
    guess: str = "the median"
    says: str = ""
    guess_says: str = "has {}"

    def losses(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> Floats:
        """Return the loss of every row, of which the median is taken."""
        truth = np.asarray(table.truth[table.case], dtype=float)
        return np.asarray(self.loss(truth, np.asarray(table.predicted, dtype=float)), dtype=float)

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the (weighted) median of all rows."""
        weight = None if table.weight is None else table.weight[table.case]
        return _median(self.losses(table), weight)

    def estimate(self, judge: Judge) -> Estimate:
        """Return the median with the limits that the share of larger losses gives it."""
        return judge.of_median(self)


def _absolute(truth: Floats, predicted: Floats) -> Floats:
    return np.abs(truth - predicted)


def _squared(truth: Floats, predicted: Floats) -> Floats:
    return np.asarray((truth - predicted) ** 2)


def _check_loss(truth: Floats, predicted: Floats, *, function: Loss, name: str) -> Floats:
    losses = np.asarray(function(truth, predicted))
    if losses.shape != truth.shape or losses.dtype.kind not in "biuf":
        raise InputError(
            f"loss {name!r} must return one number for each of the {len(truth)} cases",
            value=f"{losses.dtype} of shape {losses.shape}",
        )
    bad = np.flatnonzero(~np.isfinite(losses.astype(float)) | (losses < 0))
    if bad.size:
        raise InputError(
            f"loss {name!r} must be finite and not negative",
            value=(
                f"{losses[bad[0]]} for the right answer {truth[bad[0]]:g} and the prediction "
                f"{predicted[bad[0]]:g}"
            ),
        )
    return losses.astype(float)


def make_loss(
    function: Loss, *, name: str | None = None, title: str | None = None
) -> ResidualMeasure:
    """Return the mean of any loss of quantities as a measure.

    Unlike a function of all cases (`make_measure`), a mean of losses has intervals after several
    fits, and models are compared by it as by the mean absolute error.

    Parameters
    ----------
    function : callable
        ``f(y_true, y_pred)`` of two arrays, returning one loss per case, at least 0.
    name, title : str, optional
        How it is called; by default the function's name.

    Examples
    --------
    >>> def log_error(y_true, y_pred):
    ...     return np.abs(np.log(y_true) - np.log(y_pred))
    >>> table = Predictions.of_quantities([1.0, 10.0, 100.0], [1.0, 100.0, 100.0])
    >>> round(make_loss(log_error).value(table), 4)
    0.7675
    """
    if not callable(function):
        raise InputError("must be callable", argument="function", value=repr(function))
    called = name or str(getattr(function, "__name__", type(function).__name__))
    if called == "<lambda>":
        raise InputError(
            "a loss needs a name, and a lambda has none",
            concerning="function",
            remedy="pass name='...'",
        )
    label = title or called.replace("_", " ")
    return ResidualMeasure(
        called,
        title=label,
        loss=partial(_check_loss, function=function, name=called),
        constant=_median,
        guess="the median",
        says=f"has a mean {label} of {{}}",
    )


MAE = ResidualMeasure(
    "mae",
    title="mean absolute error",
    formula=r"""$y_i$ is the right answer of case $i$ of $n$, $\hat y_i$ the predicted one.

$$
\frac{1}{n} \sum_i |y_i - \hat y_i|
$$
""",
    loss=_absolute,
    constant=_median,
    guess="the median",
    says="is off by {} on average",
    guess_says="is off by {}",
    shown=always,
    aliases=("mean_absolute_error", "neg_mean_absolute_error"),
)
MSE = ResidualMeasure(
    "mse",
    title="mean squared error",
    formula=r"""$y_i$ is the right answer of case $i$ of $n$, $\hat y_i$ the predicted one.

$$
\frac{1}{n} \sum_i (y_i - \hat y_i)^2
$$
""",
    loss=_squared,
    says="has a mean squared error of {}",
    aliases=("mean_squared_error", "neg_mean_squared_error"),
    shown=on_request,
)
RMSE = ResidualMeasure(
    "rmse",
    title="root mean squared error",
    formula=r"""$y_i$ is the right answer of case $i$ of $n$, $\hat y_i$ the predicted one.

$$
\sqrt{\frac{1}{n} \sum_i (y_i - \hat y_i)^2}
$$
""",
    loss=_squared,
    of_mean=math.sqrt,
    says="has a root mean squared error of {}",
    shown=always,
    aliases=("root_mean_squared_error", "neg_root_mean_squared_error"),
)


def _complement(mean: float) -> float:
    return 1 - mean


R2 = ResidualMeasure(
    "r2",
    title="R²",
    formula=r"""$y_i$ is the right answer of case $i$ of $n$, $\hat y_i$ the predicted one. $\bar y$
is the mean of the right answers.

$$
1 - \frac{\sum_i (y_i - \hat y_i)^2}{\sum_i (y_i - \bar y)^2}
$$
""",
    greater_is_better=True,
    low=-math.inf,
    high=1.0,
    loss=_squared,
    of_mean=_complement,
    relative=True,
    says="has an R² of {}",
    undefined="the right answers are all the same",
    shown=always,
    aliases=("r2_score",),
)
MEDIAN_AE = MedianMeasure(
    "median_ae",
    title="median absolute error",
    formula=r"""$y_i$ is the right answer of case $i$ of $n$, $\hat y_i$ the predicted one.

$$
\operatorname{median} \; |y_i - \hat y_i|
$$
""",
    loss=_absolute,
    says="is off by {} in the median",
    guess_says="is off by {}",
    shown=always,
    aliases=("median_absolute_error", "neg_median_absolute_error"),
)


def _pinball(truth: Floats, predicted: Floats, share: float) -> Floats:
    above = truth - predicted
    return np.asarray(np.maximum(share * above, (share - 1) * above))


@cache
def pinball(name: str) -> ResidualMeasure | None:
    """Return the pinball loss of a quantile by its name, pinball and a share; None for others.

    Examples
    --------
    >>> pinball("pinball0.9").title, pinball("mae")
    ('pinball loss of the 0.9 quantile', None)
    """
    match = re.fullmatch(r"pinball(\d*\.?\d+)", name)
    if match is None:
        return None
    share = float(match[1])
    if not 0 < share < 1:
        raise InputError(
            f"the quantile of {name} must lie strictly between 0 and 1",
            remedy="for example pinball0.9",
        )
    return ResidualMeasure(
        name,
        title=f"pinball loss of the {share:g} quantile",
        loss=partial(_pinball, share=share),
        constant=partial(_quantile, share=share),
        guess=f"the {share:g} quantile",
        says=f"has a pinball loss ({share:g} quantile) of {{}}",
        citations=(_KOENKER,),
    )


def _quantile(values: Floats, weight: Floats | None, share: float) -> float:
    return weighted_quantile(values, share, weight)


_KOENKER = Citation(
    "Koenker and Bassett 1978", "Koenker, R. and Bassett, G. (1978). Econometrica 46, 33-50."
)
