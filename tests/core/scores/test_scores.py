"""Scores: read from every kind of table, checked once, and what is wrong told exactly."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.scores.scores import ItemScores, Scores
from referee.errors import InputError

LONG = {
    "item": ["q1", "q2", "q1", "q2", "q3"],
    "model": ["a", "a", "b", "b", "b"],
    "score": [1.0, 0.0, 0.5, 0.25, 1.0],
}


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_long_tables_of_every_kind(frame):
    made = Scores.of(frame(LONG))
    assert made.items == ("q1", "q2", "q3")
    assert made.models == ("a", "b")
    np.testing.assert_array_equal(made.means, [[1.0, 0.5], [0.0, 0.25], [np.nan, 1.0]])
    np.testing.assert_array_equal(made.counts, [[1, 1], [1, 1], [0, 1]])


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_wide_tables_of_every_kind(frame):
    made = Scores.of(frame({"item": ["x", "y"], "a": [1, 0], "b": [True, True]}))
    assert (made.items, made.models, made.binary) == (("x", "y"), ("a", "b"), True)
    np.testing.assert_array_equal(made.means, [[1, 1], [0, 1]])


def test_a_frame_s_index_names_the_items_of_a_wide_table():
    frame = pd.DataFrame({"a": [1, 0], "b": [0, 0]}, index=["x", "y"])
    assert Scores.of(frame).items == ("x", "y")
    assert Scores.of(frame.reset_index(drop=True)).items == (1, 2)


def test_a_list_is_one_model():
    made = Scores.of([3.0, 4.0, 8.0])
    assert (made.models, made.items, made.bounded) == (("model",), (1, 2, 3), False)


def test_roles_may_be_columns_or_values():
    table = {"frage": [1, 2, 3], "punkte": [1, 2, 3], "fach": ["x", "x", "y"]}
    by_name = Scores.of(table, item="frage", score="punkte", cluster="fach")
    by_value = Scores.of([1, 2, 3], cluster=["x", "x", "y"])
    np.testing.assert_array_equal(by_name.cluster, by_value.cluster)
    assert by_name.name == "punkte"


def test_words_count_what_they_are_said_to_count():
    made = Scores.of(
        {"item": [1, 2, 3, 4, 5], "score": ["C", "I", "P", "true", "0.25"]},
        values={"C": 1, "I": 0, "P": 0.5},
    )
    assert made.score.tolist() == [1.0, 0.0, 0.5, 1.0, 0.25]


def test_limits():
    assert Scores.of([0.2, 0.9]).limits_assumed
    assert Scores.of([0.2, 1.9]).low == -math.inf
    assert not Scores.of([0.2, 0.9], limits=None).bounded
    stars = Scores.of([1, 5, 5], limits=(1, 5))
    assert (stars.low, stars.high, stars.binary, stars.percent) == (1.0, 5.0, True, False)
    assert Scores.of([0.5, 3], limits=(0, None)).high == math.inf


def test_runs_are_averaged_inside_items_and_may_be_missing():
    table = {"item": [1, 1, 1, 2, 2], "run": [1, 2, 3, 1, 3], "score": [1, 0, 0, 1, 1]}
    made = Scores.of(table)
    assert made.repeated
    np.testing.assert_allclose(made.means[:, 0], [1 / 3, 1.0])
    assert not made.of_model("model").single


def test_one_cluster_an_item_is_no_cluster():
    assert Scores.of([1, 0, 1], cluster=[1, 2, 3]).cluster is None


def test_items_without_weight_do_not_count():
    made = Scores.of([1, 0, 1], weight=[2, 0, 1])
    assert made.items == (1, 3)
    assert made.of_model("model").mean == 1.0
    assert Scores.of([1, 0, 1], weight=[2, 2, 2]).weight is None


def test_select_keeps_order_and_drops_items_nobody_has():
    made = Scores.of(LONG).select(["a"])
    assert (made.models, made.items) == (("a",), ("q1", "q2"))
    assert Scores.of(LONG).select(["b", "a"]).models == ("b", "a")


def test_the_frame_reads_back_the_same():
    table = LONG | {"run": [1, 1, 1, 1, 1], "cluster": ["x", "y", "x", "y", "y"]}
    made = Scores.of(table)
    assert Scores.of(made.frame()).fingerprint == made.fingerprint


def test_the_fingerprint_follows_the_scores():
    changed = LONG | {"score": [1.0, 0.0, 0.5, 0.25, 0.5]}
    assert Scores.of(changed).fingerprint != Scores.of(LONG).fingerprint
    assert Scores.of(dict(LONG)).fingerprint == Scores.of(LONG).fingerprint


@given(st.permutations(range(5)))
def test_the_order_of_rows_does_not_matter(order):
    table = {k: [v[i] for i in order] for k, v in LONG.items()}
    made = Scores.of(table)
    for model in ("a", "b"):
        want = dict(zip(("q1", "q2", "q3"), Scores.of(LONG).means[:, ord(model) - 97], strict=True))
        got = made.means[:, made.position(model)]
        for item, value in zip(made.items, got, strict=True):
            assert value == want[item] or (math.isnan(value) and math.isnan(want[item]))


Q = {"item": ["q1", "q2", "q3"], "score": [1, 0, 1]}

BAD = {
    "unknown word": (
        Q | {"score": [1, "maybe", 1]},
        {},
        r"score of item 'q2' \(row 1\) is 'maybe'",
    ),
    "nan": (Q | {"score": [1, 0, math.nan]}, {}, r"score of item 'q3' \(row 2\) is missing"),
    "infinite": (Q | {"score": [1, 0, math.inf]}, {}, "item 'q3'.*is inf"),
    "nan in a wide table": ({"a": [1, 2], "b": [1, None]}, {}, r"item 2 \(model 'b', row 1\)"),
    "repeated item": (Q | {"item": ["q1", "q2", "q1"]}, {}, "'q1'.*again in row 2.*run="),
    "repeated run": (
        Q | {"item": ["q1", "q2", "q1"], "run": [1, 1, 1]},
        {},
        "'q1'.*has run 1 again in row 2",
    ),
    "missing item": (Q | {"item": ["q1", None, "q3"]}, {}, "item is missing in row 1"),
    "missing model": (Q | {"model": ["a", None, "a"]}, {}, "model is missing in row 1"),
    "missing cluster": (Q | {"cluster": ["x", None, "y"]}, {}, "cluster is missing for item 'q2'"),
    "one cluster": (Q | {"cluster": ["x"] * 3}, {}, "one cluster, 'x'"),
    "two clusters of an item": (
        {"item": [1, 1, 2], "run": [1, 2, 1], "score": [1, 0, 1], "cluster": ["x", "y", "y"]},
        {},
        "cluster of item 1.*is 'y' but 'x' in row 0",
    ),
    "negative weight": (Q | {"weight": [1, -1, 1]}, {}, "weight of item 'q2'.*got -1"),
    "no weight": (Q | {"weight": [0, 0, 0]}, {}, "weight is 0 for every item"),
    "two weights": (
        {"item": [1, 1], "run": [1, 2], "score": [1, 0], "weight": [1, 2]},
        {},
        "weight of item 1",
    ),
    "no item column": ({"model": ["a", "b"], "score": [1, 0]}, {}, "item is missing.*with item="),
    "no score column": ({"model": ["a", "b"], "mark": [1, 0]}, {}, "none of scores"),
    "words for a model": (
        {"q": ["x", "y"], "a": [1, 0]},
        {},
        "column 'q' holds no scores.*item=.*its column with score=.*models=",
    ),
    "unknown column": (Q, {"cluster": "klass"}, "cluster='klass' is no column"),
    "short values": (Q, {"cluster": [1, 2]}, "each of the 3 rows, got 2"),
    "ragged": ({"a": [1, 0], "b": [1]}, {}, "equally long"),
    "two dimensions": (np.zeros((2, 2)), {}, "one-dimensional"),
    "no table": ("scores", {}, "must be a table"),
    "empty": ({"item": [], "score": []}, {}, "no rows"),
    "outside the limits": (
        [1, 2, 3],
        {"limits": (0, 2)},
        "item 3.*is 3, outside the limits 0 to 2",
    ),
    "limits upside down": ([1, 2], {"limits": (2, 0)}, "limits must be"),
    "limits of one": ([1, 2], {"limits": 3}, "limits must be the lowest"),
    "no human mark": (Q | {"human": [None] * 3}, {}, "human holds no mark"),
    "strange human mark": (Q | {"human": [1, "so so", None]}, {}, "human mark of item 'q2'"),
    "human marks of a wide table": (
        {"a": [1, 0], "b": [1, 1], "human": [1, None]},
        {},
        "pass a long table",
    ),
    "unknown model": (LONG, {"models": ["z"]}, "no model 'z'"),
    "model twice": (LONG, {"models": ["a", "a"]}, "named twice"),
    "two columns of one name": (
        pd.DataFrame([[1, 0]], columns=["a", "a"]),
        {},
        "two columns are called 'a'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_told_with_item_row_value_and_remedy(case):
    table, options, says = BAD[case]
    with pytest.raises(InputError, match=says):
        Scores.of(table, **options)


def test_item_scores_know_their_limits():
    items = ItemScores(values=np.array([1.0, 5.0, 5.0]), low=1.0, high=5.0)
    assert items.binary
    assert items.scaled().tolist() == [0, 1, 1]
    assert not ItemScores(values=np.array([1.0, 2.0]), low=1.0, high=5.0).binary
    assert ItemScores(values=np.array([1.0]), weight=np.array([2.0])).independent is False
