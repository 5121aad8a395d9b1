"""Nested cross-validation: an interval whose width is measured on folds kept out of it.

For each of K folds, the other K - 1 are cross-validated among themselves. Their mean loss e_in
estimates what the fold's own mean loss e_out, made by the model of all K - 1, estimates too, and
the fold's m cases were in none of it. Over all folds and repetitions

    MSE   = (K - 1)/K  mean[ (e_in - e_out)^2 - var(e_out)/m ]
    SE    = sd(inner losses) / sqrt(n)
    Err   = Err_ncv - (1 + (K - 2)/K) (Err_ncv - Err_cv)
    Err  ±  z  clip( sqrt(max(MSE, 0)), SE, sqrt(K) SE )

(K - 1)/K carries the error from the n (K - 1)/K cases of an inner loop to n; Err_ncv is the mean of
all inner losses, Err_cv that of plain cross-validation, and their difference extrapolates the
error to a model of all n cases. The fit without folds i and j serves the inner loops of both, so
that a repetition takes K + K (K - 1)/2 fits and not K^2.

References
----------
Bates, Hastie and Tibshirani (2024), Cross-validation: what does it estimate and how well does it
do it?, Journal of the American Statistical Association 119. The authors' own program raises
(K - 2)/K to the power 1.5 in the correction; the paper does not, and it is followed here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.plan import Part
from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals import works
from referee.intervals.one_set.normal import around
from referee.intervals.risk import NORMAL, RiskInterval, RiskSample, both_targets
from referee.measures.losses import Losses

__all__ = ["NESTED_CV", "NestedError", "nested_cv", "nested_error"]


@dataclass(frozen=True, kw_only=True)
class NestedError:
    """The estimate of nested cross-validation.

    Attributes
    ----------
    value : float
        Err, the estimate for a model trained on all cases.
    plain : float
        Err_cv, the mean loss of plain cross-validation.
    inner : float
        Err_ncv, the mean loss of the inner loops.
    mean_squared_error : float
        MSE as estimated, which may be negative.
    standard_error : float
        Its root, within [SE, sqrt(K) SE].
    """

    value: float
    plain: float
    inner: float
    mean_squared_error: float
    standard_error: float


def nested_cv(losses: Losses, nested: Losses, level: float = 0.95) -> Interval:
    """Return the interval of Bates, Hastie and Tibshirani, for the model trained on all cases.

    Parameters
    ----------
    losses : Losses
        Of plain cross-validation: every case once in each repetition.
    nested : Losses
        Of the fits without two folds, both of them predicted.

    Examples
    --------
    >>> from itertools import combinations
    >>> wrong = (np.arange(60) % 7 == 0).astype(float)
    >>> fold, nothing = np.arange(60) % 5, np.zeros(60, int)
    >>> outer = Losses(wrong, np.arange(60), fold, nothing, np.full(60, 48))
    >>> two = [np.flatnonzero((fold == i) | (fold == j)) for i, j in combinations(range(5), 2)]
    >>> case = np.concatenate(two)
    >>> inner = Losses(wrong[case], case, np.repeat(np.arange(10), 24), np.zeros(240, int), case)
    >>> i = nested_cv(outer, inner)
    >>> round(i.low, 3), round(i.high, 3)
    (0.059, 0.241)
    """
    error = nested_error(losses, nested)
    interval = around(
        error.value,
        error.standard_error,
        losses,
        level,
        method="nested-cv",
        target=Target.CONDITIONAL,
    )
    return replace(interval, centre=min(losses.greatest, max(0.0, error.value)))


def nested_error(losses: Losses, nested: Losses) -> NestedError:
    """Return the estimate of the error and its standard error (see `nested_cv`)."""
    fits = len(losses.split_sizes)
    NESTED_CV.check(RiskSample(losses=losses, fits=fits, nested=nested).situation)
    K = len(losses.per_split) // losses.repetitions
    m = losses.split_sizes
    e_out = losses.per_split
    e_in = _inner_means(losses, nested)
    spread = _variances(losses) / m
    mse = (K - 1) / K * float(np.mean((e_in - e_out) ** 2 - spread))
    se = float(np.std(nested.value, ddof=1)) / math.sqrt(losses.n)
    inner, plain = nested.mean, losses.mean
    return NestedError(
        value=inner - (1 + (K - 2) / K) * (inner - plain),
        plain=plain,
        inner=inner,
        mean_squared_error=mse,
        standard_error=float(np.clip(math.sqrt(max(mse, 0.0)), se, math.sqrt(K) * se)),
    )


def _inner_means(losses: Losses, nested: Losses) -> Floats:
    """Return the mean loss of the inner loop of each outer fold, in the order of the folds."""
    folds, fold = np.unique(losses.split, return_inverse=True)
    place = _places(losses, nested)
    mine = fold[place]
    _, pair = np.unique(nested.split, return_inverse=True)
    low = np.full(pair.max() + 1, len(folds))
    high = np.full(pair.max() + 1, -1)
    np.minimum.at(low, pair, mine)
    np.maximum.at(high, pair, mine)
    # A case of one fold, predicted without both, belongs to the inner loop of the other.
    without = (low + high)[pair] - mine
    sums = np.bincount(without, weights=nested.value, minlength=len(folds))
    return np.asarray(sums / np.bincount(without, minlength=len(folds)))


def _places(losses: Losses, nested: Losses) -> Rows:
    """Return, for every inner loss, which outer loss is of the same case and repetition."""
    width = int(max(losses.case.max(), nested.case.max())) + 1
    known = losses.repetition * width + losses.case
    wanted = nested.repetition * width + nested.case
    order = np.argsort(known)
    at = np.searchsorted(known, wanted, sorter=order)
    return np.asarray(order[np.minimum(at, len(order) - 1)])


def _variances(losses: Losses) -> Floats:
    _, fold = np.unique(losses.split, return_inverse=True)
    apart = (losses.value - losses.per_split[fold]) ** 2
    return np.asarray(np.bincount(fold, weights=apart) / (losses.split_sizes - 1))


def _refusal(situation: Situation) -> str | None:
    if Part.NESTED not in situation.parts:
        return f"{arg('interval', 'nested-cv')} needs inner loops; use {arg('by', 'nested-cv')}"
    if situation.grouped:
        return (
            "nested-cv takes cases as independent, and these come in groups; use "
            f"{arg('interval', 'clustered')}, or {arg('by', 'conservative-z')}"
        )
    if situation.weighted:
        return f"nested-cv cannot weight cases; use {arg('interval', 'effective-jeffreys')}"
    if situation.smallest_test < 2:
        return (
            f"nested-cv needs at least 2 cases in each fold, got {situation.smallest_test}; use "
            "fewer folds"
        )
    return None


def _of_sample(sample: RiskSample) -> Interval:
    assert sample.nested is not None
    return nested_cv(sample.losses, sample.nested, sample.level)


NESTED_CV = RiskInterval(
    "nested-cv",
    title="the interval of nested cross-validation",
    formula=r"""Of each of $K$ folds of $m$ cases $e_{\mathrm{out}}$ is the mean loss of the model
