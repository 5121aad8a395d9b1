"""true_risk: what a fitted classifier costs on the whole distribution, not on a test set.

Linear and quadratic rules under Gaussian classes are computed. Everything else is drawn: the risk
is the Bayes risk, which is known, plus what the answers of the classifier cost more than the best
ones; only this surplus is simulated, and it is 0 wherever both agree. Cases are drawn class by
class, more of those whose errors cost much, and weighted for it (Owen and Zhou, 2000, Journal of
the American Statistical Association 95: sampling from a mixture with fixed shares).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from referee.core.arrays import Anything, Codes, Floats
from referee.core.randomness import RandomState, child, integer_seed
from referee.errors import InputError
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.tasks.task import Task, codes_of
from referee.study.truth.fitted_form import as_fitted
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.regions import risk_of_quadrics
from referee.study.truth.rules import Rule, rule_inside

__all__ = ["true_risk"]

_TRIALS = 2000
"""Points at which a rule read from a model must answer as the model does."""

_OUTWARDS = (2.0, 4.0, 8.0)
"""Larger spreads at which it must, too: so far out preprocessing may bend."""


def true_risk(
    task: Task,
    classifier: Any,
    *,
    method: Literal["auto", "exact", "Monte Carlo"] = "auto",
    n_samples: int = 100_000,
    random_state: RandomState = 0,
) -> KnownRisk:
    """Return the risk of a fitted classifier on a task with known truth.

    Parameters
    ----------
    task : Task
    classifier : fitted classifier
        Anything with `predict`, which must answer with classes of the task.
    method : {"auto", "exact", "Monte Carlo"}
        "auto" computes where a formula is known: Gaussian task, and a linear or quadratic rule of
        two classes, or of more where it depends on one or two directions only.
    n_samples : int
        Cases drawn otherwise.
    random_state : int, Generator or RandomState
        Their seed.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from referee.study import two_normals
    >>> task = two_normals(1.0, d=2)
    >>> model = LinearDiscriminantAnalysis().fit(*task.sample(50, random_state=0))
    >>> print(true_risk(task, model))
    0.1680540283 (normal distribution of a linear rule, error 2e-16)
    >>> r = true_risk(task, model, method="Monte Carlo")
    >>> abs(r.value - 0.168054) < 4 * r.standard_error < 0.001
    True
    """
    if method not in ("auto", "exact", "Monte Carlo"):
        raise InputError(
            "must be 'auto', 'exact' or 'Monte Carlo'", argument="method", value=repr(method)
        )
    if method != "Monte Carlo" and classifier is task:
        best: KnownRisk = task.bayes_risk()
        return best
    seed = integer_seed(random_state)
    if method != "Monte Carlo":
        risk = _exact(task, classifier, child(seed, 1))
        if risk is not None:
            return risk
        if method == "exact":
            raise InputError(
                "no formula is known for this classifier on this task",
                remedy="use method='Monte Carlo'",
            )
    return _simulated(task, classifier, n_samples, seed)


def _exact(task: Task, classifier: Any, seed: int) -> KnownRisk | None:
    if not isinstance(task, GaussianTask):
        return None
    X = _trial_points(task, seed)
    rule = rule_inside(classifier, task.n_features, around=X)
    if rule is None or not rule.same_as(_answers(classifier, X), X):
        return None
    return _risk_of_rule(task, rule)


def _trial_points(task: GaussianTask, seed: int) -> Floats:
    """Return equally many points of each class, however rare it is, at true and larger spread."""
    k = len(task.classes)
    codes = np.repeat(np.arange(k), -(-_TRIALS // k))
    X = task.draw(codes, np.random.default_rng(seed))
    middle = task.means[codes]
    return np.vstack([X, *(middle + by * (X - middle) for by in _OUTWARDS)])


def _answers(classifier: Any, X: Floats) -> Anything:
    return np.asarray(classifier.predict(as_fitted(classifier, X)))


def _risk_of_rule(task: GaussianTask, rule: Rule) -> KnownRisk | None:
    codes = codes_of(task, rule.classes)
    losses = task.priors[:, None] * task.cost_matrix[:, codes]
    return risk_of_quadrics(task.means, task.covariances, losses, rule.quadrics)


def _simulated(task: Task, classifier: Any, n_samples: int, seed: int) -> KnownRisk:
    least = len(task.classes) * 2
    if not isinstance(n_samples, (int, np.integer)) or n_samples < least:
        raise InputError(
            f"must be a whole number of at least {least}",
            argument="n_samples",
            value=repr(n_samples),
        )
    unit = float(task.cost_matrix.max()) or 1.0
    costs = task.cost_matrix / unit
    counts = _allocated(task.priors, costs, int(n_samples))
    X, y = task.sample_per_class([int(c) for c in counts], seed)
    shares = counts / counts.sum()
    surplus = _surplus(task, costs, shares, X, _answers(classifier, X))
    mean = variance = 0.0
    for code, (count, share) in enumerate(zip(counts, shares, strict=True)):
        values = surplus[codes_of(task, y) == code]
        mean += share * float(values.mean())
        variance += share**2 * float(values.var(ddof=1)) / int(count)
    best = task.bayes_risk()
    # No disagreement seen does not mean none: then one case more is allowed for.
    dearest = float((np.ptp(costs, axis=1) * task.priors / shares).max())
    chance = unit * (float(np.sqrt(variance)) if variance else dearest / int(counts.sum()))
    return KnownRisk(
        value=best.value + unit * mean,
        method="Monte Carlo",
        error=best.error,
        standard_error=float(np.hypot(chance, best.standard_error)),
        draws=int(counts.sum()),
    )


def _allocated(priors: Floats, costs: Floats, n: int) -> Codes:
    """Return how many cases to draw of each class: half by what it can cost, half equally."""
    weight = priors * costs.max(axis=1)
    by_cost = weight / weight.sum() if weight.any() else priors
    shares = (by_cost + 1 / len(priors)) / 2
    return np.asarray(np.maximum(2, np.round(n * shares)).astype(int))


def _surplus(task: Task, costs: Floats, shares: Floats, X: Floats, predicted: Anything) -> Floats:
    """Return how much more each answer costs, in expectation, than the best one.

    Weighted by the density of the task over that of the mixture the points come from, which the
    posteriors tell. No weighted cost exceeds the most a class can cost over its share of draws.
    """
    posteriors = task.posteriors(X)
    expected = posteriors @ costs
    taken = expected[np.arange(len(X)), codes_of(task, predicted)]
    return np.asarray((taken - expected.min(axis=1)) / (posteriors @ (shares / task.priors)))
