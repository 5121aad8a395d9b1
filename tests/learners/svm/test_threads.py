"""The number of threads of linear algebra, as threadpoolctl reports it."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from referee import kernels
from referee.learners import SVM
from referee.learners.svm.threads import FEW, one_thread


def threads():
    return {
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    }


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        yield


def test_one_thread_for_few_cases_and_as_before_afterwards():
    with one_thread(FEW):
        assert threads() == {1}
        with one_thread(10):
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}
    with one_thread(FEW + 1):
        assert threads() == {2}
    with pytest.raises(ZeroDivisionError), one_thread(10):
        raise ZeroDivisionError
    assert threads() == {2}


def test_other_threads_leave_the_number_alone():
    def work():
        with one_thread(10):
            return threads()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() == {2}
    assert threads() == {2}


def test_a_fit_uses_one_thread():
    seen = []

    def product(x, z):
        seen.append(len(seen) > 200 and threads())
        return float(x @ z)

    X = np.random.default_rng(0).normal(size=(20, 2))
    SVM(kernels.FromFunction(product)).fit(X, X[:, 0] > 0)
    assert seen[-1] == {1}
    assert threads() == {2}
