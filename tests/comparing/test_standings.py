"""Ranks, rank intervals and tiers, against brute force; and whether the intervals keep faith."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.comparing.comparison import Pair
from referee.comparing.standings import standings
from referee.core import Estimate, Evidence, Outcome

SHOWN = (Outcome.FIRST, Outcome.SECOND)
OPEN = (Outcome.UNDECIDED, Outcome.EQUIVALENT, Outcome.PASS)


def estimate(value, up=False):
    return Estimate(name="x", value=value, n=10, method="test set", greater_is_better=up)


def pair(first, second, outcome):
    return Pair(
        first=first,
        second=second,
        difference=estimate(0.0),
        evidence=Evidence(test="t", statistic=0.0, p_value=1.0, null="", n=10),
        outcome=outcome,
    )


def names(k):
    return [f"m{i}" for i in range(k)]


@st.composite
def leagues(draw, most=6, orderly=False):
    """Return values and pairs; if orderly, no model is beaten by one of a worse value."""
    k = draw(st.integers(2, most))
    values = draw(st.lists(st.integers(0, 4), min_size=k, max_size=k))
    pairs = []
    for i, j in itertools.combinations(range(k), 2):
        outcomes = [*OPEN, *SHOWN]
        if orderly:
            better = Outcome.FIRST if values[i] < values[j] else Outcome.SECOND
            outcomes = [*OPEN] if values[i] == values[j] else [*OPEN, better, better]
        pairs.append(pair(f"m{i}", f"m{j}", draw(st.sampled_from(outcomes))))
    return [v / 10 for v in values], pairs


def beats(pairs):
    """Return the wins (winner, loser) that were shown."""
    wins = set()
    for d in pairs:
        if d.outcome is Outcome.FIRST:
            wins.add((d.first, d.second))
        elif d.outcome is Outcome.SECOND:
            wins.add((d.second, d.first))
    return wins


def placed(values, pairs, up=False):
    made = standings({f"m{i}": estimate(v, up) for i, v in enumerate(values)}, pairs)
    return {s.name: s for s in made}


# Ranks.


@given(leagues())
def test_ranks_count_the_better_values_and_ties_share_them(league):
    values, pairs = league
    made = placed(values, pairs)
    for i, value in enumerate(values):
        assert made[f"m{i}"].rank == 1 + sum(v < value for v in values)


@given(leagues())
def test_ranks_respect_the_direction(league):
    values, pairs = league
    down, up = placed(values, pairs), placed([1 - v for v in values], pairs, up=True)
    assert {n: s.rank for n, s in down.items()} == {n: s.rank for n, s in up.items()}


def test_undefined_values_come_last():
    made = standings(
        {"a": estimate(float("nan"), True), "b": estimate(-5.0, True), "c": estimate(0.3, True)}, []
    )
    assert [(s.name, s.rank) for s in made] == [("c", 1), ("b", 2), ("a", 3)]


@given(leagues(orderly=True))
def test_the_best_come_first(league):
    values, pairs = league
    order = [s.rank for s in standings({f"m{i}": estimate(v) for i, v in enumerate(values)}, pairs)]
    assert order == sorted(order)


# Rank intervals.


@given(leagues())
def test_rank_intervals_against_counting_pairs(league):
    values, pairs = league
    wins = beats(pairs)
    for name, s in placed(values, pairs).items():
        assert s.best_rank == 1 + sum(loser == name for _, loser in wins)
        assert s.worst_rank == len(values) - sum(winner == name for winner, _ in wins)


def closure(wins, k):
    reached = {n: {b for a, b in wins if a == n} for n in names(k)}
    for _ in range(k):
        reached = {
            n: below | {b for m in below for b in reached[m]} for n, below in reached.items()
        }
    return {(a, b) for a, below in reached.items() for b in below}


@given(leagues(most=5, orderly=True))
def test_rank_intervals_hold_every_order_that_the_pairs_allow(league):
    values, pairs = league
    k, wins = len(values), beats(pairs)
    allowed = [
        order
        for order in itertools.permutations(names(k))
        if all(order.index(a) < order.index(b) for a, b in wins)
    ]
    ranks = {n: [order.index(n) + 1 for order in allowed] for n in names(k)}
    transitive = closure(wins, k) == wins
    for name, s in placed(values, pairs).items():
        assert s.best_rank <= min(ranks[name])
        assert s.worst_rank >= max(ranks[name])
        if transitive:
            assert (s.best_rank, s.worst_rank) == (min(ranks[name]), max(ranks[name]))


@given(leagues(orderly=True))
def test_a_models_own_rank_lies_in_its_interval_unless_it_shares_it(league):
    values, pairs = league
    for s in placed(values, pairs).values():
        assert s.best_rank <= s.rank <= s.worst_rank


# Tiers.


def peeled(wins, k):
    """Take off, layer by layer, who is beaten by nobody left; a ring goes in one piece."""
    left, tier, found = set(names(k)), 0, {}
    while left:
        tier += 1
        losers = {b for a, b in wins if a in left and b in left}
        top = left - losers or set(left)
        found.update(dict.fromkeys(top, tier))
        left -= top
    return found


@given(leagues())
def test_tiers_against_peeling(league):
    values, pairs = league
    made = {n: s.tier for n, s in placed(values, pairs).items()}
    assert made == peeled(beats(pairs), len(values))


@given(leagues(orderly=True))
def test_tiers_are_the_longest_chains_of_defeats(league):
    values, pairs = league
    wins = beats(pairs)

    def depth(name):
        return 1 + max((depth(a) for a, b in wins if b == name), default=0)

    for name, s in placed(values, pairs).items():
        assert s.tier == depth(name)


def test_a_ring_of_defeats_ends():
    ring = [
        pair("m0", "m1", Outcome.FIRST),
        pair("m1", "m2", Outcome.FIRST),
        pair("m0", "m2", Outcome.SECOND),
    ]
    assert {s.tier for s in placed([0.1, 0.2, 0.3], ring).values()} == {1}


@given(leagues(orderly=True), st.randoms())
def test_order_of_models_and_pairs_changes_nothing(league, random):
    values, pairs = league
    estimates = list({f"m{i}": estimate(v) for i, v in enumerate(values)}.items())
    one = {s.name: s for s in standings(dict(estimates), pairs)}
    random.shuffle(estimates)
    shuffled = list(pairs)
    random.shuffle(shuffled)
    other = {s.name: s for s in standings(dict(estimates), shuffled)}
    assert one == other


# In a comparison.


def fixed_models(n, errors, rng):
    """Return truth and answers of models that err with these chances, cases alike in difficulty."""
    truth = rng.integers(0, 2, n)
    hard = rng.random(n)
    preds = {}
    for i, e in enumerate(errors):
        # Half of a model's errors fall on cases that are hard for all.
        chance = np.where(hard < e, 0.5, 0.5 * e / (1 - e))
        preds[f"m{i}"] = np.where(rng.random(n) < chance, 1 - truth, truth)
    return truth, preds


def test_standings_of_a_comparison_follow_its_pairs():
    truth, preds = fixed_models(300, (0.05, 0.06, 0.2, 0.22, 0.45), np.random.default_rng(0))
    made = referee.compare_predictions(truth, preds)
    wins = beats(made.pairs)
    assert wins
    tiers = peeled(wins, 5)
    for s in made.standings:
        assert s.tier == tiers[s.name]
        assert s.best_rank == 1 + sum(loser == s.name for _, loser in wins)
        assert s.worst_rank == 5 - sum(winner == s.name for winner, _ in wins)
        assert s.estimate.value == pytest.approx(np.mean(preds[s.name] != truth))
    assert made.best == tuple(s.name for s in made.standings if tiers[s.name] == 1)


def test_equal_errors_share_a_rank_in_a_comparison():
    truth = np.arange(100) % 2
    preds = {m: truth.copy() for m in "abc"}
    preds["a"][:10] ^= 1
    preds["b"][10:20] ^= 1
    preds["c"][:30] ^= 1
    made = referee.compare_predictions(truth, preds)
    assert {s.name: s.rank for s in made.standings} == {"a": 1, "b": 1, "c": 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    "errors",
    [
        (0.10, 0.10, 0.10, 0.10, 0.10),
        (0.10, 0.10, 0.20, 0.20, 0.30),
        (0.05, 0.08, 0.12, 0.17, 0.25),
        (0.20, 0.21, 0.22, 0.23, 0.24),
    ],
)
def test_rank_intervals_cover_and_wrong_claims_are_rare_by_simulation(errors, capsys):
    rng = np.random.default_rng(11)
    rounds, covered, wrong = 600, 0, 0
    true_rank = {f"m{i}": 1 + sum(other < e for other in errors) for i, e in enumerate(errors)}
    worst_rank = {f"m{i}": sum(other <= e for other in errors) for i, e in enumerate(errors)}
    error = {f"m{i}": e for i, e in enumerate(errors)}
    for _ in range(rounds):
        truth, preds = fixed_models(250, errors, rng)
        made = referee.compare_predictions(truth, preds)
        covered += all(
            s.best_rank <= true_rank[s.name] and worst_rank[s.name] <= s.worst_rank
            for s in made.standings
        )
        wrong += any(error[a] >= error[b] for a, b in beats(made.pairs))
    with capsys.disabled():
        print(f"\n  errors {errors}: ranks covered {covered / rounds:.3f}, ", end="")
        print(f"some wrong claim {wrong / rounds:.3f}")
    noise = 3 * (0.05 * 0.95 / rounds) ** 0.5
    assert covered / rounds >= 0.95 - noise
    assert wrong / rounds <= 0.05 + noise
