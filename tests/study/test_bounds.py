"""Worst-case bounds hold, and are far from what happens."""

import math

import pytest

from referee.errors import InputError
from referee.study import EXAMPLES, GaussianTask, Xor, bounds, two_normals
from referee.study.bounds import finite_class, hoeffding, vapnik


def test_formulas():
    assert hoeffding(200, 0.1) == pytest.approx(math.sqrt(math.log(10) / 400))
    assert finite_class(200, 1, 0.1) == hoeffding(200, 0.1)
    # Vapnik's: h (ln(2n/h) + 1) - ln(delta/4) over n.
    assert vapnik(500, 4, 0.1) ** 2 == pytest.approx(
        (4 * (math.log(250) + 1) - math.log(0.025)) / 500
    )


def test_smoke():
    made = bounds(two_normals(1.0, 2), sizes=(40, 160), rules=20, repetitions=40)
    for row in made.rows:
        assert row.exceeded <= 0.2
        assert row.margin > 0
    by_name = {row.bound: row for row in made.rows if row.n == 160}
    assert by_name["VC, linear rules"].margin > 3 * by_name["VC, linear rules"].quantile_gap
    assert by_name["test set, binomial"].margin < by_name["test set, Hoeffding"].margin
    assert len(made.frame()) == 8
    assert "no bound was exceeded" in made.conclusion


@pytest.mark.slow
@pytest.mark.parametrize("task", [two_normals(1.0, 5), EXAMPLES[1], Xor()], ids=str)
def test_no_bound_fails_more_often_than_it_may(task):
    made = bounds(task, sizes=(50, 400), repetitions=200, n_samples=5_000, n_jobs=2)
    for row in made.rows:
        assert row.exceeded <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 200)


def test_messages():
    with pytest.raises(InputError, match="two classes and errors that all cost 1"):
        bounds(GaussianTask([[0.0], [1.0], [2.0]], [[1.0]]))
    with pytest.raises(InputError, match="delta must lie strictly between 0 and 1"):
        bounds(two_normals(1.0), delta=0)
