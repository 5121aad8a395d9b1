"""Indexes against plain sorting of all distances: same rows, same order, bounds kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from referee.errors import InputError
from referee.learners.neighbours.index.bound import EXACT, Bound
from referee.learners.neighbours.index.brute import BruteForce
from referee.learners.neighbours.index.choice import choose_index
from referee.learners.neighbours.index.hashing import Hashing, _rank
from referee.learners.neighbours.index.kd_tree import KDTree
from referee.learners.neighbours.metric import Metric

POWERS = {"cityblock": 1.0, "euclidean": 2.0, "chebyshev": np.inf}


def by_sorting(X, Q, k, p):
    """Rows by (sum of powers added up feature by feature, row): a plain numpy oracle."""
    total = np.zeros((len(Q), len(X)))
    for j in range(X.shape[1]):
        step = np.abs(Q[:, j][:, None] - X[:, j])
        if p == np.inf:
            total = np.maximum(total, step)
        else:
            total += step * step if p == 2 else step**p
    rows = np.argsort(total, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(total, rows, axis=1), rows


@st.composite
def clouds(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.sampled_from([1, 2, 17, 90, 300])), draw(st.integers(1, 12))
    kind = draw(st.sampled_from(["normal", "grid", "same", "far", "copies", "outlier"]))
    X = rng.normal(size=(n + 20, d))
    if kind == "grid":
        X = rng.integers(0, 3, X.shape).astype(float)
    elif kind == "same":
        X[:] = 0.1
    elif kind == "far":
        X = X * 1e-3 + 1e4
    elif kind == "copies":
        X = X[rng.integers(0, 6, len(X))]
    elif kind == "outlier":
        X[0] *= 1e8
    X = X[rng.permutation(len(X))]
    return X[:n], X[n:], draw(st.integers(1, min(n, 40)))


@pytest.mark.parametrize("make", [BruteForce.of, KDTree.of], ids=["brute", "kd_tree"])
@settings(max_examples=60, deadline=None)
@given(cloud=clouds(), p=st.sampled_from([1.0, 2.0, 3.0, np.inf]))
def test_exact_indexes_against_sorting(make, cloud, p):
    X, Q, k = cloud
    found = make(X, p).query(Q, k)
    reduced, rows = by_sorting(X, Q, k, p)
    if p == 3:  # powers of arrays and of numbers may differ in the last bit
        np.testing.assert_allclose(found.reduced, reduced, rtol=1e-13)
        return
    np.testing.assert_array_equal(found.reduced, reduced)
    np.testing.assert_array_equal(found.rows, rows)


@pytest.mark.parametrize("d", [3, 20])
def test_blocks_of_many_rows_and_queries_against_sorting(d):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(5000, d)), rng.normal(size=(300, d))
    expected = by_sorting(X, Q, 90, 2.0)[1]
    for k in (1, 7, 64, 90):
        for index in (BruteForce.of(X), KDTree.of(X)):
            np.testing.assert_array_equal(index.query(Q, k).rows, expected[:, :k])


@pytest.mark.parametrize("kind", ["relative", "additive"])
@pytest.mark.parametrize("eps", [0.05, 0.5, 3.0])
def test_the_bound_of_a_tree_is_never_violated_against_cdist(kind, eps):
    violated = asked = approximate = 0
    rng = np.random.default_rng(int(100 * eps))
    for trial in range(34):
        name = list(POWERS)[trial % 3]
        d = 1 + trial % 7
        X = rng.normal(size=(400, d))
        if trial % 4 == 0:
            X = np.round(X, 1)
        Q = rng.normal(size=(500, d)) * (1 + trial % 3)
        tree = KDTree.of(X, POWERS[name], Bound(eps, kind))
        found = Metric(name, POWERS[name]).distances(tree.query(Q, 5).reduced)
        true = np.sort(cdist(Q, X, name), axis=1)[:, :5]
        violated += int((~tree.bound.allows(found, true * (1 + 1e-12) + 1e-12)).sum())
        approximate += int((found > true * (1 + 1e-9)).sum())
        asked += len(Q)
    # Three values of eps and two kinds: 102 000 queries in all.
    assert asked == 17_000
    assert violated == 0
    assert approximate > 0 or eps < 0.1


def test_approximate_search_compares_fewer_rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4000, 6))
    work = [KDTree.of(X, 2.0, Bound(e)).work(X[:200], 5) for e in (0.0, 0.5, 2.0)]
    assert work[0] > work[1] > work[2]


def test_recall_of_hashing_against_exact_search_of_fresh_queries():
    rng = np.random.default_rng(2)
    centres = 4 * rng.normal(size=(40, 12))
    X = centres[rng.integers(0, 40, 4000)] + 0.4 * rng.normal(size=(4000, 12))
    Q = centres[rng.integers(0, 40, 800)] + 0.4 * rng.normal(size=(800, 12))
    index = Hashing.of(X, 2.0, 5, seed=3)
    true, found = BruteForce.of(X).query(Q, 5).rows, index.query(Q, 5).rows
    share = np.mean([np.isin(t, f).mean() for t, f in zip(true, found, strict=True)])
    assert index.recall.interval.low - 0.03 <= share <= index.recall.interval.high + 0.03
    assert index.recall.compared < 0.2 * len(X)
    assert "recall" in str(index.recall)


def test_hashing_with_few_candidates_compares_all():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3))
    far = np.full((4, 3), 50.0)
    np.testing.assert_array_equal(
        Hashing.of(X).query(far, 9).rows, BruteForce.of(X).query(far, 9).rows
    )


@pytest.mark.parametrize("X", [np.ones((30, 2)), np.zeros((1, 2)), np.arange(4.0).reshape(2, 2)])
@pytest.mark.parametrize("name", ["auto", "brute", "kd_tree", "hashing"])
def test_degenerate_rows_find_the_lowest_rows_first(name, X):
    found = choose_index(name, X).index.query(X[:1], len(X)).rows[0]
    np.testing.assert_array_equal(found, by_sorting(X, X[:1], len(X), 2.0)[1][0])


def test_automatic_choice_says_which_and_why():
    rng = np.random.default_rng(4)
    low = choose_index("auto", rng.normal(size=(5000, 2)))
    high = choose_index("auto", rng.normal(size=(9000, 28)))
    assert low.name == "kd_tree"
    assert "of 5000 rows a query" in str(low)
    assert high.name == "brute"
    assert "costs more" in str(high)
    assert choose_index("auto", rng.normal(size=(300, 60))).name == "brute"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "kd-tree"}, "index must be .* did you mean 'kd_tree'"),
        ({"name": 3}, "index must be"),
        ({"name": "hashing", "bound": Bound(0.1)}, "eps must be 0"),
        ({"name": "hashing", "p": np.inf}, "knows euclidean and manhattan"),
    ],
)
def test_bad_choices_name_argument_and_remedy(options, message):
    name = options.pop("name")
    with pytest.raises(InputError, match=message):
        choose_index(name, np.zeros((10, 2)), **options)


def test_rounding_of_products_costs_no_neighbour():
    # Tight clusters far apart: products in single precision cannot tell rows of one apart.
    rng = np.random.default_rng(0)
    centres = 100 * rng.normal(size=(20, 10))
    X = centres[rng.integers(0, 20, 2000)] + 1e-4 * rng.normal(size=(2000, 10))
    Q = centres[rng.integers(0, 20, 100)] + 1e-4 * rng.normal(size=(100, 10))
    found = BruteForce.of(X).query(Q, 5).rows
    distances = ((Q[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found, np.argsort(distances, axis=1, kind="stable")[:, :5])


@pytest.mark.parametrize("far", [1e40, 1e160])
def test_queries_beyond_single_precision_keep_the_order_of_ties(far):
    X = np.random.default_rng(0).normal(size=(50, 4))
    Q = np.array([[far] * 4, [far, 0, 0, 0], [0, 1, 0, 0]])
    np.testing.assert_array_equal(
        BruteForce.of(X).query(Q, 3).rows, KDTree.of(X, 2.0, EXACT).query(Q, 3).rows
    )


def test_ties_and_other_metrics_are_counted_in_the_choice():
    X = np.random.default_rng(0).normal(size=(20_000, 8))
    assert choose_index("auto", X, p=1.0).name == "kd_tree"
    copied = np.vstack([X[:9000, :4], np.zeros((3000, 4))])
    assert choose_index("auto", copied).name == "kd_tree"


def test_of_equally_near_rows_of_several_tables_hashing_lists_the_lowest():
    # Both rows lie at distance 1. The first table offers row 1 only, the second row 0 only.
    X, Q = np.array([[1.0], [-1.0]]), np.zeros((1, 1))
    asked = np.array([[7], [7]], dtype=np.uint64)
    keys = np.array([[7, 9], [7, 9]], dtype=np.uint64)
    order = np.array([[1, 0], [0, 1]])
    reduced, rows = np.empty((1, 1)), np.empty((1, 1), dtype=np.intp)
    compared = np.empty(1, dtype=np.intp)
    _rank(X, Q, 2.0, asked, keys, order, reduced, rows, compared)
    assert (rows[0, 0], reduced[0, 0], compared[0]) == (0, 1.0, 2)
