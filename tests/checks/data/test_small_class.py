"""R005: a class too small for the splits."""

import numpy as np

from referee.checks import Context
from referee.checks.data.small_class import check
from referee.core import Dataset, Severity
from referee.resampling import CrossValidation, FromPairs


def made(counts):
    y = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    return Dataset.of(np.random.default_rng(1).normal(size=(len(y), 2)), y)


def test_fires_with_fewer_cases_than_folds_and_names_them():
    d = made([40, 4])
    plan = CrossValidation(5, stratify="best effort").plan(d)
    found = check(Context(data=d, plan=plan))
    assert (found.code, found.severity) == ("R005", Severity.WARNING)
    assert "1 of 2 classes are rare: 1 (4)" in found.message
    assert "some folds test none" in found.message


def test_fires_where_a_training_set_lacks_a_class():
    d = made([40, 1])
    plan = CrossValidation(5, stratify="best effort").plan(d)
    assert "missing from some training set" in check(Context(data=d, plan=plan)).message
    d = made([20, 20])
    ones, zeros = np.flatnonzero(d.codes == 1), np.flatnonzero(d.codes == 0)
    plan = FromPairs([(zeros, ones)]).plan(d)
    assert "1 (20)" in check(Context(data=d, plan=plan)).message


def test_silent_with_exactly_as_many_cases_as_folds():
    d = made([40, 5])
    assert check(Context(data=d, plan=CrossValidation(5).plan(d))) is None
    assert check(Context(data=d, plan=CrossValidation(5, 3).plan(d))) is None
    assert check(Context()) is None
