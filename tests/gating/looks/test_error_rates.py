"""How often the gate errs: by enumeration, and by simulation through the command itself."""

import numpy as np
import pytest
from nightly import (
    enumerated_size,
    fixed_passes,
    looks_by_command,
    looks_by_table,
    nights_by_command,
    nights_of_new_cases,
)

from referee.planning.non_inferiority import non_inferiority_power


def spread(share, repetitions):
    return 3 * np.sqrt(share * (1 - share) / repetitions)


@pytest.mark.parametrize(("n", "margin"), [(20, 0.2), (40, 0.1)])
def test_size_at_exactly_the_margin_by_enumeration(n, margin):
    size = enumerated_size(n, margin, points=60)
    assert 0.02 < size <= 0.05


def test_a_few_nights_by_the_command():
    codes = nights_by_command(4, 60, 0.1, 0.1, 0.2)
    assert 0 not in codes
    assert 0 not in looks_by_command(4, 60, 0.1, 0.2, ledger=True)


def test_many_nights_of_new_cases():
    assert nights_of_new_cases(20, 25, 0.05, 0.1, 60) <= 0.05 + spread(0.05, 60)


@pytest.mark.slow
def test_size_by_the_command():
    assert fixed_passes(400, 0.05, 0.05, 0.1, 400) <= 0.05 + spread(0.05, 400)


@pytest.mark.slow
def test_200_nights_on_new_cases():
    assert nights_of_new_cases(200, 50, 0.05, 0.1, 1000) <= 0.05
    assert all(0 not in nights_by_command(200, 50, 0.05, 0.05, 0.1, seed=s) for s in range(2))


@pytest.mark.slow
def test_200_looks_at_the_same_cases():
    counted, naive = looks_by_table(200, 300, 0.05, 0.1, 1000)
    assert counted <= 0.05
    assert naive > 0.9
    assert 0 not in looks_by_command(200, 300, 0.05, 0.1, ledger=True)
    assert 0 in looks_by_command(200, 300, 0.05, 0.1, ledger=False)


@pytest.mark.slow
@pytest.mark.parametrize("n", [400, 800])
def test_power_is_what_the_plan_says(n):
    plan = non_inferiority_power(n, 0.02, 0.05)
    assert abs(fixed_passes(n, 0.02, 0.0, 0.05, 300, seed=1) - plan) < spread(plan, 300) + 0.03
