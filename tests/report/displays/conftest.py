"""Rankings of known quality, and no figure left open."""

import matplotlib as mpl
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def without_a_screen():
    import matplotlib.pyplot as plt

    mpl.use("agg")
    yield
    plt.close("all")


def scores(hits=40, misses=60, lead=1.2, seed=0, ties=False):
    """Return labels 0/1 and normal scores, `lead` standard deviations apart."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.ones(hits, int), np.zeros(misses, int)]
    s = rng.normal(size=hits + misses) + lead * y
    return y, (np.round(s, 1) if ties else s)


@pytest.fixture
def ranking():
    return scores


@pytest.fixture
def evaluations():
    """Return a function that evaluates naive Bayes on two overlapping classes."""
    from sklearn.naive_bayes import GaussianNB

    import referee

    def make(by="holdout", n=150, **options):
        rng = np.random.default_rng(1)
        y = rng.permutation(np.arange(n) % 2)
        X = rng.normal(size=(n, 2)) + y[:, None]
        options = {"measures": ["auc", "mcc", "tpr"]} | options
        return referee.evaluate(GaussianNB(), X, y, by=by, random_state=0, **options)

    return make
