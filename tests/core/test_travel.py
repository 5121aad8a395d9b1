"""Results, plans and data sets go to other processes and come back as they were."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import referee

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 2)) + Y[:, None]
MODELS = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=1.0)}

RESULTS = {
    "evaluate": lambda: referee.evaluate(GaussianNB(), X, Y, by=5, random_state=0),
    "evaluate_predictions": lambda: referee.evaluate_predictions(Y, Y, y_score=X[:, 0]),
    "compare": lambda: referee.compare(MODELS, X, Y, by="5x2", random_state=0),
    "compare_predictions": lambda: referee.compare_predictions(Y, {"a": Y, "b": 1 - Y}),
    "permutation_test": lambda: referee.permutation_test(
        GaussianNB(), X, Y, permutations=19, random_state=0
    ),
    "audit_table": lambda: referee.audit_table(["99.0", "98.0"], n=900),
    "bracket": lambda: referee.study.bracket(X, Y),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_pickle_and_copy(name):
    result = RESULTS[name]()
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert str(again) == str(result)
        assert again.to_json() == result.to_json()


def test_plans_and_data_sets_pickle_and_copy():
    data = referee.Dataset.of(X, Y, groups=np.arange(60) // 3)
    plan = referee.resampling.CrossValidation(5).plan(data, 0)
    for again in (pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan)):
        assert again.fingerprint == plan.fingerprint
    assert pickle.loads(pickle.dumps(data)).task == data.task