of the other folds, $v_{\mathrm{out}}$ the variance of its losses, and $e_{\mathrm{in}}$ the mean
loss of cross-validating the other folds among themselves. $E_{\mathrm{cv}}$ and $E_{\mathrm{ncv}}$
are the means of all outer and of all inner losses, $s$ is the standard deviation of the inner ones,
$z$ the normal quantile; bars are means over folds and repetitions.

$$
MSE = \frac{K - 1}{K} \, \overline{(e_{\mathrm{in}} - e_{\mathrm{out}})^2 - v_{\mathrm{out}} / m},
\quad SE = \frac{s}{\sqrt{n}}
$$

$$
E = E_{\mathrm{ncv}} - \left(1 + \frac{K - 2}{K}\right) (E_{\mathrm{ncv}} - E_{\mathrm{cv}}), \quad
E \pm z \, \min\left(\max\left(\sqrt{MSE},\; SE\right),\; \sqrt{K} \, SE\right)
$$

A negative $MSE$ counts as 0.
""",
    citations=(works.BATES,),
    target=Target.CONDITIONAL,
    assumptions=("leaving out a fold changes the learner little", NORMAL),
    refusal=_refusal,
    compute=_of_sample,
    by="nested-cv",
    of_all_cases=True,
    tried=both_targets("nested-cv"),
)
