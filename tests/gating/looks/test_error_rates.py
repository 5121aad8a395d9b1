"""How often the gate errs: by enumeration, and by simulation through the command itself."""

import numpy as np
import pytest
from nightly import (
    climbing,
    enumerated_size,
    fixed_passes,
    looks_by_command,
    looks_by_table,
    nights_by_command,
    nights_by_function,
    nights_of_new_cases,
    redrawn,
    share_passed,
)

from referee.planning.non_inferiority import non_inferiority_power


def spread(share, repetitions):
    return 3 * np.sqrt(share * (1 - share) / repetitions)


@pytest.mark.parametrize(("n", "margin"), [(20, 0.2), (40, 0.1)])
def test_size_at_exactly_the_margin_by_enumeration(n, margin):
    size = enumerated_size(n, margin, points=60)
    assert 0.02 < size <= 0.05


def test_a_few_nights_by_the_command():
    asked = (4, 60, 0.1, 0.1, 0.2)
    codes = nights_by_command(*asked)
    assert 0 not in codes
    assert codes == nights_by_function(*asked)


@pytest.mark.parametrize("strategy", [redrawn, climbing])
@pytest.mark.parametrize("ledger", [True, False])
def test_a_few_looks_by_the_command_and_from_counts(strategy, ledger):
    options = {"ledger": ledger, "strategy": strategy}
    codes = looks_by_command(5, 60, 0.1, 0.2, **options)
    assert codes == looks_by_table(5, 60, 0.1, 0.2, **options)
    assert not (ledger and 0 in codes)


def test_a_climber_gets_through_without_a_ledger_only():
    """Chosen by the answers, each candidate is still worse by the margin."""
    asked = (20, 60, 60, 0.1, 0.2)
    assert share_passed(*asked, ledger=True, strategy=climbing) <= 0.05 + spread(0.05, 20)
    assert share_passed(*asked, ledger=False, strategy=climbing) > 0.5


def test_many_nights_of_new_cases():
    assert nights_of_new_cases(20, 25, 0.05, 0.1, 60) <= 0.05 + spread(0.05, 60)


@pytest.mark.slow
def test_size_by_the_command():
    assert fixed_passes(400, 0.05, 0.05, 0.1, 400) <= 0.05 + spread(0.05, 400)


@pytest.mark.slow
def test_200_nights_on_new_cases():
    assert nights_of_new_cases(200, 50, 0.05, 0.1, 1000) <= 0.05
    asked = (200, 50, 0.05, 0.05, 0.1)
    assert nights_by_command(*asked) == nights_by_function(*asked)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [redrawn, climbing])
def test_200_looks_at_the_same_cases(strategy):
    asked = (200, 300, 0.05, 0.1)
    assert share_passed(400, *asked, ledger=True, strategy=strategy) <= 0.05
    assert share_passed(100, *asked, ledger=False, strategy=strategy) > 0.5
    for ledger in (True, False):
        options = {"ledger": ledger, "strategy": strategy}
        assert looks_by_command(*asked, **options) == looks_by_table(*asked, **options)


@pytest.mark.slow
@pytest.mark.parametrize("n", [400, 800])
def test_power_is_what_the_plan_says(n):
    plan = non_inferiority_power(n, 0.02, 0.05)
    assert abs(fixed_passes(n, 0.02, 0.0, 0.05, 300, seed=1) - plan) < spread(plan, 300) + 0.03
