"""R003: a group stands on both sides of a split."""

import numpy as np
from sklearn.model_selection import KFold

from referee.checks import Context
from referee.checks.data.groups import check
from referee.core import Dataset, Severity
from referee.resampling import CrossValidation, FromPairs, Holdout, LeaveOneOut

GROUPS = np.repeat(np.arange(10), 4)


def data(groups=GROUPS):
    rng = np.random.default_rng(0)
    return Dataset.of(rng.normal(size=(40, 2)), np.arange(40) % 2, groups=groups)


def test_fires_with_the_groups_and_splits_counted_by_hand():
    d = data()
    pairs = KFold(5, shuffle=True, random_state=0).split(np.zeros(40))
    plan = FromPairs(list(pairs)).plan(d)
    torn, broken = set(), 0
    for split in plan.splits[:5]:
        both = set(GROUPS[split.train]) & set(GROUPS[split.test])
        torn |= both
        broken += bool(both)
    found = check(Context(data=d, plan=plan))
    assert (found.code, found.severity) == ("R003", Severity.SERIOUS)
    assert f"{len(torn)} of 10 groups" in found.message
    assert f"({broken} of 5 splits)" in found.message


def test_fires_for_a_single_torn_group():
    d = data()
    rows = np.arange(40)
    found = check(Context(data=d, plan=FromPairs([(rows[:21], rows[21:])]).plan(d)))
    assert "1 of 10 groups" in found.message
    assert "(1 of 1 splits)" in found.message


def test_silent_for_every_scheme_that_keeps_groups_whole():
    d = data()
    for scheme in (CrossValidation(5), Holdout(0.3), LeaveOneOut()):
        assert check(Context(data=d, plan=scheme.plan(d, seed=1))) is None
    rows = np.arange(40)
    assert check(Context(data=d, plan=FromPairs([(rows[:20], rows[20:])]).plan(d))) is None


def test_silent_without_groups():
    d = data(None)
    assert check(Context(data=d, plan=CrossValidation(5).plan(d))) is None
    assert check(Context()) is None
