"""From ``by=`` to a scheme, and the automatic choice with its reason."""

import numpy as np
import pytest

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import (
    SCHEMES,
    Bootstrap,
    CrossValidation,
    HalvedHoldout,
    Holdout,
    LeaveOneOut,
    NestedCrossValidation,
    scheme_for,
)


def dataset(y, **more):
    return Dataset.of(np.zeros((len(y), 1)), y, **more)


SMALL = dataset([0, 1] * 20)


@pytest.mark.parametrize(
    ("by", "scheme"),
    [
        ("holdout", Holdout()),
        ("loo", LeaveOneOut()),
        ("bootstrap", Bootstrap()),
        ("cv", CrossValidation()),
        ("repeated-holdout", Holdout(0.1, 25)),
        ("nested-cv", NestedCrossValidation(5, 10)),
        ("conservative-z", HalvedHoldout(0.1, 15, 10)),
        (5, CrossValidation(5)),
        (np.int64(4), CrossValidation(4)),
        ("5", CrossValidation(5)),
        ("10x5", CrossValidation(5, 10)),
        ("3 x 7", CrossValidation(7, 3)),
        ("2×4", CrossValidation(4, 2)),
        (Holdout(0.1), Holdout(0.1)),
    ],
)
def test_what_can_be_written(by, scheme):
    choice = scheme_for(by, SMALL)
    assert choice.scheme == scheme
    assert choice.reason == ""


@pytest.mark.parametrize("name", SCHEMES)
def test_every_catalogue_name_makes_a_plan(name):
    assert scheme_for(name, SMALL).scheme.plan(SMALL).fits >= 1


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("crossval", "by='crossval' is unknown"),
        ("holdot", "did you mean 'holdout'"),
        ("", "by='' is unknown"),
        ("1", "folds must be a whole number of at least 2, got 1"),
        ("0x5", "repetitions must be a whole number of at least 1, got 0"),
        (0, "folds must be a whole number of at least 2, got 0"),
        (-3, "got -3"),
        (
            2.5,
            r"by must be a name \(resubstitution, holdout, repeated-holdout, cv, nested-cv, cons",
        ),
        (None, "got None"),
        (True, "got True"),
        (CrossValidation, r"write CrossValidation\(\)"),
    ],
)
def test_what_cannot_be_read(by, message):
    with pytest.raises(InputError, match=message):
        scheme_for(by, SMALL)


