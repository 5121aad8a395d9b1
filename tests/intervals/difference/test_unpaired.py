"""Intervals of an unpaired difference: against statsmodels and every outcome enumerated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from referee.errors import InputError
from referee.intervals.difference.unpaired import newcombe_unpaired, wald_unpaired

FORMS = {"newcombe-unpaired": newcombe_unpaired, "wald-unpaired": wald_unpaired}
samples = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("name", "theirs"), [("newcombe-unpaired", "newcomb"), ("wald-unpaired", "wald")]
)
def test_against_statsmodels(name, theirs):
    for x1, n1, x2, n2 in [(56, 70, 48, 80), (9, 10, 3, 10), (0, 12, 4, 30), (5, 5, 1, 9)]:
        for level in (0.5, 0.9, 0.95, 0.999):
            low, high = confint_proportions_2indep(
                x1, n1, x2, n2, method=theirs, compare="diff", alpha=1 - level
            )
            made = FORMS[name](x1, n1, x2, n2, level)
            assert made.low == pytest.approx(max(-1, low), abs=1e-9)
            assert made.high == pytest.approx(min(1, high), abs=1e-9)


@given(st.sampled_from(sorted(FORMS)), samples, samples)
@settings(deadline=None)
def test_contract(name, first, second):
    made, swapped = FORMS[name](*first, *second), FORMS[name](*second, *first)
    difference = first[0] / first[1] - second[0] / second[1]
    assert -1 <= made.low <= difference + 1e-12
    assert difference - 1e-12 <= made.high <= 1
    assert (made.low, made.high) == pytest.approx((-swapped.high, -swapped.low), abs=1e-12)
    assert made.method == name
    if name == "newcombe-unpaired":
        assert made.width > 0


def test_no_errors_in_both():
    assert newcombe_unpaired(0, 20, 0, 30).width > 0.1
    assert wald_unpaired(0, 20, 0, 30).width == 0
    assert "use exact-unpaired" in wald_unpaired(0, 20, 0, 30).flag


def coverage(form, n1, n2, steps):
    shares = (np.arange(steps) + 0.5) / steps
    ends = np.array(
        [
            [[form(a, n1, b, n2).low, form(a, n1, b, n2).high] for b in range(n2 + 1)]
            for a in range(n1 + 1)
        ]
    )
    held = []
    for p1 in shares:
        for p2 in shares:
            chance = np.outer(
                stats.binom.pmf(np.arange(n1 + 1), n1, p1),
                stats.binom.pmf(np.arange(n2 + 1), n2, p2),
            )
            inside = (ends[..., 0] <= p1 - p2 + 1e-12) & (p1 - p2 - 1e-12 <= ends[..., 1])
            held.append(chance[inside].sum())
    return np.array(held)


def test_newcombe_covers_better_than_wald_by_enumeration():
    newcombe, wald = (
        coverage(FORMS[f], 20, 15, 20) for f in ("newcombe-unpaired", "wald-unpaired")
    )
    assert newcombe.mean() > 0.95
    assert newcombe.min() > 0.87
    assert wald.min() < 0.6


@pytest.mark.parametrize("form", FORMS.values())
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3, 2, 1, 4), "errors must lie between 0 and n = 2, got 3"),
        ((1, 2, 1, 0), "n must be positive and finite, got 0"),
        ((1, 2, 1, 2, 95), "level must lie strictly between 0 and 1, got 95"),
    ],
)
def test_bad_input_is_named(form, given, message):
    with pytest.raises(InputError, match=message):
        form(*given)
