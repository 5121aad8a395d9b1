"""Leave-one-out, against scikit-learn."""

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.model_selection import LeaveOneOut as Theirs
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from referee.core import Dataset, Part
from referee.errors import PlanError
from referee.fitting.run import run
from referee.resampling import LeaveOneOut


def dataset(n, **more):
    return Dataset.of(np.arange(n, dtype=float)[:, None], np.arange(n) % 2, **more)


def test_cases_against_sklearn():
    made = LeaveOneOut().plan(dataset(9)).part(Part.MAIN)
    for split, (train, test) in zip(made, Theirs().split(np.zeros((9, 1))), strict=True):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()


def test_groups_against_sklearn():
    groups = np.array([0, 1, 1, 2, 0, 2, 2, 3])
    plan = LeaveOneOut().plan(dataset(8, groups=groups))
    theirs = LeaveOneGroupOut().split(np.zeros((8, 1)), groups=groups)
    for split, (train, test) in zip(plan.part(Part.MAIN), theirs, strict=True):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()
    assert plan.description == "leave-one-group-out, 4 fits"


def test_many_rows_in_few_groups_are_allowed():
    plan = LeaveOneOut().plan(dataset(20_000, groups=np.arange(20_000) % 5))
    assert len(plan.part(Part.MAIN)) == 5


def test_too_many_fits_are_refused_where_no_work_is_shared():
    data = dataset(10_001)
    plan = LeaveOneOut().plan(data)
    with pytest.raises(PlanError, match="leave-one-out of 10001 cases means 10002 fits of tree"):
        run(DecisionTreeClassifier(), data, plan, name="tree")


def test_shared_work_has_no_limit():
    data = dataset(12_000)
    done = run(GaussianNB(), data, LeaveOneOut().plan(data))
    assert done.how.startswith("by shared work")
    assert len(done.predictions.unseen.case) == 12_000


def test_time_is_refused():
    with pytest.raises(PlanError, match="would train on the future of the case it tests"):
        LeaveOneOut().plan(dataset(6, time=np.arange(6)))
