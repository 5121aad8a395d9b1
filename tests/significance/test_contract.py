"""What every test and adjustment of the catalogues keeps, and one registered from outside."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.cli.terminal.catalogued import filled
from referee.core.citations import Citation
from referee.core.plan import Part
from referee.core.results import Evidence, Target
from referee.errors import InputError, Refusal
from referee.measures import measure_named
from referee.significance import (
    ADJUSTMENTS,
    COMPARISON_TESTS,
    DATASET_TESTS,
    Adjustment,
    ComparisonSituation,
    ComparisonTest,
    Contrast,
    Setting,
)
from referee.significance.comparison_test import LearnerTrial
from referee.significance.paired.mcnemar_exact import mcnemar_exact
from referee.significance.score_tests import SCORE_TESTS, ScoreTest
from referee.study.calibration.fixed.exact import enumerated
from referee.study.calibration.probe import LearnerPairs
from referee.study.calibration.rates import of_enumeration
from referee.study.calibration.table import known_methods

EVERY = {
    **COMPARISON_TESTS,
    **{f"data sets: {name}": test for name, test in DATASET_TESTS.items()},
    **{f"adjust: {name}": way for name, way in ADJUSTMENTS.items()},
}
MODELS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)}
WORK = Citation("Doe 2031", "Doe, J. (2031). Journal of Made-up Tests 1, 1-2.")


def answers(n=120, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    scores = {
        name: 1 / (1 + np.exp(-s * (2 * truth - 1) - rng.normal(size=n)))
        for name, s in {"a": 1.2, "b": 0.6}.items()
    }
    return truth, {k: (s > 0.5).astype(int) for k, s in scores.items()}, scores


def situation(test, **more):
    """Return one that the test accepts."""
    area = test.name.startswith("delong")
    known = {
        "measure": measure_named("auc" if area else "error"),
        "grouped": test.by_groups,
    }
    if test.name == "paired-t":
        known |= {"measure": measure_named("mae"), "zero_one": False}
    if test.setting is Setting.DIFFERENT_CASES:
        known["paired"] = False
    if test.setting is Setting.SEVERAL_FITS:
        known |= {"fits": 10}
    if test.setting is Setting.ONE_BY_ONE:
        known["sequential"] = True
    if test.name.startswith("5x2cv"):
        known |= {"repetitions": 5}
    if test.name in ("calibrated-t", "shrunken-t"):
        known |= {"parts": frozenset({Part.HALVINGS})}
    return ComparisonSituation(**(known | more))


# All entries.


@pytest.mark.parametrize("name", EVERY)
def test_every_entry_says_what_it_is(name):
    method = EVERY[name]
    assert name.endswith(method.name)
    assert method.name == method.name.lower()
    assert method.title
    assert not method.title.endswith(".")
    assert method.assumptions or method.name == "holm"  # which assumes nothing
    # The first two are our own, the other in every textbook.
    assert method.citations or method.name in ("calibrated-t", "shrunken-t", "paired-t")
    for work in method.citations:
        author, year = work.key.split()[0].rstrip(","), work.key.split()[-1]
        assert work.work.startswith(author)
        assert f"({year})" in work.work
        assert work.key in method.cited


@pytest.mark.parametrize("name", EVERY)
def test_every_entry_travels_to_workers(name):
    again = pickle.loads(pickle.dumps(EVERY[name]))
    assert (again.name, again.title) == (EVERY[name].name, EVERY[name].title)


@pytest.mark.parametrize("name", COMPARISON_TESTS)
def test_every_test_accepts_its_setting_and_names_another_test_elsewhere(name):
    test = COMPARISON_TESTS[name]
    own = situation(test)
    assert own.setting is test.setting
    assert test.objection(own) is None
    elsewhere = {
        Setting.SAME_CASES: {"paired": True, "fits": 1, "sequential": False},
        Setting.DIFFERENT_CASES: {
            "paired": False,
            "fits": 1,
            "grouped": False,
            "sequential": False,
        },
        Setting.SEVERAL_FITS: {"paired": True, "fits": 10, "sequential": False},
        Setting.ONE_BY_ONE: {"paired": True, "fits": 1, "sequential": True},
    }
    for setting, changed in elsewhere.items():
        if setting is test.setting:
            continue
        if name == "paired-t" and setting is Setting.DIFFERENT_CASES:
            continue  # there is no test of quantities on different cases to name
        reason = test.objection(replace(own, **changed))
        others = set(re.findall(r"'([\w-]+)'", reason)) & set(COMPARISON_TESTS) - {name}
        assert {COMPARISON_TESTS[other].setting for other in others} == {setting}


@pytest.mark.parametrize("name", COMPARISON_TESTS)
def test_targets_follow_from_the_setting(name):
    test = COMPARISON_TESTS[name]
    fits = test.setting is Setting.SEVERAL_FITS
    assert test.target is (Target.EXPECTED if fits else Target.FIXED)


def expected_choice(s):
    """Return the automatic choice as the method page states it."""
    area = s.measure.name == "auc"
    if s.setting is Setting.DIFFERENT_CASES:
        return "delong-unpaired" if area else "boschloo"
    if s.setting is Setting.SEVERAL_FITS:
        halved = s.halved and s.partition and s.mean_loss
        return "calibrated-t" if halved else "corrected-t"
    if s.counts_cases:
        return "group-flip" if s.grouped else "mcnemar-exact"
    return "delong-paired" if area else "paired-bootstrap"


@pytest.mark.parametrize(
    ("measure", "test"),
    [
        ("error", "mcnemar-sequential"),
        ("tpr", "mcnemar-sequential"),
        ("brier", "betting-sequential"),
    ],
)
def test_the_automatic_choice_for_cases_one_by_one(measure, test):
    s = ComparisonSituation(measure=measure_named(measure), sequential=True)
    assert COMPARISON_TESTS.choose(s).name == test


@pytest.mark.parametrize("fits", [1, 10])
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("halved", [True, False])
@pytest.mark.parametrize("measure", ["error", "auc", "f1", "log_loss"])
def test_the_automatic_choice(fits, paired, grouped, halved, measure):
    if not paired and (grouped or fits > 1 or measure not in ("error", "auc")):
        return
    s = ComparisonSituation(
        fits=fits,
        paired=paired,
        grouped=grouped,
        parts=frozenset({Part.HALVINGS} if halved else ()),
        measure=measure_named(measure),
    )
    assert COMPARISON_TESTS.choose(s).name == expected_choice(s)


def test_automatic_names_are_entries_without_a_flag():
    for name in COMPARISON_TESTS.automatic:
        assert not COMPARISON_TESTS[name].flag


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_every_adjustment_raises_and_keeps_the_order(name):
    given = np.array([0.01, 0.04, 0.03, 0.005])
    raised = ADJUSTMENTS[name].compute(given)
    assert np.all(raised >= given)
    assert np.all(np.diff(raised[np.argsort(given)]) >= 0)


# One entry of each kind from outside.


def sign_of_losses(sample):
    wins, losses = (int(np.sum(side)) for side in (sample.differences < 0, sample.differences > 0))
    p = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return Evidence(
        test="sign-of-losses",
        statistic=float(wins - losses),
        p_value=min(1.0, float(p)),
        null="either model does better on half of the cases",
        n=sample.n,
        assumptions=("cases are independent",),
    )


def mean_of_losses(sample):
    d = sample.differences
    return Contrast(
        value=float(d.mean()),
        se=float(d.std(ddof=1)) / len(d) ** 0.5,
        df=len(d) - 1,
        test="mean-of-losses",
        null="equal",
        n=len(d),
    )


def not_of_areas(situation):
    return "sign-of-losses knows no areas; use 'delong-paired'" if not situation.mean_loss else None


SIGN = ComparisonTest(
    "sign-of-losses",
    title="a sign test of the losses",
    label="losses' sign",
    citations=(WORK,),
    target=Target.FIXED,
    assumptions=("cases are independent",),
    setting=Setting.SAME_CASES,
    refusal=not_of_areas,
    compute=sign_of_losses,
)


@pytest.fixture
def registered():
    """A test from outside that "auto" prefers to McNemar's."""
    COMPARISON_TESTS.register(SIGN, before="mcnemar-exact")
    yield SIGN
    COMPARISON_TESTS.remove(SIGN.name)


