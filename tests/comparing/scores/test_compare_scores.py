"""compare_scores: two models item by item, the sentence, and a judge put right."""

import numpy as np
import pytest

import referee
from referee.core.results import Outcome
from referee.errors import InputError

BETTER = {"new": [1] * 36 + [0] * 4, "old": [1] * 20 + [0] * 20}


def test_first_and_second_follow_the_order_of_the_models():
    assert referee.compare_scores(BETTER).verdict.outcome is Outcome.FIRST
    turned = referee.compare_scores(BETTER, models=["old", "new"])
    assert turned.verdict.outcome is Outcome.SECOND
    assert turned.difference.value == pytest.approx(-0.4)
    assert "new is better than old" in turned.verdict.sentence


def test_smaller_is_better_turns_the_verdict():
    made = referee.compare_scores(BETTER, greater_is_better=False)
    assert made.verdict.outcome is Outcome.SECOND
    assert "mean score of old 40.0 points lower" in made.verdict.sentence


def test_the_sentence_tells_size_interval_test_and_power():
    sentence = referee.compare_scores(BETTER).verdict.sentence
    for part in ("40.0 points higher", "95 % interval", "40 shared items", "exact McNemar p < .001",
                 "could detect"):  # fmt: skip
        assert part in sentence


def test_undecided_says_how_many_items_it_would_take():
    table = {"a": [1] * 23 + [0] * 17, "b": [0, 0, 1] + [1] * 18 + [0] * 19}
    made = referee.compare_scores(table)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "takes about" in made.verdict.sentence


def test_equivalence_within_a_rope():
    rng = np.random.default_rng(0)
    a = rng.uniform(size=500)
    made = referee.compare_scores(
        {"a": a, "b": np.clip(a + rng.normal(0, 0.02, 500), 0, 1)}, rope=0.02
    )
    assert made.verdict.outcome is Outcome.EQUIVALENT
    passed = referee.compare_scores({"a": a, "b": a}, rope=0.05, claim="non-inferior")
    assert passed.verdict.outcome is Outcome.PASS


def test_identical_models():
    made = referee.compare_scores({"a": [1, 0, 1, 1], "b": [1, 0, 1, 1]})
    assert made.evidence.p_value == 1
    assert "none of 4 items tells them apart" in made.verdict.sentence
    real = referee.compare_scores({"a": [1.5, 2, 3], "b": [1.5, 2, 3]})
    assert real.difference.interval is None
    assert real.verdict.outcome is Outcome.UNDECIDED


def test_without_shared_items_it_is_said_so():
    table = {
        "item": [f"x{i}" for i in range(30)] + [f"y{i}" for i in range(30)],
        "model": ["a"] * 30 + ["b"] * 30,
        "score": np.tile([0.2, 0.5, 0.9], 20),
    }
    made = referee.compare_scores(table)
    assert not made.pair.paired
    assert "different items, not paired" in made.verdict.sentence
    assert [f.code for f in made.findings] == ["R045"]


def test_own_means_are_of_the_shared_items():
    table = {"item": [1, 2, 3, 1, 2], "model": list("aaabb"), "score": [1, 1, 0, 0, 1]}
    made = referee.compare_scores(table)
    assert made.estimates["a"].value == 1.0
    assert made.estimates["a"].n == 2


@pytest.mark.parametrize(
    ("table", "options", "says"),
    [
        ([1, 0, 1], {}, "one model only"),
        ({"a": [1, 0], "b": [1, 1], "c": [0, 0]}, {}, "3 models .*name two with models="),
        (BETTER, {"models": ["new"]}, "must name the two models"),
        (BETTER, {"models": ["new", "nwe"]}, "no model 'nwe'"),
        (BETTER, {"level": 95}, "level must lie"),
    ],
)
def test_bad_requests(table, options, says):
    with pytest.raises(InputError, match=says):
        referee.compare_scores(table, **options)


def judged(n=300, marked=80, seed=0):
    """Two models marked by a judge who favours the first; people do not."""
    rng = np.random.default_rng(seed)
    truth = {m: (rng.random(n) < 0.6).astype(float) for m in "ab"}
    judge = {
        "a": np.where(rng.random(n) < 0.2, 1.0, truth["a"]),
        "b": np.where(rng.random(n) < 0.2, 0.0, truth["b"]),
    }
    human = {m: np.where(np.arange(n) < marked, truth[m], np.nan) for m in "ab"}
    return {
        "item": np.tile(np.arange(n), 2),
        "model": ["a"] * n + ["b"] * n,
        "score": np.concatenate([judge["a"], judge["b"]]),
        "human": np.concatenate([human["a"], human["b"]]),
    }


def test_a_judge_who_favours_one_model_is_put_right():
    table = judged()
    fooled = referee.compare_scores({k: v for k, v in table.items() if k != "human"})
    assert fooled.verdict.outcome is Outcome.FIRST
    made = referee.compare_scores(table)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert made.evidence.test == "prediction-powered"
    assert made.correction.bias.interval.low > 0
    assert 0 in made.difference.interval
    assert "human marks" in made.advice


def test_people_must_mark_both_models():
    table = judged()
    one = np.where(np.array(table["model"]) == "a", table["human"], np.nan)
    with pytest.raises(InputError, match="no item has a human mark of both"):
        referee.compare_scores(table | {"human": one})


def test_a_difference_that_no_test_set_shows_is_said_so():
    rng = np.random.default_rng(3)
    a = rng.normal(0, 1, 4000)
    b = a + rng.normal(0, 1, 4000)
    made = referee.compare_scores({"a": a, "b": b - (b - a).mean() + 1e-5})
    assert "takes more items than any test set has" in made.verdict.sentence
    assert "takes more items than any test set has" in " ".join(str(made).split())
