"""Unequal costs, against trying every threshold on the cases themselves."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.measures import (
    Costs,
    asymmetric_losses,
    best_threshold,
    cost_curve,
    decide,
    roc_curve,
)

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30)
COST = st.floats(0.01, 100)


def split(cases):
    positive = np.array([p for p, _ in cases])
    assume(positive.any() and not positive.all())
    return positive, np.array([s for _, s in cases], float)


def risks(positive, scores, fp, fn, prior):
    """The risk of every threshold there is, rates counted case by case."""
    made = {}
    for t in [math.inf, *sorted(set(scores), reverse=True)]:
        called = scores >= t
        made[t] = fp * (1 - prior) * called[~positive].mean()
        made[t] += fn * prior * (~called)[positive].mean()
    return made


@given(CASES, COST, COST, st.one_of(st.none(), st.floats(0.01, 0.99)))
def test_best_threshold_against_all_thresholds(cases, fp, fn, prior):
    positive, scores = split(cases)
    made = best_threshold(roc_curve(positive, scores), Costs(fp, fn), prior)
    expected = risks(positive, scores, fp, fn, positive.mean() if prior is None else prior)
    assert made.risk == pytest.approx(min(expected.values()), rel=1e-12, abs=1e-12)
    assert expected[made.threshold] == pytest.approx(made.risk, rel=1e-12, abs=1e-12)
    called = scores >= made.threshold
    assert made.tpr == pytest.approx(called[positive].mean())
    assert made.fpr == pytest.approx(called[~positive].mean())


@given(CASES, COST, COST)
def test_the_risk_of_the_best_threshold_is_the_mean_loss_there(cases, fp, fn):
    positive, scores = split(cases)
    costs = Costs(fp, fn)
    made = best_threshold(roc_curve(positive, scores), costs)
    losses = asymmetric_losses(positive, scores >= made.threshold, costs)
    assert losses.mean() == pytest.approx(made.risk, rel=1e-10, abs=1e-12)


@given(CASES, st.integers(1, 20), st.integers(1, 20), st.integers(-8, 8))
def test_only_the_ratio_of_costs_matters(cases, fp, fn, power):
    positive, scores = split(cases)
    curve, by = roc_curve(positive, scores), 2.0**power  # powers of 2: without rounding
    one, other = (
        best_threshold(curve, Costs(fp, fn)),
        best_threshold(curve, Costs(by * fp, by * fn)),
    )
    assert (one.threshold, one.tpr, one.fpr) == (other.threshold, other.tpr, other.fpr)
    assert other.risk == by * one.risk
    p = np.linspace(0, 1, 101)
    assert (decide(p, Costs(fp, fn)) == decide(p, Costs(by * fp, by * fn))).all()


def test_cost_of_one_kind_only_leaves_nothing_or_everything_called():
    curve = roc_curve(np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0]))
    never = best_threshold(curve, Costs(1, 0))
    always = best_threshold(curve, Costs(0, 1))
    assert (never.fpr, never.risk) == (0, 0)
    assert (always.tpr, always.risk) == (1, 0)


@given(st.floats(0, 1), COST, COST)
def test_decide_takes_the_cheaper_answer(p, fp, fn):
    yes, no = fp * (1 - p), fn * p
    assume(abs(yes - no) > 1e-9)
    assert decide(np.array([p]), Costs(fp, fn)).item() == (yes < no)


@given(CASES, COST, COST)
def test_decide_by_odds_is_decide_by_probability(cases, fp, fn):
    costs = Costs(fp, fn)
    assert costs.probability_needed == pytest.approx(costs.odds_needed / (1 + costs.odds_needed))


def test_needs_of_extreme_costs():
    assert (Costs(0, 1).odds_needed, Costs(0, 1).probability_needed) == (0, 0)
    assert (Costs(1, 0).odds_needed, Costs(1, 0).probability_needed) == (math.inf, 1)
    assert not decide(np.array([1.0]), Costs(1, 0)).any()


def test_asymmetric_losses_against_a_table():
    positive = np.array([True, True, False, False])
    answered = np.array([True, False, True, False])
    assert asymmetric_losses(positive, answered, Costs(3, 7)).tolist() == [0, 7, 3, 0]


@given(CASES, st.integers(2, 30))
def test_the_cost_curve_against_all_thresholds(cases, points):
    positive, scores = split(cases)
    made = cost_curve(roc_curve(positive, scores), points)
    assert made.weight.tolist() == np.linspace(0, 1, points).tolist()
    for w, cost, trivial in zip(made.weight, made.cost, made.trivial, strict=True):
        least = min(risks(positive, scores, 1, 1, w).values())
        assert cost == pytest.approx(least, abs=1e-12)
        assert trivial == min(w, 1 - w)
        assert cost <= trivial + 1e-12


@given(CASES)
def test_the_cost_curve_is_concave_and_starts_and_ends_at_0(cases):
    made = cost_curve(roc_curve(*split(cases)))
    assert (made.cost[0], made.cost[-1]) == (0, 0)
    assert (np.diff(made.cost, 2) <= 1e-12).all()


def test_the_area_below_the_cost_curve_of_a_perfect_and_a_useless_ranking():
    positive = np.arange(10) < 5
    assert (cost_curve(roc_curve(positive, -np.arange(10.0))).cost == 0).all()
    useless = cost_curve(roc_curve(positive, np.zeros(10)))
    assert (useless.cost == useless.trivial).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Costs(-1, 1), "the cost false_positive must be finite and not negative, got -1"),
        (lambda: Costs(1, math.inf), "the cost false_negative must be finite"),
        (lambda: Costs(math.nan, 1), "the cost false_positive must be finite"),
        (lambda: Costs(0, 0), "at least one of the two costs must be above 0"),
    ],
)
def test_bad_costs(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize("prior", [0, 1, -0.2, 1.5, math.nan])
def test_bad_priors(prior):
    curve = roc_curve(np.array([True, False]), np.array([1.0, 0.0]))
    with pytest.raises(InputError, match="prior must lie strictly between 0 and 1"):
        best_threshold(curve, prior=prior)


@pytest.mark.parametrize("form", [best_threshold, cost_curve])
@pytest.mark.parametrize("which", [True, False])
def test_one_class_only_is_refused(form, which):
    with pytest.raises(InputError, match="both classes"):
        form(roc_curve(np.array([which, which]), np.array([0.1, 0.2])))
