"""What is claimed of a candidate decides whether a verdict shows it."""

import numpy as np
import pytest

import referee
from referee.core import Outcome
from referee.errors import InputError

TRUTH = np.arange(400) % 2


def wrong(count, start=0):
    rows = np.arange(400)
    return np.where((rows >= start) & (rows < start + count), 1 - TRUTH, TRUTH)


GOOD, BAD, ALIKE = wrong(10), wrong(80), wrong(11)


def verdict(first, second, **options):
    return referee.compare_predictions(TRUTH, {"new": first, "old": second}, **options).verdict


def test_a_worse_candidate_is_not_shown_by_default():
    worse = verdict(BAD, GOOD)
    assert (worse.claim, worse.outcome, worse.shown) == ("better", Outcome.SECOND, False)
    assert worse.badge == "new is worse"
    assert worse.refuted


def test_a_better_candidate_is_shown_by_default():
    better = verdict(GOOD, BAD)
    assert (better.outcome, better.shown, better.badge) == (Outcome.FIRST, True, "new is better")


def test_a_difference_is_shown_either_way():
    assert verdict(BAD, GOOD, claim="difference").shown
    assert verdict(GOOD, BAD, claim="difference").shown


def test_with_a_rope_the_claim_is_equivalence():
    same = verdict(GOOD, ALIKE, rope=0.05)
    assert (same.claim, same.shown, same.badge) == (
        "equivalent",
        True,
        "no difference that matters",
    )
    apart = verdict(GOOD, BAD, rope=0.01)
    assert (apart.outcome, apart.shown, apart.refuted) == (Outcome.FIRST, False, True)


def test_shown_inferiority_is_a_fail():
    worse = verdict(BAD, GOOD, rope=0.01, claim="non-inferior")
    assert (worse.outcome, worse.shown, worse.badge) == (Outcome.FAIL, False, "new is worse")
    assert "new is worse than old" in worse.sentence
    fine = verdict(ALIKE, GOOD, rope=0.05, claim="non-inferior")
    assert (fine.outcome, fine.shown) == (Outcome.PASS, True)
    open_ = verdict(ALIKE, GOOD, rope=0.0001, claim="non-inferior")
    assert (open_.outcome, open_.shown, open_.refuted) == (Outcome.UNDECIDED, False, False)


def test_of_three_models_the_candidate_must_be_the_best():
    answers = {"new": BAD, "old": GOOD, "older": wrong(80, 100)}
    shown = referee.compare_predictions(TRUTH, answers, claim="better").verdict
    assert (shown.outcome, shown.shown) == (Outcome.SECOND, False)
    first = {"new": GOOD, "old": BAD, "older": wrong(80, 100)}
    best = referee.compare_predictions(TRUTH, first, claim="better").verdict
    assert (best.outcome, best.shown, best.badge) == (Outcome.FIRST, True, "new is best")
    assert referee.compare_predictions(TRUTH, answers).verdict.shown


@pytest.mark.parametrize("claim", ["non-inferior", "equivalent"])
def test_a_margin_is_asked_for(claim):
    with pytest.raises(InputError, match="needs a rope"):
        verdict(GOOD, BAD, claim=claim)


def test_an_unknown_claim_is_refused_with_those_that_are_known():
    with pytest.raises(InputError, match="claim must be one of 'better', 'non-inferior'"):
        verdict(GOOD, BAD, claim="best")


def test_a_claim_that_is_no_text_is_refused():
    with pytest.raises(InputError, match="claim must be text, got 5"):
        verdict(GOOD, BAD, claim=5)


def test_json_says_claim_and_whether_it_was_shown():
    import json

    result = referee.compare_predictions(TRUTH, {"new": BAD, "old": GOOD})
    stated = json.loads(result.to_json())["verdict"]
    assert (stated["claim"], stated["shown"], stated["outcome"]) == ("better", False, "second")
