"""The compiled exponential against numpy's, in both precisions."""

import numpy as np
import pytest

from referee.kernels.loops import decay


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 3e-7), (np.float64, 5e-16)])
def test_decay_against_numpy(dtype, rtol):
    exponents = np.concatenate([[0.0, 1e-30, 1e-9], np.linspace(0, 86, 40_001)]).astype(dtype)
    values = exponents[None].copy()
    decay(values, 0, values.shape[1], 1.0)
    np.testing.assert_allclose(values[0], np.exp(-exponents.astype(np.float64)), rtol=rtol)
    assert values[0, 0] == 1.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_decay_vanishes_beyond_the_range(dtype):
    values = np.array([[800.0, 1e4, 1e30]], dtype=dtype)
    decay(values, 0, 3, 1.0)
    np.testing.assert_array_equal(values, 0.0)


def test_decay_touches_its_band_only():
    values = np.ones((2, 5))
    decay(values, 1, 3, 2.0)
    np.testing.assert_array_equal(values[:, [0, 4]], 1.0)
    np.testing.assert_allclose(values[:, 1:4], np.exp(-2.0))
