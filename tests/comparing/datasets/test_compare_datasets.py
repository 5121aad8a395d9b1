"""compare_datasets, of models and of scores, against Demsar's paper and scipy."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.multitest import multipletests

import referee
from referee.core import Outcome
from referee.errors import InputError, RefereeError, Refusal

GOLDEN = Path(__file__).parents[2] / "golden" / "learners.json"
ITEMS = {item["name"]: item for item in json.loads(GOLDEN.read_text())["items"]}
LEARNERS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
DEMSAR = pd.DataFrame(
    ITEMS["demsar_ranks"]["inputs"]["auc"], columns=LEARNERS, index=[f"d{i}" for i in range(14)]
)


def scores(seed=0, n=12, k=3, gap=0.05):
    """Return scores of k models, each better than the next by about `gap`."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.8, size=(n, 1))
    values = level + gap * np.arange(k)[::-1] + rng.normal(0, 0.03, size=(n, k))
    return pd.DataFrame(values.round(4), columns=[f"m{i}" for i in range(k)])


# Demsar's example.


def test_ranks_against_demsars_paper():
    made = referee.compare_datasets(scores=DEMSAR, measure="auc")
    assert made.critical.ranks == pytest.approx(ITEMS["demsar_ranks"]["expected"], abs=6e-4)
    assert made.critical.order[0] == "C4.5+m+cf"
    assert made.ranking().model.tolist() == list(made.critical.order)


def test_friedman_of_demsars_table_against_the_paper_and_scipy():
    made = referee.compare_datasets(scores=DEMSAR, measure="auc")
    # scipy divides by what ties leave of the variance, and so do we; the paper does not.
    oracle = stats.friedmanchisquare(*(DEMSAR[m] for m in LEARNERS))
    assert made.friedman.statistic == pytest.approx(oracle.statistic)
    assert made.friedman.p_value == pytest.approx(oracle.pvalue)
    ranks = stats.rankdata(-DEMSAR, axis=1)
    plain = 12 * 14 / (4 * 5) * (np.sum(ranks.mean(axis=0) ** 2) - 4 * 25 / 4)
    assert plain == pytest.approx(ITEMS["demsar_friedman"]["expected"]["chi2"], abs=6e-3)
    corrected = made.friedman.statistic
    assert made.iman_davenport.statistic == pytest.approx(
        13 * corrected / (14 * 3 - corrected), rel=1e-9
    )
    assert corrected > plain
    uncorrected = 13 * plain / (14 * 3 - plain)
    assert uncorrected == pytest.approx(ITEMS["demsar_friedman"]["expected"]["F"], abs=6e-3)
    # p is a share of 9999 arrangements of ranks: four standard errors of it from F's law.
    law = stats.f.sf(made.iman_davenport.statistic, 3, 39)
    assert made.iman_davenport.p_value == pytest.approx(law, abs=4 * np.sqrt(law / 9999))


def test_critical_difference_of_demsars_table_at_ten_percent():
    # Section 3.2.2: q = 2.291 gives CD = 1.12 at alpha .10. The paper groups C4.5 with C4.5+cf and
    # leaves the two with +m out of it.
    made = referee.compare_datasets(scores=DEMSAR, measure="auc", level=0.9)
    assert made.critical.difference == pytest.approx(1.12, abs=0.006)
    assert made.critical.differ("C4.5", "C4.5+m")
    assert made.critical.differ("C4.5", "C4.5+m+cf")
    assert not made.critical.differ("C4.5", "C4.5+cf")


def test_two_of_demsars_learners_against_his_wilcoxon():
    made = referee.compare_datasets(scores=DEMSAR[["C4.5+m", "C4.5"]], measure="auc")
    assert made.evidence.statistic == ITEMS["demsar_wilcoxon"]["expected"]["T"]
    assert made.verdict.outcome is Outcome.FIRST
    assert made.best == ("C4.5+m",)
    assert "C4.5+m is better than C4.5 over 14 data sets" in made.verdict.sentence


