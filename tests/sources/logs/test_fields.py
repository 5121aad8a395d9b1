"""Fields by dotted paths."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import LogError
from referee.sources.logs.fields import MISSING, as_text, digest, field_column, look_up, run_numbers

NAMES = st.text(st.characters(codec="ascii", exclude_characters="."), min_size=1, max_size=5)
TREES = st.recursive(
    st.integers() | st.text(max_size=5),
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=4),
    max_leaves=12,
)


def leaves(tree, path=()):
    if not isinstance(tree, dict):
        yield ".".join(path), tree
        return
    for name, inner in tree.items():
        yield from leaves(inner, (*path, name))


@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=4))
def test_every_leaf_is_found_by_its_path(tree):
    for path, value in leaves(tree):
        assert look_up(tree, path) == value
        assert look_up({"home": tree}, path, ["home"]) == value


def test_a_name_may_have_dots():
    record = {"a.b": {"c": 1}, "a": {"b": {"c": 2}}, "model_usage": {"gpt-4.1": 3}}
    assert look_up(record, "a.b.c") == 1
    assert look_up(record, "model_usage.gpt-4.1") == 3


def test_null_is_a_value_and_absence_is_not():
    assert look_up({"a": None}, "a") is None
    assert look_up({"a": None}, "b") is MISSING
    assert look_up({"a": "text"}, "a.b") is MISSING
    assert look_up({"a": [1, {"b": 2}]}, "a.1.b") == 2
    assert look_up({"a": [1]}, "a.1") is MISSING


def test_the_record_comes_before_its_homes():
    assert look_up({"x": 1, "doc": {"x": 2}}, "x", ["doc"]) == 1


def test_texts():
    values = ["a", 1, 1.5, True, None, MISSING, math.nan, {"k": "é"}]
    assert [as_text(v) for v in values] == ["a", "1", "1.5", "true", None, None, None, '{"k": "é"}']


def test_a_field_of_some_records_is_none_in_the_others():
    records = [{"a": 1}, {}, {"a": "x"}]
    assert field_column(records, "a", (), "file").tolist() == ["1", None, "x"]
    with pytest.raises(LogError, match="file has no field 'b'; known are 'a'"):
        field_column(records, "b", (), "file")


def test_hashes_tell_texts_apart_whatever_they_hold():
    assert digest("a", "b") != digest("ab", "")
    assert digest({"x": 1, "y": 2}) == digest({"y": 2, "x": 1})
    assert len(digest("half a character \ud800")) == 64


def test_runs_are_counted_by_first_appearance():
    assert run_numbers(["b", None, "b", "a"]).tolist() == [1, 2, 1, 3]
