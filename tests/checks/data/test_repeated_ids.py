"""R016: a column that numbers patients, found by its name or by the classes inside."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.checks.data.repeated_ids import check
from referee.core.dataset import Dataset

RNG = np.random.default_rng(0)
UNITS = RNG.permutation(np.repeat(np.arange(40), 4))
LABELS = (UNITS % 2).astype(int)  # constant inside


def found(frame, labels=LABELS, **options):
    from referee.checks import Context

    return check(Context(data=Dataset.of(frame, labels, **options)))


@pytest.mark.parametrize("name", ["PatientID", "subject_no", "user", "id"])
def test_a_repeated_column_with_such_a_name_is_found(name):
    noise = RNG.integers(2, size=160)
    finding = found(pd.DataFrame({"x": RNG.normal(size=160), name: UNITS}), noise)
    assert finding.code == "R016"
    assert name in finding.message
    assert "40 values in 160 rows" in finding.message
    assert "groups=" in finding.remedy


def test_a_column_whose_values_have_one_class_each_is_found_under_any_name():
    finding = found(pd.DataFrame({"x": RNG.normal(size=160), "zz": [f"k{u}" for u in UNITS]}))
    assert "40 of 40 that occur again all rows have one class" in finding.message


@pytest.mark.parametrize(
    "column",
    [
        RNG.normal(size=160),  # measured
        np.arange(160),  # every value once
        RNG.integers(3, size=160),  # a category
        RNG.integers(40, size=160),  # repeats, but tells nothing and is called nothing
        np.where(np.arange(160) < 100, 0, UNITS),  # an amount that is mostly 0
    ],
)
def test_other_columns_are_left_alone(column):
    assert found(pd.DataFrame({"width": column})) is None


def test_nothing_is_said_where_groups_are_given_or_columns_have_no_names():
    frame = pd.DataFrame({"x": RNG.normal(size=160), "patient": UNITS})
    assert found(frame, groups=UNITS) is None
    assert found(frame.to_numpy()) is None


def test_an_evaluation_names_it():
    frame = pd.DataFrame({"x": RNG.normal(size=160), "patient": UNITS})
    e = referee.evaluate(DecisionTreeClassifier(), frame, LABELS, by=4, random_state=0)
    assert "R016" in {f.code for f in e.findings}
