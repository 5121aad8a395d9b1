"""Cross-validation estimates the risk of the smaller sample; stratified folds do so with a bias."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from referee.errors import InputError
from referee.study import luntz_brailovsky, true_risk, two_normals


def test_smoke():
    made = luntz_brailovsky(
        two_normals(1.0, 2), LinearDiscriminantAnalysis(), n=40, folds=4, repetitions=40
    )
    assert abs(made.plain_bias.value) < 4 * made.plain_bias.standard_error
    assert made.frame().shape == (6, 3)
    assert "4-fold cross-validation of 40 cases agrees with" in made.conclusion


def test_any_number_of_jobs_gives_the_same_numbers():
    args = two_normals(1.0, 2), LinearDiscriminantAnalysis()
    options = {"n": 20, "folds": 2, "repetitions": 4}
    assert luntz_brailovsky(*args, **options) == luntz_brailovsky(*args, **options, n_jobs=2)


def test_folds_must_divide_the_sample():
    with pytest.raises(InputError, match="multiple of the folds"):
        luntz_brailovsky(two_normals(1.0), LinearDiscriminantAnalysis(), n=41, folds=5)


@pytest.mark.slow
def test_the_theorem_where_the_smaller_sample_matters():
    # Two folds of 24 in 8 dimensions: training on 12 is much worse than on 24.
    made = luntz_brailovsky(
        two_normals(1.0, 8), LinearDiscriminantAnalysis(), n=24, folds=2, repetitions=600, n_jobs=2
    )
    assert abs(made.plain_bias.value) < 4 * made.plain_bias.standard_error
    assert made.smaller.value - made.full.value > 10 * made.plain_bias.standard_error


@pytest.mark.slow
def test_stratified_folds_are_biased_low_and_folds_at_random_are_not():
    made = luntz_brailovsky(
        two_normals(0.3, 2), KNeighborsClassifier(5), n=20, folds=10, repetitions=600,
        n_samples=5000, n_jobs=2,
    )  # fmt: skip
    assert abs(made.plain_bias.value) < 4 * made.plain_bias.standard_error
    assert made.stratified_bias.value < -3 * made.stratified_bias.standard_error


def test_the_smaller_sample_against_fresh_samples_of_that_size():
    # Two folds of 24 cases in 8 dimensions: training on 12 is much worse than on 24.
    task = two_normals(1.0, 8)
    made = luntz_brailovsky(task, LinearDiscriminantAnalysis(), n=24, folds=2, repetitions=60)
    for n, mean in ((12, made.smaller), (24, made.full)):
        risks = []
        for seed in range(60):
            X, y = task.sample(n, 1000 + seed)
            risks.append(true_risk(task, LinearDiscriminantAnalysis().fit(X, y)).value)
        error = np.hypot(mean.standard_error, np.std(risks, ddof=1) / np.sqrt(len(risks)))
        assert abs(mean.value - np.mean(risks)) < 3 * error
    assert made.smaller.value - made.full.value > 3 * np.hypot(
        made.smaller.standard_error, made.full.standard_error
    )
