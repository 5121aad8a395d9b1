"""Consistency: 1-NN never reaches the Bayes error, log N neighbours do.

With eta(x) = p(1 | x) the error of the nearest neighbour tends to E 2 eta (1 - eta), between the
Bayes error R* and 2 R* (1 - R*) (Cover and Hart). k neighbours with k growing and k / N falling,
for example k = ln N, tend to R* itself (Stone). For several classes the limit is 1 - E sum p², and
the upper end R* (2 - K R* / (K - 1)).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.study.repetitions import Mean, mean_curve, mean_of, repeated
from referee.study.tasks.known import as_task
from referee.study.tasks.task import Task, unit_costs
from referee.study.training import check_classes_occur, drawn, trained
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.true_risk import true_risk

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Consistency", "ConsistencyStep", "consistency", "log_neighbours", "nearest_limit"]


@dataclass(frozen=True, kw_only=True)
class ConsistencyStep:
    """True errors at one sample size."""

    n: int
    k: int
    nearest: Mean
    log_neighbours: Mean


@dataclass(frozen=True, kw_only=True)
class Consistency(Experiment):
    """True errors of nearest-neighbour rules against the number of cases.

    Attributes
    ----------
    bayes : KnownRisk
        The least error possible, which ln N neighbours tend to.
    limit : KnownRisk
        What the error of one neighbour tends to.
    upper : float
        The upper end of Cover and Hart's band for that limit; the lower one is the Bayes error.
    steps : tuple of ConsistencyStep
    """

    title: ClassVar[str] = "Consistency of nearest neighbours"

    bayes: KnownRisk
    limit: KnownRisk
    upper: float
    repetitions: int
    steps: tuple[ConsistencyStep, ...]

    def frame(self) -> pd.DataFrame:
        """Return a row per sample size, with Monte Carlo standard errors."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "n": s.n,
                    "one_neighbour": s.nearest.value,
                    "one_neighbour_se": s.nearest.standard_error,
                    "k": s.k,
                    "log_neighbours": s.log_neighbours.value,
                    "log_neighbours_se": s.log_neighbours.standard_error,
                    "bayes": self.bayes.value,
                    "limit_one": self.limit.value,
                    "cover_hart_upper": self.upper,
                }
                for s in self.steps
            ]
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        sizes = ", ".join(str(s.n) for s in self.steps)
        return f"{self.repetitions} samples of {sizes} cases"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """Both errors against the number of cases, the Bayes error and Cover and Hart's band."""
        x = tuple(float(s.n) for s in self.steps)
        curves = (
            mean_curve("one neighbour", x, [s.nearest for s in self.steps]),
            mean_curve("ln N neighbours", x, [s.log_neighbours for s in self.steps]),
            *(
                Curve(label, x, (value,) * len(x), muted=True)
                for label, value in (
                    ("Bayes error", self.bayes.value),
                    ("limit of one neighbour", self.limit.value),
                    ("upper end of Cover and Hart", self.upper),
                )
            ),
        )
        caption = "true error of one and of ln N neighbours, and where one neighbour tends to"
        return (Curves(curves, caption, "cases", logarithmic=True),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        last = self.steps[-1]
        return (
            f"With {last.n} cases one neighbour errs {last.nearest.value:.4f} of the time and "
            f"stays near its limit {self.limit.value:.4f} (Cover-Hart: {self.bayes.value:.4f} to "
            f"{self.upper:.4f}), while {last.k} neighbours err {last.log_neighbours.value:.4f}, on "
            f"their way to the Bayes error {self.bayes.value:.4f}."
        )


def consistency(
    task: Task | str,
    *,
    sizes: Sequence[int] = (50, 200, 1000, 5000),
    repetitions: int = 20,
    n_samples: int = 20_000,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Consistency:
    """Measure the true error of 1 and of ln N nearest neighbours as N grows.

    Parameters
    ----------
    task : Task or str
        Or its name, as "xor" or "example-1".
        Every error must cost 1.
    sizes : sequence of int
        Numbers of training cases.
    repetitions, n_samples, random_state, n_jobs, checkpoint
        As in the other experiments.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> result = consistency(two_normals(1.0), sizes=(50, 500), repetitions=5, n_samples=5000)
    >>> last = result.steps[-1]
    >>> last.nearest.value > last.log_neighbours.value > result.bayes.value
    True
    """
    task = as_task(task)
    if (task.cost_matrix != unit_costs(len(task.classes))).any():
        raise InputError("Cover and Hart's band is for errors that all cost 1", concerning="task")
    if not len(sizes) or min(sizes) < 3:
        raise InputError(
            "must be whole numbers of at least 3", argument="sizes", value=str(tuple(sizes))
        )
    check_classes_occur(task, min(sizes), "sizes")
    seed = integer_seed(random_state)
    steps = []
    for number, n in enumerate(sizes):
        k = log_neighbours(n)
        once = partial(_once, task, n, k, n_samples)
        one, many = repeated(once, repetitions, child(seed, number), n_jobs, checkpoint).T
        steps.append(ConsistencyStep(n=n, k=k, nearest=mean_of(one), log_neighbours=mean_of(many)))
    best = task.bayes_risk()
    share = len(task.classes) / (len(task.classes) - 1)
    return Consistency(
        bayes=best,
        limit=nearest_limit(task),
        upper=best.value * (2 - share * best.value),
        repetitions=repetitions,
        steps=tuple(steps),
    )


def log_neighbours(n: int) -> int:
    """Return ln n as an odd whole number, so that two classes never tie.

    Examples
    --------
    >>> [log_neighbours(n) for n in (3, 50, 1000, 100_000)]
    [1, 3, 7, 11]
    """
    return max(1, 2 * round((math.log(n) - 1) / 2) + 1)


def nearest_limit(
    task: Task, *, n_samples: int = 200_000, random_state: RandomState = 0
) -> KnownRisk:
    """Return what the error of one nearest neighbour tends to, E (1 - sum p(class|x)²).

    Simulated, with the Bayes error, which is known, as a control.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> round(nearest_limit(two_normals(1.0)).value, 3)
    0.225
    """
    X, _ = task.sample(n_samples, integer_seed(random_state))
    p = task.posteriors(X)
    values, control = 1 - (p**2).sum(axis=1), 1 - p.max(axis=1)
    spread = float(control.var())
    slope = float(np.cov(values, control)[0, 1]) / spread if spread else 0.0
    best = task.bayes_risk()
    left = values - slope * (control - best.value)
    return KnownRisk(
        value=float(left.mean()),
        method="Monte Carlo",
        error=abs(slope) * best.error,
        standard_error=float(left.std(ddof=1) / np.sqrt(len(left))),
        draws=n_samples,
    )


def _once(task: Task, n: int, k: int, n_samples: int, seed: Seed) -> tuple[float, float]:
    X, y = drawn(task, n, child(seed, 0))
    risks = []
    for neighbours in (1, k):
        model = trained(KNeighborsClassifier(neighbours), X, y).model
        risk = true_risk(task, model, n_samples=n_samples, random_state=child(seed, 1))
        risks.append(risk.value)
    return risks[0], risks[1]
