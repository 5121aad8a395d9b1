"""evaluate_scores: means, claims, runs, tries and a judge put right, in one result."""

import numpy as np
import pandas as pd
import pytest

import referee
from referee.core.results import Outcome
from referee.errors import InputError, Refusal
from referee.intervals.one_set.proportion import clopper_pearson


def runs(n=40, r=4, seed=0, **more):
    rng = np.random.default_rng(seed)
    level = rng.beta(2, 1, n)
    return {
        "item": np.repeat(np.arange(n), r),
        "run": np.tile(np.arange(r), n),
        "score": (rng.random(n * r) < np.repeat(level, r)).astype(int),
        **more,
    }


def test_one_0_1_score_an_item():
    made = referee.evaluate_scores([1] * 45 + [0] * 5)
    exact = clopper_pearson(45, 50)
    i = made.estimate.interval
    assert (i.low, i.high) == (exact.low, exact.high)
    assert made.runs is None
    assert made.passes == ()


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"at_least": 0.7}, Outcome.PASS),
        ({"at_least": 0.85}, Outcome.UNDECIDED),
        ({"at_least": 0.99}, Outcome.FAIL),
        ({"at_most": 0.96}, Outcome.UNDECIDED),
        ({"at_most": 0.99}, Outcome.PASS),
        ({"at_most": 0.5}, Outcome.FAIL),
        ({}, Outcome.UNDECIDED),
    ],
)
def test_claims_are_judged_by_the_interval(claim, outcome):
    made = referee.evaluate_scores([1] * 45 + [0] * 5, **claim)
    assert made.verdict.outcome is outcome


def test_an_open_claim_says_how_many_items_would_show_it():
    made = referee.evaluate_scores([1] * 45 + [0] * 5, at_least=0.85)
    assert "with about" in made.verdict.sentence


def test_several_models_need_a_name():
    table = {"a": [1, 0, 1], "b": [1, 1, 1]}
    with pytest.raises(InputError, match="name one with of="):
        referee.evaluate_scores(table)
    assert referee.evaluate_scores(table, of="b").estimate.value == 1.0
    with pytest.raises(InputError, match="no model 'c'"):
        referee.evaluate_scores(table, of="c")


def test_runs_are_split_and_advice_is_given():
    made = referee.evaluate_scores(runs())
    assert made.runs.n == 40
    assert made.estimate.interval.method == "effective-beta"
    assert "4 more runs of each of the 40 items" in made.advice
    names = [e.name for e in made.passes]
    assert names == ["pass@1", "pass@2", "pass^2", "pass@4", "pass^4", "at-least-2-of-4"]
    assert made.passes[0].value == pytest.approx(made.estimate.value)


def test_k_by_hand():
    made = referee.evaluate_scores(runs(), k=3)
    assert [e.name for e in made.passes[:2]] == ["pass@3", "pass^3"]
    for k, says in ((5, "k = 5 needs 5 runs"), (0, "k must be whole"), ("x", "k must be whole")):
        with pytest.raises(InputError, match=says):
            referee.evaluate_scores(runs(), k=[k])
    with pytest.raises(InputError, match="one run an item"):
        referee.evaluate_scores([1, 0, 1], k=1)


def test_runs_of_real_scores_have_no_tries():
    table = runs()
    table["score"] = table["score"] * 0.9 + 0.05
    made = referee.evaluate_scores(table)
    assert made.passes == ()
    assert made.runs is not None


def test_smaller_is_better_counts_low_scores_as_success():
    up = referee.evaluate_scores(runs())
    table = runs()
    table["score"] = 1 - table["score"]
    down = referee.evaluate_scores(table, greater_is_better=False)
    assert [e.value for e in down.passes] == pytest.approx([e.value for e in up.passes])


def test_clusters_widen():
    table = runs(n=60, r=1)
    rng = np.random.default_rng(1)
    code = np.arange(60) // 6
    table["score"] = (rng.random(60) < rng.uniform(0.1, 0.9, 10)[code]).astype(int)
    plain = referee.evaluate_scores(table)
    grouped = referee.evaluate_scores(table, cluster=code)
    assert grouped.estimate.interval.width > plain.estimate.interval.width
    assert grouped.estimate.n == 60


def test_scores_without_limits_or_spread_have_no_interval_and_say_why():
    made = referee.evaluate_scores([3.0, 3.0, 3.0])
    assert made.estimate.interval is None
    assert "all scores are the same" in made.verdict.sentence
    stated = referee.evaluate_scores([3.0, 3.0, 3.0], limits=(0, 5))
    assert stated.estimate.interval.low < 3 < stated.estimate.interval.high


def test_assumed_limits_are_said():
    made = referee.evaluate_scores([0.2, 0.5, 0.9])
    assert "scores can only lie between 0 and 1, as all of these do" in made.estimate.assumptions
    stated = referee.evaluate_scores([0.2, 0.5, 0.9], limits=(0, 1))
    assert len(stated.estimate.assumptions) == 1


def marked(n=400, share=0.25, seed=0):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.6).astype(float)
    judge = np.where(rng.random(n) < 0.4, 1.0, truth)  # marks too kindly
    human = np.where(rng.random(n) < share, truth, np.nan)
    return {"item": np.arange(n), "score": judge, "human": human}


def test_a_kind_judge_is_put_right():
    made = referee.evaluate_scores(marked())
    assert made.raw.interval.low > 0.65
    assert 0.6 in made.estimate.interval
    assert made.correction.bias.value > 0
    assert made.estimate.interval.method == "prediction-powered"
    people = made.correction.people.interval
    assert made.estimate.interval.width < people.width
    assert "The judge makes" in made.advice


def test_human_marks_of_repeated_runs_compare_the_same_answers():
    table = runs(n=60, r=2)
    human = np.where(np.arange(120) % 6 == 0, table["score"], np.nan)
    made = referee.evaluate_scores(table | {"human": human})
    assert made.correction.bias.value == 0
    assert made.correction.powered.n == 20


def test_weights_and_human_marks_are_refused_together():
    with pytest.raises(Refusal, match="cannot be used together"):
        referee.evaluate_scores(marked(), weight=np.random.default_rng(0).uniform(1, 2, 400))


def test_the_same_scores_give_the_same_result_in_any_order():
    table = runs()
    order = np.random.default_rng(5).permutation(len(table["score"]))
    mixed = {k: np.asarray(v)[order] for k, v in table.items()}
    one, two = referee.evaluate_scores(table), referee.evaluate_scores(mixed)
    assert two.estimate.value == pytest.approx(one.estimate.value)
    assert two.estimate.interval.low == pytest.approx(one.estimate.interval.low)


@pytest.mark.parametrize("junk", [pd.NA, 5, None, ["student-t"]])
def test_an_interval_that_is_no_name_is_refused(junk):
    with pytest.raises(InputError, match="interval must be the name of an interval"):
        referee.evaluate_scores(np.linspace(0.1, 0.9, 20), interval=junk)
