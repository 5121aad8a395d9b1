"""Optimism: how far the training error lies below the truth, by the complexity of a rule."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError, nearest
from referee.study.repetitions import Mean, mean_curve, mean_of, repeated
from referee.study.tasks.known import as_task
from referee.study.tasks.task import Task
from referee.study.training import check_classes_occur, drawn, mean_cost, trained
from referee.study.truth.true_risk import true_risk

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CATALOGUE", "Optimism", "OptimismStep", "optimism"]


@dataclass(frozen=True, kw_only=True)
class OptimismStep:
    """One degree of complexity.

    Attributes
    ----------
    setting : float
        Neighbours, degree, depth, dimension ...
    training, truth : Mean
        Training error and true error.
    optimism : Mean
        True less training error.
    """

    setting: float
    training: Mean
    truth: Mean
    optimism: Mean


@dataclass(frozen=True, kw_only=True)
class Optimism(Experiment):
    """Training and true error against complexity, averaged over samples."""

    title: ClassVar[str] = "Optimism of the training error"

    what: str
    n: int
    repetitions: int
    bayes: tuple[float, ...]
    steps: tuple[OptimismStep, ...]

    def frame(self) -> pd.DataFrame:
        """Return a row per setting, with Monte Carlo standard errors."""
        import pandas as pd

        return pd.DataFrame(
            {
                self.what: [s.setting for s in self.steps],
                "training_error": [s.training.value for s in self.steps],
                "training_se": [s.training.standard_error for s in self.steps],
                "true_error": [s.truth.value for s in self.steps],
                "true_se": [s.truth.standard_error for s in self.steps],
                "optimism": [s.optimism.value for s in self.steps],
                "optimism_se": [s.optimism.standard_error for s in self.steps],
                "bayes_error": list(self.bayes),
            }
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.repetitions} samples of {self.n} cases"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """Training, true and Bayes error against the setting."""
        x = tuple(float(s.setting) for s in self.steps)
        seen = [("training error", [s.training for s in self.steps])]
        seen += [("true error", [s.truth for s in self.steps])]
        curves = [mean_curve(label, x, means) for label, means in seen]
        best = Curve("Bayes error", x, self.bayes, muted=True)
        caption = f"training and true error by {self.what}, {self.n} cases"
        return (Curves((*curves, best), caption, self.what),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        worst = max(self.steps, key=lambda s: s.optimism.value)
        best = min(self.steps, key=lambda s: s.truth.value)
        flattering = min(self.steps, key=lambda s: s.training.value)
        return (
            f"The training error is lowest ({flattering.training.value:.3f}) at {self.what} "
            f"{flattering.setting:g}, where the truth is {flattering.truth.value:.3f}; the true "
            f"error is lowest ({best.truth.value:.3f}) at {best.setting:g}; optimism reaches "
            f"{worst.optimism.value:.3f} at {worst.setting:g}."
        )


def optimism(
    task: Task | str | Callable[[Any], Task],
    learner: str | Callable[[Any], Any] = "neighbours",
    settings: Sequence[Any] = (1, 3, 5, 9, 15, 25),
    *,
    n: int = 100,
    repetitions: int = 50,
    n_samples: int = 20_000,
    what: str | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Optimism:
    """Measure training and true error for each setting, over many samples.

    Parameters
    ----------
    task : Task or its name, or callable from a setting to a Task
        A callable lets the dimension vary.
    learner : {"neighbours", "degree", "depth"} or callable from a setting to a classifier
        k of k-nearest neighbours; degree of a polynomial before linear discriminant analysis;
        depth of a tree.
    settings : sequence
        Values of the setting.
    n, repetitions, n_samples : int
        Cases in a sample, samples, and points for true risks that cannot be computed.
    what : str, optional
        What the setting is called.
    random_state, n_jobs
        Seed, and cores; the same numbers for any `n_jobs`.
    checkpoint : path, optional
        Directory where finished repetitions are kept; a second call goes on from there.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> result = optimism(two_normals(1.0, 2), settings=(1, 15), repetitions=5, n_samples=2000)
    >>> result.steps[0].training.value, result.steps[0].optimism.value > 0.15
    (0.0, True)
    """
    if not len(settings):
        raise InputError("is empty", argument="settings", remedy="give at least one value")
    make, name = _family(learner)
    seed = integer_seed(random_state)
    steps, bayes = [], []
    for setting in settings:
        here = as_task(task if isinstance(task, (Task, str)) else task(setting))
        check_classes_occur(here, n)
        # The same samples serve every setting, so that settings differ by themselves only.
        once = partial(_once, here, make(setting), n, n_samples)
        training, truth = repeated(once, repetitions, seed, n_jobs, checkpoint).T
        steps.append(
            OptimismStep(
                setting=setting,
                training=mean_of(training),
                truth=mean_of(truth),
                optimism=mean_of(truth - training),
            )
        )
        bayes.append(here.bayes_risk().value)
    return Optimism(
        what=what or name,
        n=n,
        repetitions=repetitions,
        bayes=tuple(bayes),
        steps=tuple(steps),
    )


def _once(task: Task, learner: Any, n: int, n_samples: int, seed: Seed) -> tuple[float, float]:
    model = trained(learner, *drawn(task, n, child(seed, 0)), child(seed, 1))
    truth = true_risk(task, model.model, n_samples=n_samples, random_state=child(seed, 2))
    return mean_cost(task, model.predictions), truth.value


def _neighbours(k: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(k)


def _degree(degree: int) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    powers = PolynomialFeatures(degree, include_bias=False)
    return make_pipeline(StandardScaler(), powers, LinearDiscriminantAnalysis())


def _depth(depth: int | None) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth)


CATALOGUE: dict[str, Callable[[Any], Any]] = {
    "neighbours": _neighbours,
    "degree": _degree,
    "depth": _depth,
}
"""Families of learners by the name of their setting."""


def _family(learner: str | Callable[[Any], Any]) -> tuple[Callable[[Any], Any], str]:
    if not isinstance(learner, str):
        return learner, "setting"
    if learner not in CATALOGUE:
        raise InputError(
            f"learner must be a known family or a callable, got {learner!r}"
            + nearest(learner, CATALOGUE),
            concerning="learner",
        )
    return CATALOGUE[learner], learner