def test_control_of_demsars_table_against_his_bonferroni_dunn():
    # Section 3.2.2: q = 2.128 at alpha .10, CD = 1.04; only C4.5+m and C4.5+m+cf beat C4.5.
    made = referee.compare_datasets(scores=DEMSAR, measure="auc", control="C4.5", level=0.9)
    assert made.critical.method == "bonferroni-dunn"
    assert made.critical.difference == pytest.approx(1.04, abs=0.006)
    assert made.critical.cliques == (("C4.5+cf", "C4.5"),)


# Oracles on other tables.


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(6, 14), st.integers(3, 6))
def test_friedman_and_pairs_against_scipy_and_statsmodels(seed, n, k):
    frame = scores(seed, n, k, gap=0.01)
    made = referee.compare_datasets(scores=frame)
    columns = [frame[m] for m in frame]
    assert made.friedman.statistic == pytest.approx(stats.friedmanchisquare(*columns).statistic)
    raw = []
    for a, b in made.pairs:
        d = (frame[a] - frame[b]).round(10)
        if len(set(d.abs())) < n or (d == 0).any():
            return  # scipy has no exact law with ties
        raw.append(stats.wilcoxon(d, method="exact"))
    assert [e.statistic for e in made.pairs.values()] == [r.statistic for r in raw]
    adjusted = multipletests([r.pvalue for r in raw], method="holm")[1]
    assert [e.p_value for e in made.pairs.values()] == pytest.approx(list(adjusted))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 5]))
def test_errors_and_accuracies_give_the_same_ranks_and_verdict(seed, k):
    frame = scores(seed, 10, k, gap=0.02)
    up = referee.compare_datasets(scores=frame, measure="accuracy")
    down = referee.compare_datasets(scores=1 - frame, measure="error")
    assert up.greater_is_better
    assert not down.greater_is_better
    assert down.critical.ranks == pytest.approx(up.critical.ranks)
    assert down.verdict.outcome is up.verdict.outcome
    assert down.best == up.best
    assert down.critical.cliques == up.critical.cliques
    assert down.iman_davenport.p_value == pytest.approx(up.iman_davenport.p_value)
    assert [e.p_value for e in down.pairs.values()] == pytest.approx(
        [e.p_value for e in up.pairs.values()]
    )
    if k == 2:
        assert down.posterior.first_better == pytest.approx(up.posterior.first_better, abs=0.02)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]))
def test_order_of_models_and_data_sets_changes_nothing(seed, k):
    frame = scores(seed, 9, k, gap=0.03)
    one = referee.compare_datasets(scores=frame)
    other = referee.compare_datasets(
        scores=frame[frame.columns[::-1]].sample(frac=1, random_state=seed)
    )
    for name in frame:
        assert other.critical.rank(name) == pytest.approx(one.critical.rank(name))
    assert set(other.best) == set(one.best)
    assert other.friedman.p_value == pytest.approx(one.friedman.p_value)
    swapped = {Outcome.FIRST: Outcome.SECOND, Outcome.SECOND: Outcome.FIRST}
    if k == 2:
        expected = swapped.get(one.verdict.outcome, one.verdict.outcome)
        assert other.verdict.outcome is expected


# The verdict.


def one_way(n, gap=0.1):
    return pd.DataFrame({"a": np.linspace(0.7, 0.9, n), "b": np.linspace(0.7, 0.9, n) - gap})


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_up_to_five_data_sets_can_never_tell_two_models_apart(n):
    made = referee.compare_datasets(scores=one_way(n))
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert f"{n} data sets are too few to ever show it" in made.verdict.sentence
    shown = {2: ".500", 3: ".250", 4: ".125", 5: ".062"}[n]
    assert f"smallest p possible is {shown}" in made.verdict.sentence
    assert made.best == ("a", "b")


def test_six_data_sets_that_agree_are_enough():
    made = referee.compare_datasets(scores=one_way(6))
    assert made.evidence.p_value == 0.03125
    assert made.verdict.outcome is Outcome.FIRST
    assert made.best == ("a",)
    assert referee.compare_datasets(scores=one_way(6)[["b", "a"]]).verdict.outcome is Outcome.SECOND


