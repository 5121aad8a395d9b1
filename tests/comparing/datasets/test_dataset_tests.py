"""Tests over data sets by name: chosen, refused, reported, kept in a bundle."""

import numpy as np
import pytest
from scipy import stats

import referee
from referee.core.results import Evidence
from referee.errors import InputError, Refusal
from referee.significance import DATASET_TESTS
from referee.significance.datasets.dataset_test import DatasetTest, Role

RNG = np.random.default_rng(3)
TWO = {"a": RNG.random(12) + 0.2, "b": RNG.random(12)}
MANY = TWO | {"c": RNG.random(12), "d": RNG.random(12) + 0.4}


def judged(scores, **options):
    return referee.compare_datasets(scores=scores, **options)


def test_the_sign_test_of_two_models_against_the_binomial_law():
    c = judged(TWO, significance="sign")
    wins = int(np.sum(TWO["a"] > TWO["b"]))
    assert c.evidence.test == "sign"
    assert c.evidence.p_value == pytest.approx(stats.binomtest(wins, 12).pvalue)
    assert f"sign test wins = {max(wins, 12 - wins)}" in c.verdict.sentence
    assert "tested with the sign test (Demsar 2006), two-sided" in c.methods
    assert c.frame()["test"].tolist() == ["sign"]
    assert "sign test wins" in c.to_markdown()


def test_friedmans_test_of_all_against_scipy():
    c = judged(MANY, significance="friedman")
    oracle = stats.friedmanchisquare(*MANY.values())
    assert c.evidence.test == "friedman"
    assert c.evidence.statistic == pytest.approx(oracle.statistic)
    assert c.critical.alike == (c.evidence.p_value > 0.05)
    assert "Friedman chi² = " in c.verdict.sentence
    assert "Friedman's test (Friedman 1937)" in c.methods


def test_what_is_not_asked_for_stays_as_it_is():
    auto, named = judged(MANY), judged(MANY, significance="iman-davenport")
    assert auto.verdict == named.verdict
    assert auto.methods == named.methods
    assert judged(MANY, significance="sign").verdict == auto.verdict  # of pairs, given beside


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (TWO, {"significance": "friedman"}, "any of several .* there are two; use .*'wilcoxon'"),
        (TWO, {"significance": "nemenyi"}, "which of several .* there are two; use .*'wilcoxon'"),
        (MANY, {"significance": "bonferroni-dunn"}, "with one control; .*use .*'nemenyi'"),
        (
            MANY,
            {"significance": "nemenyi", "control": "a"},
            "all pairs, not each with a control; use significance='bonferroni-dunn'",
        ),
        (MANY, {"significance": "cochran-q"}, "cases of one data set; use .*'iman-davenport'"),
    ],
)
def test_a_test_that_does_not_suit_is_refused_with_one_that_does(scores, options, message):
    with pytest.raises(Refusal, match=message):
        judged(scores, **options)


def test_an_unknown_test_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="'fridman' is unknown; did you mean 'friedman'"):
        judged(MANY, significance="fridman")


def test_a_test_is_refused_before_any_fit():
    class Never:
        def fit(self, X, y):
            raise AssertionError("fitted")

    X, y = np.zeros((20, 1)), np.arange(20) % 2
    with pytest.raises(Refusal, match="there are two"):
        referee.compare_datasets(
            {"a": Never(), "b": Never()}, {"x": (X, y), "z": (X, y)}, significance="friedman"
        )


def test_a_bundle_verifies_by_the_same_test(tmp_path):
    path = judged(MANY, significance="friedman").to_bundle(tmp_path / "kept.zip")
    assert referee.verify(path).verdict.shown


def coin(differences):
    return Evidence(test="coin", statistic=1.0, p_value=0.5, null="nothing", n=len(differences))


def test_a_test_of_ones_own_needs_no_registration(tmp_path):
    mine = DatasetTest("coin", title="the toss of a coin", role=Role.PAIR, compute=coin)
    c = judged(TWO, significance=mine)
    assert "the toss of a coin statistic = 1, p = .500." in c.verdict.sentence
    assert "coin" not in DATASET_TESTS
    with pytest.raises(Refusal, match="'coin' is an object of yours"):
        c.to_bundle(tmp_path / "kept.zip")
