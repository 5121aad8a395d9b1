"""Cochran's Q: against statsmodels, all permutations, McNemar, and enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from referee.core.results import Target
from referee.errors import InputError
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance import mcnemar_asymptotic, mcnemar_exact
from referee.significance.paired.cochran import cochran_q

tables = st.tuples(st.integers(1, 30), st.integers(2, 5)).flatmap(
    lambda shape: arrays(bool, shape, elements=st.booleans())
)


def informative(wrong):
    return np.any(wrong != wrong[:, :1], axis=1)


@given(tables)
@settings(deadline=None)
def test_chi_square_against_statsmodels(wrong):
    made = cochran_q(wrong, law="chi2")
    if not informative(wrong).any():
        assert (made.statistic, made.p_value) == (0.0, 1.0)
        return
    theirs = cochrans_q(wrong.astype(int))
    assert made.statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert made.p_value == pytest.approx(theirs.pvalue, abs=1e-9)
    assert made.df == wrong.shape[1] - 1


@given(arrays(bool, st.tuples(st.integers(1, 60), st.just(2)), elements=st.booleans()))
@settings(deadline=None)
def test_two_models_are_mcnemar(wrong):
    pairs = PairedCounts.of(wrong[:, 0], wrong[:, 1])
    chi2, exact = cochran_q(wrong, law="chi2"), cochran_q(wrong)
    assert chi2.statistic == pytest.approx(mcnemar_asymptotic(pairs).statistic ** 2)
    assert chi2.p_value == pytest.approx(mcnemar_asymptotic(pairs).p_value)
    assert exact.p_value == pytest.approx(mcnemar_exact(pairs).p_value, abs=1e-12)


def by_all_permutations(wrong):
    def spread(rows):
        totals = np.sum(rows, axis=0)
        return int(np.sum((len(totals) * totals - totals.sum()) ** 2))

    choices = [list(itertools.permutations(row)) for row in wrong.astype(int)]
    observed = spread(wrong.astype(int))
    return float(np.mean([spread(rows) >= observed for rows in itertools.product(*choices)]))


@given(arrays(bool, st.tuples(st.integers(1, 5), st.just(3)), elements=st.booleans()))
@settings(max_examples=40, deadline=None)
def test_exact_law_against_all_permutations(wrong):
    assert cochran_q(wrong).p_value == pytest.approx(by_all_permutations(wrong), abs=1e-12)


def test_sampled_law_against_the_exact_one_and_its_seed(monkeypatch):
    wrong = np.random.default_rng(1).random((40, 4)) < [0.2, 0.25, 0.3, 0.45]
    monkeypatch.setattr("referee.significance.paired.cochran.MOST_STATES", 10**6)
    exact = cochran_q(wrong).p_value
    monkeypatch.setattr("referee.significance.paired.cochran.MOST_STATES", 0)
    sampled = cochran_q(wrong)
    assert sampled.p_value == pytest.approx(exact, abs=0.012)
    assert sampled == cochran_q(wrong, random_state=0)
    monkeypatch.setattr("referee.significance.paired.cochran.MOST_SETS", 0)
    assert cochran_q(wrong).p_value == pytest.approx(exact, abs=0.012)


def test_the_rule_for_the_law():
    rng = np.random.default_rng(0)
    many = rng.random((4000, 3)) < 0.2
    assert cochran_q(many).df == 2
    assert cochran_q(many[:300]).df is None
    assert "use law='permutation'" in cochran_q(many[:300], law="chi2").flag
    assert cochran_q(many).p_value == pytest.approx(
        cochran_q(many, law="permutation").p_value, abs=0.02
    )


@given(tables, st.randoms())
@settings(max_examples=40, deadline=None)
def test_the_order_of_models_and_cases_does_not_matter(wrong, random):
    columns = random.sample(range(wrong.shape[1]), wrong.shape[1])
    made, other = cochran_q(wrong), cochran_q(wrong[::-1][:, columns])
    assert made.statistic == pytest.approx(other.statistic)
    assert made.p_value == pytest.approx(other.p_value, abs=1e-12)
    assert (made.test, made.n, made.target) == ("cochran-q", len(wrong), Target.FIXED)
    assert made.null == "all models err equally often on new cases"


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("law", ["auto", "chi2", "permutation"])
def test_where_all_agree_p_is_one(value, law):
    made = cochran_q(np.full((7, 3), value), law=law)
    assert (made.p_value, made.statistic) == (1.0, 0.0)


def test_one_case():
    assert cochran_q(np.array([[True, False, False]])).p_value == 1


def sizes(m, law, level=0.05):
    """The chance of p <= level given m cases with one error among three models."""
    rejected = 0.0
    for first in range(m + 1):
        for second in range(m + 1 - first):
            counts = [first, second, m - first - second]
            wrong = np.repeat(np.eye(3, dtype=bool), counts, axis=0)
            if cochran_q(wrong, law=law).p_value <= level + 1e-12:
                rejected += stats.multinomial.pmf(counts, m, [1 / 3] * 3)
    return rejected


def test_size_by_enumeration():
    for m in (3, 4, 6, 9, 12):
        assert sizes(m, "auto") <= 0.05
    assert sizes(3, "chi2") == pytest.approx(0.1111, abs=1e-4)
    assert sizes(12, "chi2") > 0.06


@pytest.mark.slow
def test_table_of_sizes_by_enumeration(capsys):
    with capsys.disabled():
        for m in (3, 5, 8, 12, 16, 20, 24):
            exact, chi2 = sizes(m, "permutation"), sizes(m, "chi2")
            print(
                f"\n{m} informative cases: permutation {exact:.4f}, chi-square {chi2:.4f}", end=""
            )
            assert exact <= 0.05


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.zeros((4, 1), bool), r"at least 2 models, got shape \(4, 1\)"),
        (np.zeros(4, bool), r"at least 2 models, got shape \(4,\)"),
        (np.full((4, 2), 2), "wrong must hold only True and False"),
    ],
)
def test_bad_input_is_named(wrong, message):
    with pytest.raises(InputError, match=message):
        cochran_q(wrong)


def test_an_unknown_law_is_named():
    with pytest.raises(InputError, match="law must be 'auto', 'chi2' or 'permutation', got 'f'"):
        cochran_q(np.eye(3, dtype=bool), law="f")


def test_a_sampled_p_counts_the_observed_table_itself():
    # One model errs alone on 30 cases: no random permutation comes near, and p is 1 / 10 000.
    wrong = np.zeros((30, 5), dtype=bool)
    wrong[:, 2] = True
    assert cochran_q(wrong).p_value == 1 / 10_000
