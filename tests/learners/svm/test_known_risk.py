"""The true risk of SVM on tasks with known truth, against the worked numbers."""

import json
import math
from pathlib import Path

import pytest

from referee import kernels
from referee.core.randomness import child
from referee.learners import SVM
from referee.study import true_risk, two_normals
from referee.study.repetitions import mean_of, repeated

RISKS = json.loads(
    (Path(__file__).parents[2] / "golden" / "known_truth.json").read_text(encoding="utf-8")
)["true_expected_risk"]


@pytest.mark.parametrize(("n", "d"), [(50, 2), (50, 10), (100, 2), (100, 10)])
def test_expected_risk_is_the_worked_one(n, d):
    task, model = two_normals(1.0, d), SVM(kernels.Gaussian(gamma=1 / d))

    def once(seed):
        fitted = model.fit(*task.sample(n, child(seed, 0)))
        return true_risk(task, fitted, n_samples=4000, random_state=child(seed, 1)).value

    made = mean_of(repeated(once, 40, random_state=n + d))
    mean, error = RISKS[f"RBF-SVM(C=1,gamma=1/d) n={n} d={d}"]
    assert abs(made.value - mean) < 4 * math.hypot(made.standard_error, error)
