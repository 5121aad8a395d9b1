"""The standard error of the out-of-bag error, against a double loop and the jackknife."""

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from referee.core.results import Target
from referee.errors import InputError
from referee.intervals.several_fits.efron_tibshirani import (
    adjusted_standard_error,
    efron_tibshirani,
    out_of_bag_standard_error,
)


def by_double_loop(wrong, drawn):
    """Efron and Tibshirani (1997), section 5, case by case and round by round."""
    B, n = wrong.shape
    out = [[1 if drawn[b][i] == 0 else 0 for i in range(n)] for b in range(B)]
    q = [sum(out[b][i] * wrong[b][i] for i in range(n)) / n for b in range(B)]
    E = []
    for i in range(n):
        times = sum(out[b][i] for b in range(B))
        E.append(sum(out[b][i] * wrong[b][i] for b in range(B)) / times)
    err1 = sum(E) / n
    total = 0.0
    for i in range(n):
        mean = sum(drawn[b][i] for b in range(B)) / B
        covariance = sum((drawn[b][i] - mean) * q[b] for b in range(B))
        times = sum(out[b][i] for b in range(B))
        total += ((2 + 1 / (n - 1)) * (E[i] - err1) / n + covariance / times) ** 2
    return total**0.5


def table(B, n, seed, rate=0.3):
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=B)
    hard = rng.random(n)
    wrong = (rng.random((B, n)) < rate * 2 * hard + 0.05 * (drawn == 0)).astype(float)
    return wrong, drawn


@pytest.mark.parametrize(("B", "n"), [(40, 10), (60, 25), (100, 40)])
@pytest.mark.parametrize("seed", range(4))
def test_against_a_double_loop(B, n, seed):
    wrong, drawn = table(B, n, seed)
    assert out_of_bag_standard_error(wrong, drawn) == pytest.approx(by_double_loop(wrong, drawn))


def test_fixed_answers_give_the_textbook_standard_error_against_theory():
    # When training does not matter, Err1 is a plain mean and se must be near sqrt(p (1 - p) / n).
    rng = np.random.default_rng(0)
    n, B = 60, 4000
    wrong = np.repeat((rng.random(n) < 0.3)[None], B, axis=0).astype(float)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=B)
    p = wrong[0].mean()
    made = out_of_bag_standard_error(wrong, drawn)
    assert made == pytest.approx((p * (1 - p) / n) ** 0.5, rel=0.1)


def test_cases_never_left_out_do_not_break_it():
    wrong, drawn = table(30, 8, 5)
    drawn[:, 0] = 1
    assert np.isfinite(out_of_bag_standard_error(wrong, drawn))


@pytest.mark.parametrize("seed", range(3))
def test_adjusted_against_the_published_one_at_many_rounds(seed):
    # Few rounds inflate the published formula; the adjusted one must come down to its limit.
    rng = np.random.default_rng(seed)
    n = 60
    hard = rng.random(n) < 0.3
    limit = (hard.mean() * (1 - hard.mean()) / n) ** 0.5
    plain, adjusted = [], []
    for _ in range(20):
        drawn = rng.multinomial(n, np.full(n, 1 / n), size=100)
        wrong = np.repeat(hard[None], 100, axis=0).astype(float)
        plain.append(out_of_bag_standard_error(wrong, drawn))
        adjusted.append(adjusted_standard_error(wrong, drawn))
    assert np.mean(plain) > 1.2 * limit
    assert np.mean(adjusted) == pytest.approx(limit, rel=0.1)


def test_adjusted_against_a_plain_loop():
    wrong, drawn = table(60, 25, 7)
    B, n = wrong.shape
    q = [sum(wrong[b][i] for i in range(n) if drawn[b][i] == 0) / n for b in range(B)]
    mean = sum(q) / B
    spread = sum((x - mean) ** 2 for x in q) / (B - 1)
    noise, errors = 0.0, []
    for i in range(n):
        out = [b for b in range(B) if drawn[b][i] == 0]
        noise += B * (1 - 1 / n) * spread / len(out) ** 2
        errors.append(sum(wrong[b][i] for b in out) / len(out))
    p = sum(errors) / n
    expected = max(by_double_loop(wrong, drawn) ** 2 - noise, p * (1 - p) / n) ** 0.5
    assert adjusted_standard_error(wrong, drawn) == pytest.approx(expected)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_interval_against_the_beta_distribution(level):
    made = efron_tibshirani(0.4, 0.06, 500, level)
    n = 0.4 * 0.6 / 0.06**2
    low, high = stats.beta(0.4 * n + 0.5, 0.6 * n + 0.5).interval(level)
    assert (made.low, made.high) == pytest.approx((low, high))
    assert made.n_effective == pytest.approx(n)
    assert (made.target, made.method) == (Target.EXPECTED, "efron-tibshirani")


def test_interval_is_never_worth_more_than_the_cases():
    made = efron_tibshirani(0.4, 0.001, 50)
    assert made.n_effective == 50


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_no_error_keeps_its_width(value):
    made = efron_tibshirani(value, 0.0, 50)
    assert value in made
    assert 0.02 < made.width < 0.1


def test_bad_level():
    with pytest.raises(InputError, match="level"):
        efron_tibshirani(0.2, 0.1, 30, 95)


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "inflation"), [(50, 2.0), (200, 1.25)])
def test_inflation_of_the_published_formula_by_simulation(rounds, inflation):
    # Known truth: the spread of the out-of-bag error over repeated data sets. Run with -s to read.
    rng = np.random.default_rng(1)
    n, values, plain, adjusted = 100, [], [], []
    for _ in range(80):
        y = rng.integers(2, size=n)
        X = rng.normal(size=(n, 2)) + np.outer(2 * y - 1, [1, 0])
        drawn = np.array([np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(rounds)])
        wrong = np.array([_lda_errors(X, y, counts) for counts in drawn])
        out = drawn == 0
        values.append(np.mean((wrong * out).sum(0) / out.sum(0)))
        plain.append(out_of_bag_standard_error(wrong, drawn))
        adjusted.append(adjusted_standard_error(wrong, drawn))
    truth = np.std(values, ddof=1)
    ratios = np.mean(plain) / truth, np.mean(adjusted) / truth
    print(
        f"B = {rounds}, n = {n}: published {ratios[0]:.2f}, adjusted {ratios[1]:.2f} of the truth"
    )
    assert ratios[0] > inflation
    assert 0.8 < ratios[1] < 1.35


def _lda_errors(X, y, counts):
    rows = np.repeat(np.arange(len(y)), counts)
    answers = LinearDiscriminantAnalysis().fit(X[rows], y[rows]).predict(X)
    return (answers != y).astype(float)
