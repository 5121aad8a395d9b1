"""Worst-case bounds for a fixed number of cases against what happens.

Each bound says: with probability 1 - delta, whatever the distribution, the true error exceeds the
observed one by no more than a margin.

===================  ===========================================================================
test set, Hoeffding  sqrt(ln(1/delta) / (2 m)) for m cases that were not used in training
test set, binomial   the exact one-sided Clopper-Pearson limit, which depends on what was seen
finite class         sqrt((ln K + ln(1/delta)) / (2 n)) for the best of K rules fixed beforehand
VC, linear rules     sqrt((h (ln(2 n / h) + 1) + ln(4/delta)) / n) with h = d + 1
===================  ===========================================================================

References
----------
Hoeffding (1963), JASA 58. Vapnik (1998), Statistical Learning Theory, section 4.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.numbers import level_text
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson
from referee.study.repetitions import repeated
from referee.study.tasks.known import as_task
from referee.study.tasks.task import Task, unit_costs
from referee.study.training import check_classes_occur, drawn, mean_cost, trained
from referee.study.truth.rules import rule_inside
from referee.study.truth.true_risk import true_risk

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BoundRow", "Bounds", "bounds", "finite_class", "hoeffding", "vapnik"]


def hoeffding(m: int, delta: float = 0.05) -> float:
    """Return Hoeffding's margin for a test set of m cases.

    Examples
    --------
    >>> round(hoeffding(100), 4)
    0.1224
    """
    return math.sqrt(math.log(1 / delta) / (2 * m))


def finite_class(n: int, rules: int, delta: float = 0.05) -> float:
    """Return the margin that holds for all of a finite number of rules at once.

    Examples
    --------
    >>> round(finite_class(100, 1000), 4)
    0.2225
    """
    return math.sqrt((math.log(rules) + math.log(1 / delta)) / (2 * n))


def vapnik(n: int, dimension: int, delta: float = 0.05) -> float:
    """Return Vapnik's margin for a class of rules of this VC dimension.

    Examples
    --------
    >>> round(vapnik(1000, 3), 4)
    0.164
    >>> vapnik(3, 3) > 1
    True
    """
    complexity = dimension * (math.log(2 * n / dimension) + 1)
    return math.sqrt((complexity + math.log(4 / delta)) / n)


_SAME_GAP = "test set, binomial"
"""Shares its gap with Hoeffding's bound."""

_GAPS = {
    "test set, Hoeffding": "test set",
    "finite class": "best of the class",
    "VC, linear rules": "linear rule",
}


@dataclass(frozen=True, kw_only=True)
class BoundRow:
    """One bound at one sample size.

    Attributes
    ----------
    n : int
    bound : str
    margin : float
        What it promises (the mean, where it depends on what was seen).
    mean_gap, quantile_gap : float
        Mean and (1 - delta)-quantile of true less observed error over the repetitions.
    exceeded : float
        Share of repetitions in which the gap exceeded the margin; at most delta is promised.
    """

    n: int
    bound: str
    margin: float
    mean_gap: float
    quantile_gap: float
    exceeded: float


