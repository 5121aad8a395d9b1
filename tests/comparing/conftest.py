"""Cases and comparisons that several tests read."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import referee

sys.path.insert(0, str(Path(__file__).parent))
from compared_models import HALVED, MODELS


@pytest.fixture(scope="session")
def cancer():
    """140 cases, 50 of them positive: five folds are alike in size and in classes."""
    X, y = load_breast_cancer(return_X_y=True)
    y = 1 - y
    rows = np.sort(np.concatenate([np.flatnonzero(y == 1)[:50], np.flatnonzero(y == 0)[:90]]))
    return X[rows, :6], y[rows]


@pytest.fixture(scope="session")
def halved(cancer):
    return referee.compare(MODELS, *cancer, by=HALVED, random_state=0)


@pytest.fixture(scope="session")
def twice(cancer):
    return referee.compare(MODELS, *cancer, by="2x5", random_state=0)
