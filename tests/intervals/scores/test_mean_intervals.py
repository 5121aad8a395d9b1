"""Intervals of a mean score: exact ones, invariances, limits and degenerate samples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import referee
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.errors import InputError, Refusal
from referee.intervals.one_set.proportion import clopper_pearson, wilson
from referee.intervals.scores.catalogue import MEAN_INTERVALS, mean_interval
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.intervals.scores.skewed_t import skewed_t


def scores(values, **options):
    return ItemScores(values=np.asarray(values, dtype=float), **options)


def shares(values, **options):
    return scores(values, low=0.0, high=1.0, **options)


@pytest.mark.parametrize("right", [0, 3, 17, 20])
def test_one_0_1_score_an_item_against_clopper_pearson(right):
    items = shares([1] * right + [0] * (20 - right))
    made, exact = mean_interval(items), clopper_pearson(right, 20)
    assert made.method == "clopper-pearson"
    assert (made.low, made.high) == (exact.low, exact.high)
    assert mean_interval(items, method="wilson").low == wilson(right, 20).low


def test_scaled_0_1_scores_are_scaled():
    made = mean_interval(scores([1, 5, 5, 5], low=1.0, high=5.0))
    exact = clopper_pearson(3, 4)
    assert (made.low, made.high) == pytest.approx((1 + 4 * exact.low, 1 + 4 * exact.high))


def test_effective_beta_of_0_1_scores_is_nearly_exact():
    items = shares([1] * 60 + [0] * 40)
    beta, exact = mean_interval(items, method="effective-beta"), mean_interval(items)
    # 99 worth, times the price of t, at least the 100 there are.
    assert (beta.low, beta.high) == (exact.low, exact.high)


def test_effective_beta_by_hand():
    values = np.array([0.2, 0.4, 0.4, 0.6, 0.9, 0.5, 0.7, 0.1])
    p, n = values.mean(), len(values)
    worth = p * (1 - p) / (values.var(ddof=1) / n)
    worth *= (stats.norm.ppf(0.975) / stats.t.ppf(0.975, n - 1)) ** 2
    made = mean_interval(shares(values))
    assert made.n_effective == pytest.approx(worth)
    low, high = stats.beta.ppf(
        [0.025, 0.975], [p * worth, p * worth + 1], [(1 - p) * worth + 1, (1 - p) * worth]
    )
    assert (made.low, made.high) == pytest.approx((low, high))


def test_willink_ends_against_the_root_of_the_cubic():
    values = np.array([0.1, 0.3, 0.2, 0.9, 4.0, 0.5, 0.2])
    made = cluster_mean(scores(values))
    a, t = made.skewness / 6, made.quantile(0.95)
    assert made.skewness == pytest.approx(stats.skew(values, bias=False) / np.sqrt(7))

    def bent(mu):
        x = (made.mean - mu) / made.se
        return x + a + 2 * a * x**2 + 4 / 3 * a**2 * x**3

    high = optimize.brentq(lambda mu: bent(mu) + t, made.mean, made.mean + 100 * made.se)
    got = skewed_t(scores(values))
    assert got.high == pytest.approx(high, rel=1e-9)
    assert got.low == pytest.approx(made.mean - t * made.se)


def test_skewed_t_reaches_as_far_as_t_and_turns_round_with_the_scores():
    values = np.random.default_rng(0).exponential(size=15)
    t = mean_interval(scores(values), method="cluster-t")
    made, mirrored = skewed_t(scores(values)), skewed_t(scores(-values))
    assert made.low <= t.low
    assert made.high > t.high
    assert (-mirrored.high, -mirrored.low) == pytest.approx((made.low, made.high))


LIMITED = st.lists(st.floats(0, 1).map(lambda v: round(v, 3)), min_size=2, max_size=25).filter(
    lambda v: len(set(v)) > 1
)


@given(LIMITED, st.randoms())
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", ["effective-beta", "skewed-t", "cluster-t"])
def test_intervals_do_not_depend_on_order_and_follow_scale(name, values, random):
    made = mean_interval(shares(values), method=name)
    mixed = list(values)
    random.shuffle(mixed)
    again = mean_interval(shares(mixed), method=name)
    assert (again.low, again.high) == pytest.approx((made.low, made.high), abs=1e-9)
    stretched = scores([3 + 7 * v for v in values], low=3.0, high=10.0)
    wide = mean_interval(stretched, method=name)
    assert (wide.low, wide.high) == pytest.approx((3 + 7 * made.low, 3 + 7 * made.high), abs=1e-7)
    turned = mean_interval(shares([1 - v for v in values]), method=name)
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((made.low, made.high), abs=1e-7)


@given(LIMITED)
@settings(max_examples=60, deadline=None)
def test_effective_beta_holds_the_mean_within_the_limits(values):
    items = shares(values)
    narrow, wide = mean_interval(items, 0.8), mean_interval(items, 0.99)
    assert 0 <= wide.low <= narrow.low <= items.mean + 1e-12
    assert items.mean - 1e-12 <= narrow.high <= wide.high <= 1


def test_copies_of_clusters_do_not_narrow_the_interval():
    rng = np.random.default_rng(1)
    values = rng.uniform(size=12)
    alone = mean_interval(shares(values), method="cluster-t")
    copied = shares(np.repeat(values, 10), cluster=np.repeat(np.arange(12), 10))
    assert mean_interval(copied, method="cluster-t").width == pytest.approx(alone.width)
    ignored = mean_interval(shares(np.repeat(values, 10)))
    assert mean_interval(copied).width > 2 * ignored.width


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_scores_that_are_all_the_same_leave_an_interval_between_limits(value):
    made = mean_interval(shares([value] * 30, single=False))
    assert made.method == "effective-beta"
    assert made.low < made.high
    assert made.low <= value <= made.high
    assert made.n_effective == 30
    grouped = mean_interval(shares([value] * 30, cluster=np.arange(30) // 10))
    assert grouped.n_effective == pytest.approx(3)
    assert grouped.width > made.width


def test_one_item_between_limits_says_nearly_nothing():
    made = mean_interval(shares([0.4]))
    assert made.width > 0.9


def test_without_limits_and_without_spread_there_is_no_interval():
    with pytest.raises(Refusal, match="all scores are the same"):
        mean_interval(scores([3.0, 3.0, 3.0]))
    with pytest.raises(Refusal, match="one item"):
        mean_interval(scores([3.0]))
    flat = mean_interval(scores([3.0, 3.0]), method="cluster-t")
    assert flat.width == 0
    assert "no width" in flat.flag


@pytest.mark.parametrize(
    ("name", "items", "says"),
    [
        ("clopper-pearson", shares([0.5, 1]), "belong to one 0/1 score"),
        ("clopper-pearson", shares([0, 1, 1], cluster=np.array([0, 0, 1])), "0/1 score an item"),
        ("wilson", shares([0, 1], weight=np.array([1.0, 2.0])), "of equal weight"),
        ("effective-beta", scores([1, 2]), "needs limits"),
        ("percentile", scores([1.0]), "at least two"),
        ("betting", scores([1, 2]), "limits that scores keep"),
        ("betting", shares([0, 1], weight=np.array([1.0, 2.0])), "knows no weights"),
        ("betting", shares([0, 1, 1], cluster=np.array([0, 0, 1])), "clusters of one size"),
    ],
)
def test_named_intervals_refuse_what_they_do_not_suit(name, items, says):
    with pytest.raises(Refusal, match=says):
        mean_interval(items, method=name)


def test_an_unknown_name_is_told_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'effective-beta'"):
        mean_interval(shares([0.5, 1]), method="effective-bet")


def test_bootstrap_intervals_against_scipy():
    values = np.random.default_rng(3).beta(2, 1, size=40)
    ours = mean_interval(shares(values), method="bca")
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=9999, method="BCa", rng=np.random.default_rng(0)
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs), abs=0.006)


def test_the_cluster_bootstrap_against_drawing_clusters_by_hand():
    rng = np.random.default_rng(4)
    code = np.repeat(np.arange(15), rng.integers(2, 9, 15))
    values = np.clip(rng.normal(0.5, 0.1, len(code)) + rng.normal(0, 0.2, 15)[code], 0, 1)
    ours = mean_interval(shares(values, cluster=code), method="percentile")
    sums, sizes = np.bincount(code, values), np.bincount(code)
    drawn = rng.integers(0, 15, (9999, 15))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.01)


def test_every_entry_carries_title_and_assumptions_or_citation():
    for name, method in MEAN_INTERVALS.items():
        assert name == method.name
        assert method.title
        assert method.citations
    assert set(MEAN_INTERVALS.automatic) <= set(MEAN_INTERVALS)


def test_an_interval_can_be_added_from_outside():
    from referee.intervals.scores.mean_interval import MeanInterval

    mine = MeanInterval(
        "whole",
        title="everything",
        compute=lambda items, level: clopper_pearson(0, 1e-9 + 1, level),
    )
    MEAN_INTERVALS.register(mine)
    try:
        assert mean_interval(shares([0, 1]), method="whole").low == 0
    finally:
        MEAN_INTERVALS.remove("whole")


def test_an_interval_from_outside_is_chosen_reported_listed_and_studied():
    from referee.cli.terminal.catalogued import filled
    from referee.core.citations import Citation
    from referee.intervals.scores.mean_interval import MeanInterval
    from referee.study.scores.cells import score_cells
    from referee.study.scores.trial import tried

    work = Citation("Doe 2031", "Doe, J. (2031). A Mean. Journal of Tests 1, 1-2.")
    mine = MeanInterval(
        "whole",
        title="everything there is",
        citations=(work,),
        refusal=lambda items: None if items.bounded else "needs limits",
        compute=lambda items, level: Interval(
            low=items.low, high=items.high, level=level, method="whole"
        ),
    )
    MEAN_INTERVALS.register(mine, before="clopper-pearson")
    try:
        e = referee.evaluate_scores([0.0, 1.0, 0.5, 1.0])
        assert (e.estimate.interval.low, e.estimate.interval.high) == (0, 1)
        assert "interval is everything there is (Doe 2031)" in e.methods
        assert work.work in " ".join(e.to_markdown().split())
        free = referee.evaluate_scores([1.0, 2.0, 7.0, 4.0], limits=None)
        assert free.estimate.interval.method == "skewed-t"
        with pytest.raises(Refusal, match="needs limits"):
            referee.evaluate_scores([1.0, 2.0, 7.0, 4.0], limits=None, interval="whole")
        assert "whole" in filled("{mean_intervals}")
        cell = next(c for c in score_cells("fresh", differences=False) if c.law.low == 0)
        rates = {r.method: r.covered for r in tried(cell, 20, 0, ("whole", "wilson"))}
        assert rates["whole"] == 1
    finally:
        MEAN_INTERVALS.remove("whole")


def test_the_guaranteed_interval_of_clusters_is_that_of_their_means():
    from referee.intervals.sequential.betting import betting_interval

    rng = np.random.default_rng(6)
    table = np.clip(rng.normal(0.6, 0.1, (40, 5)) + rng.normal(0, 0.1, (40, 1)), 0, 1)
    items = shares(table.ravel(), cluster=np.repeat(np.arange(40), 5))
    made, of_means = mean_interval(items, method="betting"), betting_interval(table.mean(axis=1))
    assert (made.low, made.high) == pytest.approx((of_means.low, of_means.high))
    assert made.width > mean_interval(items).width
