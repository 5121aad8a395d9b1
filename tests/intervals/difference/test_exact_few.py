"""The exact interval of a paired difference at fewer than ten cases."""

import numpy as np
import pytest
from scipy import special, stats

from referee.intervals.difference.exact_few import FEW, exact_few
from referee.intervals.difference.exact_paired import exact_paired
from referee.intervals.difference.paired import tango, tango_score
from referee.measures.formulas.paired_counts import PairedCounts

FINE = np.r_[0.002, 0.005, 0.01, 0.02, np.linspace(0.03, 0.97, 48)]
COARSE = np.r_[0.002, 0.01, 0.03, np.linspace(0.05, 0.95, 19)]


def tables(n):
    """Return every b and c, and in how many ways each table comes about."""
    b, c = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T
    ways = special.gammaln(n + 1) - sum(special.gammaln(k + 1) for k in (b, c, n - b - c))
    return b, c, ways


def laws(n, shares):
    """Yield differences, each with the chance of every table."""
    b, c, ways = tables(n)
    for p in shares:
        for q in shares[shares < 1 - p - 1e-9]:
            logs = ways + b * np.log(p) + c * np.log(q) + (n - b - c) * np.log(1 - p - q)
            yield q - p, np.exp(logs)


def width_of_tango(n):
    b, c, _ = tables(n)
    return np.array(
        [tango(PairedCounts(n - i - j, i, j, 0)).width for i, j in zip(b, c, strict=True)]
    )


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9])
def test_covers_and_is_no_wider_than_tango_by_more_than_an_eighth(n):
    """With half the error on each side it was 1.179 times as wide at five cases."""
    b, c, _ = tables(n)
    low, high = np.array([exact_few(i, j, n, 0.05) for i, j in zip(b, c, strict=True)]).T
    score, covered, wider = width_of_tango(n), [], []
    for d, chance in laws(n, FINE):
        covered.append(chance[(low <= d + 1e-12) & (d <= high + 1e-12)].sum())
        wider.append(chance @ (high - low) / (chance @ score))
    assert min(covered) >= 0.95
    assert np.mean(wider) <= 1.07


@pytest.mark.parametrize("level", [0.8, 0.9, 0.99])
def test_few_cases_are_covered_at_other_levels(level):
    b, c, _ = tables(6)
    low, high = np.array([exact_few(i, j, 6, 1 - level) for i, j in zip(b, c, strict=True)]).T
    covered = [
        chance[(low <= d + 1e-12) & (d <= high + 1e-12)].sum() for d, chance in laws(6, FINE)
    ]
    assert min(covered) >= level


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", range(1, FEW))
def test_holds_the_truth_beside_every_end_at_every_share(n, level):
    """Coverage falls where a difference leaves an interval; a blip may bring it back later."""
    b, c, ways = tables(n)
    low, high = np.array([exact_few(i, j, n, 1 - level) for i, j in zip(b, c, strict=True)]).T
    beside = np.concatenate([high + 2e-6, high - 2e-6])
    for d in np.r_[np.linspace(0, 0.999, 200), beside[(beside > 0) & (beside < 1)]]:
        p = np.linspace(0, (1 - d) / 2, 400)[:, None]
        rest = np.maximum(1 - 2 * p - d, 0)
        logs = special.xlogy(b, p) + special.xlogy(c, p + d) + special.xlogy(n - b - c, rest)
        covered = np.exp(ways + logs)[:, (low <= d) & (d <= high)].sum(axis=1)
        assert covered.min() >= level - 1e-9


def test_a_blip_between_the_points_of_a_grid_belongs_to_the_interval():
    """A grid of a thousand differences ended at .6022; 2 tables more are as far away at .6051."""
    low, high = exact_few(3, 3, 9, 1 - 0.99)
    assert high == -low == pytest.approx(0.60565, abs=1e-5)


def test_few_cases_against_a_loop_over_every_table():
    """What the interval holds is what the two-sided test, with its tails summed, keeps."""
    n, b, c = 6, 1, 3
    made = exact_paired(PairedCounts(n - b - c, b, c, 0))
    for d in np.linspace(-0.9, 0.9, 19):
        seen = abs(float(tango_score(b, c, n, d)))
        most = max(
            sum(
                stats.multinomial.pmf([i, j, n - i - j], n, [p, p + d, max(0.0, 1 - 2 * p - d)])
                for i in range(n + 1)
                for j in range(n + 1 - i)
                if abs(float(tango_score(i, j, n, d))) >= seen - 1e-9
            )
            for p in np.linspace(max(0.0, -d), (1 - d) / 2, 40)
        )
        assert most <= 0.051 or made.low <= d <= made.high


@pytest.mark.parametrize(("n", "least"), [(3, 1.227), (5, 1.169)])
def test_with_half_the_error_on_each_side_no_order_of_tables_is_as_narrow(n, least):
    """The narrowest of all intervals whose sides each err in 2.5 % at most, by going through them.

    An upper end is a chain of growing sets of tables, each set as unlikely as half the error where
    the end stands; a table joins after all that say less of the second model. The cheapest chain is
    found from set to set. Grids of shares and differences make ends a little too short.
    """
    assert least <= narrowest_of_any_order(n) <= least + 0.002


def narrowest_of_any_order(n, alpha=0.025):
    """Return the least mean width over Tango's of an interval that keeps alpha on each side."""
    b, c, ways = tables(n)
    width = width_of_tango(n)
    chances = [chance for _, chance in laws(n, COARSE)]
    weight = np.mean([chance / (chance @ width) for chance in chances], axis=0)
    weight += weight[np.lexsort((b, c))]  # the lower end mirrors the upper one
    differences = np.linspace(-1, 1, 1001)
    p = np.array([np.linspace(max(0, -d), (1 - d) / 2, 40) for d in differences])[..., None]
    q = np.maximum(p + differences[:, None, None], 0)
    chances = np.exp(ways) * p**b * q**c * np.maximum(1 - p - q, 0) ** (n - b - c)
    before = [
        sum(1 << j for j in range(len(b)) if j != i and b[j] >= b[i] and c[j] <= c[i])
        for i in range(len(b))
    ]
    costs = {0: 0.0}
    for _ in b:
        grown = {}
        for held, cost in costs.items():
            for i in range(len(b)):
                if not held >> i & 1 and not before[i] & ~held:
                    more = held | 1 << i
                    grown.setdefault(more, []).append((cost, i))
        costs = {}
        for held, steps in grown.items():
            inside = [i for i in range(len(b)) if held >> i & 1]
            likely = np.flatnonzero(chances[..., inside].sum(-1).max(1) > alpha + 1e-12)
            end = differences[likely[-1]] if len(likely) else -1.0
            costs[held] = min(cost + weight[i] * end for cost, i in steps)
    return costs[(1 << len(b)) - 1]


def test_few_cases_agree_with_mcnemar_where_all_disagree():
    for n in range(1, FEW):
        for c in range(n + 1):
            low, high = exact_few(n - c, c, n, 0.05)
            p = stats.binomtest(c, n).pvalue
            assert (low <= 0 <= high) == (p > 0.05)