def test_the_winner_is_the_one_the_signed_ranks_favour():
    # b wins on 14 data sets by far, a on 16 by a hair: Wilcoxon (p = .047) speaks for b, although
    # a has the better average rank. Whatever is concluded, it cannot be that a is better.
    d = np.r_[np.linspace(0.001, 0.002, 16), -np.linspace(0.1, 0.2, 14)]
    assert stats.wilcoxon(d, alternative="less").pvalue < 0.025
    made = referee.compare_datasets(scores={"a": 0.5 + d, "b": np.full(30, 0.5)})
    assert made.evidence.p_value < 0.05
    assert made.verdict.outcome is not Outcome.FIRST
    assert "a is better" not in made.verdict.sentence
    assert made.best != ("a",)


def test_a_significant_test_is_not_called_no_difference():
    d = np.r_[np.linspace(0.001, 0.002, 15), -np.linspace(0.1, 0.2, 15)]
    made = referee.compare_datasets(scores={"a": 0.5 + d, "b": np.full(30, 0.5)})
    assert made.evidence.p_value < 0.05
    assert "No difference was shown" not in made.verdict.sentence


def test_equal_scores_everywhere():
    two = referee.compare_datasets(scores={"a": [0.9] * 8, "b": [0.9] * 8})
    assert two.verdict.outcome is Outcome.UNDECIDED
    assert two.evidence.p_value == 1
    three = referee.compare_datasets(scores={"a": [0.9] * 8, "b": [0.9] * 8, "c": [0.9] * 8})
    assert three.verdict.outcome is Outcome.UNDECIDED
    assert three.critical.cliques == (("a", "b", "c"),)
    assert set(three.best) == {"a", "b", "c"}


def test_one_of_several_models_is_better_than_all():
    frame = scores(1, 20, 4, gap=0.2)
    made = referee.compare_datasets(scores=frame)
    distance = np.diff(sorted(made.critical.ranks))[0]
    assert (distance >= made.critical.difference) == (made.verdict.outcome is Outcome.FIRST)
    far = frame.assign(m1=frame.m3, m2=frame.m3)
    made = referee.compare_datasets(scores=far)
    assert made.verdict.outcome is Outcome.FIRST
    assert made.best == ("m0",)
    assert "m0 is better than each of the other 3 over 20 data sets" in made.verdict.sentence


def test_not_shown_says_what_would_have_been_needed():
    frame = scores(3, 10, 4, gap=0.0)
    made = referee.compare_datasets(scores=frame)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert f"must differ by {made.critical.difference:.2f}" in made.verdict.sentence
    two = referee.compare_datasets(scores=frame[["m0", "m1"]])
    # The signed ranks of ten data sets: T of at most 8 is p <= .05 by the table of Wilcoxon.
    assert "the ranks of those that disagree sum to at most 8 of 55" in two.verdict.sentence


def test_cliques_are_the_groups_within_the_critical_difference():
    made = referee.compare_datasets(scores=scores(2, 12, 5, gap=0.02))
    c = made.critical
    order = c.order
    runs = set()
    for i in range(5):
        for j in range(i + 1, 5):
            near = abs(c.rank(order[j]) - c.rank(order[i])) < c.difference
            beyond = j + 1 < 5 and abs(c.rank(order[j + 1]) - c.rank(order[i])) < c.difference
            before = i > 0 and abs(c.rank(order[j]) - c.rank(order[i - 1])) < c.difference
            if near and not beyond and not before:
                runs.add(order[i : j + 1])
    assert set(c.cliques) == runs
    frame = made.frame()
    assert len(frame) == 10
    for row in frame.itertuples():
        together = any(row.first in clique and row.second in clique for clique in c.cliques)
        assert row.differ == (not together)


# A control.


def with_control():
    """m0 leads all by 1.33 ranks: beyond Dunn's difference (1.26), within Nemenyi's (1.35)."""
    rotations = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    first = [[1, *(1 + np.array(r))] for r in rotations]
    second = [[2, *np.where(np.array(r) > 1, 1 + np.array(r), 1)] for r in rotations]
    return pd.DataFrame(1 - np.array(2 * (first + second)) / 10, columns=["m0", "m1", "m2", "m3"])


