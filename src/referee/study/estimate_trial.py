"""An estimate trial: what every method says about one sample of known truth, and what is true."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed, child
from referee.fitting.run import run
from referee.judging.estimating.bootstrap_family import bootstrap_family
from referee.measures import Losses
from referee.resampling import Bootstrap, CrossValidation, LeaveOneOut, Resubstitution
from referee.resampling.scheme import make_plan
from referee.study.tasks.examples import separation_for, two_normals
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.truth.true_risk import true_risk

__all__ = ["METHODS", "Cell", "EstimateTrial", "Once", "ResampleByClass"]

METHODS = ("resubstitution", "holdout", "cv", "loo", "optimism", ".632+")
"""What is held against the Bayes error and the true risk."""

_BOOTSTRAP = ("optimism", ".632+")


@dataclass(frozen=True)
class Cell:
    """One setting of the study."""

    dimension: int
    bayes_error: float
    per_class: int


@dataclass(frozen=True, kw_only=True)
class EstimateTrial:
    """What is done to every sample."""

    methods: tuple[str, ...]
    test_per_class: int
    rounds: int
    learner: Any

    @property
    def columns(self) -> tuple[str, ...]:
        """What a repetition returns, in order."""
        return (*self.methods, "true risk")

    def setting(self, repetitions: int, seed: Seed) -> dict[str, Any]:
        """Return what a saved table must agree on before its rows are taken over."""
        return {
            "repetitions": repetitions,
            "seed": seed,
            "test_per_class": self.test_per_class,
            "rounds": self.rounds,
            "learner": repr(self.learner),
        }

    def fewest(self, dimension: int) -> int:
        """Return how many cases a class needs so that every training set has more than d + 1."""
        need = dimension + 3
        if "cv" in self.methods:
            need = max(10, math.ceil((dimension + 2) / 0.9) + 1)
        if any(m in _BOOTSTRAP for m in self.methods):
            # A resample holds about .63 of the cases, .45 but for one in 10 000.
            need = max(need, math.ceil(dimension / 0.45))
        return need


@dataclass(frozen=True)
class Once:
    """One repetition of a setting; a class, so that it can be sent to another process."""

    trial: EstimateTrial
    cell: Cell

    def __call__(self, seed: Seed) -> list[float]:
        """Draw a sample and return what is said of it, and last what is true."""
        task = two_normals(separation_for(self.cell.bayes_error), d=self.cell.dimension)
        data = _sample(task, self.cell.per_class, child(seed, 0))
        said = self._of_partitions(data, seed)
        if any(m in _BOOTSTRAP for m in self.trial.methods):
            resamples = ResampleByClass(self.trial.rounds)
            family = bootstrap_family(self._run(resamples, data, seed, 3)[0])
            said |= {"optimism": family.optimism, ".632+": family.point_632_plus}
        whole, model = self._run(Resubstitution(), data, seed, 4)
        said["resubstitution"] = Losses.of(whole.resubstitution).mean
        test = _sample(task, self.trial.test_per_class, child(seed, 1))
        said["holdout"] = float(np.mean(model.predict(test.X) != test.y))
        said["true risk"] = true_risk(task, model).value
        return [said[name] for name in self.trial.columns]

    def _of_partitions(self, data: Dataset, seed: Seed) -> dict[str, float]:
        said = {}
        if "cv" in self.trial.methods:
            cv, _ = self._run(CrossValidation(10), data, seed, 2)
            said["cv"] = Losses.of(cv.unseen).mean
        if "loo" in self.trial.methods:
            said["loo"] = Losses.of(self._run(LeaveOneOut(), data, seed, 5)[0].unseen).mean
        return said

    def _run(self, scheme: Any, data: Dataset, seed: Seed, number: int) -> tuple[Any, Any]:
        plan = scheme.plan(data, child(seed, number))
        done = run(self.trial.learner, data, plan, seed=child(seed, number))
        return done.predictions, done.model


class ResampleByClass(Bootstrap):
    """Resamples with as many cases of each class as the sample, which was drawn so itself.

    Left to chance, a class of 50 shrinks now and then to 20 different cases or fewer, and a
    quadratic rule of 20 features cannot be trained on those.
    """

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return splits whose training rows keep each class at its size."""
        members = [np.flatnonzero(data.codes == c) for c in range(len(data.classes))]
        splits = []
        for b in range(self.rounds):
            rng = np.random.default_rng(child(seed, b))
            rows = np.concatenate([rng.choice(m, len(m)) for m in members])
            splits.append(Split(rows, np.arange(data.n), b))
        return make_plan(data, splits, "bootstrap", f"bootstrap, {self.rounds} by class")


def _sample(task: GaussianTask, per_class: int, seed: Seed) -> Dataset:
    return Dataset.of(*task.sample_per_class([per_class, per_class], seed))
