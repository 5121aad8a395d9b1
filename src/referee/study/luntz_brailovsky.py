"""What cross-validation estimates: the risk of a learner with a fold less to learn from.

Luntz and Brailovsky: averaged over samples of l cases, the n-fold cross-validation risk equals the
true risk of the learner trained on l - l/n cases. It holds exactly for folds chosen without looking
at labels. Stratified folds look: their training sets are not samples of independent cases. (Samples
that leave a training set without one of the classes are drawn again, as no rule could be trained.)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.dataset import Dataset
from referee.core.randomness import RandomState, Seed, child
from referee.core.showing.experiment import Experiment
from referee.core.showing.numbers import percent
from referee.core.showing.pictures import Bar, Bars
from referee.errors import InputError
from referee.fitting.run import run
from referee.resampling import CrossValidation
from referee.study.repetitions import Mean, mean_of, repeated
from referee.study.tasks.known import as_task
from referee.study.tasks.task import Task
from referee.study.training import check_classes_occur, costs_of, drawn, mean_cost, trained
from referee.study.truth.true_risk import true_risk

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LuntzBrailovsky", "luntz_brailovsky"]


@dataclass(frozen=True, kw_only=True)
class LuntzBrailovsky(Experiment):
    """Cross-validation against truth, averaged over samples.

    Attributes
    ----------
    n, folds, repetitions : int
    plain, stratified : Mean
        Cross-validation risks.
    smaller, full : Mean
        True risks of the learner trained on n - n/folds and on n cases.
    plain_bias, stratified_bias : Mean
        Cross-validation less the true risk at n - n/folds, sample by sample, less the luck of the
        sample: how much more than the Bayes risk the Bayes rule pays on it, which is 0 on average.
    """

    title: ClassVar[str] = "What cross-validation estimates"

    n: int
    folds: int
    repetitions: int
    plain: Mean
    stratified: Mean
    smaller: Mean
    full: Mean
    plain_bias: Mean
    stratified_bias: Mean

    def frame(self) -> pd.DataFrame:
        """Return a row per quantity, with Monte Carlo standard errors."""
        import pandas as pd

        left = self.n - self.n // self.folds
        rows: Mapping[str, Mean] = {
            f"{self.folds}-fold cross-validation, folds at random": self.plain,
            f"{self.folds}-fold cross-validation, stratified": self.stratified,
            f"true risk, trained on {left}": self.smaller,
            f"true risk, trained on {self.n}": self.full,
            "bias of folds at random": self.plain_bias,
            "bias of stratified folds": self.stratified_bias,
        }
        return pd.DataFrame(
            [(name, m.value, m.standard_error) for name, m in rows.items()],
            columns=["quantity", "mean", "standard_error"],
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.repetitions} samples of {self.n} cases, {self.folds} folds"

    @property
    def pictures(self) -> tuple[Bars, ...]:
        """Cross-validation beside the two true risks."""
        left = self.n - self.n // self.folds
        rows = (
            ("folds at random", self.plain, False),
            ("stratified folds", self.stratified, False),
            (f"truth, {left} cases", self.smaller, True),
            (f"truth, {self.n} cases", self.full, True),
        )
        bars = tuple(
            Bar(label, m.value, max(0.0, m.value - 2 * m.standard_error),
                m.value + 2 * m.standard_error, percent(m.value), muted)
            for label, m, muted in rows
        )  # fmt: skip
        return (Bars(bars, "mean risk with two Monte Carlo standard errors"),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        left = self.n - self.n // self.folds
        bias = self.plain_bias
        holds = abs(bias.value) <= 3 * bias.standard_error
        verb = "agrees with" if holds else "differs from"
        return (
            f"Over {self.repetitions} samples {self.folds}-fold cross-validation of {self.n} cases "
            f"{verb} the true risk of training on {left} (difference {bias}; stratified "
            f"{self.stratified_bias}), which is {self.smaller.value - self.full.value:+.4f} off "
            f"that of training on all {self.n}."
        )


def luntz_brailovsky(
    task: Task | str,
    learner: Any,
    *,
    n: int = 60,
    folds: int = 5,
    repetitions: int = 200,
    n_samples: int = 20_000,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> LuntzBrailovsky:
    """Compare cross-validation with the true risk it estimates, over many samples.

    Parameters
    ----------
    task : Task or str
        Or its name, as "xor" or "example-1".
    learner : scikit-learn classifier
    n, folds : int
        Cases in a sample and folds; n must be a multiple of folds, as the theorem assumes.
    repetitions : int
        How many samples.
    n_samples : int
        Points for the true risk where it cannot be computed.
    random_state, n_jobs
        Seed, and cores; the same numbers for any `n_jobs`.
    checkpoint : path, optional
        Directory where finished repetitions are kept; a second call goes on from there.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from referee.study import two_normals
    >>> result = luntz_brailovsky(
    ...     two_normals(1.0, 2), LinearDiscriminantAnalysis(), n=40, repetitions=20
    ... )
    >>> result.frame()["quantity"][2]
    'true risk, trained on 32'
    """
    task = as_task(task)
    if folds < 2 or n % folds:
        raise InputError(
            "must be a multiple of the folds (2 or more)",
            argument="n",
            value=f"{n} cases and {folds} folds",
        )

    left = n - n // folds
    check_classes_occur(task, left)

    once = partial(_once, task, learner, n, folds, n_samples)
    table = repeated(once, repetitions, random_state, n_jobs, checkpoint)
    plain, stratified, smaller, full, luck = table.T
    return LuntzBrailovsky(
        n=n,
        folds=folds,
        repetitions=repetitions,
        plain=mean_of(plain),
        stratified=mean_of(stratified),
        smaller=mean_of(smaller),
        full=mean_of(full),
        plain_bias=mean_of(plain - luck - smaller),
        stratified_bias=mean_of(stratified - luck - smaller),
    )


def _once(task: Task, learner: Any, n: int, folds: int, n_samples: int, seed: Seed) -> list[float]:
    """Return both cross-validations of one sample, two true risks, and the sample's luck."""
    left = n - n // folds

    def trainable(X: Floats, y: Anything) -> bool:
        plan = CrossValidation(folds, stratify=False).plan(Dataset.of(X, y), child(seed, 1))
        training = [y[:left], *(y[s.train] for s in plan.splits)]
        return all(len(np.unique(part)) == len(task.classes) for part in training)

    X, y = drawn(task, n, child(seed, 0), trainable)
    data = Dataset.of(X, y)
    values, whole = [], None
    for stratify in (False, "best effort"):
        plan = CrossValidation(folds, stratify=stratify).plan(data, child(seed, 1))
        outcome = run(learner, data, plan, seed=child(seed, 2))
        values.append(mean_cost(task, outcome.predictions.unseen))
        whole = outcome.model
    # The first cases of a sample are a sample, too; sharing them narrows the difference.
    part = trained(learner, X[:left], y[:left], child(seed, 2)).model
    luck = float(costs_of(task, y, task.predict(X)).mean()) - task.bayes_risk().value
    options: dict[str, Any] = {"n_samples": n_samples, "random_state": child(seed, 3)}
    return [
        *values,
        true_risk(task, part, **options).value,
        true_risk(task, whole, **options).value,
        luck,
    ]