@dataclass(frozen=True, kw_only=True)
class Bounds(Experiment):
    """Bounds against what happened."""

    title: ClassVar[str] = "Worst-case bounds against what happens"

    delta: float
    repetitions: int
    rows: tuple[BoundRow, ...]

    def frame(self) -> pd.DataFrame:
        """Return a row per sample size and bound."""
        import pandas as pd

        return pd.DataFrame([vars(row) for row in self.rows])

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        sizes = ", ".join(str(n) for n in dict.fromkeys(row.n for row in self.rows))
        return f"{self.repetitions} samples of {sizes} cases, delta {self.delta:g}"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """The margins, and the gaps they are for, against the number of cases."""
        curves = []
        for name in dict.fromkeys(row.bound for row in self.rows):
            rows = [row for row in self.rows if row.bound == name]
            x = tuple(float(row.n) for row in rows)
            curves.append(Curve(name, x, tuple(row.margin for row in rows)))
            if name != _SAME_GAP:
                gaps = tuple(row.quantile_gap for row in rows)
                curves.append(Curve(f"gap seen: {_GAPS[name]}", x, gaps, muted=True))
        caption = f"margins and the {level_text(1 - self.delta)} quantiles of the gaps seen"
        return (Curves(tuple(curves), caption, "cases", "true less observed error", True),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        last = [row for row in self.rows if row.n == self.rows[-1].n]
        vc, test = last[-1], last[0]
        most = max(row.exceeded for row in self.rows)
        return (
            f"With {vc.n} cases the VC bound allows linear rules a gap of {vc.margin:.3f} and "
            f"{level_text(1 - self.delta)} of the gaps were below {vc.quantile_gap:.3f}; on a test "
            f"set Hoeffding allows {test.margin:.3f} against {test.quantile_gap:.3f}; no bound was "
            f"exceeded in more than {100 * most:.1f} % of {self.repetitions} repetitions."
        )


def bounds(
    task: Task | str,
    learner: Any = None,
    *,
    sizes: Sequence[int] = (50, 200, 1000),
    rules: int = 100,
    delta: float = 0.05,
    repetitions: int = 200,
    n_samples: int = 20_000,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Bounds:
    """Compare worst-case margins with the gaps seen on a task of two classes.

    Parameters
    ----------
    task : Task or str
        Or its name, as "xor" or "example-1".
        Of two classes, every error costing 1.
    learner : scikit-learn classifier, optional
        A linear one; linear discriminant analysis if not given.
    sizes : sequence of int
        Training cases; a test set has as many.
    rules : int
        The size of the finite class: linear rules drawn before any training case.
    delta : float
        The probability with which a bound may fail.
    repetitions, n_samples, random_state, n_jobs, checkpoint
        As in the other experiments.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> result = bounds(two_normals(1.0, 2), sizes=(50,), repetitions=20)
    >>> [(row.bound, round(row.margin, 3)) for row in result.rows if row.bound != "finite class"]
    [('test set, Hoeffding', 0.173), ('test set, binomial', 0.112), ('VC, linear rules', 0.598)]
    """
    task = as_task(task)
    if len(task.classes) != 2 or (task.cost_matrix != unit_costs(2)).any():
        raise InputError(
            "these bounds are for two classes and errors that all cost 1", concerning="task"
        )
    if not len(sizes) or min(sizes) < 2:
        raise InputError(
            "must be whole numbers of at least 2", argument="sizes", value=str(tuple(sizes))
        )
    if not 0 < delta < 0.5:
        raise InputError("must lie strictly between 0 and 1/2", argument="delta", value=str(delta))
    check_classes_occur(task, min(sizes), "sizes")
    seed = integer_seed(random_state)
    fixed = _drawn_rules(task, rules, child(seed, 1_000_000))
    truths = np.array([true_risk(task, rule, n_samples=n_samples).value for rule in fixed])
    rows: list[BoundRow] = []
    for number, n in enumerate(sizes):
        once = partial(_once, task, learner or _linear_learner(), fixed, truths, n, n_samples)
        seen = repeated(once, repetitions, child(seed, number), n_jobs, checkpoint)
        rows += _rows(seen, n, rules, task.n_features + 1, delta)
    return Bounds(delta=delta, repetitions=repetitions, rows=tuple(rows))


def _linear_learner() -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis()


def _once(
    task: Task,
    learner: Any,
    fixed: list[_LinearRule],
    truths: Floats,
    n: int,
    n_samples: int,
    seed: Seed,
) -> tuple[float, float, float, float, float]:
    """Return training, test and true error, and those of the best of the fixed rules."""
    X, y = drawn(task, n, child(seed, 0))
    model = trained(learner, X, y, child(seed, 1))
    fresh_X, fresh_y = task.sample(n, child(seed, 2))
    tested = float(np.mean(model.model.predict(fresh_X) != fresh_y))
    _refuse_curved(model.model, X)
    truth = true_risk(task, model.model, n_samples=n_samples, random_state=child(seed, 3))
    errors = np.array([np.mean(rule.predict(X) != y) for rule in fixed])
    best = int(np.argmin(errors))
    return mean_cost(task, model.predictions), tested, truth.value, errors[best], truths[best]


def _refuse_curved(model: Any, X: Floats) -> None:
    rule = rule_inside(model, X.shape[1], around=X)
    if rule is None or any((q.A - rule.quadrics[0].A).any() for q in rule.quadrics):
        raise InputError(
            "learner must be a linear one (coefficients, or one covariance for all classes): the "
            "VC dimension d + 1 is that of linear rules",
            concerning="learner",
        )


def _rows(seen: Floats, n: int, rules: int, dimension: int, delta: float) -> list[BoundRow]:
    training, tested, truth, best, best_truth = seen.T
    exact = np.array(
        [clopper_pearson(round(t * n), n, 1 - 2 * delta).high - t for t in tested], dtype=float
    )
    table = (
        ("test set, Hoeffding", np.full(len(seen), hoeffding(n, delta)), truth - tested),
        ("test set, binomial", exact, truth - tested),
        ("finite class", np.full(len(seen), finite_class(n, rules, delta)), best_truth - best),
        ("VC, linear rules", np.full(len(seen), vapnik(n, dimension, delta)), truth - training),
    )
    return [
        BoundRow(
            n=n,
            bound=name,
            margin=float(margin.mean()),
            mean_gap=float(gap.mean()),
            quantile_gap=float(np.quantile(gap, 1 - delta)),
            exceeded=float(np.mean(gap > margin)),
        )
        for name, margin, gap in table
    ]


class _LinearRule:
    """A rule fixed before any training case is seen."""

    def __init__(self, direction: Floats, through: Floats, classes: Anything) -> None:
        self.coef_ = direction[None]
        self.intercept_ = np.array([-float(direction @ through)])
        self.classes_ = classes

    def predict(self, X: Any) -> Anything:
        side = np.asarray(X) @ self.coef_[0] + self.intercept_[0] > 0
        return np.asarray(self.classes_[side.astype(int)])


def _drawn_rules(task: Task, rules: int, seed: Seed) -> list[_LinearRule]:
    """Return linear rules in random directions, each through a case drawn for the purpose."""
    generator = np.random.default_rng(seed)
    through, _ = task.sample(rules, child(seed, 0))
    directions = generator.standard_normal((rules, task.n_features))
    directions /= task.sample(1000, child(seed, 1))[0].std(axis=0)
    classes = np.asarray(task.classes)
    return [_LinearRule(w, x, classes) for w, x in zip(directions, through, strict=True)]