@pytest.mark.parametrize(
    ("data", "scheme", "reason"),
    [
        (
            dataset([0, 1] * 20),
            CrossValidation(10, 10),
            "40 rows (at most 2000): 10 repetitions of 10-fold",
        ),
        (
            dataset([0, 1] * 1000),
            CrossValidation(10, 10),
            "2000 rows (at most 2000): 10 repetitions",
        ),
        (
            dataset([0, 1] * 1001),
            CrossValidation(10, 1),
            "2002 rows (more than 2000): one pass of 10-fold",
        ),
        (dataset([0, 1] * 9999), CrossValidation(10, 1), "one pass of 10-fold"),
        (dataset([0, 1] * 10_000), Holdout(), "20000 rows (at least 20000): one holdout"),
        (dataset([0, 1] * 3), CrossValidation(3, 10), "10 repetitions of 3-fold"),
        (
            dataset([0] * 30 + [1] * 4),
            CrossValidation(10, 10, "best effort"),
            "10 repetitions of 10-fold",
        ),
        (
            dataset([0, 1] * 30, groups=np.arange(60) // 2),
            CrossValidation(10),
            "30 groups: 10 folds that keep each group whole",
        ),
        (
            dataset([0, 1] * 30, groups=np.arange(60) // 15),
            CrossValidation(4),
            "4 groups: 4 folds",
        ),
        (
            dataset([0, 1] * 5, groups=np.arange(10)),
            CrossValidation(5),
            "10 groups: 5 folds",
        ),
        (
            dataset([0, 1] * 30, time=np.arange(60)),
            CrossValidation(10),
            "ordered in time: 10 blocks",
        ),
        (
            dataset([0, 1] * 30, time=np.arange(60) // 15),
            CrossValidation(3),
            "3 blocks, each tested by a model of its past",
        ),
        (
            dataset([0, 1] * 30, time=np.arange(60), groups=np.arange(60) // 2),
            CrossValidation(10),
            "ordered in time",
        ),
    ],
)
def test_automatic_choice(data, scheme, reason):
    choice = scheme_for("auto", data)
    assert choice.scheme == scheme
    assert reason in choice.reason
    assert choice.scheme.plan(data).fits > 0


@pytest.mark.parametrize(
    ("data", "max_fits", "scheme", "reason"),
    [
        (SMALL, 120, CrossValidation(10, 10), "10 repetitions of 10-fold"),
        (SMALL, 119, CrossValidation(10), "max_fits=119 is less than the 120 of repetitions"),
        (SMALL, 10, CrossValidation(10), "one pass of 10-fold"),
        (SMALL, 7, CrossValidation(7), "one pass of 7-fold"),
        (SMALL, 4, Holdout(), "max_fits=4 allows a holdout only"),
        (dataset([0, 1] * 3), 4, CrossValidation(3), "one pass of 3-fold"),
        (dataset([0, 1] * 1500), 10, CrossValidation(10), "one pass of 10-fold"),
        (dataset([0, 1] * 10_000), 1, Holdout(), "one holdout is precise enough"),
        (
            dataset([0, 1] * 30, groups=np.arange(60) // 2),
            6,
            CrossValidation(6),
            "6 folds that keep each group whole (max_fits=6 allows no more)",
        ),
        (dataset([0, 1] * 30, groups=np.arange(60) // 2), 1, Holdout(), "30 groups, and max_fits"),
        (dataset([0, 1] * 30, time=np.arange(60)), 5, CrossValidation(5), "5 blocks"),
        (dataset([0, 1] * 30, time=np.arange(60)), 2, Holdout(), "ordered in time, and max_fits=2"),
    ],
)
def test_automatic_choice_keeps_to_the_fits_allowed(data, max_fits, scheme, reason):
    choice = scheme_for("auto", data, max_fits=max_fits)
    assert choice.scheme == scheme
    assert reason in choice.reason
    plan = choice.scheme.plan(data)
    assert plan.fits - len(plan.part(Part.RESUBSTITUTION)) <= max_fits


@pytest.mark.parametrize("max_fits", [0, -1, 2.5, "ten", True])
def test_impossible_numbers_of_fits(max_fits):
    with pytest.raises(InputError, match="max_fits must be a whole number of at least 1"):
        scheme_for("auto", SMALL, max_fits=max_fits)


@pytest.mark.parametrize(
    ("interval", "scheme"),
    [
        ("nested-cv", NestedCrossValidation()),
        ("conservative-z", HalvedHoldout()),
        ("cv-clt", CrossValidation(10)),
        ("student-t", CrossValidation(10)),
        ("corrected-t", CrossValidation(10, 10)),
        ("wilson", CrossValidation(10, 10)),
    ],
)
def test_the_plan_follows_an_interval_that_needs_one(interval, scheme):
    choice = scheme_for("auto", SMALL, interval=interval)
    assert choice.scheme == scheme
    assert (interval in choice.reason) == (interval not in ("corrected-t", "wilson"))


@pytest.mark.parametrize("y", [[0, 1], ["a", "b", "c", "d", "e"]])
def test_single_cases_of_every_class_cannot_be_learned_from(y):
    with pytest.raises(PlanError, match="every class has one case only"):
        scheme_for("auto", dataset(y))


def test_automatic_choice_for_large_data_with_a_rare_class():
    data = dataset([0, 1] * 10_000 + [2])
    assert scheme_for("auto", data).scheme.plan(data).fits > 0
