"""The edit distance against its definition by recursion, and the laws of a metric."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.kernels import edit_distance

WORDS = st.text("abc", max_size=7)


@cache
def by_definition(x, z):
    if not x or not z:
        return len(x) + len(z)
    return min(
        by_definition(x[1:], z) + 1,
        by_definition(x, z[1:]) + 1,
        by_definition(x[1:], z[1:]) + (x[0] != z[0]),
    )


@given(x=WORDS, z=WORDS)
def test_edit_distance_against_its_definition(x, z):
    assert edit_distance(x, z) == by_definition(x, z)


@given(x=WORDS, y=WORDS, z=WORDS)
def test_edit_distance_is_a_metric(x, y, z):
    assert edit_distance(x, z) == edit_distance(z, x)
    assert (edit_distance(x, z) == 0) == (x == z)
    assert edit_distance(x, z) <= edit_distance(x, y) + edit_distance(y, z)


def test_sequences_of_other_things():
    assert edit_distance([1, 2, 3], (1, 3)) == 1


def test_something_else_is_refused():
    with pytest.raises(InputError, match="z must be a string or another sequence, got 3"):
        edit_distance("a", 3)
