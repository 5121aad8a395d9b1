"""R013: the target among the features."""

import numpy as np
import pandas as pd
import pytest

from referee.checks import Context
from referee.checks.data.leak import check
from referee.core import Dataset


def context(X, y):
    return Context(data=Dataset.of(X, y))


def test_a_copy_a_recoding_and_a_text_copy_are_found():
    rng = np.random.default_rng(0)
    y = rng.choice(["ill", "well"], 60)
    X = pd.DataFrame({"age": rng.normal(size=60), "code": (y == "ill") * 7.0, "label": y})
    finding = check(context(X, y))
    assert finding.code == "R013"
    assert finding.severity.value == "serious"
    assert "'code', 'label'" in finding.message
    assert "'age'" not in finding.message


def test_arrays_and_several_classes():
    y = np.arange(60) % 3
    X = np.column_stack([np.random.default_rng(0).normal(size=60), 2.0 - y])
    assert "'1'" in check(context(X, y)).message


@pytest.mark.parametrize("change", [0, 59])
def test_one_row_that_differs_clears_the_column(change):
    y = np.arange(60) % 2
    copy = y.astype(float)
    copy[change] = 1 - copy[change]
    assert check(context(np.column_stack([copy, np.arange(60.0)]), y)) is None


def test_a_feature_that_separates_but_is_more_than_a_copy_is_no_finding():
    y = np.arange(60) % 2
    X = np.column_stack([y + np.linspace(0, 0.5, 60), np.arange(60.0)])
    assert check(context(X, y)) is None


def test_documents_have_no_columns():
    assert check(context(np.array(["good", "bad"] * 30), ["up", "down"] * 30)) is None


def test_missing_values_and_bare_predictions_are_no_finding():
    y = np.arange(60) % 2
    X = np.column_stack([np.where(y == 1, np.nan, 0.0), np.arange(60.0)])
    assert check(context(X, y)) is None
    assert check(Context()) is None


def test_a_constant_column_and_one_that_merges_classes_tell_no_class():
    y = np.arange(60) % 3
    X = pd.DataFrame({"constant": 1.0, "word": "same", "merged": np.minimum(y, 1) * 5.0}, range(60))
    assert check(context(X.assign(other=np.arange(60.0)), y)) is None