def test_a_registered_test_is_chosen_where_told_and_reported(registered, tmp_path):
    truth, preds, _ = answers()
    c = referee.compare_predictions(truth, preds)
    assert c.evidence.test == "sign-of-losses"
    assert c.test is registered
    mcnemar = referee.compare_predictions(truth, preds, significance="mcnemar-exact")
    assert c.evidence.p_value == pytest.approx(mcnemar.evidence.p_value)  # the same law for errors
    assert c.difference == mcnemar.difference
    assert "losses' sign p" in c.verdict.sentence
    assert "a sign test of the losses (Doe 2031)" in c.methods
    text = " ".join(str(c).split())
    assert WORK.work in text
    assert "sign-of-losses" in text
    path = c.to_bundle(tmp_path / "kept.zip")
    assert referee.verify(path).verdict.shown


def test_a_registered_test_is_passed_over_or_refused_where_it_does_not_suit(registered):
    truth, preds, scores = answers()
    area = {"y_scores": scores, "measure": "auc", "pos_label": 1}
    assert referee.compare_predictions(truth, preds, **area).evidence.test == "delong-paired"
    with pytest.raises(Refusal, match="knows no areas; use 'delong-paired'"):
        referee.compare_predictions(truth, preds, significance="sign-of-losses", **area)
    both = dict.fromkeys(preds, truth)
    with pytest.raises(Refusal, match=r"'sign-of-losses' needs both models.*same cases.*boschloo"):
        referee.compare_predictions(both, preds, significance="sign-of-losses")
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(Refusal, match=r"'sign-of-losses' takes pooled predictions.*corrected-t"):
        referee.compare(MODELS, X[:60], y[:60], by=3, significance="sign-of-losses")


