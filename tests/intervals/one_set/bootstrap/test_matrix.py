"""The bootstrap of measures of a confusion matrix, against scikit-learn on resampled cases."""

import tracemalloc
from functools import partial

import numpy as np
import pytest
from sklearn import metrics

from referee.core import Part, Predictions
from referee.intervals import bca
from referee.intervals.one_set.bootstrap import matrix
from referee.measures.formulas import rates


def bootstrap_matrix(table, form, **options):
    """Bootstrap one measure by itself."""
    return matrix.bootstrap_matrix(table, {"it": form}, **options)["it"]


RNG = np.random.default_rng(30)
TRUTH = RNG.integers(3, size=90)
ANSWERS = np.where(RNG.random(90) < 0.65, TRUTH, RNG.integers(3, size=90))
WEIGHTS = RNG.integers(1, 5, size=90).astype(float)
GROUPS = RNG.integers(18, size=90)

MEASURES = {
    "mcc": (rates.matthews, metrics.matthews_corrcoef),
    "balanced accuracy": (rates.balanced_accuracy, metrics.balanced_accuracy_score),
    "kappa": (rates.kappa, metrics.cohen_kappa_score),
    "f1": (
        partial(rates.f1, positive=1),
        partial(metrics.f1_score, labels=[1], average="macro"),
    ),
}


