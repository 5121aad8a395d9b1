"""Degenerate but valid input is answered, or refused in words; an interval holds its value.

One case, one class, ties, equal models, perfect answers, groups of one case, weights of 0.
"""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import referee
from referee.errors import RefereeError

pytestmark = pytest.mark.filterwarnings("default")
TRIES = settings(
    max_examples=75,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
CLASSES = st.sampled_from([("a", "b"), ("a", "b", "c")])
SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def cases(draw, models=1):
    """Return right answers, answers of models, and what may go with them."""
    n = draw(st.integers(1, 8))
    classes = draw(CLASSES)
    labels = st.lists(st.sampled_from(classes), min_size=n, max_size=n)
    truth = draw(st.one_of(labels, st.just(["a"] * n)))
    answers = [draw(st.one_of(st.just(truth), labels)) for _ in range(models)]
    options = {"labels": classes}
    if n > 1 and draw(st.booleans()):
        groups = st.lists(st.integers(0, 3), min_size=n, max_size=n)
        options["groups"] = draw(groups.filter(lambda g: len({*g}) > 1))
    if draw(st.booleans()):
        weights = st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.0]), min_size=n, max_size=n)
        options["sample_weight"] = draw(weights.filter(any))
    return truth, answers, options


def answer(function, *given, **options):
    """Return what a call answers; None where it refuses, with an error of its own."""
    try:
        return function(*given, **options)
    except RefereeError:
        return None


def holds(estimate):
    """Assert that an interval holds the value, or that a reason is given for none."""
    interval = estimate.interval
    if interval is None:
        assert estimate.reason
        return
    assert math.isfinite(estimate.value)
    assert interval.low - 1e-9 <= estimate.value <= interval.high + 1e-9, estimate


@TRIES
@given(case=cases(), scored=st.booleans(), data=st.data())
def test_evaluate_predictions(case, scored, data):
    truth, (answers,), options = case
    if scored and len(options["labels"]) == 2:
        n = len(truth)
        options |= {"y_score": data.draw(st.lists(SCORES, min_size=n, max_size=n))}
        options["pos_label"] = "b"
    made = answer(referee.evaluate_predictions, truth, answers, **options)
    if made is not None:
        assert str(made)
        assert made.error.value == pytest.approx(
            np.average(np.array(truth) != np.array(answers), weights=options.get("sample_weight"))
        )
        for estimate in made.estimates.values():
            holds(estimate)


@TRIES
@given(case=cases(models=2))
def test_compare_predictions(case):
    truth, (first, second), options = case
    made = answer(referee.compare_predictions, truth, {"a": first, "b": second}, **options)
    if made is not None:
        assert str(made)
        holds(made.difference)
        assert 0 <= made.evidence.p_value <= 1
        if first == second:
            assert made.difference.value == 0
            assert made.evidence.p_value == 1


@TRIES
@given(
    scores=st.lists(SCORES, min_size=1, max_size=8),
    clusters=st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=8, max_size=8)),
)
def test_evaluate_scores(scores, clusters):
    cluster = None if clusters is None else clusters[: len(scores)]
    made = answer(referee.evaluate_scores, {"m": scores}, cluster=cluster)
    if made is not None:
        assert str(made)
        assert made.estimate.value == pytest.approx(np.mean(scores))
        holds(made.estimate)


@TRIES
@given(case=cases(models=2), margin=st.sampled_from([0.01, 0.1, 0.5]))
def test_gate(case, margin):
    truth, (baseline, candidate), options = case
    options = {name: options[name] for name in ("groups",) if name in options}
    made = answer(referee.gate, baseline, candidate, y_true=truth, margin=margin, **options)
    if made is not None:
        assert made.line
        worse = sum(c != t for c, t in zip(candidate, truth, strict=True))
        better = sum(b != t for b, t in zip(baseline, truth, strict=True))
        # So few cases show no margin below one half, least of all for a candidate that did worse.
        if worse > better:
            assert made.outcome is not referee.Outcome.PASS
