"""Arguments and names of other libraries are answered with ours."""

import inspect
import pickle
import re

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core.arguments import SCORERS
from referee.errors import InputError
from referee.measures import measure_named


def test_scorers_of_scikit_learn_are_known_by_our_names():
    from sklearn.metrics import get_scorer_names

    assert set(SCORERS) <= set(get_scorer_names())
    assert all(measure_named(ours).name == ours for ours in SCORERS.values())
    for theirs, ours in SCORERS.items():
        try:
            named = measure_named(theirs).name
        except InputError as error:
            named = error.remedy.removeprefix("here it is ").strip("'")
        assert named == ours


X, Y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: referee.evaluate(GaussianNB(), X, Y, cv=5),
            "evaluate has no argument 'cv'; use by=5",
        ),
        (
            lambda: referee.evaluate(GaussianNB(), X, Y, scoring="roc_auc"),
            "'scoring'; use measures='auc'",
        ),
        (lambda: referee.evaluate(GaussianNB(), X, Y, cv=object()), "use by="),
        (lambda: referee.evaluate(GaussianNB(), X, Y, pos_lable=1), "did you mean 'pos_label'"),
        (
            lambda: referee.compare({"a": GaussianNB()}, X, Y, cv=5),
            "compare has no argument 'cv'; use by=5",
        ),
        (lambda: referee.compare({}, X, Y, scoring="neg_log_loss"), "use measure='log_loss'"),
        (lambda: referee.permutation_test(GaussianNB(), X, Y, scoring="f1"), "use measure='f1'"),
        (
            lambda: referee.evaluate(GaussianNB(), X, Y, measures=["f1_macro"]),
            "here it is 'macro_f1'",
        ),
    ],
)
def test_arguments_and_scorers_of_other_libraries(call, message):
    with pytest.raises(InputError, match=re.escape(message)):
        call()


def test_signatures_stay():
    for function in (referee.evaluate, referee.compare, referee.permutation_test):
        kinds = [p.kind for p in inspect.signature(function).parameters.values()]
        assert inspect.Parameter.VAR_KEYWORD not in kinds
        assert inspect.Parameter.VAR_POSITIONAL not in kinds
    assert pickle.loads(pickle.dumps(referee.evaluate)) is referee.evaluate
