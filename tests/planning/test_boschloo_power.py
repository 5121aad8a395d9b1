"""Power of Boschloo's test against every table, tested one by one."""

import numpy as np
import pytest
from scipy import stats

from referee.planning.boschloo_power import boschloo_power, boschloo_rows
from referee.planning.sample_size import sample_size
from referee.significance.unpaired.boschloo import boschloo


@pytest.mark.parametrize("n", [2, 5, 9])
@pytest.mark.parametrize("rates", [(0.1, 0.8), (0.9, 0.3), (0.0, 1.0)])
def test_power_is_the_chance_of_all_tables_that_reject(n, rates):
    counts = np.arange(n + 1)
    rejected = [[boschloo(x, n, y, n).p_value <= 0.05 for y in counts] for x in counts]
    first, second = (stats.binom.pmf(counts, n, p) for p in rates)
    assert boschloo_power(n, *rates) == pytest.approx(first @ np.array(rejected) @ second)


def test_two_cases_each_show_nothing_and_three_do():
    assert boschloo(0, 2, 2, 2).p_value > 0.05
    planned = sample_size(a=0, b=1)
    assert planned.scenarios[-1].rows == 3
    assert "3 cases each, 6 cases in all" in planned.verdict.sentence
    assert sample_size(a=0, b=1, n=2, paired=False).scenarios[-1].power == 0


def test_from_the_rows_on_the_power_stays():
    rows = boschloo_rows(0.9, 0.5)
    powers = [boschloo_power(n, 0.9, 0.5) for n in range(rows - 1, rows + 12)]
    assert powers[0] < 0.8 <= min(powers[1:])
    assert boschloo_rows(0.99, 0.995) is None
