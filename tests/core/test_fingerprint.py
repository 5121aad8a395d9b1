"""Fingerprints change when any part changes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.core.fingerprint import fingerprint

PART = st.one_of(st.integers(), st.text(max_size=4), st.none())


@given(st.lists(PART, max_size=5), st.lists(PART, max_size=5))
def test_equal_only_for_equal_parts(a, b):
    assert (fingerprint(a) == fingerprint(b)) == (repr(a) == repr(b))


def test_parts_do_not_run_into_each_other():
    assert fingerprint([1, 23]) != fingerprint([12, 3])
    assert fingerprint([np.array([1]), np.array([2])]) != fingerprint([np.array([1, 2])])


def test_arrays_count_with_type_shape_and_values():
    a = np.arange(6)
    others = [a.astype("i4"), a.astype(float), a.reshape(2, 3), a.reshape(3, 2), a[::-1], a[:5]]
    assert len({fingerprint([x]) for x in [a, *others]}) == 7


def test_memory_layout_does_not_count():
    a = np.arange(12).reshape(3, 4)
    assert fingerprint([a]) == fingerprint([np.asfortranarray(a)])
    assert fingerprint([a[:, ::2]]) == fingerprint([a[:, ::2].copy()])


def test_objects_count_by_their_values():
    a = np.array(["x", 1, None], dtype=object)
    assert fingerprint([a]) == fingerprint([a.copy()])
    assert fingerprint([a]) != fingerprint([np.array(["x", 2, None], dtype=object)])


def test_sixteen_hexadecimal_digits():
    assert len(fingerprint([])) == 16
    int(fingerprint(["x"]), 16)
