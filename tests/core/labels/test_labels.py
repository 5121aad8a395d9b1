"""Labels and codes, against numpy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import LabelEncoder

from referee.core.labels.labels import (
    as_labels,
    classes_of,
    encode,
    is_missing,
    positive_class,
    rows_text,
)
from referee.errors import InputError

LABELS = st.one_of(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6), min_size=1
    ),
    st.lists(st.integers(-(2**40), 2**40), min_size=1),
    st.lists(st.booleans(), min_size=1),
)


@given(LABELS)
def test_codes_against_sklearn(values):
    labels = as_labels(values, "y")
    encoder = LabelEncoder().fit(labels)
    classes = classes_of(labels)
    assert list(classes) == encoder.classes_.tolist()
    assert encode(labels, classes, "y").tolist() == encoder.transform(labels).tolist()
    assert [classes[c] for c in encode(labels, classes, "y")] == list(values)


@given(LABELS, st.randoms())
def test_codes_do_not_depend_on_the_order_of_the_classes(values, random):
    labels = as_labels(values, "y")
    classes = list(classes_of(labels))
    random.shuffle(classes)
    assert [classes[c] for c in encode(labels, classes, "y")] == list(values)


@pytest.mark.parametrize(
    ("labels", "classes", "message"),
    [
        (["a", "x"], ("a", "b"), "y_pred has the label 'x' in row 1, which is not among the"),
        ([0, 1, 2], (0, 1), "y_pred has the label 2 in row 2"),
        ([-1, 0], (0, 1), "y_pred has the label -1 in row 0"),
        ([0, 1], ("0", "1"), "y_pred has the label 0 in row 0, which is not among the classes '0'"),
        (["0", "1"], (0, 1), "y_pred has the label '0' in row 0"),
        ([0, 1, 5], (False, True), "y_pred has the label 5 in row 2"),
        (["", "a"], ("a", "b"), "y_pred has the label '' in row 0"),
    ],
)
def test_unknown_labels_are_named(labels, classes, message):
    with pytest.raises(InputError) as raised:
        encode(np.array(labels), classes, "y_pred")
    assert message in str(raised.value)
    assert "correct it, or name all classes with labels=" in str(raised.value)


def test_numbers_of_another_kind_are_the_same_label():
    assert encode(np.array([0.0, 1.0]), (0, 1), "y").tolist() == [0, 1]
    assert encode(np.array([True, False]), (0, 1), "y").tolist() == [1, 0]
    assert encode(np.array([1, 0], dtype="u1"), (False, True), "y").tolist() == [1, 0]


@pytest.mark.parametrize(
    ("classes", "stated", "positive"),
    [
        ((0, 1), None, 1),
        ((-1, 1), None, 1),
        ((False, True), None, True),
        ((0.0, 1.0), None, 1.0),
        ((1, 2), None, None),
        (("no", "yes"), None, None),
        ((0, 1, 2), None, None),
        ((0, 1, 2), 2, 2),
        (("no", "yes"), "no", "no"),
        ((0, 1), "1", 1),
        ((False, True), "True", True),
        ((0, 1), 0, 0),
    ],
)
def test_positive_class_is_stated_or_conventional(classes, stated, positive):
    made = positive_class(classes, stated)
    assert made == positive
    assert type(made) is type(positive)


def test_an_unknown_positive_class_is_refused():
    with pytest.raises(InputError, match="pos_label must be one of the classes 'a', 'b', got 'c'"):
        positive_class(("a", "b"), "c")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([3], "row 3"),
        (np.array([1, 2]), "rows 1, 2"),
        (range(5), "rows 0, 1, 2, 3, 4"),
        (range(8), "rows 0, 1, 2, 3, 4 and 3 more"),
    ],
)
def test_rows_text(rows, text):
    assert rows_text(rows) == text


def test_missing_values():
    import pandas as pd

    for value in (None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")):
        assert is_missing(value)
    for value in (0, "", "nan", False, np.inf):
        assert not is_missing(value)