def test_against_a_control_nothing_is_claimed_about_other_pairs():
    frame = with_control()
    plain = referee.compare_datasets(scores=frame)
    made = referee.compare_datasets(scores=frame, control="m3")
    c = made.critical
    between = abs(c.rank("m0") - c.rank("m1"))
    assert c.difference < between < plain.critical.difference
    # Dunn's difference holds for pairs with the control only; m0 and m1 are not such a pair.
    assert "m0 is better than each" not in made.verdict.sentence
    frame = made.frame()
    pair = frame[(frame["first"] == "m0") & (frame["second"] == "m1")]
    assert not pair.differ.any()


def test_verdict_against_a_control_names_it():
    made = referee.compare_datasets(scores=with_control(), control="m3")
    assert "m3" in made.verdict.sentence
    assert "m3 against each other model" in made.methods


@pytest.mark.parametrize(
    ("control", "outcome", "best"),
    [("a", Outcome.FIRST, ("a",)), ("b", Outcome.SECOND, ("a",)), ("c", Outcome.SECOND, None)],
)
def test_who_was_shown_to_be_worse_than_the_control_is_not_among_the_best(control, outcome, best):
    apart = pd.DataFrame({m: np.linspace(0.5, 0.6, 30) - i for i, m in enumerate("abcd")})
    made = referee.compare_datasets(scores=apart, control=control)
    assert made.verdict.outcome is outcome
    assert "d" not in made.best
    assert control not in made.best or control == "a"
    if best is not None:
        assert made.best == best


def test_unknown_control_is_refused():
    with pytest.raises(InputError, match=r"control.*'z'"):
        referee.compare_datasets(scores=scores(), control="z")


# What users get wrong.


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"a": [0.9, 0.8]}, "at least two models"),
        ({}, "at least two models"),
        ({"a": [0.9], "b": [0.8]}, "at least two data sets, got 1"),
        ({"a": [0.9, 0.8, None], "b": [0.9, 0.8, 0.7]}, "'a' on data set 2"),
        ({"a": [0.9, 0.8], "b": [0.9, float("nan")]}, "'b' on data set 1"),
        ({"a": [0.9, "good"], "b": [0.9, 0.8]}, "got 'good'"),
        ({"a": [0.9, float("inf")], "b": [0.9, 0.8]}, "inf"),
        ({"a": [0.9, 0.8], "b": [0.9]}, "one column per model"),
        (3, "one column per model"),
        (None, "scores"),
    ],
)
def test_bad_tables_of_scores_name_model_and_data_set(given_, says):
    with pytest.raises(InputError, match=says):
        referee.compare_datasets(scores=given_)


def test_the_data_set_of_a_missing_score_is_called_by_its_name():
    frame = DEMSAR.copy()
    frame.loc["d7", "C4.5+m"] = np.nan
    with pytest.raises(InputError, match=r"'C4.5\+m' on data set 'd7'"):
        referee.compare_datasets(scores=frame, measure="auc")


@pytest.mark.parametrize("columns", [["a", "a", "b"], [1, "1", "b"]])
def test_two_models_of_one_name_are_refused(columns):
    frame = scores()
    frame.columns = columns
    with pytest.raises(InputError, match=columns[1] if columns[0] == 1 else "'a'"):
        referee.compare_datasets(scores=frame)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measure": "glory"}, "greater_is_better"),
        ({"level": 95}, "for 95 % write 0.95"),
        ({"rope": -0.1}, "rope"),
        ({"rope": "wide"}, "rope"),
    ],
)
@pytest.mark.parametrize("k", [2, 3])
def test_wrong_options_are_refused(options, says, k):
    with pytest.raises(InputError, match=says):
        referee.compare_datasets(scores=scores(k=k), **options)


def test_scores_of_another_kind_need_their_direction():
    frame = scores(0, 10, 2, gap=0.2)
    up = referee.compare_datasets(scores=frame, measure="glory", greater_is_better=True)
    down = referee.compare_datasets(scores=frame, measure="shame", greater_is_better=False)
    assert (up.verdict.outcome, down.verdict.outcome) == (Outcome.FIRST, Outcome.SECOND)
    assert up.best == ("m0",)
    assert down.best == ("m1",)


