"""true_risk: what a fitted classifier costs on the whole distribution, not on a test set (R4, R5).

Linear and quadratic rules under Gaussian classes are computed. Everything else is drawn: the risk
is the Bayes risk, which is known, plus what the answers of the classifier cost more than the best
ones; only this surplus is simulated, and it is 0 wherever both agree. Cases are drawn class by
class in proportion to the priors.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.randomness import RandomState, child, integer_seed
from referee.errors import InputError
from referee.study.gaussian_task import GaussianTask
from referee.study.known_risk import KnownRisk
from referee.study.regions import risk_of_quadrics
from referee.study.rules import Rule, rule_inside
from referee.study.task import Task, codes_of

__all__ = ["true_risk"]

_TRIALS = 2000
"""Points at which a rule read from a model must answer as the model does."""


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
    0.1680540283 (normal distribution of a linear rule, error 1e-16)
    >>> r = true_risk(task, model, method="Monte Carlo")
    >>> abs(r.value - 0.168054) < 4 * r.standard_error < 0.001
    True
    """
    if method not in ("auto", "exact", "Monte Carlo"):
        raise InputError(f"method must be 'auto', 'exact' or 'Monte Carlo', got {method!r}")
    if method != "Monte Carlo" and classifier is task:
        best: KnownRisk = task.bayes_risk()
        return best
    seed = integer_seed(random_state)
    if method != "Monte Carlo":
        made = _exact(task, classifier, child(seed, 1))
        if made is not None:
            return made
        if method == "exact":
            raise InputError(
                "no formula is known for this classifier on this task; use method='Monte Carlo'"
            )
    return _simulated(task, classifier, n_samples, seed)


def _exact(task: Task, classifier: Any, seed: int) -> KnownRisk | None:
    if not isinstance(task, GaussianTask):
        return None
    rule = rule_inside(classifier, task.n_features)
    if rule is None or not all(np.isfinite(q.c) for q in rule.quadrics):
        return None
    X, _ = task.sample(_TRIALS, seed)
    if not rule.same_as(np.asarray(classifier.predict(X)), X):
        return None
    return _risk_of_rule(task, rule)


def _risk_of_rule(task: GaussianTask, rule: Rule) -> KnownRisk | None:
    codes = codes_of(task, rule.classes)
    losses = task.priors[:, None] * task.cost_matrix[:, codes]
    return risk_of_quadrics(task.means, task.covariances, losses, rule.quadrics)


def _simulated(task: Task, classifier: Any, n_samples: int, seed: int) -> KnownRisk:
    least = len(task.classes) * 2
    if not isinstance(n_samples, (int, np.integer)) or n_samples < least:
        raise InputError(f"n_samples must be a whole number of at least {least}, got {n_samples!r}")
    counts = np.maximum(2, np.round(n_samples * task.priors)).astype(int)
    X, y = task.sample_per_class([int(c) for c in counts], seed)
    surplus = _surplus(task, X, np.asarray(classifier.predict(X)))
    mean = variance = 0.0
    for label, prior, count in zip(task.classes, task.priors, counts, strict=True):
        values = surplus[y == label]
        mean += prior * float(values.mean())
        variance += prior**2 * float(values.var(ddof=1)) / int(count)
    best = task.bayes_risk()
    # No disagreement seen does not mean none: then one case more is allowed for.
    chance = np.sqrt(variance) if variance else float(np.ptp(task.cost_matrix)) / counts.sum()
    return KnownRisk(
        value=best.value + mean,
        method="Monte Carlo",
        error=best.error,
        standard_error=float(np.hypot(chance, best.standard_error)),
        draws=int(counts.sum()),
    )


def _surplus(task: Task, X: Floats, predicted: Anything) -> Floats:
    """Return how much more each answer costs, in expectation, than the best one."""
    expected = task.posteriors(X) @ task.cost_matrix
    taken = expected[np.arange(len(X)), codes_of(task, predicted)]
    return np.asarray(taken - expected.min(axis=1))
