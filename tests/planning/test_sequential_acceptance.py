"""Sequential acceptance: boundaries by brute force, outcomes by simulation and enumeration."""

import itertools
import math

import numpy as np
import pytest

from referee.core.results import Outcome
from referee.errors import InputError
from referee.intervals.sequential import beta_binomial, log_mixture
from referee.planning.sequential_acceptance import sequential_plan


@pytest.mark.parametrize(("limit", "confidence", "most"), [(0.05, 0.9, 300), (0.4, 0.95, 60)])
def test_boundaries_against_every_count(limit: float, confidence: float, most: int) -> None:
    plan = sequential_plan(limit, confidence, most=most)
    need = -math.log(1 - confidence)
    for n in range(1, most + 1):
        for x in range(n + 1):
            decision = {
                side: log_mixture(x, n, limit, a=plan.a, b=plan.b, side=side) >= need  # type: ignore[arg-type]
                for side in ("upper", "lower")
            }
            passes = x < len(plan.pass_after) and plan.pass_after[x] <= n
            fails = x >= len(plan.fail_until) or plan.fail_until[x] >= n
            assert passes == decision["upper"]
            if x < len(plan.fail_until):
                assert fails == decision["lower"]


@pytest.mark.parametrize("error", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_outcome_by_enumeration_of_all_sequences(error: float) -> None:
    plan = sequential_plan(0.4, 0.7, most=12)
    passes = fails = expected = 0.0
    for sequence in itertools.product((False, True), repeat=12):
        chance = math.prod(error if wrong else 1 - error for wrong in sequence)
        decision = plan.decide(sequence)
        passes += chance * (decision.outcome is Outcome.PASS)
        fails += chance * (decision.outcome is Outcome.FAIL)
        expected += chance * decision.n
    outcome = plan.outcome(error)
    assert outcome.passes == pytest.approx(passes, abs=1e-12)
    assert outcome.fails == pytest.approx(fails, abs=1e-12)
    assert outcome.expected == pytest.approx(expected, abs=1e-9)
    assert outcome.undecided == pytest.approx(1 - passes - fails, abs=1e-12)


@pytest.mark.parametrize(("limit", "confidence"), [(0.001, 0.95), (0.01, 0.95), (0.2, 0.8)])
def test_pass_at_exactly_the_limit_at_most_alpha(limit: float, confidence: float) -> None:
    """The promise itself, by the exact recursion: however long the test goes on."""
    plan = sequential_plan(limit, confidence)
    at_limit = plan.outcome(limit)
    assert 0.5 * (1 - confidence) < at_limit.passes <= 1 - confidence
    assert at_limit.fails <= 1 - confidence
    assert plan.outcome(1.2 * limit).passes < at_limit.passes
    assert plan.outcome(0.8 * limit).fails < at_limit.fails


@pytest.mark.slow
def test_pass_at_exactly_the_limit_by_simulation() -> None:
    plan = sequential_plan(0.01)
    rng = np.random.default_rng(0)
    runs = 4000
    ends = [plan.decide(rng.random(plan.most) < 0.01).outcome for _ in range(runs)]
    assert ends.count(Outcome.PASS) / runs <= 0.05
    assert ends.count(Outcome.FAIL) / runs <= 0.05
    exact = plan.outcome(0.01).passes
    spread = math.sqrt(exact * (1 - exact) / runs)
    assert ends.count(Outcome.PASS) / runs == pytest.approx(exact, abs=4 * spread)


def test_decision_is_what_the_sequence_says() -> None:
    plan = sequential_plan(0.05, 0.9)
    rng = np.random.default_rng(1)
    for error in (0.01, 0.15):
        wrong = rng.random(plan.most) < error
        decision = plan.decide(wrong)
        upper, lower = (
            beta_binomial(wrong, 0.9, a=plan.a, b=plan.b, side=side)  # type: ignore[arg-type]
            for side in ("upper", "lower")
        )
        first = upper.first_below(0.05) if error < 0.05 else lower.first_above(0.05)
        assert decision.n == first
        assert decision.failures == wrong[: decision.n].sum()


def test_cheaper_than_a_fixed_plan_where_the_model_is_good() -> None:
    from referee.planning.operating import fixed_rows

    plan = sequential_plan(0.01)
    for error in (0.001, 0.005):
        outcome = plan.outcome(error)
        fixed = fixed_rows(0.01, error, power=min(outcome.passes, 0.999))
        assert fixed is not None
        assert outcome.expected < 0.75 * fixed


def test_undecided_while_it_may_go_on() -> None:
    plan = sequential_plan(0.01)
    going = plan.decide([False] * 10)
    assert (going.outcome, going.n, going.ended) == (Outcome.UNDECIDED, 10, False)
    assert plan.decide([]).n == 0
    short = sequential_plan(0.01, most=10)
    assert short.pass_after == ()
    over = short.decide([False] * 20)
    assert (over.outcome, over.n, over.ended) == (Outcome.UNDECIDED, 10, True)
    assert short.outcome(0.0).undecided == 1
    assert short.outcome(0.0).expected == 10


def test_a_single_early_failure_proves_nothing() -> None:
    plan = sequential_plan(0.01)
    assert plan.decide([True]).outcome is Outcome.UNDECIDED
    assert plan.fail_until[1] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_error": 0}, "max_error must lie strictly between 0 and 1"),
        ({"max_error": 5}, "for 5 % write 0.05"),
        ({"max_error": 0.1, "most": 0}, "most must be a whole number"),
        ({"max_error": 0.1, "most": 1.5}, "most must be a whole number"),
    ],
)
def test_bad_input(arguments, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        sequential_plan(**arguments)
    with pytest.raises(InputError, match="True and False"):
        sequential_plan(0.1).decide([0.5])
    with pytest.raises(InputError, match="true_error must be a share"):
        sequential_plan(0.1).outcome(2)
