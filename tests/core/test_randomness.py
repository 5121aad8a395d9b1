"""Seeds: what is taken, and children that never depend on the order of work."""

import numpy as np
import pytest

from referee.core.randomness import child, integer_seed
from referee.errors import InputError


def test_integers_are_kept():
    assert integer_seed(0) == 0
    assert integer_seed(2**32 - 1) == 2**32 - 1
    assert integer_seed(np.int64(5)) == 5
    assert type(integer_seed(np.int64(5))) is int


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_generators_give_a_seed_and_move_on(make):
    first, again = make(3), make(3)
    assert integer_seed(first) == integer_seed(again)
    assert integer_seed(first) != integer_seed(make(3))
    assert 0 <= integer_seed(make(1)) < 2**32


def test_none_draws_a_fresh_one():
    assert integer_seed(None) != integer_seed(None)


@pytest.mark.parametrize("bad", [-1, 2**32, 1.5, "7", [1]])
def test_anything_else_is_refused(bad):
    with pytest.raises(InputError, match=r"random_state must be a whole number from 0"):
        integer_seed(bad)


def test_children_against_numpy_seed_sequences():
    for path in ((0,), (3, 1), (1_000_000,)):
        spawned = np.random.SeedSequence(42, spawn_key=path)
        assert child(42, *path) == spawned.generate_state(1)[0]
    third = np.random.SeedSequence(7).spawn(4)[3]
    assert child(7, 3) == third.generate_state(1)[0]


def test_children_differ_by_seed_and_path():
    seeds = {child(s, *p) for s in range(20) for p in ((0,), (1,), (0, 1), (1, 0), (0, 0))}
    assert len(seeds) == 100
