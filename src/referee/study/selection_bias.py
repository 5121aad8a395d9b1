"""Selection bias: features selected on all rows, then validated, look good on pure noise.

The labels are drawn at random, so every classifier errs half of the time. Selecting features on all
rows, and validating on those features afterwards, shows the selection the test cases, and the
error it reports falls with every feature there is to choose from. Selecting inside each training
fold, as `Selected` does, reports one half.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.fitting.run import run
from referee.resampling import CrossValidation
from referee.study.repetitions import Mean, mean_curve, mean_of, repeated

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SelectionBias", "SelectionBiasStep", "selection_bias"]


@dataclass(frozen=True, kw_only=True)
class SelectionBiasStep:
    """Errors reported for one number of selected features.

    Attributes
    ----------
    kept : int
        The number of features selected.
    leaking : Mean
        Selected on all rows, validated afterwards.
    nested : Mean
        Selected inside each training fold.
    """

    kept: int
    leaking: Mean
    nested: Mean


@dataclass(frozen=True, kw_only=True)
class SelectionBias(Experiment):
    """What two ways of validating a selection report on noise, averaged over samples.

    Attributes
    ----------
    n, features : int
        Cases and features of each sample.
    repetitions, folds : int
        Samples, and folds of the validation.
    truth : float
        The error of every classifier: one half.
    steps : tuple of SelectionBiasStep
    """

    title: ClassVar[str] = "Features selected before validating"

    n: int
    features: int
    folds: int
    repetitions: int
    steps: tuple[SelectionBiasStep, ...]
    truth: float = 0.5

    def frame(self) -> pd.DataFrame:
        """Return a row per number of selected features, with Monte Carlo standard errors."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "kept": s.kept,
                    "leaking": s.leaking.value,
                    "leaking_se": s.leaking.standard_error,
                    "nested": s.nested.value,
                    "nested_se": s.nested.standard_error,
                    "truth": self.truth,
                }
                for s in self.steps
            ]
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.repetitions} samples of {self.n} cases, {self.features} features of noise"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """What leaking and nested validation report, and the truth."""
        x = tuple(float(s.kept) for s in self.steps)
        curves = (
            mean_curve("selected inside each fold", x, [s.nested for s in self.steps]),
            mean_curve("selected on all rows first", x, [s.leaking for s in self.steps]),
            Curve("truth", x, (self.truth,) * len(x), muted=True),
        )
        caption = f"{self.folds}-fold error after selecting among {self.features} features of noise"
        return (Curves(curves, caption, "features selected", "reported error"),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        worst = min(self.steps, key=lambda s: s.leaking.value)
        return (
            f"On pure noise, where every rule errs half of the time, selecting {worst.kept} of "
            f"{self.features} features on all {self.n} rows before {self.folds}-fold "
            f"cross-validation reports an error of {worst.leaking}; selecting inside each fold "
            f"reports {worst.nested}."
        )


def selection_bias(
    *,
    n: int = 50,
    features: int = 200,
    kept: Sequence[int] = (1, 2, 5, 10),
    k: int = 3,
    folds: int = 5,
    repetitions: int = 20,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> SelectionBias:
    """Validate a selection on noise the leaking way and the nested way.

    This is the only place where features are selected on all rows: to show what it does.

    Parameters
    ----------
    n, features : int
        Cases, half of each class, and normal features that know nothing of it.
    kept : sequence of int
        Numbers of features that forward selection keeps.
    k : int
        Neighbours of the classifier.
    folds : int
        Folds of both validations.
    repetitions, random_state, n_jobs, checkpoint
        As in the other experiments.

    Examples
    --------
    >>> result = selection_bias(n=40, features=100, kept=(3,), repetitions=4)
    >>> only = result.steps[0]
    >>> only.leaking.value < 0.3 < 0.4 < only.nested.value
    True
    """
    counts = sorted({int(c) for c in kept})
    if not counts or counts[0] < 1 or counts[-1] > features:
        raise InputError(
            f"must hold numbers between 1 and the {features} features",
            argument="kept",
            value=str(tuple(kept)),
        )
    if n < 2 * folds or k > n // 2:
        raise InputError(
            f"must be at least twice the {folds} folds and twice the {k} neighbours",
            argument="n",
            value=str(n),
        )
    once = partial(_once, n, features, counts, k, folds)
    values = repeated(once, repetitions, integer_seed(random_state), n_jobs, checkpoint)
    return SelectionBias(
        n=n,
        features=features,
        folds=folds,
        repetitions=repetitions,
        steps=tuple(
            SelectionBiasStep(
                kept=c, leaking=mean_of(values[:, 2 * i]), nested=mean_of(values[:, 2 * i + 1])
            )
            for i, c in enumerate(counts)
        ),
    )


def _once(n: int, d: int, counts: list[int], k: int, folds: int, seed: Seed) -> list[float]:
    from referee.choosing.selection import Selected
    from referee.learners.neighbours.knn import KNN

    rng = np.random.default_rng(child(seed, 0))
    data = Dataset.of(rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2))
    whole = CrossValidation(folds).plan(data, child(seed, 1))
    plan = Plan(whole.part(Part.MAIN), n, whole.scheme, whole.description, whole.task)
    select = partial(Selected, KNN(k), stop="end", by=folds, random_state=child(seed, 2))
    everything = select(n_features=counts[-1]).fit(data.X, data.y).path_
    errors = []
    for count in counts:
        columns = list(everything.steps[count - 1].features)
        leaked = Dataset.of(data.X[:, columns], data.y)
        errors.append(run(KNN(k), leaked, plan).predictions.wrong.mean())
        errors.append(run(select(n_features=count), data, plan).predictions.wrong.mean())
    return errors
