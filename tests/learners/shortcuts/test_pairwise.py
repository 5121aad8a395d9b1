"""Kernel matrices of all cases are cut in rows and columns, as scikit-learn's own loops do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import referee
from referee import kernels
from referee.errors import FitError
from referee.learners import SVM
from referee.learners.shortcuts.pairwise import is_pairwise

X, y = load_iris(return_X_y=True)
K = kernels.Gaussian(gamma=0.3).gram(X)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="precomputed"),
        SVM("precomputed"),
        SVM(kernels.Precomputed() + 1.0),
        KNeighborsClassifier(metric="precomputed"),
        GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 1.0]}, cv=3),
    ],
)
def test_answers_are_those_of_cross_val_predict(model):
    assert is_pairwise(model)
    done = referee.evaluate(model, K, y, by=FOLDS, random_state=0)
    found = done.predictions.unseen
    expected = cross_val_predict(model, K, y, cv=FOLDS)
    assert np.array_equal(
        np.asarray(done.predictions.classes)[found.predicted], expected[found.case]
    )


def test_a_frame_is_cut_like_an_array():
    one, other = (
        referee.evaluate(SVC(kernel="precomputed"), table, y, by=FOLDS, random_state=0)
        for table in (K, pd.DataFrame(K))
    )
    assert np.array_equal(one.predictions.predicted, other.predictions.predicted)


def test_by_permutations_too():
    made = referee.permutation_test(
        SVC(kernel="precomputed"), K, y, permutations=19, random_state=0
    )
    assert made.p_value == 0.05


def test_a_matrix_that_is_not_square_is_named():
    with pytest.raises(FitError, match="got 150 rows and 149 columns; give the kernel matrix"):
        referee.evaluate(SVC(kernel="precomputed"), K[:, 1:], y, by=3)


def test_a_classifier_without_tags_takes_features():
    class Odd:
        def fit(self, X, y):
            return self

    assert not is_pairwise(Odd())
