"""Label sets: values against scikit-learn, intervals and tests against independent oracles."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core.labels.label_tables import label_set_table
from referee.core.labels.task import task_of
from referee.errors import FitError, InputError
from referee.measures import measure_named

LABELS = ["sport", "news", "art", "war"]


def answers(n=150, seed=0, wrong=0.1, shares=(0.5, 0.3, 0.3, 0.15)):
    rng = np.random.default_rng(seed)
    truth = (rng.random((n, len(shares))) < shares).astype(int)
    return truth, truth ^ (rng.random(truth.shape) < wrong)


# Values


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("error", metrics.zero_one_loss, {}),
        ("accuracy", metrics.accuracy_score, {}),
        ("hamming", metrics.hamming_loss, {}),
        ("jaccard", metrics.jaccard_score, {"average": "samples", "zero_division": 1.0}),
        ("case_f1", metrics.f1_score, {"average": "samples", "zero_division": 1.0}),
        ("micro_label_f1", metrics.f1_score, {"average": "micro"}),
        ("macro_label_f1", metrics.f1_score, {"average": "macro", "zero_division": np.nan}),
        ("micro_label_precision", metrics.precision_score, {"average": "micro"}),
        ("micro_label_recall", metrics.recall_score, {"average": "micro"}),
    ],
)
def test_values_against_scikit_learn(name, function, options, weighted):
    truth, predicted = answers(83, seed=3)
    truth[:, 3] = predicted[:, 3] = 0  # a label that nobody has and nobody was said to have
    weight = np.random.default_rng(1).integers(1, 5, 83) if weighted else None
    expected = function(truth, predicted, sample_weight=weight, **options)
    table = label_set_table(truth, predicted, sample_weight=weight)
    assert measure_named(name).value(table) == pytest.approx(expected, rel=1e-12)
    e = referee.evaluate_predictions(truth, predicted, measures=[name], sample_weight=weight)
    assert e.estimates[name].value == pytest.approx(expected, rel=1e-12)


def test_all_ways_to_say_label_sets_are_one():
    truth, predicted = answers(40)
    frames = [pd.DataFrame(m, columns=LABELS) for m in (truth, predicted)]
    sets = [[{LABELS[j] for j in np.flatnonzero(row)} for row in m] for m in (truth, predicted)]
    turned = [frames[0], frames[1][LABELS[::-1]]]
    for a, b in (frames, sets, turned):
        e = referee.evaluate_predictions(a, b)
        assert e.error.value == np.mean((truth != predicted).any(axis=1))
        assert set(e.per_label().index) == set(LABELS)
    by_number = referee.evaluate_predictions(truth, predicted, labels=LABELS)
    pd.testing.assert_frame_equal(
        by_number.per_label(), referee.evaluate_predictions(*frames).per_label()
    )


def test_own_measures_get_columns_of_flags_as_scikit_learns_do():
    truth, predicted = answers(60)

    def labels_missed(y_true, y_pred):
        return np.mean(y_true > y_pred)

    e = referee.evaluate_predictions(truth, predicted, measures=[labels_missed])
    assert e.estimates["labels_missed"].value == pytest.approx((truth > predicted).mean())
    assert e.estimates["labels_missed"].interval.width > 0


# Intervals and tests


def test_the_subset_error_is_judged_as_any_error():
    truth, predicted = answers()
    wrong = (truth != predicted).any(axis=1)
    e = referee.evaluate_predictions(truth, predicted)
    exact = stats.binomtest(int(wrong.sum()), len(wrong)).proportion_ci(method="exact")
    assert (e.error.interval.low, e.error.interval.high) == pytest.approx(tuple(exact))


def test_each_label_is_judged_as_a_task_of_two_classes():
    truth, predicted = answers()
    frame = referee.evaluate_predictions(truth, predicted, labels=LABELS).per_label()
    for at, label in enumerate(LABELS):
        alone = referee.evaluate_predictions(truth[:, at], predicted[:, at])
        for name in ("error", "tpr", "precision"):
            e = alone.estimates[name]
            assert frame.loc[label, name] == e.value
            assert frame.loc[label, f"{name} low"] == e.interval.low
            assert frame.loc[label, f"{name} high"] == e.interval.high
        assert frame.loc[label, "f1"] == pytest.approx(alone.estimates["f1"].value)
        assert frame.loc[label, "n"] == truth[:, at].sum()


def test_models_are_told_apart_by_mcnemar_on_whole_sets():
    truth, first = answers(seed=1)
    _, second = answers(seed=1, wrong=0.25)
    c = referee.compare_predictions(truth, {"a": first, "b": second})
    wrong = [(truth != m).any(axis=1) for m in (first, second)]
    only = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
    assert c.evidence.test == "mcnemar-exact"
    assert c.evidence.p_value == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue)
    assert c.difference.value == pytest.approx(wrong[0].mean() - wrong[1].mean())


@pytest.mark.parametrize("name", ["hamming", "jaccard", "case_f1"])
def test_mean_losses_of_sets_are_compared_by_their_differences(name):
    truth, first = answers(400, seed=1)
    _, second = answers(400, seed=1, wrong=0.2)
    c = referee.compare_predictions(truth, {"a": first, "b": second}, measure=name)
    tables = [label_set_table(truth, m) for m in (first, second)]
    d = np.subtract(*(measure_named(name).losses(t) for t in tables))
    sign = -1 if c.measure.greater_is_better else 1
    assert c.evidence.test == "paired-t"
    assert c.difference.value == pytest.approx(sign * d.mean())
    plain = stats.ttest_1samp(d, 0)
    assert c.evidence.p_value == pytest.approx(plain.pvalue, rel=0.5, abs=1e-6)
    assert c.verdict.outcome.value == "first"


@pytest.mark.parametrize("name", ["micro_label_f1", "macro_label_f1", "micro_label_recall"])
def test_ratios_are_compared_by_resampling_cases(name):
    truth, first = answers(200, seed=1)
    _, second = answers(200, seed=1, wrong=0.2)
    c = referee.compare_predictions(truth, {"a": first, "b": second}, measure=name)
    measure = measure_named(name)
    rng = np.random.default_rng(0)

    def difference(rows):
        a, b = (measure.value(label_set_table(truth[rows], m[rows])) for m in (first, second))
        return a - b

    drawn = [difference(rng.integers(200, size=200)) for _ in range(300)]
    half = c.difference.interval.width / 2
    assert c.difference.value == pytest.approx(difference(np.arange(200)))
    assert half == pytest.approx(1.97 * np.std(drawn), rel=0.15)
    same = referee.compare_predictions(truth, {"a": first, "b": first}, measure=name)
    assert same.evidence.p_value == 1


def test_groups_of_cases_widen_every_interval():
    truth, predicted = (np.repeat(m, 4, axis=0) for m in answers(60))
    group = np.repeat(np.arange(60), 4)
    alone = referee.evaluate_predictions(*answers(60))
    grouped = referee.evaluate_predictions(truth, predicted, groups=group)
    for name in ("hamming", "micro_label_f1", "macro_label_f1"):
        one, four = (e.estimates[name].interval for e in (alone, grouped))
        assert four.width == pytest.approx(one.width, rel=0.25), name
        naive = referee.evaluate_predictions(truth, predicted).estimates[name].interval
        assert four.width > 1.5 * naive.width


# Models


@pytest.fixture(scope="module")
def cases():
    return make_multilabel_classification(120, n_classes=3, n_labels=2, random_state=4)


def test_a_model_is_judged_on_folds(cases):
    X, Y = cases
    folds = KFold(5, shuffle=True, random_state=0)
    model = MultiOutputClassifier(RidgeClassifier())
    e = referee.evaluate(model, X, Y, by=folds, random_state=0)
    predicted = cross_val_predict(model, X, Y, cv=folds)
    assert e.error.value == pytest.approx(metrics.zero_one_loss(Y, predicted))
    assert e.estimates["micro_label_f1"].value == pytest.approx(
        metrics.f1_score(Y, predicted, average="micro")
    )
    assert "any wrong label counts" in e.verdict.sentence
    assert "taken for label sets, because the target holds several labels a row" in e.how
    alone = referee.evaluate(RidgeClassifier(), X, Y[:, 1], by=folds, random_state=0)
    row = e.per_label().iloc[1]
    assert row["error"] == alone.error.value
    assert row["error low"] == pytest.approx(alone.error.interval.low)


def test_learners_are_compared_on_one_plan(cases):
    X, Y = cases
    models = {
        "logistic": MultiOutputClassifier(LogisticRegression()),
        "knn": KNeighborsClassifier(),
    }
    c = referee.compare(models, X, Y, by=5, measure=["error", "micro_label_f1"], random_state=0)
    apart = {name: referee.evaluate(m, X, Y, by=5, random_state=0) for name, m in models.items()}
    values = [e.error.value for e in apart.values()]
    assert c.difference.value == pytest.approx(values[0] - values[1])
    again = referee.compare(apart)
    assert again.difference.value == pytest.approx(c.difference.value)
    assert again.evidence.p_value == pytest.approx(c.evidence.p_value)
    assert c.others["micro_label_f1"].evidence.test == "corrected-t"


def test_reports_bundles_and_json_know_label_sets(tmp_path):
    truth, predicted = answers()
    e = referee.evaluate_predictions(truth, predicted, labels=LABELS)
    text = str(e)
    assert "150 cases, 4 labels (sport, news, art, war)" in text
    assert "Each label on its own" in text
    e.to_html(tmp_path / "e.html")
    assert "Confusion" not in (tmp_path / "e.html").read_text()
    e.to_bundle(tmp_path / "e.zip")
    assert referee.verify(tmp_path / "e.zip").verdict.shown
    _, other = answers(wrong=0.3)
    c = referee.compare_predictions(
        truth, {"a": predicted, "b": other}, measure="micro_label_f1", labels=LABELS
    )
    c.to_bundle(tmp_path / "c.zip")
    assert referee.verify(tmp_path / "c.zip").verdict.shown


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1], [1, 2]], [[0, 1], [1, 0]], {"task": "multilabel"}),
         "y_true must hold 0 or 1 for every label, got 2 in row 1, column 1"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0.5]], {}), "y_pred must hold 0 or 1 .* got 0.5 in row 1"),
        (([[0, 1], [1, 0]], [[0], [1]], {}), "y_pred must hold a column of 0 and 1 for each label"),
        (([[0, 1], [1, 0]], [[0, 1, 1], [1, 0, 0]], {}), "column for each of the 2"),
        (([[0, 1], [1, 0]], [[0, 1]], {}), "y_true has 2 rows and y_pred has 1"),
        (([{"a"}, {"b"}], [{"a"}, {"c"}], {"labels": ["a", "b"]}), "holds the label 'c' in row 1"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0]], {"costs": (1, 2)}), "costs is for single classes"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0]], {"y_score": [1, 2]}), "y_score is for single"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0]], {"measures": "mcc"}), "mcc is a measure of single"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0]], {"claim": "auc >= .5"}), "auc is a measure of"),
        (([0, 1], [0, 1], {"measures": "hamming"}), "hamming is a measure of label sets"),
        ((["a", "b"], ["a", "b"], {"task": "multilabel"}), "must hold a column of 0 and 1"),
    ],
)  # fmt: skip
def test_bad_input_is_named(arguments, message):
    truth, predicted, options = arguments
    with pytest.raises(InputError, match=message):
        referee.evaluate_predictions(truth, predicted, **options)


def test_models_that_do_not_suit_are_named(cases):
    X, Y = cases
    with pytest.raises(InputError, match="the model is a regressor, and the task is multilabel"):
        referee.evaluate(Ridge(), X, Y)
    with pytest.raises(FitError, match="LogisticRegression failed in split 0"):
        referee.evaluate(LogisticRegression(), X, Y, by=5)
    with pytest.raises(InputError, match="for label sets use by='cv'"):
        referee.evaluate(KNeighborsClassifier(), X, Y, by="bootstrap")
    with pytest.raises(InputError, match="y holds one label set only"):
        referee.evaluate(KNeighborsClassifier(), X, np.ones_like(Y))
    single = referee.evaluate_predictions([0, 1] * 10, [0, 1] * 10)
    with pytest.raises(InputError, match="see per_class"):
        single.per_label()
    several = referee.evaluate_predictions(*answers(30))
    with pytest.raises(InputError, match="see per_label"):
        several.per_class()
    with pytest.raises(InputError, match="see per_label"):
        several.confusion()


def test_few_cases_of_a_label_leave_macro_f1_without_an_interval():
    truth, predicted = answers(100, shares=(0.5, 0.3, 0.02))
    e = referee.evaluate_predictions(truth, predicted & truth)
    assert e.estimates["macro_label_f1"].interval is None
    assert "a mean over labels needs 5 of each" in e.estimates["macro_label_f1"].reason
    assert e.estimates["micro_label_f1"].interval is not None


def test_one_column_is_no_label_set_and_two_are():
    assert not task_of([[1], [0], [1]]).sets
    assert task_of([[1, 0], [0, 0]]).sets
    assert not task_of(["a", "b"]).sets
    assert task_of([["a"], []]).sets


@pytest.mark.parametrize(
    ("argument", "value", "remedy"),
    [
        ("y_score", np.zeros((20, 2)), "judge one label at a time, y[:, 0]"),
        ("costs", (1, 5), "pass a function of all labels, f(y_true, y_pred)"),
        ("pos_label", 1, "per_label()"),
        ("priors", [0.5, 0.5], "judge one label at a time"),
    ],
)
def test_what_only_single_classes_have_is_refused_with_what_to_do(argument, value, remedy):
    Y = np.tile([[0, 1], [1, 1]], (10, 1))
    with pytest.raises(InputError, match="is for single classes") as caught:
        referee.evaluate_predictions(Y, Y, **{argument: value})
    assert remedy in str(caught.value)


def test_costs_of_labels_by_a_function_as_the_refusal_says():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (60, 3))
    P = np.where(rng.random(Y.shape) < 0.2, 1 - Y, Y)

    def label_costs(true, said):
        return float((5 * (true > said) + (true < said)).sum(axis=1).mean())

    made = referee.evaluate_predictions(Y, P, measures=[label_costs]).estimates["label_costs"]
    assert made.value == pytest.approx((5 * np.sum(Y > P) + np.sum(P > Y)) / 60)
    assert made.interval.low < made.value < made.interval.high


def test_tuned_says_how_labels_are_tuned():
    Y = np.tile([[0, 1], [1, 1]], (10, 1))
    with pytest.raises(InputError, match=r"MultiOutputClassifier\(Tuned\(\.\.\.\)\)"):
        referee.Tuned(LogisticRegression(), {"C": [1.0]}).fit(np.arange(40.0).reshape(20, 2), Y)
