"""Situations: those of plans against those of tables, and both against a count by hand."""

from collections import Counter

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from referee.core.dataset import Dataset
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.results import Target
from referee.core.situation import Situation
from referee.fitting.run import run
from referee.resampling import scheme_for

RNG = np.random.default_rng(0)
Y = np.arange(40) % 2
DATA = Dataset.of(RNG.normal(size=(40, 2)) + Y[:, None], Y, groups=np.arange(40) // 2)


def by_hand(plan):
    """Cases tested unseen, the fewest of one fit, and whether repetitions are partitions."""
    unseen = [(s.repetition, sorted(set(s.test) - set(s.train))) for s in plan.part(Part.MAIN)]
    counts = {}
    for repetition, rows in unseen:
        counts.setdefault(repetition, Counter()).update(rows)
    ever = set().union(*counts.values()) if counts else set()
    once = all(c == Counter(ever) for c in counts.values())
    return len(ever), min((len(rows) for _, rows in unseen), default=0), once


@pytest.mark.parametrize(
    "by", [5, "3x5", "holdout", "repeated-holdout", "nested-cv", "conservative-z", "loo"]
)
def test_plan_against_table_and_count_by_hand(by):
    data = Dataset.of(DATA.X, Y)
    plan = scheme_for(by, data).scheme.plan(data, 0)
    of_plan = Situation.of_plan(plan, data)
    assert (of_plan.n, of_plan.smallest_test, of_plan.partition) == by_hand(plan)
    assert Situation.of_table(run(GaussianNB(), data, plan).predictions) == of_plan


def test_resubstitution_tests_nothing_unseen():
    plan = scheme_for("resubstitution", DATA).scheme.plan(DATA, 0)
    assert Situation.of_plan(plan, DATA).n == 0


def test_groups_weights_and_what_was_asked():
    table = Predictions.of(Y, Y, groups=np.arange(40) // 4, sample_weight=np.ones(40) * 2)
    made = Situation.of_table(table, target=Target.EXPECTED, target_asked=True)
    assert made.grouped
    assert made.weighted
    assert made.fixed
    assert (made.target, made.target_asked) == (Target.EXPECTED, True)