def test_an_unknown_name_suggests_a_registered_one(registered):
    truth, preds, _ = answers()
    with pytest.raises(InputError, match="did you mean 'sign-of-losses'"):
        referee.compare_predictions(truth, preds, significance="sign-of-loses")


def test_a_registered_test_of_counts_is_enumerated_and_one_of_learners_simulated():
    counted = replace(SIGN, name="counted", of_counts=mcnemar_exact)
    learners = replace(
        COMPARISON_TESTS["corrected-t"], name="tried", tried=(LearnerTrial("5x2"),), aliases=()
    )
    COMPARISON_TESTS.register(counted)
    COMPARISON_TESTS.register(learners)
    try:
        assert {"counted", "tried"} <= set(known_methods())
        mine, oracle = (next(iter(enumerated([name]))) for name in ("counted", "mcnemar-exact"))
        assert (mine.worst, mine.mean) == (oracle.worst, oracle.mean)
        assert of_enumeration(mine).quantity == "size"
        assert "tried" in LearnerPairs("5x2").columns
    finally:
        COMPARISON_TESTS.remove("counted")
        COMPARISON_TESTS.remove("tried")


def test_a_registered_test_of_scores_is_chosen_refused_reported_and_listed():
    def even(differences):
        return Evidence(test="even", statistic=0.0, p_value=0.5, null="nothing", n=differences.n)

    mine = ScoreTest(
        "even",
        title="a test that never tells",
        citations=(WORK,),
        label="even",
        refusal=lambda s: "even knows no clusters; use 'group-flip'" if s.clustered else None,
        compute=even,
    )
    scores = {"item": np.arange(12), "a": np.arange(12) / 11, "b": np.arange(12)[::-1] / 12}
    SCORE_TESTS.register(mine, before="mcnemar-exact")
    try:
        c = referee.compare_scores(scores, item="item")
        assert (c.evidence.test, c.evidence.p_value) == ("even", 0.5)
        assert "even p = .500" in c.verdict.sentence
        assert "a test that never tells (Doe 2031)" in c.methods
        clusters = {**scores, "cluster": np.arange(12) // 3}
        assert referee.compare_scores(clusters, item="item").evidence.test == "paired-t"
        with pytest.raises(Refusal, match="even knows no clusters"):
            referee.compare_scores(clusters, item="item", significance="even")
        assert ", even; items of their own" in filled("{score_tests}")
    finally:
        SCORE_TESTS.remove("even")


def test_a_name_that_is_taken_is_refused_naming_both_modules(registered):
    other = replace(SIGN, name="boschloo")
    with pytest.raises(InputError, match=r"'boschloo' of .*test_contract.*referee.significance"):
        COMPARISON_TESTS.register(other)
    with pytest.raises(InputError, match="must be a ComparisonTest"):
        COMPARISON_TESTS.register(ADJUSTMENTS["holm"])


def test_a_test_of_ones_own_needs_no_registration():
    truth, preds, _ = answers()
    mine = replace(
        SIGN, name="mine", refusal=lambda situation: None, label="",
        compute=lambda sample: replace(sign_of_losses(sample), test="mine"),
    )  # fmt: skip
    c = referee.compare_predictions(truth, preds, significance=mine)
    assert "mine" not in COMPARISON_TESTS
    assert "mine p" in c.verdict.sentence
    assert c.difference.interval.method == "exact-paired"
    # For a measure that is no share of cases the difference is the measure's, without interval.
    with pytest.raises(Refusal, match="'mine' does not suit f1"):
        referee.compare_predictions(truth, preds, measure="f1", pos_label=1, significance=mine)
    mine = replace(mine, any_measure=True)
    f1 = referee.compare_predictions(truth, preds, measure="f1", pos_label=1, significance=mine)
    oracle = referee.compare_predictions(truth, preds, measure="f1", pos_label=1)
    assert f1.difference.value == pytest.approx(oracle.difference.value)
    assert f1.difference.interval is None
    assert "paired-bootstrap" in f1.difference.reason
    assert "could detect is not known" in f1.verdict.sentence or f1.verdict.shown


def test_a_contrast_of_ones_own_brings_its_interval_and_judges_a_rope():
    truth, preds, _ = answers()
    mine = ComparisonTest(
        "mean-of-losses",
        title="a t test of the cases",
        setting=Setting.SAME_CASES,
        compute=mean_of_losses,
    )
    c = referee.compare_predictions(truth, preds, significance=mine, rope=0.05)
    wrong = [(preds[k] != truth).astype(float) for k in "ab"]
    oracle = stats.ttest_rel(*wrong)
    assert c.evidence.p_value == pytest.approx(oracle.pvalue)
    ends = oracle.confidence_interval(0.95)
    assert (c.difference.interval.low, c.difference.interval.high) == pytest.approx(
        (ends.low, ends.high)
    )
    assert c.pairs[0].equivalence.test == "equivalence-mean-of-losses"


def test_a_learner_test_of_ones_own_reads_the_shared_fits():
    X, y = load_breast_cancer(return_X_y=True)
    mine = ComparisonTest(
        "plain-t",
        title="a t test over folds",
        setting=Setting.SEVERAL_FITS,
        compute=lambda sample: replace(mean_of_folds(sample.per_split), n=sample.losses.n),
    )
    c = referee.compare(MODELS, X[:100], y[:100], by=5, significance=mine, random_state=0)
    same = referee.compare(MODELS, X[:100], y[:100], by=5, significance="kfold-t", random_state=0)
    assert c.evidence.p_value == pytest.approx(same.evidence.p_value)


def mean_of_folds(d):
    se = float(d.std(ddof=1)) / len(d) ** 0.5
    return Contrast(value=float(d.mean()), se=se, df=len(d) - 1, test="plain-t", null="", n=len(d))


@pytest.mark.parametrize("wrong", [7, sign_of_losses, ADJUSTMENTS["holm"]])
def test_what_is_no_test_is_refused_before_anything_is_computed(wrong):
    truth, preds, _ = answers()
    with pytest.raises(InputError, match="significance must be the name of a test or a Comparison"):
        referee.compare_predictions(truth, preds, significance=wrong)


def test_a_registered_adjustment_is_used_and_named():
    bonferroni = Adjustment(
        "bonferroni",
        title="Bonferroni's method",
        citations=(WORK,),
        compute=lambda p: np.minimum(1.0, len(p) * np.asarray(p, dtype=float)),
    )
    ADJUSTMENTS.register(bonferroni)
    try:
        truth, preds, _ = answers()
        three = preds | {"c": 1 - truth}
        c = referee.compare_predictions(truth, three, adjust="bonferroni")
    finally:
        ADJUSTMENTS.remove("bonferroni")
    for pair in c.pairs:
        assert pair.p_adjusted == pytest.approx(min(1.0, 3 * pair.evidence.p_value))
    assert "adjusted by Bonferroni's method (Doe 2031)" in c.methods
    assert WORK in c.citations


def nothing(p_value):
    return lambda s: Evidence(test="mine", statistic=0.0, p_value=p_value, null="none", n=s.n)


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        (lambda s: 1 / 0, "test 'mine' failed: ZeroDivisionError: division by zero"),
        (
            lambda s: 0.03,
            "test 'mine' must return Evidence or a Contrast, got 0.03; write Evidence",
        ),
        (lambda s: None, "test 'mine' must return Evidence or a Contrast, got None"),
        (nothing(float("nan")), "test 'mine' must return a p-value, got nan"),
    ],
)
def test_a_test_of_ones_own_that_goes_wrong_is_named(compute, said):
    truth, predictions, _ = answers()
    mine = ComparisonTest("mine", title="mine", setting=Setting.SAME_CASES, compute=compute)
    with pytest.raises(InputError, match=re.escape(said)):
        referee.compare_predictions(truth, predictions, significance=mine)


def test_a_setting_is_one_of_those_there_are_and_may_be_written_out():
    make = {"title": "mine", "compute": nothing(0.5)}
    assert ComparisonTest("mine", setting="same cases", **make).setting is Setting.SAME_CASES
    with pytest.raises(InputError, match=r"setting must be one of 'same cases', .*got 'foo'"):
        ComparisonTest("mine", setting="foo", **make)


def test_a_test_of_ones_own_cannot_pass_for_one_of_the_catalogue():
    truth, predictions, _ = answers()
    made = ComparisonTest(
        "fisher", title="mine", setting=Setting.SAME_CASES, compute=nothing(0.001)
    )
    with pytest.raises(InputError, match=r"test 'fisher' of .* is already taken by referee"):
        referee.compare_predictions(truth, predictions, significance=made)


def test_values_that_are_means_over_splits_are_not_said_to_be_pooled():
    X, y = load_breast_cancer(return_X_y=True)
    c = referee.compare(
        MODELS, X, y, by=3, measure="average_precision", pos_label=1, random_state=0
    )
    assert "Values and differences are means over splits." in c.to_text()
    assert "pooled over all" not in c.to_text()
