"""Verdicts: what is claimed, what withholds it, and what a guesser may know."""

import re

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee import InputError, Outcome
from referee.resampling import TestRows


def apart(n=40):
    y = np.repeat([0, 1], n // 2)
    X = np.random.default_rng(0).normal(size=(n, 1)) + 18 * y[:, None]
    return X, y


def test_no_error_in_repeated_holdout_still_has_an_interval_with_width():
    X, y = apart()
    by = ShuffleSplit(5, test_size=0.1)
    e = referee.evaluate(GaussianNB(), X, y, by=by, max_error=0.0, random_state=0)
    tested = len(np.unique(e.predictions.unseen.case))
    assert e.error.value == 0
    # Exact for half the tested cases: the learning procedure, from fits that share rows.
    assert e.error.interval.high == pytest.approx(1 - 0.025 ** (2 / tested))
    assert e.verdict.outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca", "wald", "student-t"])
def test_an_interval_without_width_passes_nothing(interval):
    X, y = apart()
    e = referee.evaluate(
        GaussianNB(), X, y, by=5, interval=interval, max_error=0.001, random_state=0
    )
    assert e.error.interval.width == 0
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert "no width" in e.verdict.sentence


def copied():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 3)), rng.permutation(np.repeat([0, 1], 25))
    return np.tile(X, (6, 1)), np.tile(y, 6)


def test_a_serious_finding_withholds_a_pass_until_it_is_dismissed():
    # Pure noise, six copies of each row: 1-NN looks perfect because it has seen every case.
    e = referee.evaluate(KNeighborsClassifier(1), *copied(), by=5, random_state=0)
    assert e.error.value < 0.05
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert "Not a result while R002" in e.verdict.sentence
    waved = referee.evaluate(
        KNeighborsClassifier(1), *copied(), by=5, random_state=0, dismiss=["R002"]
    )
    assert waved.verdict.outcome is Outcome.PASS
    found = next(f for f in waved.findings if f.code == "R002")
    assert found.title.endswith("(dismissed)")
    assert found.severity == "note"


def test_the_guesser_knows_the_training_rows_only():
    y = np.r_[np.zeros(30, int), np.ones(10, int), np.ones(20, int)]
    X = np.random.default_rng(0).normal(size=(60, 1))
    e = referee.evaluate(GaussianNB(), X, y, by=TestRows(40), random_state=0)
    assert e.guessing.value == 1.0  # it would answer 0, and every test case is a 1


def test_a_test_set_of_unknown_classes_is_refused():
    y = np.array(["<=50K", ">50K"] * 20 + ["<=50K.", ">50K."] * 10)
    with pytest.raises(InputError, match="no class of the test rows occurs in the training rows"):
        referee.evaluate(GaussianNB(), np.zeros((60, 1)), y, by=TestRows(40))


def test_weightless_test_cases_are_refused_and_do_not_count():
    X, y = apart()
    w = np.r_[np.ones(4), np.zeros(36)]
    e = referee.evaluate_predictions(y, y, sample_weight=w)
    assert e.error.n == 4
    with pytest.raises(InputError, match="sample_weight is 0 for every tested case"):
        referee.evaluate(
            GaussianNB(), X, y, by=[(np.r_[0:4, 36:40], np.arange(4, 36))], sample_weight=w
        )


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
@pytest.mark.parametrize(("of_classes", "wrong"), [(2, 24), (4, 11)], ids=["equal", "1 to 3"])
def test_verdict_and_page_tell_the_same_error_from_guessing(groups, of_classes, wrong):
    truth = (np.arange(60) % of_classes == 0).astype(int)
    answers = np.where(np.arange(60) * 7 % 60 < wrong, 1 - truth, truth)
    e = referee.evaluate_predictions(truth, answers, groups=groups)
    if groups is not None:  # how far groups reach depends on where their errors fall
        assert "That cannot be said" in str(e)
        return
    said = re.search(r"would have to be (\S+ %) or less", e.verdict.sentence)[1]
    assert f"Errors up to {said} would have been told from guessing" in " ".join(str(e).split())


def test_cases_too_few_to_show_anything():
    e = referee.evaluate_predictions([0, 1, 0, 1], [0, 1, 0, 1])
    assert "4 cases are too few to show it" in e.verdict.sentence
    assert "No error, not even 0" in " ".join(str(e).split())


def test_under_priors_the_verdict_does_not_say_what_the_page_cannot():
    truth = np.arange(60) % 2
    e = referee.evaluate_predictions(truth, np.zeros(60, int), priors=[0.5, 0.5])
    assert e.verdict.sentence.endswith("50.0 % (50.0 to 50.0 %).")
