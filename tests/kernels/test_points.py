"""Points: medians of columns are NumPy's, to the bit."""

import numpy as np
import pytest

from referee.kernels.points import column_medians


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1001, 2000])
@pytest.mark.parametrize("ties", [False, True])
def test_medians_are_those_of_numpy(n, ties):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 7)) * 10.0 ** np.arange(-3, 4)
    X = np.round(X) if ties else X
    before = X.copy()
    assert np.array_equal(column_medians(X), np.median(X, axis=0))
    assert np.array_equal(column_medians(np.asfortranarray(X)), np.median(X, axis=0))
    assert np.array_equal(X, before)
