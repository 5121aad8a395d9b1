"""The paired bootstrap, against plain resampling loops, the paired t and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.core import Predictions
from referee.errors import InputError, Refusal
from referee.intervals.one_set.bootstrap.ranking import (
    MEASURES,
    bootstrap_ranking,
    bootstrap_ranking_pair,
)
from referee.measures import (
    auc_k,
    average_precision,
    confusion,
    partial_auc,
    roc_curve,
)
from referee.measures.formulas import rates
from referee.significance.paired.paired_bootstrap import paired_matrix, paired_mean, paired_ranking


def answers(seed=0, n=120, share=0.4, wrong=(0.15, 0.25), k=2):
    rng = np.random.default_rng(seed)
    truth = rng.choice(k, size=n, p=None if k > 2 else [1 - share, share])
    made = [np.where(rng.random(n) < w, rng.integers(k, size=n), truth) for w in wrong]
    return truth, *made


def matrices_of(truth, first, second, k=2):
    labels = range(k)
    return [confusion(Predictions.of(truth, a, labels=list(labels))) for a in (first, second)]


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("form", [rates.matthews, rates.macro_f1, rates.error])
def test_value_is_the_difference_of_the_measures(k, form):
    data = answers(k=k)
    one, two = matrices_of(*data, k=k)
    made = paired_matrix(*data, form, classes=k, rounds=50)
    assert made.value == pytest.approx(float(form(one) - form(two)))


@pytest.mark.parametrize("stratify", [False, True])
def test_spread_against_a_plain_loop_over_drawn_cases(stratify):
    truth, first, second = answers(3)
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(3000):
        if stratify:
            rows = np.concatenate(
                [rng.choice(np.flatnonzero(truth == c), (truth == c).sum()) for c in (0, 1)]
            )
        else:
            rows = rng.integers(len(truth), size=len(truth))
        stack = np.zeros((2, 2, 2))
        for m, a in enumerate((first, second)):
            np.add.at(stack[m], (truth[rows], a[rows]), 1)
        drawn.append(float(np.subtract(*rates.matthews(stack))))
    made = paired_matrix(truth, first, second, rates.matthews, stratify=stratify, rounds=4000)
    assert np.std(made.replicates) == pytest.approx(np.std(drawn), rel=0.06)
    assert np.mean(made.replicates) == pytest.approx(np.mean(drawn), abs=0.006)


def test_jackknife_against_leaving_out_each_case():
    truth, first, second = answers(4, n=40)
    left = []
    for i in range(40):
        keep = np.arange(40) != i
        one, two = matrices_of(truth[keep], first[keep], second[keep])
        left.append(float(rates.matthews(one) - rates.matthews(two)))
    expected = math.sqrt(39 / 40 * np.sum((np.array(left) - np.mean(left)) ** 2))
    made = paired_matrix(truth, first, second, rates.matthews, rounds=50)
    assert made.jackknife_se == pytest.approx(expected)


def test_groups_are_drawn_whole_and_copies_tell_nothing_new():
    truth, first, second = answers(5, n=60)
    four = [np.repeat(v, 4) for v in (truth, first, second)]
    groups = np.repeat(np.arange(60), 4)
    copied = paired_matrix(*four, rates.matthews, groups=groups, rounds=2000)
    original = paired_matrix(truth, first, second, rates.matthews, rounds=2000)
    assert copied.jackknife_se == pytest.approx(original.jackknife_se)
    assert copied.standard_error == pytest.approx(original.standard_error, rel=0.08)
    assert copied.df == 59
    losses = [(a != four[0]).astype(float) for a in four[1:]]
    mean = paired_mean(*losses, groups=groups)
    assert mean.df == 59


def test_weights_count_as_copies():
    truth, first, second = answers(6, n=50)
    w = 1.0 + np.arange(50) % 3
    times = w.astype(int)
    made = paired_matrix(truth, first, second, rates.matthews, weights=w, rounds=50)
    copies = [np.repeat(v, times) for v in (truth, first, second)]
    assert made.value == pytest.approx(paired_matrix(*copies, rates.matthews, rounds=50).value)


def test_mean_against_the_paired_t_test():
    rng = np.random.default_rng(0)
    first, second = rng.exponential(size=200), rng.exponential(size=200)
    made = paired_mean(first, second, rounds=4000)
    oracle = stats.ttest_rel(first, second)
    assert made.value == pytest.approx(np.mean(first - second))
    assert made.jackknife_se == pytest.approx(stats.sem(first - second))
    assert made.evidence().p_value == pytest.approx(oracle.pvalue, abs=0.02)
    low, high = oracle.confidence_interval(0.95)
    assert made.interval().low == pytest.approx(low, abs=0.01)
    assert made.interval().high == pytest.approx(high, abs=0.01)


def scores(seed=0, n=150, share=0.4, rho=0.5, ties=False):
    rng = np.random.default_rng(seed)
    hit = np.arange(n) < share * n
    a = rng.normal(size=n)
    b = rho * a + math.sqrt(1 - rho**2) * rng.normal(size=n)
    pair = a + hit, b + 0.6 * hit
    return hit, *(np.round(v) if ties else v for v in pair)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("measure", ["auc", "auc10", "partial_auc", "average_precision"])
def test_ranking_spread_against_a_plain_loop(measure, ties):
    hit, first, second = scores(1, ties=ties)
    form = {
        "auc": lambda c: c.auc,
        "auc10": lambda c: auc_k(c, 10),
        "partial_auc": partial_auc,
        "average_precision": average_precision,
    }[measure]
    rng = np.random.default_rng(2)
    drawn = []
    for _ in range(600):
        classes = (np.flatnonzero(hit), np.flatnonzero(~hit))
        rows = np.concatenate([rng.choice(c, len(c)) for c in classes])
        one, two = (form(roc_curve(hit[rows], s[rows])) for s in (first, second))
        drawn.append(one - two)
    made = paired_ranking(hit, first, second, measure, rounds=3000)
    whole = [form(roc_curve(hit, s)) for s in (first, second)]
    assert made.value == pytest.approx(whole[0] - whole[1])
    assert np.std(made.replicates) == pytest.approx(np.std(drawn), rel=0.12)


@pytest.mark.parametrize("options", [{}, {"stratify": False}, {"groups": np.arange(150) // 2}])
def test_both_models_see_the_same_resamples(options):
    hit, first, _ = scores(2)
    drawn = bootstrap_ranking_pair(hit, first, 2 * first + 1, rounds=300, **options)
    assert drawn.shape == (300, 2, len(MEASURES))
    np.testing.assert_array_equal(drawn[:, 0], drawn[:, 1])


def test_each_ranking_alone_varies_as_alone():
    hit, first, second = scores(3)
    pair = bootstrap_ranking_pair(hit, first, second, rounds=4000)
    alone = bootstrap_ranking(hit, second, rounds=4000)
    np.testing.assert_allclose(pair[:, 1].std(axis=0), alone.std(axis=0), rtol=0.06)


def test_identical_models_have_p_one():
    truth, first, _ = answers()
    hit, score, _ = scores()
    for made in (
        paired_matrix(truth, first, first, rates.matthews),
        paired_ranking(hit, score, score**3, "auc50"),
        paired_mean(np.arange(9.0), np.arange(9.0)),
    ):
        assert made.value == 0
        assert made.evidence("t").p_value == 1
        assert made.evidence("percentile").p_value == 1


def test_a_difference_that_never_varies_shows_nothing_and_says_so():
    made = paired_mean(np.ones(9), np.zeros(9))
    assert made.value == 1
    for method in ("t", "percentile"):
        assert made.evidence(method).p_value == 1
        assert "not known" in made.evidence(method).flag


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(["matrix", "ranking", "mean"]))
def test_swapping_models_negates_the_difference_and_keeps_p(seed, kind):
    truth, first, second = answers(seed, n=40)
    hit, one, two = scores(seed, n=40)
    make = {
        "matrix": lambda a, b: paired_matrix(truth, a, b, rates.error, rounds=300),
        "mean": lambda a, b: paired_mean(a * 1.0, b * 1.0, rounds=300),
        "ranking": lambda a, b: paired_ranking(hit, a, b, rounds=300),
    }[kind]
    a, b = (one, two) if kind == "ranking" else (first, second)
    here, there = make(a, b), make(b, a)
    assert there.value == pytest.approx(-here.value)
    for method in ("t", "percentile"):
        p, q = here.evidence(method).p_value, there.evidence(method).p_value
        assert q == pytest.approx(p, abs=1e-9)


def test_percentile_p_by_inversion():
    hit, first, second = scores(4)
    made = paired_ranking(hit, first, second, rounds=999)
    below, above = np.sum(made.replicates <= 0), np.sum(made.replicates >= 0)
    p = made.evidence("percentile").p_value
    assert p == min(1, 2 * min(1 + below, 1 + above) / 1000)
    inside = made.interval(1 - p - 0.01, "percentile")
    assert not (inside.low <= 0 <= inside.high)
    assert made.evidence().test == "paired-bootstrap"


def test_the_percentile_form_is_flagged():
    for made in (paired_matrix(*answers(1), rates.matthews), paired_ranking(*scores())):
        assert made.evidence().flag == made.interval().flag == ""
        assert "too often" in made.evidence("percentile").flag
        assert "too often" in made.interval(method="percentile").flag


def test_degrees_of_freedom_are_those_of_the_smaller_class():
    assert paired_ranking(*scores(n=50, share=0.1)).df == 4


def test_same_seed_same_numbers():
    hit, first, second = scores()
    runs = [paired_ranking(hit, first, second, seed=s).replicates for s in (1, 1, 2)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_what_is_refused():
    truth, first, second = answers(n=30)
    with pytest.raises(InputError, match="30, 30 and 29"):
        paired_matrix(truth, first, second[1:], rates.error)
    with pytest.raises(InputError, match="leave stratify=False"):
        paired_matrix(truth, first, second, rates.error, groups=truth, stratify=True)
    with pytest.raises(Refusal, match="undefined for one of the models"):
        paired_matrix(truth, truth * 0, second, rates.matthews)
    with pytest.raises(InputError, match="'auc5O' is no ranking measure"):
        paired_ranking(truth == 1, first, second, "auc5O")
    with pytest.raises(InputError, match="both classes"):
        paired_ranking(np.ones(5, bool), np.arange(5.0), np.arange(5.0))
    with pytest.raises(InputError, match="method 'tt' is unknown"):
        paired_mean(np.arange(5.0), np.ones(5)).evidence("tt")
    with pytest.raises(InputError, match="same cases"):
        paired_mean(np.arange(5.0), np.ones(4))


def correlated(rng, n, share, tpr, fpr, rho):
    truth = (rng.random(n) < share).astype(int)
    a = rng.normal(size=n)
    b = rho * a + math.sqrt(1 - rho**2) * rng.normal(size=n)
    cut = stats.norm.isf(np.where(truth == 1, tpr, fpr))
    return truth, (a > cut).astype(int), (b > cut).astype(int)


def cost(matrix):
    return (matrix[..., 0, 1] + 5 * matrix[..., 1, 0]) / matrix.sum((-1, -2))


def matrix_size(form, n, share, tpr, fpr, rho, rounds, seed=0):
    rng = np.random.default_rng(seed)
    rejected = 0
    for r in range(rounds):
        data = correlated(rng, n, share, tpr, fpr, rho)
        try:
            made = paired_matrix(*data, form, classes=2, rounds=499, seed=r)
        except Refusal:
            continue
        rejected += made.evidence().p_value <= 0.05
    return rejected / rounds


def test_size_of_mcc_with_few_positives_by_simulation():
    assert matrix_size(rates.matthews, 50, 0.1, 0.6, 0.05, 0.0, 300) <= 0.09


def test_size_of_auc_with_five_positives_by_simulation():
    rng = np.random.default_rng(0)
    hit, rejected = np.arange(50) < 5, np.zeros(2)
    for r in range(200):
        a, b = rng.normal(size=50), rng.normal(size=50)
        made = paired_ranking(hit, a + hit, b + hit, rounds=299, seed=r)
        rejected += [made.evidence(m).p_value <= 0.05 for m in ("t", "percentile")]
    assert rejected[0] / 200 <= 0.075
    assert rejected[1] > rejected[0]


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 500])
@pytest.mark.parametrize("cell", [(0.5, 0.8, 0.2), (0.1, 0.6, 0.05), (0.3, 0.95, 0.05)])
@pytest.mark.parametrize("rho", [0.0, 0.7])
@pytest.mark.parametrize("form", [rates.matthews, lambda m: rates.f1(m, 1), cost])
def test_size_over_many_cells(form, n, cell, rho, capsys, request):
    size = matrix_size(form, n, *cell, rho, 1000)
    with capsys.disabled():
        print(f"\n{request.node.callspec.id}: {size:.3f}", end="")
    assert size <= 0.075


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 500])
@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
@pytest.mark.parametrize("measure", ["auc", "auc50", "average_precision"])
def test_size_of_rankings_over_many_cells(measure, n, share, capsys):
    rng = np.random.default_rng(0)
    hit, rejected = np.arange(n) < share * n, 0
    for r in range(600):
        a, b = rng.normal(size=n), rng.normal(size=n)
        made = paired_ranking(hit, a + hit, b + hit, measure, rounds=499, seed=r)
        rejected += made.evidence().p_value <= 0.05
    with capsys.disabled():
        print(f"\n{measure}, n {n}, share {share}: {rejected / 600:.3f}", end="")
    assert rejected / 600 <= 0.1


def test_groups_of_a_ranking_are_drawn_whole_and_copies_tell_nothing_new():
    positive, one, two = scores(n=200)
    copies = np.repeat(np.arange(200), 6)
    alone = paired_ranking(positive, one, two, rounds=2000)
    wide = [a[copies] for a in (positive, one, two)]
    grouped = paired_ranking(*wide, groups=copies, rounds=2000)
    ignored = paired_ranking(*wide, rounds=2000)
    assert grouped.value == pytest.approx(alone.value)
    assert grouped.df == alone.df
    spread = [np.std(d.replicates) for d in (alone, grouped, ignored)]
    assert spread[1] == pytest.approx(spread[0], rel=0.1)
    assert spread[2] == pytest.approx(spread[0] / math.sqrt(6), rel=0.1)
