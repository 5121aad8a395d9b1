"""BoundaryKNN against the rule of all cases, and against touching Voronoi regions in fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.utils.estimator_checks import parametrize_with_checks

from referee.errors import InputError
from referee.learners.neighbours.reducing import BoundaryKNN
from referee.learners.neighbours.reducing.cells import delaunay_cells
from referee.learners.neighbours.reducing.nearest import nearest_rows


def of_ten_features(estimator):
    return {"check_dtype_object": "it has 10 features, more than Delaunay cells can have"}


@parametrize_with_checks([BoundaryKNN()], expected_failed_checks=of_ten_features)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def full_answers(X, y, queries):
    """The class of the nearest of all cases, the first row of several."""
    gaps = ((queries[:, None, :] - X[None]) ** 2).sum(axis=2)
    return y[gaps.argmin(axis=1)]


def dense(X, points=41, reach=2.0):
    """A grid over the cases and far beyond their hull."""
    low, high = X.min(axis=0), X.max(axis=0)
    margin = reach * (high - low) + 1
    axes = [np.linspace(a, b, points) for a, b in zip(low - margin, high + margin, strict=True)]
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, X.shape[1])


def touch(p, q, others):
    """Tell in fractions whether some centre on the bisector of p and q has no case nearer."""
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    along = (p[1] - q[1], q[0] - p[0])
    low, high = None, None
    for r in others:
        gap = [a - b for a, b in zip(p, r, strict=True)]
        slope = 2 * sum(a * g for a, g in zip(along, gap, strict=True))
        need = sum(a * a - b * b for a, b in zip(p, r, strict=True))
        need -= 2 * sum(m * g for m, g in zip(middle, gap, strict=True))
        if slope == 0 and need > 0:
            return False
        if slope > 0:
            low = need / slope if low is None else max(low, need / slope)
        if slope < 0:
            high = need / slope if high is None else min(high, need / slope)
    return low is None or high is None or low <= high


def touching_pairs(X):
    points = [tuple(Fraction(float(v)) for v in row) for row in X]
    return {
        (i, j)
        for i, j in combinations(range(len(points)), 2)
        if touch(points[i], points[j], [r for at, r in enumerate(points) if at not in (i, j)])
    }


def border(X, y):
    """The rows to keep, from touching regions of the first case in each place."""
    places, first = np.unique(X, axis=0, return_index=True)
    mixed = {p for p in touching_pairs(places) if y[first[p[0]]] != y[first[p[1]]]}
    return sorted({first[i] for pair in mixed for i in pair}) or [0]


cases_2d = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@given(cases_2d)
@settings(max_examples=80, deadline=None)
def test_grids_keep_exactly_the_border_in_fractions(drawn):
    X, y = np.array(drawn[0], dtype=float), np.array(drawn[1])
    assert BoundaryKNN().fit(X, y).kept_.tolist() == sorted({0, *border(X, y)})


@given(cases_2d)
@settings(max_examples=80, deadline=None)
def test_answers_of_grids_are_unchanged_where_distances_tie(drawn):
    X, y = np.array(drawn[0], dtype=float), np.array(drawn[1])
    halves = np.stack(np.meshgrid(*[np.arange(-4, 9, 0.5)] * 2), axis=-1).reshape(-1, 2)
    model = BoundaryKNN().fit(X, y)
    np.testing.assert_array_equal(model.predict(halves), full_answers(X, y, halves))


def circle(n, rng):
    turn = rng.integers(0, 24, n) * np.pi / 12
    return np.column_stack([np.cos(turn), np.sin(turn)])


SETS = {
    "normal": lambda n, rng: rng.normal(size=(n, 2)),
    "circle": circle,
    "grid of tenths": lambda n, rng: rng.integers(0, 8, (n, 2)) * 0.1,
    "turned grid": lambda n, rng: rng.integers(0, 7, (n, 2)) @ np.array([[0.6, 0.8], [-0.8, 0.6]]),
    "line": lambda n, rng: rng.integers(0, 30, (n, 1)) * np.array([[0.3, 0.7]]),
    "nearly a grid": lambda n, rng: rng.integers(0, 6, (n, 2)) + rng.integers(0, 2, (n, 2)) * 1e-15,
    "bent hull": lambda n, rng: np.column_stack(
        [np.arange(n), 1e-13 * rng.normal(size=n) + (np.arange(n) % 3 == 0) * 5.0]
    ),
    "far away": lambda n, rng: rng.normal(size=(n, 2)) + 1e6,
    "two scales": lambda n, rng: rng.normal(size=(n, 2)) * [1.0, 1000.0],
    "normal, 3 features": lambda n, rng: rng.normal(size=(n, 3)),
    "grid, 3 features": lambda n, rng: rng.integers(0, 4, (n, 3)).astype(float),
    "plane in 3 features": lambda n, rng: (
        rng.integers(0, 6, (n, 2)) @ np.array([[1.0, 0, 2], [0, 1, 3]])
    ),
    "line in 3 features": lambda n, rng: rng.integers(0, 9, (n, 1)) * np.array([[1.0, 2, 3]]),
    "sphere": lambda n, rng: (lambda Z: Z / np.linalg.norm(Z, axis=1)[:, None])(
        rng.normal(size=(n, 3))
    ),
    "normal, 4 features": lambda n, rng: rng.normal(size=(n, 4)),
    "1 feature": lambda n, rng: rng.integers(0, 40, (n, 1)) * 0.1,
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("n", [4, 15, 80])
def test_answers_against_the_rule_of_all_cases(name, n):
    for seed in range(4):
        rng = np.random.default_rng([n, seed])
        X = SETS[name](n, rng)
        y = rng.integers(0, 2 + seed % 2, n) if seed < 3 else (X[:, 0] > np.median(X[:, 0])) * 1
        model = BoundaryKNN().fit(X, y)
        d = X.shape[1]
        queries = np.concatenate(
            [
                dense(X, {1: 801, 2: 41, 3: 13, 4: 7}[d]),
                rng.normal(size=(500, d)) * X.std(axis=0) * 3 + X.mean(axis=0),
                rng.normal(size=(200, d)) * (1e3 * X.std() + 1) + X.mean(axis=0),
                X,
            ]
        )
        # Between cases whose distances agree up to rounding either answer is right.
        places, first = np.unique(X, axis=0, return_index=True)
        gaps = np.sqrt(((queries[:, None] - places[None]) ** 2).sum(axis=2))
        tied = gaps <= gaps.min(axis=1, keepdims=True) * (1 + 1e-13)
        highest = np.where(tied, y[first], -1).max(axis=1)
        clear = highest == np.where(tied, y[first], 99).min(axis=1)
        same = model.predict(queries) == y[nearest_rows(queries, X)]
        assert same[clear].all()
        if name.startswith("normal"):
            assert clear.all()
            assert same.all()


@pytest.mark.parametrize("seed", range(20))
def test_cells_of_normal_cases_against_fractions(seed):
    X = np.random.default_rng(seed).normal(size=(9, 2))
    made = delaunay_cells(X)
    pairs = set()
    for c in np.unique(made.cell):
        pairs |= set(combinations(np.unique(made.point[made.cell == c]).tolist(), 2))
    assert pairs == touching_pairs(X)


def test_cells_of_four_features_against_linear_programs():
    """Regions i and j touch if some centre is as near to both and no nearer to any other."""
    X = np.random.default_rng(0).normal(size=(14, 4))
    made = delaunay_cells(X)
    pairs = set()
    for c in np.unique(made.cell):
        pairs |= set(combinations(made.point[made.cell == c].tolist(), 2))
    pairs = {tuple(sorted(p)) for p in pairs}
    squares = (X**2).sum(axis=1)
    for i, j in combinations(range(14), 2):
        others = [r for r in range(14) if r not in (i, j)]
        found = linprog(
            np.zeros(4),
            A_ub=2 * (X[others] - X[i]),
            b_ub=squares[others] - squares[i],
            A_eq=2 * (X[[j]] - X[i]),
            b_eq=squares[[j]] - squares[i],
            bounds=(None, None),
        )
        assert (found.status == 0) == ((i, j) in pairs)


def test_few_cases_answer_for_classes_that_lie_apart():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 2))
    model = BoundaryKNN().fit(X, X[:, 0] > 0)
    assert model.n_kept_ < 150
    assert (model.n_cases_, len(model.kept_)) == (1000, model.n_kept_)


@pytest.mark.parametrize(
    ("X", "y", "kept"),
    [
        ([[1.0, 2.0]] * 4, [1, 0, 0, 1], [0]),  # one place: its first case answers
        ([[0.0, 0.0], [1.0, 5.0], [2.0, 1.0]], [3, 3, 3], [0]),  # one class
        ([[7.0, 7.0]], [0], [0]),
        ([[0.0], [0.0], [-0.0], [1.0]], [0, 1, 1, 1], [0, 3]),
        ([[0.0, 0.0], [1.0, 1.0]], [0, 1], [0, 1]),
    ],
)
def test_degenerate_cases(X, y, kept):
    assert BoundaryKNN().fit(X, y).kept_.tolist() == kept


@pytest.mark.parametrize("seed", range(5))
def test_a_feature_in_other_units_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    inches, y = rng.integers(0, 300, (60, 1)) * 0.1, rng.integers(0, 2, 60)
    one = BoundaryKNN().fit(inches, y)
    two = BoundaryKNN().fit(np.hstack([inches, 2.54 * inches]), y)
    np.testing.assert_array_equal(one.kept_, two.kept_)


def test_near_duplicates_in_a_flat_are_kept_apart():
    """They differ by less than the flat's rounding, and by more than that of their distances."""
    X = np.array([[0.0, 0.0], [0.0, 1e-17], [0.0, 2e-17], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    y = np.array([0, 1, 0, 1, 1, 1])
    np.testing.assert_array_equal(BoundaryKNN().fit(X, y).predict(X), y)


def test_too_many_features_name_the_limit_and_the_alternative():
    X = np.random.default_rng(0).normal(size=(20, 6))
    with pytest.raises(InputError, match=r"at most 5 features, got 6.*use CondensedKNN"):
        BoundaryKNN().fit(X, np.arange(20) % 2)


def test_nearly_flat_cases_are_answered_or_refused_with_a_remedy():
    rng = np.random.default_rng(0)
    refused = answered = 0
    for _ in range(60):
        X = rng.normal(size=(12, 2))
        X = np.column_stack([X, X @ [1, 2] + 1e-13 * rng.integers(0, 3, 12)])
        y = np.arange(12) % 2
        try:
            model = BoundaryKNN().fit(X, y)
        except InputError as problem:
            refused += "drop redundant features" in str(problem)
        else:
            answered += 1
            np.testing.assert_array_equal(model.predict(X), y)
    assert refused > 0
    assert refused + answered == 60  # every refusal says what to do


def test_nearly_flat_grids_lose_no_case():
    # Qhull leaves corners out of such clouds without a word; then there must be a refusal.
    rng = np.random.default_rng(5)
    refused = answered = 0
    for _ in range(40):
        X = rng.integers(0, 4, size=(50, 5)).astype(float)
        X[:, 4] = 0.1 * X[:, 0] + 3e-13 * rng.random(50)
        y = rng.integers(0, 2, 50)
        try:
            model = BoundaryKNN().fit(X, y)
        except InputError:
            refused += 1
        else:
            answered += 1
            queries = rng.uniform(X.min(axis=0), X.max(axis=0), size=(4000, 5))
            np.testing.assert_array_equal(model.predict(queries), full_answers(X, y, queries))
    assert answered > 0  # so that answers were compared


def test_places_that_rounding_makes_one_from_afar():
    X, y = np.array([[0.1 + 0.2], [0.3], [0.0]]), np.array([1, 0, 0])
    queries = np.array([[-1.0], [-0.5], [-0.1], [0.29], [0.31], [2.0]])
    model = BoundaryKNN().fit(X, y)
    np.testing.assert_array_equal(model.predict(queries), full_answers(X, y, queries))


@pytest.mark.parametrize("seed", range(8))
def test_queries_from_which_all_cases_are_equally_far(seed):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    queries = np.array([[1e17, 0], [0, 1e17], [-1e17, 5e16]])
    model = BoundaryKNN().fit(X, y)
    np.testing.assert_array_equal(model.predict(queries), full_answers(X, y, queries))


def test_numbers_without_distances_are_refused():
    with pytest.raises(InputError, match=r"must lie between -1e\+150 and 1e\+150.*got 1e\+200"):
        BoundaryKNN().fit([[0.0], [1e200]], [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("d", "n", "share"), [(2, 1000, 0.09), (3, 1000, 0.36), (4, 1000, 0.68), (5, 1000, 0.89)]
)
def test_the_border_touches_ever_more_cases(d, n, share):
    """The figures that the docstring states."""
    X = np.random.default_rng(0).normal(size=(n, d))
    kept = BoundaryKNN().fit(X, X[:, 0] > 0).n_kept_ / n
    print(f"{d} features, {n} cases: {kept:.0%} kept")
    assert kept == pytest.approx(share, abs=0.006)


@pytest.mark.slow
def test_six_features_would_keep_nearly_all():
    X = np.random.default_rng(0).normal(size=(600, 6))
    cells = delaunay_cells(X)
    kept = len(cells.mixed((X[:, 0] > 0).astype(np.intp))) / 600
    simplices = cells.cell.max() + 1
    print(f"6 features, 600 cases: {kept:.0%} kept, {simplices} cells")
    assert kept > 0.98
    assert simplices > 300_000
