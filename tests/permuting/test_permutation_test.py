"""permutation_test against plain loops of scikit-learn, by shared work and by fits; its size."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Perceptron
from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core import Dataset, Outcome
from referee.core.randomness import child
from referee.core.shared_work import SplitOutput, SteppedAside
from referee.errors import FitError, InputError
from referee.permuting import null_values
from referee.permuting.permuting import Permuting
from referee.resampling import CrossValidation

X, Y = load_iris(return_X_y=True)
NOISY = X + np.random.default_rng(0).normal(scale=2.5, size=X.shape)
CANCER = load_breast_cancer()
FEW = 29


def relabelled(y, seed=0, many=FEW, X=None):
    permuting = Permuting(Dataset.of(NOISY if X is None else X, y), seed=child(seed, 1))
    return [np.unique(y)[permuting.codes(r)] for r in range(many)]


def folds_of(X, y, seed=0, folds=5):
    plan = CrossValidation(folds, stratify=False).plan(Dataset.of(X, y), child(child(seed, 2), 0))
    return [(s.train, s.test) for s in plan.splits[:folds]]


def tree(**options):
    return DecisionTreeClassifier(random_state=0, **options)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    ("measure", "method", "form"),
    [
        ("error", "predict", lambda y, z: np.mean(y != z)),
        ("balanced_accuracy", "predict", balanced_accuracy_score),
        ("log_loss", "predict_proba", log_loss),
    ],
)
def test_against_a_loop_of_scikit_learn(measure, method, form, shared):
    model = LinearDiscriminantAnalysis() if shared else tree(min_samples_leaf=20)
    made = referee.permutation_test(
        model, NOISY, Y, permutations=FEW, measure=measure, random_state=0
    )
    folds = folds_of(NOISY, Y)

    def value(labels):
        return form(labels, cross_val_predict(model, NOISY, labels, cv=folds, method=method))

    assert made.observed == pytest.approx(value(Y), rel=1e-9)
    np.testing.assert_allclose(made.null, [value(labels) for labels in relabelled(Y)], rtol=1e-6)
    sign = 1 if made.measure.greater_is_better else -1
    as_well = (sign * made.null >= sign * made.observed).sum()
    assert made.p_value == (1 + as_well) / (1 + FEW)
    assert ("shared work" in made.how) == shared


def test_rankings_are_averaged_over_folds():
    columns, y = CANCER.data[:120, :3], (CANCER.target[:120] == 0).astype(int)
    made = referee.permutation_test(
        GaussianNB(), columns, y, permutations=FEW, measure="auc", random_state=0
    )

    def fold_value(labels, train, test):
        model = GaussianNB().fit(columns[train], labels[train])
        return roc_auc_score(labels[test], model.predict_proba(columns[test])[:, 1])

    def value(labels):
        return np.mean([fold_value(labels, a, b) for a, b in folds_of(columns, y)])

    expected = [value(labels) for labels in relabelled(y, X=columns)]
    np.testing.assert_allclose(made.null, expected, rtol=1e-9)
    assert made.observed == pytest.approx(value(y))


def test_twins_off_gives_the_same_numbers(monkeypatch):
    options = {"permutations": FEW, "random_state": 3}
    fast = referee.permutation_test(GaussianNB(), NOISY, Y, **options)
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    slow = referee.permutation_test(GaussianNB(), NOISY, Y, **options)
    assert "shortcut for GaussianNB" in fast.how
    assert slow.how == "by fitting every relabelling"
    np.testing.assert_array_equal(fast.null, slow.null)
    assert fast.p_value == slow.p_value


def test_jobs_change_nothing():
    one, two = (
        referee.permutation_test(
            tree(max_depth=1), NOISY, Y, permutations=19, random_state=1, n_jobs=jobs
        )
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.null, two.null)


def test_a_splitter_that_looks_at_labels_splits_anew():
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    made = referee.permutation_test(
        GaussianNB(), NOISY, Y, permutations=FEW, by=splitter, random_state=0
    )
    expected = [
        np.mean(cross_val_predict(GaussianNB(), NOISY, labels, cv=splitter) != labels)
        for labels in relabelled(Y)
    ]
    np.testing.assert_allclose(made.null, expected)
    blind = KFold(5, shuffle=True, random_state=0)
    other = referee.permutation_test(
        GaussianNB(), NOISY, Y, permutations=FEW, by=blind, random_state=0
    )
    assert not np.array_equal(other.null, made.null)


def test_early_stopping_is_a_prefix_of_the_whole():
    y = np.random.default_rng(0).permutation(Y)
    options = {"permutations": 200, "random_state": 0}
    whole = referee.permutation_test(GaussianNB(), X, y, **options)
    early = referee.permutation_test(GaussianNB(), X, y, stop_after=5, **options)
    assert early.stopped
    assert early.exceedances == 5
    np.testing.assert_array_equal(early.null, whole.null[: len(early.null)])
    assert early.p_value == 5 / len(early.null)
    assert "stopped early" in early.verdict.sentence


def test_two_null_hypotheses():
    # One class on the diagonal, one off it: each feature alone says nothing.
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=(160, 2))
    y = (signs.prod(axis=1) > 0).astype(int)
    xor = signs + rng.normal(scale=0.3, size=signs.shape)
    for null in ("labels", "features"):
        made = referee.permutation_test(
            tree(max_depth=4), xor, y, permutations=39, null=null, random_state=0
        )
        assert made.p_value == 1 / 40
        assert made.verdict.outcome is Outcome.PASS
    # Independent features: labels are predictable, but not by dependence.
    apart = rng.normal(size=(160, 2)) + 2 * y[:, None]
    made = referee.permutation_test(
        GaussianNB(), apart, y, permutations=39, null="features", random_state=0
    )
    assert made.p_value > 0.05
    assert "too weak to use it" in made.verdict.sentence


def test_the_sentences_of_r25():
    found = referee.permutation_test(GaussianNB(), X, Y, permutations=99, random_state=0)
    assert found.verdict.outcome is Outcome.PASS
    assert found.verdict.sentence.startswith("GaussianNB found structure")
    assert "0 of 99 runs on shuffled labels" in found.verdict.sentence
    noise = np.random.default_rng(1).normal(size=X.shape)
    none = referee.permutation_test(GaussianNB(), noise, Y, permutations=99, random_state=0)
    assert none.verdict.outcome is Outcome.UNDECIDED
    assert "or GaussianNB is too weak" in none.verdict.sentence


def test_whole_groups_move_and_few_of_them_are_flagged():
    groups = np.repeat(np.arange(6), 25)
    y = np.repeat([0, 1, 0, 1, 0, 1], 25)
    made = referee.permutation_test(
        GaussianNB(), NOISY, y, by=3, groups=groups, permutations=99, random_state=0
    )
    assert made.evidence.flag == "there are only 20 different labellings, so p cannot be below 0.05"
    assert "groups are exchangeable" in made.evidence.assumptions[0]
    # Copies of patients make plain shuffling far too sure; whole groups do not fall for it.
    rng = np.random.default_rng(0)
    copies = np.repeat(rng.normal(size=(6, 4)), 25, axis=0) + rng.normal(scale=0.1, size=(150, 4))
    naive = referee.permutation_test(GaussianNB(), copies, y, permutations=99, random_state=0)
    aware = referee.permutation_test(
        GaussianNB(), copies, y, by=3, groups=groups, permutations=99, random_state=0
    )
    assert naive.p_value == 0.01
    assert aware.p_value > 0.05


def rejections(model, runs, seed=0, **options):
    rng = np.random.default_rng(seed)
    p = []
    for r in range(runs):
        features = rng.normal(size=(30, 2))
        labels = (rng.permutation(30) < 10).astype(int)
        try:
            made = referee.permutation_test(
                model, features, labels, permutations=19, random_state=r, **options
            )
        except InputError as refused:  # one class was answered throughout: nothing is rejected
            if "is undefined on the true labels" not in str(refused):
                raise
            p.append(1.0)
            continue
        p.append(made.p_value)
    return np.mean(np.array(p) <= 0.05)


def test_size_on_data_without_structure():
    # Ties count against the model, so that the size may lie below .05.
    assert 0.005 <= rejections(GaussianNB(), 200) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{}, {"by": "loo"}, {"by": CrossValidation(5)}, {"by": "holdout"}, {"measure": "mcc"},
     {"stop_after": 3}, {"measure": "auc", "by": 3}],
)  # fmt: skip
def test_size_of_every_form(options):
    share = rejections(GaussianNB(), 2000, seed=1, **options)
    print(f"permutation test, size at .05, {options}: {share:.4f}")
    assert share <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 2000)


def test_histogram_and_text(tmp_path):
    made = referee.permutation_test(GaussianNB(), X, Y, permutations=49, random_state=0)
    ax = made.plot()
    assert ax.get_xlabel() == "error"
    assert "true labels" in made.to_text()
    assert len(made.frame()) == 49
    made.to_html(tmp_path / "p.html")
    assert "<svg" in (tmp_path / "p.html").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"permutations": 18}, "permutations must be a whole number of at least 19, got 18"),
        ({"permutations": 50, "level": 0.99}, "at least 99, got 50"),
        ({"stop_after": 0}, "stop_after must be a whole number of at least 1, got 0"),
        ({"by": "resubstitution"}, "tests no unseen case"),
        ({"measure": "auc"}, "needs to know the positive class"),
        ({"measure": "acuracy"}, "did you mean 'accuracy'"),
        ({"by": 4, "groups": np.repeat([0, 1, 2], 50)}, "folds must not exceed the 3 groups"),
        ({"null": "columns"}, "null must be 'labels' or 'features'"),
        ({"permutations": True}, "permutations must be a whole number"),
        ({"stop_after": True}, "stop_after must be a whole number of at least 1, got True"),
        ({"stop_after": 20}, "stop_after must not exceed the 19 permutations, got 20"),
        (
            {"by": 3, "groups": np.repeat([0, 1, 2], 50)},
            "allow 6 different labellings only.*at least 20 are needed: give more groups",
        ),
        (
            {"by": 3, "groups": np.r_[np.arange(149), 0]},
            "allow 2 different labellings only.*within the 1 of 149 groups that hold several",
        ),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(InputError, match=message):
        referee.permutation_test(GaussianNB(), X, Y, **{"permutations": 19, **options})


class Bare(Perceptron):
    """A model that gives answers only."""

    decision_function = property()


def test_one_feature_has_no_dependence_to_ask_about():
    with pytest.raises(InputError, match="X has one only; use null='labels'"):
        referee.permutation_test(GaussianNB(), X[:, :1], Y, permutations=19, null="features")


def test_a_measure_of_probabilities_needs_them():
    with pytest.raises(InputError, match="log_loss needs probabilities, and LinearSVC has no pred"):
        referee.permutation_test(LinearSVC(), X, Y, measure="log_loss", permutations=19)
    two = (Y > 0).astype(int)
    made = referee.permutation_test(
        LinearSVC(random_state=0), X, two, measure="auc", permutations=19, random_state=0
    )
    assert made.p_value == 0.05


def test_a_test_set_is_measured_on_its_unseen_rows_only():
    """A plan of one split predicts its training rows, too; they must not count."""
    rows = np.random.default_rng(0).permutation(150)
    train, test = rows[:100], rows[100:]
    options = {"permutations": FEW, "random_state": 0}
    pairs = referee.permutation_test(
        KNeighborsClassifier(1), NOISY, Y, by=[(train, test)], **options
    )
    expected = []
    for labels in relabelled(Y):
        fitted = KNeighborsClassifier(1).fit(NOISY[train], labels[train])
        expected.append(np.mean(fitted.predict(NOISY[test]) != labels[test]))
    np.testing.assert_allclose(pairs.null, expected)
    # Separable data: training and test error are both 0 on the true labels, not on others.
    easy = Y[:, None] + np.random.default_rng(0).normal(scale=0.01, size=(150, 2))
    made = referee.permutation_test(KNeighborsClassifier(1), easy, Y, by="holdout", **options)
    assert made.observed == 0
    assert made.null.mean() == pytest.approx(2 / 3, abs=0.08)


class NeedsThree(GaussianNB):
    """Refuses training sets without all three classes."""

    def fit(self, X, y):
        if len(np.unique(y)) < 3:
            raise ValueError("a class is missing")
        return super().fit(X, y)


@pytest.mark.parametrize("jobs", [1, 2])
def test_relabellings_that_cannot_be_learned_count_as_doing_as_well(jobs):
    y = np.where(np.arange(150) < 147, Y % 2, 2)
    pairs = [(np.r_[:70, 147], np.r_[70:147, 148, 149])]
    made = referee.permutation_test(
        NeedsThree(), X, y, by=pairs, permutations=39, random_state=0, n_jobs=jobs
    )
    assert 0 < made.undefined < 39
    assert made.exceedances >= made.undefined
    assert f"{made.undefined} of 39 relabellings could not be learned" in made.evidence.flag
    assert made.picture.values == tuple(made.null[np.isfinite(made.null)])
    assert json.loads(made.to_json())["undefined"] == made.undefined


class TrueLabelsOnly(GaussianNB):
    """Refuses every relabelling of sorted labels."""

    def fit(self, X, y):
        if (np.diff(y) < 0).any():
            raise ValueError("only the true labels, please")
        return super().fit(X, y)


def test_what_goes_wrong_in_every_relabelling_is_said():
    with pytest.raises(FitError, match="only the true labels, please"):
        referee.permutation_test(TrueLabelsOnly(), X, Y, permutations=19, random_state=0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_early_stopping_with_several_jobs(jobs):
    y = np.random.default_rng(0).permutation(Y)
    made = referee.permutation_test(
        tree(max_depth=1), X, y, permutations=99, stop_after=2, random_state=0, n_jobs=jobs
    )
    assert made.stopped
    assert made.exceedances == 2
    assert made.p_value == 2 / len(made.null)


def test_provenance_lets_anyone_repeat_it():
    made = referee.permutation_test(GaussianNB(), NOISY, Y, permutations=19)
    again = referee.permutation_test(
        GaussianNB(), NOISY, Y, permutations=19, random_state=made.provenance.seed
    )
    np.testing.assert_array_equal(made.null, again.null)
    assert made.provenance.data == again.provenance.data
    assert str(made.provenance.seed) in made.to_text()


def test_sampled_labels_that_lack_a_class():
    y = np.r_[np.zeros(70), np.ones(70), [2] * 10].astype(int)
    made = referee.permutation_test(
        LinearDiscriminantAnalysis(), NOISY, y, labels="sampled", permutations=39, random_state=0
    )
    assert len(made.null) == 39
    assert "shares are taken as known" in made.evidence.assumptions[1]


def continuous_rejections(model, runs, **options):
    """Sizes by log loss, which knows no ties: exactly .05 but for chance."""
    return rejections(model, runs, measure="log_loss", **options)


LEARNERS = [
    GaussianNB(),
    LinearDiscriminantAnalysis(),
    KNeighborsClassifier(9, weights="distance"),
]


@pytest.mark.slow
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_size_of_every_learner_is_the_level(model):
    runs = 2000
    share = continuous_rejections(model, runs, seed=3)
    print(f"permutation test by log loss, size at .05, {model}: {share:.4f}")
    assert share == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / runs))


def test_size_by_log_loss_in_a_smaller_run():
    assert 0.01 <= continuous_rejections(GaussianNB(), 150) <= 0.05 + 4 * np.sqrt(0.0475 / 150)


def test_a_model_without_scores():
    with pytest.raises(InputError, match="neither predict_proba nor decision_function"):
        referee.permutation_test(Bare(), X, Y, measure="log_loss", permutations=19)


def test_matrices_of_many_columns_against_counting_one_by_one(monkeypatch):
    rng = np.random.default_rng(0)
    data = Dataset.of(rng.normal(size=(30, 1)), np.arange(30) % 3)
    plan = CrossValidation(5, halves=0).plan(data)
    Y = rng.integers(0, 3, (30, 7))
    outputs = [SplitOutput(rng.integers(0, 3, (len(s.test), 7))) for s in plan.splits]
    expected = np.zeros((7, 3, 3))
    for split, output in zip(plan.splits, outputs, strict=True):
        for column in range(7):
            for row, answer in zip(split.test, output.predicted[:, column], strict=True):
                expected[column, Y[row, column], answer] += 1
    np.testing.assert_array_equal(null_values._matrices(Y, plan, outputs, 3), expected)
    monkeypatch.setattr(null_values, "_SMALL", 0)
    np.testing.assert_array_equal(null_values._matrices(Y, plan, outputs, 3), expected)


def test_a_later_batch_that_steps_aside_is_fitted(monkeypatch):
    model = LinearDiscriminantAnalysis()
    options = {"permutations": FEW, "random_state": 0}
    whole = referee.permutation_test(model, NOISY, Y, **options)
    monkeypatch.setattr(null_values, "_BUDGET", 10 * 8 * len(Y))
    outputs_, calls = null_values.Statistic._outputs, []

    def one_only(self, *args, **kwargs):
        calls.append(args)
        if len(calls) > 1:
            raise SteppedAside("no more")
        return outputs_(self, *args, **kwargs)

    monkeypatch.setattr(null_values.Statistic, "_outputs", one_only)
    parts = referee.permutation_test(model, NOISY, Y, **options)
    assert len(calls) == 3
    np.testing.assert_allclose(parts.null, whole.null, rtol=1e-12)


@pytest.mark.parametrize("model", [None, 5, "nb", GaussianNB])
def test_what_is_no_model_is_refused_before_any_work(model):
    with pytest.raises(InputError, match=r"^model must be"):
        referee.permutation_test(model, np.eye(20), np.arange(20) % 2, by=2, permutations=19)


def test_a_measure_of_ones_own_that_depends_on_the_order_is_refused():
    def first_half(y_true, y_pred):
        half = len(y_true) // 2
        return float((y_true[:half] == y_pred[:half]).mean())

    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.random.default_rng(1).permutation(40) % 2
    own = referee.measures.make_measure(first_half, greater_is_better=True)
    with pytest.raises(InputError, match="in another order"):
        referee.permutation_test(GaussianNB(), X, y, measure=own, permutations=19, random_state=0)