@pytest.mark.parametrize("measure", ["log_loss", "brier", "fpr", "recall", "roc_auc"])
def test_a_measures_name_settles_the_direction(measure):
    frame = scores(0, 10, 2, gap=0.2)
    made = referee.compare_datasets(scores=frame, measure=measure)
    lower = measure in ("log_loss", "brier", "fpr")
    assert made.verdict.outcome is (Outcome.SECOND if lower else Outcome.FIRST)


# Learners on data sets.


@pytest.fixture(scope="module")
def sets():
    cancer = load_breast_cancer(return_X_y=True)
    wine, iris = load_wine(return_X_y=True), load_iris(return_X_y=True)
    return {
        "iris": iris,
        "wine": wine,
        "cancer": (cancer[0][::5], cancer[1][::5]),
        "petals": (iris[0][:, 2:], iris[1]),
    }


MODELS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3), "guess": DummyClassifier()}


def test_learners_on_data_sets_against_cross_val_predict(sets):
    by = KFold(4, shuffle=True, random_state=0)
    # Petals are measured to a millimetre, so that different flowers look the same.
    made = referee.compare_datasets(MODELS, sets, by=by, random_state=0, dismiss=["R002"])
    for name, (X, y) in sets.items():
        for model, estimator in MODELS.items():
            error = np.mean(cross_val_predict(estimator, X, y, cv=by) != y)
            assert made.scores.loc[name, model] == pytest.approx(error)
    assert made.measure == "error"
    assert made.critical.order[-1] == "guess"
    direct = referee.compare_datasets(scores=made.scores, measure="error")
    assert direct.verdict == made.verdict


@pytest.mark.parametrize("measure", ["accuracy", "mcc", "balanced_accuracy", "log_loss"])
def test_learners_on_data_sets_by_other_measures(measure, sets):
    made = referee.compare_datasets(
        {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)},
        {k: sets[k] for k in ("iris", "wine")},
        by=3,
        measure=measure,
        random_state=0,
    )
    assert made.scores.to_numpy().shape == (2, 2)
    assert made.measure == measure


@pytest.mark.parametrize("alias", ["recall", "brier_score"])
def test_other_names_of_measures_are_understood(alias, sets):
    X, y = sets["cancer"]
    made = referee.compare_datasets(
        {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)},
        {"one": (X, y), "two": (X[:70], y[:70])},
        by=3,
        measure=alias,
        random_state=0,
    )
    assert made.scores.to_numpy().shape == (2, 2)


def test_models_made_for_each_data_set(sets):
    seen = []

    def scaled(X):
        seen.append(X.shape[1])
        return make_pipeline(StandardScaler(), KNeighborsClassifier(3))

    made = referee.compare_datasets(
        {"scaled": scaled, "nb": GaussianNB()}, sets, by=3, random_state=0
    )
    assert seen == [4, 13, 30, 2]
    assert made.names == ("scaled", "nb")


def test_same_seed_same_scores(sets):
    few = {k: sets[k] for k in ("iris", "petals")}
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_features=1)}
    one, again, other = (
        referee.compare_datasets(models, few, by=3, random_state=s).to_json() for s in (1, 1, 2)
    )
    assert one == again
    assert one != other


@pytest.mark.parametrize("by", ["bootstrap", "resubstitution"])
def test_training_errors_and_bootstrap_are_refused(by, sets):
    with pytest.raises(Refusal, match=r"data set 'iris'.*by='auto'"):
        referee.compare_datasets(MODELS, sets, by=by)


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({}, "at least two"),
        ({"iris": load_iris(return_X_y=True)}, "for one data set use compare"),
        ([load_iris(return_X_y=True)], "at least two"),
        (
            {"iris": load_iris(return_X_y=True), "flat": ([[0.0]] * 20, [1] * 20)},
            "data set 'flat'",
        ),
        ({"iris": load_iris(return_X_y=True), "odd": 3}, "data set 'odd'"),
        (
            {"iris": load_iris(return_X_y=True), "short": ([[0.0], [1.0]], [0, 1, 1])},
            "data set 'short'",
        ),
    ],
)
def test_bad_data_sets_are_named(given_, says):
    with pytest.raises(RefereeError, match=says):
        referee.compare_datasets(MODELS, given_, by=3)


