"""The bootstrap of a learner: what is drawn, and what is drawn again."""

import numpy as np
import pytest
from scipy import stats

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import Bootstrap


def dataset(y, **more):
    return Dataset.of(np.arange(len(y), dtype=float)[:, None], y, **more)


def test_each_round_draws_n_rows_and_predicts_all():
    data = dataset([0, 1] * 15)
    plan = Bootstrap(20).plan(data, 1)
    assert plan.fits == 21
    for b, split in enumerate(plan.part(Part.MAIN)):
        assert len(split.train) == 30
        assert split.test.tolist() == list(range(30))
        assert split.repetition == b


def test_draws_are_uniform_with_replacement_against_theory():
    n, B = 50, 400
    plan = Bootstrap(B).plan(dataset([0, 1] * 25), 2)
    drawn = np.array([np.bincount(s.train, minlength=n) for s in plan.part(Part.MAIN)])
    assert stats.chisquare(drawn.sum(axis=0)).pvalue > 1e-4
    left_out = (drawn == 0).mean()
    assert left_out == pytest.approx((1 - 1 / n) ** n, abs=0.005)


def test_whole_groups_are_drawn():
    groups = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3])
    plan = Bootstrap(30).plan(dataset([0, 1] * 5, groups=groups), 0)
    for split in plan.part(Part.MAIN):
        times = np.bincount(split.train, minlength=10)
        for g in range(4):
            assert len(set(times[groups == g])) == 1
        assert sum(times[[0, 3, 5, 9]]) == 4


def test_every_resample_holds_two_classes_and_leaves_a_case_out():
    data = dataset([0] * 12 + [1, 1])
    for split in Bootstrap(200).plan(data, 0).part(Part.MAIN):
        assert set(data.codes[split.train]) == {0, 1}
        assert len(np.unique(split.train)) < 14


def test_of_three_classes_one_may_be_missing():
    # Redrawing until every class is in would never test a case of a class of one.
    data = dataset([0] * 12 + [1] * 12 + [2])
    splits = Bootstrap(200).plan(data, 0).part(Part.MAIN)
    left_out = np.mean([24 not in s.train for s in splits])
    assert 0.25 < left_out < 0.5


def test_a_class_of_one_is_refused_where_there_are_two():
    with pytest.raises(PlanError, match=r"class 1 has one case, .* never test; use by='loo'"):
        Bootstrap(2).plan(dataset([0] * 12 + [1]))


def test_three_cases_of_three_classes_cannot_be_resampled_without_end():
    plan = Bootstrap(5).plan(dataset([0, 1, 2]))
    assert all(len(np.unique(s.train)) == 2 for s in plan.part(Part.MAIN))


def test_time_is_refused():
    with pytest.raises(PlanError, match="the bootstrap would train on the future"):
        Bootstrap(2).plan(dataset([0, 1] * 3, time=np.arange(6)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 1}, "rounds must be a whole number of at least 2, got 1"),
        ({"rounds": 20.5}, "rounds must be a whole number of at least 2, got 20.5"),
        ({"estimator": ".7"}, r"estimator must be one of .*, got '\.7'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        Bootstrap(**options)
