"""Solvers against each other, libsvm, liblinear and exact enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from sklearn.svm import SVC, LinearSVC

from referee.errors import InputError
from referee.kernels import Gaussian, Linear
from referee.learners.svm.cache import GivenRows, RowCache, rows_of
from referee.learners.svm.cases import cases_of
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solvers.scda import solve_by_scda
from referee.learners.svm.solvers.scda_linear import LinearProblem, solve_linear
from referee.learners.svm.solvers.smo import solve_by_smo
from referee.learners.svm.solvers.working_set import solve_by_working_sets

KERNEL_SOLVERS = {
    "working-set": solve_by_working_sets,
    "smo": solve_by_smo,
    "scda": solve_by_scda,
}


def noisy(n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def best_by_enumeration(K, y, bounds, bias):
    """The optimum over all choices of coefficients at 0, at their bound, or free."""
    n, best = len(y), -np.inf
    Q = K * np.outer(y, y)
    for where in product((0, 1, 2), repeat=n):
        where = np.array(where)
        free = np.flatnonzero(where == 2)
        alpha = np.where(where == 1, bounds, 0.0)
        if bias:
            A = np.zeros((len(free) + 1, len(free) + 1))
            A[:-1, :-1], A[:-1, -1], A[-1, :-1] = Q[np.ix_(free, free)], y[free], y[free]
            right = np.append(1 - (Q @ alpha)[free], -(y @ alpha))
        else:
            A, right = Q[np.ix_(free, free)], 1 - (Q @ alpha)[free]
        alpha[free] = np.linalg.lstsq(A, right, rcond=None)[0][: len(free)]
        inside = (alpha >= -1e-9).all() and (alpha <= bounds + 1e-9).all()
        if inside and (not bias or abs(y @ alpha) < 1e-8):
            best = max(best, alpha.sum() - 0.5 * alpha @ Q @ alpha)
    return best


@pytest.mark.parametrize("bias", [True, False])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 6),
    C=st.sampled_from([1e-2, 1.0, 50.0]),
    copies=st.booleans(),
)
def test_tiny_problems_against_enumeration_of_active_sets(bias, seed, n, C, copies):
    X, y = noisy(n, 2, seed)
    if copies:
        X[n // 2 :] = X[: n - n // 2]
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    bounds = C * np.random.default_rng(seed).uniform(0.5, 2, n)
    best = best_by_enumeration(K, y, bounds, bias)
    for name, solve in KERNEL_SOLVERS.items():
        if bias and name == "scda":
            continue
        found = solve(DualProblem(GivenRows(K), y, bounds, bias), tol=1e-9)
        assert found.converged
        assert found.objective == pytest.approx(best, rel=1e-7, abs=1e-9)
        assert found.gap == pytest.approx(0, abs=1e-6 * (1 + C))


def test_a_weighted_problem_against_scipys_slsqp():
    X, y = noisy(12, 2, 3)
    K = X @ X.T + 1
    bounds = np.linspace(0.1, 1.2, 12)
    Q = K * np.outer(y, y)
    theirs = minimize(
        lambda a: 0.5 * a @ Q @ a - a.sum(),
        np.zeros(12),
        jac=lambda a: Q @ a - 1,
        bounds=[(0, u) for u in bounds],
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    ours = solve_by_working_sets(DualProblem(GivenRows(K), y, bounds, True), tol=1e-10)
    assert ours.objective == pytest.approx(-theirs.fun, rel=1e-8)
    np.testing.assert_allclose(K @ ours.signed, K @ (theirs.x * y), atol=1e-5)


def test_all_four_solvers_reach_one_optimum_of_the_bias_free_problem():
    X, y = noisy(300, 6, 0)
    K = (Linear() + 1).gram(X)
    C = np.full(300, 0.5)
    found = [
        solve(DualProblem(GivenRows(K), y, C, False), tol=1e-7, record=True)
        for solve in KERNEL_SOLVERS.values()
    ]
    found.append(
        solve_by_working_sets(
            DualProblem(GivenRows(K), y, C, False), tol=1e-7, record=True, size=40
        )
    )
    assert len(found[-1].trace.gap) > 10
    linear, weights = solve_linear(LinearProblem(X, y, C), tol=1e-8, max_iter=100_000, record=True)
    found.append(linear)
    objective = found[0].objective
    for solution in found:
        assert solution.converged
        assert solution.objective == pytest.approx(objective, rel=1e-9)
        np.testing.assert_allclose(y - solution.slopes, X @ weights[:-1] + weights[-1], atol=1e-5)
        trace = solution.trace
        assert (np.diff(trace.objective) >= -1e-10 * objective).all()
        assert (np.diff(trace.gap) <= 1e-9).all()
        assert trace.gap[-1] < 1e-3


@pytest.mark.parametrize(
    ("name", "bias"),
    [("working-set", True), ("working-set", False), ("smo", True), ("smo", False), ("scda", False)],
)
def test_few_cached_rows_give_the_optimum_of_the_whole_matrix(name, bias):
    X, y = noisy(400, 5, 1)
    cases, C = cases_of(Gaussian(gamma=0.2), X), np.full(400, 2.0)
    whole = KERNEL_SOLVERS[name](
        DualProblem(rows_of(cases, cache_mb=50, dtype=np.float64), y, C, bias), tol=1e-6
    )
    cache = RowCache(cases, slots=24, dtype=np.float64)
    few = KERNEL_SOLVERS[name](DualProblem(cache, y, C, bias), tol=1e-6)
    assert cache.store.shape == (24, 400)
    assert few.converged
    assert few.objective == pytest.approx(whole.objective, rel=1e-9)


def test_small_working_sets_and_shrinking_reach_the_same_optimum():
    X, y = noisy(2500, 3, 2)
    cases, C = cases_of(Gaussian(gamma=2.0), X), np.full(2500, 10.0)
    sizes = [
        solve_by_working_sets(
            DualProblem(rows_of(cases, cache_mb=200), y, C, True), tol=1e-3, size=size
        )
        for size in (128, 512)
    ]
    smo = solve_by_smo(DualProblem(rows_of(cases, cache_mb=200), y, C, True), tol=1e-3)
    for other in (sizes[0], smo):
        assert other.converged
        assert other.objective == pytest.approx(sizes[1].objective, rel=1e-6)


def test_a_start_at_the_solution_takes_no_steps():
    X, y = noisy(100, 4, 5)
    problem = DualProblem(GivenRows(Gaussian(gamma=0.3).gram(X)), y, np.ones(100), True)
    first = solve_by_working_sets(problem)
    assert solve_by_working_sets(problem, start=first).iterations == 0
    assert solve_by_smo(problem, start=first).iterations == 0


def test_the_gap_bounds_what_is_missing_to_the_optimum():
    X, y = noisy(150, 4, 6)
    problem = DualProblem(GivenRows(Gaussian(gamma=0.3).gram(X)), y, np.full(150, 3.0), True)
    rough = solve_by_working_sets(problem, tol=0.3)
    fine = solve_by_working_sets(problem, tol=1e-9)
    assert 0 < fine.objective - rough.objective <= rough.gap


@pytest.mark.parametrize("name", ["working-set", "smo"])
def test_equal_cases_of_two_classes_go_to_their_bounds_at_once(name):
    # Without a bias: along such a pair the objective is a line, up to the corner of the box.
    X, y = noisy(40, 2, 10)
    X, y = np.vstack([X, X]), np.concatenate([y, -y])
    problem = DualProblem(GivenRows(Gaussian(gamma=1.0).gram(X)), y, np.full(80, 1e4), False)
    found = KERNEL_SOLVERS[name](problem, tol=1e-6, max_iter=2000)
    assert found.converged
    np.testing.assert_allclose(found.alpha, 1e4)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("squared", [True, False])
def test_a_linear_machine_that_converged_violates_no_more_than_tol(squared, seed):
    X, y = noisy(120, 5, seed)
    X = X * 10.0 ** np.random.default_rng(seed).uniform(-1, 1, (120, 1))
    for tol in (1e-1, 1e-3):
        problem = LinearProblem(X, y, np.full(120, 0.3), squared=squared)
        solution, w = solve_linear(problem, tol=tol, max_iter=200_000)
        rise = y * (y - X @ w[:-1] - w[-1]) - problem.ridge * solution.alpha
        up, down = rise[solution.alpha < problem.ends], -rise[solution.alpha > 0]
        assert solution.converged
        assert max(up.max(initial=0), down.max(initial=0)) <= tol * (1 + 1e-9)
        assert solution.violation <= tol


def test_epochs_of_a_linear_machine_are_counted():
    X, y = noisy(200, 5, 8)
    problem = LinearProblem(X, y, np.ones(200))
    solution, _ = solve_linear(problem, tol=1e-5, max_iter=100_000, record=True)
    assert solution.epochs == len(solution.trace.iterations) - 1
    assert solve_linear(problem, tol=1e-12, max_iter=3)[0].epochs == 3


def test_scda_refuses_a_bias():
    problem = DualProblem(GivenRows(np.eye(2)), np.array([1.0, -1.0]), np.ones(2), True)
    with pytest.raises(InputError, match="k \\+ 1"):
        solve_by_scda(problem)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_linear_scda_against_liblinear(loss, kind):
    X, y = noisy(400, 8, 7)
    X = X * (np.abs(X) > 0.5)
    weights = np.random.default_rng(0).uniform(0.2, 2, 400)
    rows = sparse.csr_matrix(X) if kind == "sparse" else X
    theirs = LinearSVC(loss=loss, dual=True, tol=1e-8, max_iter=100_000, random_state=0)
    theirs.fit(rows, y, sample_weight=weights)
    problem = LinearProblem(rows, y, weights, squared=loss == "squared_hinge")
    solution, w = solve_linear(problem, tol=1e-8, max_iter=100_000)
    v = np.append(theirs.coef_[0], theirs.intercept_)
    assert solution.converged
    assert solution.gap < 1e-5
    assert problem.primal(w, problem.slopes(w)) == pytest.approx(
        problem.primal(v, problem.slopes(v)), rel=1e-7
    )
    np.testing.assert_allclose(w, v, atol=1e-4)


def test_linear_scda_gives_the_same_bits_for_a_seed_and_others_for_another():
    X, y = noisy(200, 5, 8)
    problem = LinearProblem(X, y, np.ones(200))
    one, two, other = (solve_linear(problem, random_state=s)[1] for s in (4, 4, 5))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_the_working_set_matches_libsvm_beyond_the_whole_matrix():
    X, y = noisy(2600, 10, 9)
    theirs = SVC(C=1.0, gamma=0.1, tol=1e-5).fit(X, y)
    cases = cases_of(Gaussian(gamma=0.1), X)
    rows = rows_of(cases, cache_mb=200)
    assert rows.store.dtype == np.float32
    ours = solve_by_working_sets(DualProblem(rows, y, np.ones(2600), True), tol=1e-5)
    b = np.zeros(2600)
    b[theirs.support_] = theirs.dual_coef_[0]
    K = Gaussian(gamma=0.1).gram(X)
    assert ours.objective == pytest.approx(y @ b - 0.5 * b @ K @ b, rel=1e-7)


def test_the_intercept_is_the_mean_slope_on_the_margin_by_hand():
    problem = DualProblem(GivenRows(np.eye(4)), np.array([1.0, 1, -1, -1]), np.ones(4), bias=True)
    # Rows 0 and 2 are inside their bounds; rows 1 and 3 are at them, and have no say.
    signed, slopes = np.array([0.5, 1.0, -0.5, 0.0]), np.array([0.2, 9.0, 0.6, -9.0])
    assert problem.intercept(signed, slopes) == pytest.approx(0.4)
    signed[3] = -0.1
    assert problem.intercept(signed, slopes) == pytest.approx((0.2 + 0.6 - 9.0) / 3)


def test_the_intercept_where_no_case_is_on_the_margin_by_hand():
    problem = DualProblem(GivenRows(np.eye(4)), np.array([1.0, 1, -1, -1]), np.ones(4), bias=True)
    # Upwards: rows 1 (at 0 of [0, 1]) and 2 (at -1 of [-1, 0]); downwards: rows 0 and 3.
    signed, slopes = np.array([1.0, 0.0, -1.0, 0.0]), np.array([0.9, 0.1, -0.3, 0.5])
    assert problem.intercept(signed, slopes) == pytest.approx((0.1 + 0.5) / 2)
    free = DualProblem(problem.rows, problem.y, problem.bounds, bias=False)
    assert free.intercept(signed, slopes) == 0.0