def test_one_learner_or_an_unknown_measure_is_refused(sets):
    with pytest.raises(InputError, match="at least two models"):
        referee.compare_datasets({"nb": GaussianNB()}, sets)
    with pytest.raises(InputError, match="did you mean 'accuracy'"):
        referee.compare_datasets(MODELS, sets, measure="acuracy")


def test_an_unknown_control_is_refused_before_anything_is_fitted(sets):
    class Never(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("fitted")

    with pytest.raises(InputError, match="control"):
        referee.compare_datasets({"a": Never(), "b": Never()}, sets, by=3, control="z")


def test_the_methods_paragraph_names_what_was_done():
    two = referee.compare_datasets(scores=DEMSAR[["C4.5", "C4.5+m"]], measure="auc")
    assert "Wilcoxon's signed rank test" in two.methods
    assert "14 data sets" in two.methods
    many = referee.compare_datasets(scores=DEMSAR, measure="auc", level=0.9)
    assert "Iman and Davenport" in many.methods
    assert "10 % level" in many.methods


# The rope, and two models whose ranks and signed ranks disagree.


def test_a_rope_that_holds_the_differences_makes_two_models_equivalent():
    made = referee.compare_datasets(
        scores={"a": [0.9, 0.8, 0.7] * 4, "b": [0.9, 0.81, 0.71] * 4}, rope=0.5
    )
    assert made.verdict.outcome is Outcome.EQUIVALENT
    assert "within 0.5" in made.verdict.sentence
    with pytest.raises(Refusal, match="two models"):
        referee.compare_datasets(scores=scores(), rope=0.1)


def test_frame_and_cliques_of_two_models_follow_the_verdict():
    d = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, -0.01, -0.02, -0.03])
    made = referee.compare_datasets(scores={"a": 1 + d, "b": np.ones(10)})
    assert made.verdict.outcome is Outcome.FIRST
    assert made.frame().differ.all()
    assert made.critical.cliques == ()


def test_what_wilcoxon_can_show_is_told_in_its_own_ranks():
    """Ten data sets need a rank sum of at most 8 of 55, by the published table."""
    from referee.significance.datasets.wilcoxon import _ranks_against

    assert [_ranks_against(n, 0.05) for n in (6, 8, 10, 15, 20)] == [0, 3, 8, 25, 52]


# What was found on the data sets, and how they were measured.


def with_copies(seed=0):
    """Return a data set whose rows come twice."""
    rng = np.random.default_rng(seed)
    X = np.tile(rng.normal(size=(40, 3)), (2, 1))
    return X, np.tile(np.arange(40) % 2, 2)


def of_copies(**options):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    sets = {"iris": load_iris(return_X_y=True), "copied": with_copies()}
    return referee.compare_datasets(models, sets, by=5, random_state=7, **options)


def test_findings_of_each_data_set_are_told_and_a_serious_one_withholds_the_verdict():
    made = of_copies()
    serious = made.findings[0]
    assert serious.code == "R002"
    assert serious.message.startswith("copied: ")
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "Not a result while R002" in made.verdict.sentence
    assert "R002 serious" in str(made)
    dismissed = of_copies(dismiss=["R002"])
    assert "Not a result" not in dismissed.verdict.sentence
    assert "dismissed" in next(f.title for f in dismissed.findings if f.code == "R002")


def test_the_paragraph_tells_validation_seed_and_version(tmp_path):
    made = of_copies()
    assert "5-fold cross-validation, stratified" in made.methods
    assert "the seed was 7" in made.methods
    assert f"referee {referee.__version__}" in made.methods
    assert "How it was measured" in str(made)
    assert made.provenance.seed == 7
    made.to_bundle(tmp_path / "kept.zip")
    assert referee.verify(tmp_path / "kept.zip").verdict.outcome is Outcome.PASS


def test_data_sets_that_are_split_differently_are_named():
    from referee.comparing.datasets.compare_datasets import _how

    text = _how({"a": "5-fold", "b": "leave-one-out", "c": "5-fold"})
    assert text == ("5-fold on each data set, all models on the same splits; leave-one-out on b")
