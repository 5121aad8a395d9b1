"""NcaKNN against the same pipeline made by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import referee
from referee.errors import InputError
from referee.learners.neighbours.nca import NcaKNN


@parametrize_with_checks([NcaKNN(1, max_iter=5, random_state=0)])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def test_against_a_pipeline_by_hand():
    X, y = load_wine(return_X_y=True)
    ours = NcaKNN(3, n_components=2, max_iter=200, random_state=0).fit(X, y)
    theirs = make_pipeline(
        StandardScaler(),
        NeighborhoodComponentsAnalysis(2, max_iter=200, random_state=0),
        KNeighborsClassifier(3),
    ).fit(X, y)
    np.testing.assert_allclose(ours.components_, theirs[1].components_)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_every_fold_learns_its_own_metric(monkeypatch):
    learned = []
    plain = NcaKNN.fit

    def fit(self, X, y):
        made = plain(self, X, y)
        learned.append(made.components_)
        return made

    monkeypatch.setattr(NcaKNN, "fit", fit)
    X, y = load_wine(return_X_y=True)
    referee.evaluate(NcaKNN(3, n_components=2, max_iter=5), X, y, by=3, random_state=0)
    assert len(learned) == 4
    assert all((learned[0] != other).any() for other in learned[1:])


@pytest.mark.parametrize("number", [0, 14])
def test_impossible_dimensions(number):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match="n_components must lie between 1 and the 13 features"):
        NcaKNN(n_components=number).fit(X, y)