def loop(measure, units, rounds=400, weights=None, seed=1):
    """Draw units with replacement, gather their cases and ask scikit-learn."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(units == u) for u in np.unique(units)]
    out = []
    for _ in range(rounds):
        rows = np.concatenate([members[u] for u in rng.integers(len(members), size=len(members))])
        if len(np.unique(TRUTH[rows])) == 3:
            w = None if weights is None else weights[rows]
            out.append(measure(TRUTH[rows], ANSWERS[rows], sample_weight=w))
    return np.array(out)


def agree(drawn, by_loop):
    sd = by_loop.std()
    assert drawn.mean() == pytest.approx(by_loop.mean(), abs=5 * sd / np.sqrt(len(by_loop)))
    assert drawn.std() == pytest.approx(sd, rel=5 / np.sqrt(2 * len(by_loop)))


@pytest.mark.parametrize("name", MEASURES)
def test_cases_against_a_plain_loop(name):
    ours, theirs = MEASURES[name]
    b = bootstrap_matrix(Predictions.of(TRUTH, ANSWERS), ours, rounds=4000, seed=0)
    assert b.value == pytest.approx(theirs(TRUTH, ANSWERS))
    agree(b.replicates, loop(theirs, np.arange(90)))


@pytest.mark.parametrize("name", MEASURES)
def test_jackknife_against_sklearn_exactly(name):
    ours, theirs = MEASURES[name]
    b = bootstrap_matrix(Predictions.of(TRUTH, ANSWERS), ours, rounds=10)
    expected = [theirs(np.delete(TRUTH, i), np.delete(ANSWERS, i)) for i in range(90)]
    assert np.sort(np.repeat(b.jackknife, b.times)) == pytest.approx(np.sort(expected))


@pytest.mark.parametrize("name", ["mcc", "balanced accuracy"])
def test_weights_against_a_plain_loop(name):
    ours, theirs = MEASURES[name]
    p = Predictions.of(TRUTH, ANSWERS, sample_weight=WEIGHTS)
    b = bootstrap_matrix(p, ours, rounds=4000, seed=0)
    assert b.value == pytest.approx(theirs(TRUTH, ANSWERS, sample_weight=WEIGHTS))
    agree(b.replicates, loop(theirs, np.arange(90), weights=WEIGHTS))
    keep = [np.arange(90) != i for i in range(90)]
    left_out = [theirs(TRUTH[k], ANSWERS[k], sample_weight=WEIGHTS[k]) for k in keep]
    assert np.sort(np.repeat(b.jackknife, b.times)) == pytest.approx(np.sort(left_out))


@pytest.mark.parametrize("name", ["mcc", "balanced accuracy"])
def test_groups_against_a_plain_loop_that_draws_whole_groups(name):
    ours, theirs = MEASURES[name]
    b = bootstrap_matrix(Predictions.of(TRUTH, ANSWERS, groups=GROUPS), ours, rounds=4000)
    agree(b.replicates, loop(theirs, GROUPS))
    keep = [g != GROUPS for g in np.unique(GROUPS)]
    left_out = [theirs(TRUTH[k], ANSWERS[k]) for k in keep]
    assert np.sort(np.repeat(b.jackknife, b.times)) == pytest.approx(np.sort(left_out))


def test_a_case_predicted_several_times_is_drawn_as_one_against_a_plain_loop():
    again = np.where(RNG.random(90) < 0.5, TRUTH, RNG.integers(3, size=90))
    table = Predictions(
        classes=(0, 1, 2),
        truth=TRUTH,
        case=np.tile(np.arange(90), 2),
        split=np.repeat([0, 1], 90),
        seen=np.zeros(180, int),
        predicted=np.concatenate([ANSWERS, again]),
        part=(Part.MAIN, Part.MAIN),
        repetition=np.array([0, 1]),
        n_train=np.array([80, 80]),
    )
    b = bootstrap_matrix(table, rates.matthews, rounds=4000)
    rng = np.random.default_rng(3)
    by_loop = []
    for _ in range(400):
        rows = rng.integers(90, size=90)
        truth = np.concatenate([TRUTH[rows], TRUTH[rows]])
        by_loop.append(metrics.matthews_corrcoef(truth, np.r_[ANSWERS[rows], again[rows]]))
    agree(b.replicates, np.array(by_loop))
    assert b.times.sum() == 90


def test_seed_decides_and_order_of_cases_does_not():
    p = Predictions.of(TRUTH, ANSWERS)
    first = bootstrap_matrix(p, rates.matthews, rounds=200, seed=4).replicates
    assert np.array_equal(first, bootstrap_matrix(p, rates.matthews, rounds=200, seed=4).replicates)
    other = bootstrap_matrix(p, rates.matthews, rounds=200, seed=5).replicates
    assert not np.array_equal(first, other)
    order = RNG.permutation(90)
    shuffled = bootstrap_matrix(Predictions.of(TRUTH[order], ANSWERS[order]), rates.matthews)
    assert shuffled.value == pytest.approx(bootstrap_matrix(p, rates.matthews).value)


def test_blocks_change_nothing(monkeypatch):
    p = Predictions.of(TRUTH, ANSWERS)
    whole = bootstrap_matrix(p, rates.matthews, rounds=100, seed=4)
    monkeypatch.setattr(matrix, "_CHUNK", 9 * 13)
    parts = bootstrap_matrix(p, rates.matthews, rounds=100, seed=4)
    assert parts.replicates == pytest.approx(whole.replicates)
    assert np.sort(parts.jackknife) == pytest.approx(np.sort(whole.jackknife))


def test_undefined_replicates_are_left_out():
    p = Predictions.of([0] * 9 + [1], [0] * 8 + [1, 1])
    b = bootstrap_matrix(p, rates.balanced_accuracy, rounds=500)
    assert 0 < len(b.replicates) < 500
    assert np.isfinite(b.replicates).all()
    assert b.times.sum() == 9


def test_memory_stays_bounded_for_many_cases_and_for_many_groups():
    n = 200_000
    truth = np.arange(n) % 2
    answers = np.where(np.arange(n) % 7 == 0, 1 - truth, truth)
    for groups in (None, np.arange(n) // 4):
        table = Predictions.of(truth, answers, groups=groups)
        tracemalloc.start()
        bootstrap_matrix(table, rates.matthews, rounds=2000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 400e6


def test_bca_of_a_matrix_measure_holds_the_value():
    b = bootstrap_matrix(Predictions.of(TRUTH, ANSWERS), rates.matthews)
    made = bca(b)
    assert made.low < b.value < made.high


def test_several_measures_at_once_against_each_alone():
    p = Predictions.of(TRUTH, ANSWERS)
    forms = {"mcc": rates.matthews, "kappa": rates.kappa, "bacc": rates.balanced_accuracy}
    together = matrix.bootstrap_matrix(p, forms, rounds=300, seed=4)
    for name, form in forms.items():
        alone = bootstrap_matrix(p, form, rounds=300, seed=4)
        assert np.array_equal(together[name].replicates, alone.replicates)
        assert np.array_equal(together[name].jackknife, alone.jackknife)


@pytest.mark.parametrize("given", ["plain", "weights", "groups"])
def test_limits_depend_neither_on_the_order_of_cases_nor_on_which_comes_first(given):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 80)
    answers = np.where(rng.random(80) < 0.6, y, rng.integers(0, 3, 80))
    more = {
        "plain": {},
        "weights": {"sample_weight": rng.uniform(1, 3, 80)},
        "groups": {"groups": rng.integers(0, 25, 80)},
    }[given]
    limits = set()
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(80) if seed else np.arange(80)
        known = {name: values[order] for name, values in more.items()}
        table = Predictions.of(y[order], answers[order], **known)
        i = bca(bootstrap_matrix(table, rates.matthews, rounds=500))
        limits.add((round(i.low, 9), round(i.high, 9)))
    assert len(limits) == 1
