"""Empty columns, against scikit-learn's own contract and a table written by hand."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

from referee.learners.empty_columns import EmptyColumns


def test_contract_of_scikit_learn():
    for estimator, check in estimator_checks_generator(EmptyColumns(), mark=None):
        if check.func.__name__ != "check_array_api_input":  # needs an environment variable
            check(estimator)


def test_only_empty_columns_change_and_the_input_stays():
    X = np.array([[np.nan, 1.0, 5.0], [np.nan, np.nan, 6.0]])
    kept = X.copy()
    found = EmptyColumns().fit_transform(X)
    np.testing.assert_array_equal(found, [[0, 1, 5], [0, np.nan, 6]])
    np.testing.assert_array_equal(X, kept)


def test_boosting_takes_a_column_that_is_empty_in_training():
    X = np.column_stack([np.full(40, np.nan), np.arange(40.0)])
    y = (np.arange(40) >= 20).astype(int)
    model = make_pipeline(EmptyColumns(), HistGradientBoostingClassifier()).fit(X, y)
    assert model.score([[5.0, 1.0], [np.nan, 39.0]], [0, 1]) == 1.0
