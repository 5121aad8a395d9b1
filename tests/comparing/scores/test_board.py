"""The board: tiers, rank intervals for all models at once, p against the first, groups."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee
from referee.comparing.scores.pair import pair_of
from referee.comparing.scores.question import ScoresQuestion
from referee.comparing.scores.standings import cliques, rank_limits, tiers
from referee.core.results import Outcome
from referee.core.scores.scores import Scores
from referee.errors import InputError, Refusal
from referee.significance.multiplicity.holm import holm


def models(rates, n=200, seed=0):
    rng = np.random.default_rng(seed)
    luck = rng.random((n, 1))
    own = rng.random((n, len(rates)))
    return {
        f"m{j}": (0.5 * luck[:, 0] + 0.5 * own[:, j] < rate).astype(int)
        for j, rate in enumerate(rates)
    }


def test_pairs_and_adjusted_p_against_one_by_one():
    table = models([0.8, 0.7, 0.55, 0.5])
    made = referee.board(table)
    scores, question = Scores.of(table), ScoresQuestion(pairs=6)
    pairs = [pair_of(scores, a, b, question) for a, b in itertools.combinations(scores.models, 2)]
    frame = made.pair_frame()
    np.testing.assert_allclose(frame["p"], [p.evidence.p_value for p in pairs], rtol=1e-10)
    np.testing.assert_allclose(frame["p_adjusted"], holm([p.evidence.p_value for p in pairs]))
    leader = made.places[0].name
    for place in made.places[1:]:
        row = frame[
            frame["first"].isin([leader, place.name]) & frame["second"].isin([leader, place.name])
        ]
        assert place.p_leader == row["p_adjusted"].iloc[0]


def test_places_follow_from_who_was_shown_to_beat_whom():
    made = referee.board(models([0.9, 0.88, 0.5, 0.48, 0.1]))
    frame = made.pair_frame()
    beats = {
        (r["first"], r["second"]) if r["difference"] > 0 else (r["second"], r["first"])
        for r in frame.to_dict("records")
        if r["p_adjusted"] <= 0.05
    }
    for place in made.places:
        lost = sum(b == place.name for _, b in beats)
        won = sum(a == place.name for a, _ in beats)
        assert place.best_rank == 1 + lost
        assert place.worst_rank == len(made.names) - won
        assert place.best_rank <= place.rank <= place.worst_rank
        assert (place.tier == 1) == (lost == 0)


def test_one_model_above_all_others_is_first():
    made = referee.board(models([0.9, 0.4, 0.3]))
    assert made.verdict.outcome is Outcome.FIRST
    assert made.best == ("m0",)
    assert made.places[0].worst_rank == 1


def test_ties_share_a_rank_a_tier_and_a_group():
    table = models([0.7, 0.7])
    same = referee.board({"a": table["m0"], "b": table["m0"], "c": table["m0"]})
    assert [p.rank for p in same.places] == [1, 1, 1]
    assert [p.tier for p in same.places] == [1, 1, 1]
    assert same.groups == (("a", "b", "c"),)
    assert same.verdict.outcome is Outcome.UNDECIDED


def test_smaller_is_better():
    table = {m: 5.0 * np.asarray(v) + np.linspace(0, 1, 200) for m, v in models([0.9, 0.2]).items()}
    made = referee.board(table, greater_is_better=False)
    assert [p.name for p in made.places] == ["m1", "m0"]
    assert made.places[1].behind == pytest.approx(table["m0"].mean() - table["m1"].mean())


def test_models_that_lack_items_are_compared_on_shared_ones():
    table = models([0.8, 0.5, 0.6], n=60)
    rows = [
        {"item": i, "model": m, "score": table[m][i]}
        for m in table
        for i in range(60)
        if not (m == "m2" and i < 20)
    ]
    made = referee.board({k: [r[k] for r in rows] for k in ("item", "model", "score")})
    frame = made.pair_frame()
    assert frame["n"].tolist() == [60, 40, 40]
    assert [f.code for f in made.findings] == ["R041"]


def test_models_without_a_shared_item_have_no_place_on_one_board():
    table = {"item": [1, 2, 3, 4], "model": list("aabb"), "score": [1, 0, 1, 0]}
    with pytest.raises(InputError, match="'a' and 'b' have no item in common"):
        referee.board(table)


def test_one_model_is_no_board_and_judges_are_not_put_right():
    with pytest.raises(InputError, match="at least two models"):
        referee.board([1, 0, 1])
    table = {"item": [1, 2, 1, 2], "model": list("aabb"), "score": [1, 0, 1, 1]}
    with pytest.raises(Refusal, match="compare two models with compare_scores"):
        referee.board(table | {"human": [1, None, 1, None]})


def test_adjustments_are_the_catalogue_s():
    table = models([0.8, 0.7, 0.6, 0.5])
    weak = referee.board(table, adjust="benjamini-hochberg")
    strong = referee.board(table)
    assert np.all(weak.p_adjusted <= strong.p_adjusted + 1e-12)
    assert "false discoveries" in weak.methods


@given(st.integers(2, 7), st.data())
@settings(max_examples=60, deadline=None)
def test_tiers_and_ranks_of_any_order(k, data):
    # A transitive "was shown to beat": a model beats those at least some steps behind it.
    place = data.draw(st.permutations(range(k)))
    reach = data.draw(st.integers(1, k))
    beats = np.array([[place[j] - place[i] >= reach for j in range(k)] for i in range(k)])
    best, worst = rank_limits(beats)
    layers = tiers(beats)
    for i in range(k):
        assert 1 <= best[i] <= place[i] + 1 <= worst[i] <= k
        assert layers[i] == 1 + place[i] // reach
    order = sorted(range(k), key=lambda i: place[i])
    groups = cliques(order, beats | beats.T)
    for a, b in itertools.combinations(range(k), 2):
        together = any({a, b} <= set(g) for g in groups)
        assert together == (abs(place[a] - place[b]) < reach)


def rank_coverage(rates, n, repetitions, seed):
    """Return how often all rank intervals hold at once, ties counted in any order."""
    held = 0
    ordered = sorted(rates, reverse=True)
    for r in range(repetitions):
        made = referee.board(models(rates, n=n, seed=seed + r))
        held += all(
            p.best_rank <= 1 + ordered.index(rates[int(p.name[1:])])
            and p.worst_rank >= len(rates) - ordered[::-1].index(rates[int(p.name[1:])])
            for p in made.places
        )
    return held / repetitions


def test_rank_intervals_hold_for_all_models_at_once():
    assert rank_coverage([0.7, 0.7, 0.6, 0.6, 0.4], 80, 60, 0) >= 0.88


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100, 300])
def test_rank_intervals_hold_for_all_models_at_once_many_times(n):
    assert rank_coverage([0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.5, 0.5], n, 1000, 1) >= 0.94
