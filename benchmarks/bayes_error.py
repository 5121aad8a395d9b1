"""One repetition of the Bayes error study, by shared work and by fitting every split.

The plain side is the same trial with scikit-learn's QuadraticDiscriminantAnalysis and shortcuts
turned off; both sides draw the same samples and must say the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from benchmarks.race import Race
from referee.learners import GaussianBayes
from referee.study.estimate_trial import METHODS, Cell, EstimateTrial, Once

__all__ = ["races"]


def races() -> Iterator[Race]:
    for dimension in (2, 20):
        cell = Cell(dimension, 0.1, 50)
        shared, plain = (
            Once(
                EstimateTrial(methods=METHODS, test_per_class=50, rounds=50, learner=learner), cell
            )
            for learner in (GaussianBayes(), QuadraticDiscriminantAnalysis())
        )
        yield Race(
            f"a repetition of the Bayes error study, d={dimension}",
            "fits of QuadraticDiscriminantAnalysis",
            lambda once=shared: once(0),
            lambda once=plain: _by_fits(once),
            lambda ours, theirs: np.testing.assert_allclose(ours, theirs, rtol=1e-6),
            rounds=7,
        )


def _by_fits(once: Once) -> list[float]:
    os.environ["REFEREE_SHORTCUTS"] = "0"
    try:
        return once(0)
    finally:
        del os.environ["REFEREE_SHORTCUTS"]
