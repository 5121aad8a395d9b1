"""Models that search, inside a validation: nested, told about groups, and their inflation shown."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.metrics import get_scorer, hamming_loss, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    PredefinedSplit,
    RandomizedSearchCV,
    ShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core.plan import Part
from referee.errors import FitError, InputError, PlanError
from referee.fitting.inner_groups import keep_groups_whole
from referee.fitting.search import search_outcome

X, Y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.8, size=X.shape)
X, Y = X[::2], Y[::2]
GROUPS = np.arange(len(Y)) // 3
NEIGHBOURS = {"n_neighbors": [1, 3, 7, 15]}


def grid(**options):
    return GridSearchCV(KNeighborsClassifier(), NEIGHBOURS, **{"cv": 3, **options})


SEARCHES = {
    "grid": grid(),
    "random": RandomizedSearchCV(
        KNeighborsClassifier(), NEIGHBOURS, n_iter=3, cv=3, random_state=0
    ),
    "halving": HalvingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 2, 4]}, cv=3, random_state=0
    ),
    "of a pipeline": GridSearchCV(
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        {f"kneighborsclassifier__{k}": v for k, v in NEIGHBOURS.items()},
        cv=3,
    ),
    "in a pipeline": make_pipeline(StandardScaler(), grid()),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_predictions_against_cross_val_predict(search):
    """Oracle: scikit-learn's own nesting on the same splits."""
    made = referee.evaluate(search, X, Y, by=4, random_state=0)
    pairs = [(s.train, s.test) for s in made.plan.part(Part.MAIN)]
    expected = cross_val_predict(search, X, Y, cv=pairs)
    table = made.predictions.unseen
    np.testing.assert_array_equal(np.asarray(made.predictions.classes)[table.predicted],
                                  expected[table.case])  # fmt: skip
    assert made.error.value == pytest.approx(np.mean(expected != Y))
    assert made.how.endswith("nested: the search is repeated in every training set")


@pytest.mark.parametrize("search", [SEARCHES["grid"], SEARCHES["in a pipeline"]])
def test_the_model_for_use_is_the_search_on_all_rows(search):
    made = referee.evaluate(search, X, Y, by=4, random_state=0)
    whole = search_outcome(type(search)(**search.get_params(deep=False)).fit(X, Y))
    assert search_outcome(made.model) == whole
    assert made.search.chosen == whole.chosen
    assert made.search.inner == whole.score
    assert made.inflation == pytest.approx(made.error.value - whole.score)
    assert sum(made.search.choices.values()) == 4
    assert not hasattr(search, "best_params_")


def test_a_single_split_shows_the_search_of_its_training_rows():
    made = referee.evaluate(grid(), X, Y, by="holdout", random_state=0)
    rows = made.plan.splits[0].train
    alone = grid().fit(X[rows], Y[rows])
    assert made.search.inner == pytest.approx(1 - alone.best_score_)
    assert made.search.stability == f"Chosen: n_neighbors={alone.best_params_['n_neighbors']}."


def noise(n=40, d=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2)


def test_on_pure_noise_the_inner_score_flatters_and_the_nested_one_does_not():
    """Oracle: whatever is chosen errs on half of new cases."""
    inner, nested = [], []
    for seed in range(10):
        features, labels = noise(seed=seed)
        search = GridSearchCV(
            DecisionTreeClassifier(max_depth=2, max_features=1),
            {"random_state": list(range(12))},
            cv=4,
        )
        made = referee.evaluate(search, features, labels, by=4, random_state=0)
        inner.append(made.search.inner)
        nested.append(made.search.nested)
    assert np.mean(inner) < 0.44
    assert abs(np.mean(nested) - 0.5) < 3 * np.std(nested, ddof=1) / np.sqrt(10) + 0.01
    assert "flatters by" in made.search.sentence


@pytest.mark.parametrize("renderer", ["to_text", "_repr_html_", "to_markdown", "to_latex"])
def test_every_renderer_shows_both_scores(renderer):
    made = referee.evaluate(grid(), X, Y, by=3, random_state=0)
    text = " ".join(getattr(made, renderer)().split())
    assert "best inner" in text
    assert "nested" in text
    for score in (made.search.inner, made.search.nested):
        assert f"{100 * score:.1f}" in text
    if renderer != "to_latex":  # which holds tables and the verdict only
        assert "nested validation gives" in text


def test_json_holds_the_search():
    made = referee.evaluate(grid(), X, Y, by=3, random_state=0)
    data = json.loads(made.to_json())
    assert data["inflation"] == made.inflation
    assert data["search"]["inner"] == made.search.inner
    assert data["search"]["measure"] == "error"
    plain = json.loads(referee.evaluate(GaussianNB(), X, Y, by=3, random_state=0).to_json())
    assert plain["search"] is None
    assert plain["inflation"] is None


TWO = Y > 0


@pytest.mark.parametrize(
    ("scoring", "measure"),
    [
        ("accuracy", "error"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("roc_auc", "auc"),
        ("f1", "f1"),
        ("recall", "tpr"),
        ("neg_log_loss", "log_loss"),
        ("neg_brier_score", "brier"),
        ("matthews_corrcoef", "mcc"),
    ],
)
def test_scores_of_scikit_learn_in_our_terms(scoring, measure):
    made = referee.evaluate(grid(scoring=scoring), X, TWO.astype(int), by=3, random_state=0)
    theirs = grid(scoring=scoring).fit(X, TWO.astype(int)).best_score_
    assert made.search.measure == measure
    assert made.search.nested == made.estimates[measure].value
    ours = {"error": 1 - theirs}.get(measure, abs(theirs) if "neg" in scoring else theirs)
    assert made.search.inner == pytest.approx(ours)
    up = made.estimates[measure].greater_is_better
    better = made.search.inner - made.search.nested
    assert made.inflation == pytest.approx(better if up else -better)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"scoring": make_scorer(hamming_loss)}, "no measure of the catalogue"),
        ({"scoring": "jaccard_macro"}, "chose by jaccard_macro, which is no measure"),
        ({"scoring": "precision_macro"}, "ask for the measure macro_precision to see both"),
        ({"refit": lambda results: 0}, "keeps no best score"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_scores_that_cannot_be_compared_are_said_so(options, reason):
    made = referee.evaluate(grid(**options), X, Y, by=3, random_state=0)
    assert made.inflation is None
    assert reason in made.search.sentence
    assert made.search.sentence in " ".join(made.to_text().split())


def test_class_one_of_a_scorer_is_not_our_positive_class():
    made = referee.evaluate(
        grid(scoring="f1"), X, TWO.astype(int), by=3, random_state=0, pos_label=0
    )
    assert "of the class 1, and the positive class is 0" in made.search.sentence


SEEN = []


class SeesGroups(ClassifierMixin, BaseEstimator):
    """Answers at random; remembers the row numbers it was trained on and asked about."""

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.train_ = set(np.asarray(X)[:, -1].astype(int))
        return self

    def predict(self, X):
        SEEN.append((self.train_, set(np.asarray(X)[:, -1].astype(int))))
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("cv", [None, 4, GroupKFold(3)])
@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: make_pipeline(StandardScaler(
    with_mean=False, with_std=False), m)], ids=["bare", "pipeline"])  # fmt: skip
@pytest.mark.parametrize(
    "make",
    [
        lambda cv: GridSearchCV(SeesGroups(), {"setting": [0, 1]}, cv=cv),
        lambda cv: referee.Tuned(SeesGroups(), {"setting": [0, 1]}, by=5 if cv is None else cv),
    ],
    ids=["grid", "tuned"],
)
def test_no_group_straddles_an_inner_split(make, wrap, cv):
    numbered = np.column_stack([X, GROUPS])
    model = wrap(make(cv))
    before = str(model.get_params())
    SEEN.clear()
    made = referee.evaluate(model, numbered, Y, groups=GROUPS, by=4, random_state=0)
    inner = [pair for pair in SEEN if pair[0] != pair[1]]
    assert len(inner) >= 4 * 2 * 3
    assert all(not train & test for train, test in inner)
    assert "keep groups whole" in made.how
    assert str(model.get_params()) == before


def test_without_being_told_groups_would_straddle():
    """The test above could fail: plain folds put groups on both sides."""
    SEEN.clear()
    GridSearchCV(SeesGroups(), {"setting": [0]}, cv=4).fit(np.column_stack([X, GROUPS]), Y)
    assert any(train & test for train, test in SEEN if train != test)


def test_groups_reach_models_that_fold_without_searching():
    data = referee.Dataset.of(X, Y, groups=GROUPS)
    model = LogisticRegressionCV(cv=4)
    assert keep_groups_whole(model, data, np.arange(60)) == {}
    assert len(model.cv) == 4
    for train, test in model.cv:
        assert not set(GROUPS[:60][train]) & set(GROUPS[:60][test])


def test_a_splitter_that_tears_groups_apart_is_refused():
    with pytest.raises(FitError, match=r"one group on both sides of an inner split; use a number"):
        referee.evaluate(grid(cv=KFold(3, shuffle=True)), X, Y, groups=GROUPS, by=3)
    # Blocks of rows that happen to keep groups whole are left alone, and so are no groups at all.
    whole = KFold(3)
    referee.evaluate(
        grid(cv=whole), X[:72], Y[:72], groups=np.arange(72) // 24, by="resubstitution"
    )
    referee.evaluate(grid(cv=KFold(3, shuffle=True)), X, Y, by=3)


def test_inner_folds_that_draw_anew_are_seeded():
    search = grid(cv=ShuffleSplit(4))
    one, two = (referee.evaluate(search, X, Y, by=3, random_state=5) for _ in range(2))
    assert one.search == two.search
    assert search.cv.random_state is None


def rare(cases):
    """Two classes, and a third of few cases."""
    rows = np.r_[np.arange(40), np.arange(40, 40 + cases)]
    labels = np.r_[np.arange(40) % 2, np.full(cases, 2)]
    return np.random.default_rng(0).normal(size=(len(rows), 2)), labels


@pytest.mark.parametrize("model", [grid(), referee.Tuned("knn", NEIGHBOURS, by=3)])
def test_an_inner_loop_without_a_class(model):
    features, labels = rare(2)
    with pytest.raises(
        PlanError, match=r"class 2 has one case among the 21 training rows of split 0.*merge or"
    ):
        referee.evaluate(model, features, labels, by=2)
    groups = np.r_[np.arange(40) // 2, 20, 20, 20]
    features, labels = rare(3)
    with pytest.raises(PlanError, match="class 2 has one group among"):
        referee.evaluate(model, features, labels, groups=groups, by=2)


def test_more_inner_folds_than_groups_or_cases():
    groups = np.arange(len(Y)) % 6
    with pytest.raises(PlanError, match="the 5 inner folds of the model exceed the 4 groups that"):
        referee.evaluate(grid(cv=5), X, Y, groups=groups, by=3)
    with pytest.raises(PlanError, match=r"no class has as many cases .* \(30\); use at most 17"):
        referee.evaluate(grid(cv=30), X, Y, by=3)


def test_as_many_inner_folds_as_groups():
    """Each class has fewer groups than there are inner folds, and that is enough."""
    groups, labels = np.repeat(np.arange(8), 9), np.repeat(np.arange(8) % 2, 9)
    made = referee.evaluate(grid(cv=6), X[:72], labels, groups=groups, by=4, random_state=0)
    assert "its 6 inner folds keep groups whole" in made.how


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (grid(refit=False), "GridSearchCV has refit=False, so it cannot predict; pass refit=True"),
        (grid(scoring=["accuracy", "f1_macro"]), "name the one that chooses, as refit='accuracy'"),
        (GridSearchCV(GaussianNB(), {}), "param_grid of GridSearchCV is empty"),
        (GridSearchCV(GaussianNB(), {"priors": []}), "no value to try for 'priors'"),
        (GridSearchCV(GaussianNB(), {"prior": [None]}), "no parameter 'prior'; did you mean"),
        (RandomizedSearchCV(GaussianNB(), {"smoothing": [1]}), "no parameter 'smoothing'"),
        (
            GridSearchCV(LinearSVC(), {"C": [1, 2]}, scoring="neg_log_loss"),
            "scoring='neg_log_loss' of GridSearchCV needs predict_proba, which LinearSVC does not",
        ),
        (make_pipeline(StandardScaler(), grid(refit=False)), "refit=False"),
    ],
)
def test_searches_that_cannot_work_are_refused_before_any_fit(model, message):
    with pytest.raises(InputError, match=message):
        referee.evaluate(model, X, Y, by=3)


def test_parameters_of_parts_that_the_grid_exchanges():
    pipe = make_pipeline(StandardScaler(), LinearSVC())
    search = GridSearchCV(
        pipe,
        {"linearsvc": [LogisticRegression()], "linearsvc__C": [0.1, 1]},
        scoring="neg_log_loss",
        cv=3,
    )
    assert referee.evaluate(search, X, Y, by=3, random_state=0).search.measure == "log_loss"


@pytest.mark.filterwarnings("ignore:Scoring failed", "ignore:One or more of the test scores")
def test_a_search_without_any_score_is_an_error():
    def broken(model, X, y):
        raise RuntimeError("no")

    with pytest.raises(FitError, match=r"split 0 .*all are nan\), so it chose blindly"):
        referee.evaluate(grid(scoring=broken), X, Y, by=3)


def test_comparisons_nest_searches_too():
    made = referee.compare(
        {"tuned": grid(), "nb": GaussianNB()},
        X,
        Y,
        by=3,
        significance="corrected-t",
        random_state=0,
    )
    assert "tuned nested: the search is repeated in every training set" in made.how


def test_permutation_tests_repeat_the_search():
    """Oracle: a plain loop of scikit-learn over the same relabellings."""
    from referee.core.randomness import child
    from referee.permuting.permuting import Permuting

    made = referee.permutation_test(
        grid(), X, Y, by=KFold(3), permutations=19, random_state=0
    )  # fmt: skip
    permuting = Permuting(referee.Dataset.of(X, Y), seed=child(0, 1))
    expected = [
        np.mean(cross_val_predict(grid(), X, labels, cv=KFold(3)) != labels)
        for labels in (np.unique(Y)[permuting.codes(r)] for r in range(19))
    ]
    np.testing.assert_allclose(made.null, expected)
    assert made.how.endswith("nested: the search is repeated in every training set")


def _by_own_name(est, X, y):
    return -100 * np.mean(est.predict(X) != y)


def test_the_name_of_a_function_is_not_taken_for_what_it_computes():
    X, y = load_iris(return_X_y=True)
    _by_own_name.__name__ = "accuracy"
    grid = {"n_neighbors": [1, 5]}
    search = GridSearchCV(KNeighborsClassifier(), grid, scoring=_by_own_name, cv=3)
    made = referee.evaluate(search, X, y, by=3, random_state=0)
    assert made.inflation is None
    assert "the function accuracy" in made.search.sentence
    known = GridSearchCV(KNeighborsClassifier(), grid, scoring=get_scorer("accuracy"), cv=3)
    assert referee.evaluate(known, X, y, by=3, random_state=0).inflation is not None


class _OwnScore(KNeighborsClassifier):
    def score(self, X, y, sample_weight=None):
        return -1000.0


def test_a_score_of_ones_own_is_not_taken_for_accuracy():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(_OwnScore(), {"n_neighbors": [1, 5]}, cv=3)
    assert referee.evaluate(search, X, y, by=3, random_state=0).inflation is None


@pytest.mark.parametrize("cv", [[(np.arange(40), np.arange(40, 60))], PredefinedSplit([0, 1] * 75)])
def test_inner_rows_by_number_are_refused(cv):
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=cv)
    with pytest.raises(InputError, match="names rows by their numbers"):
        referee.evaluate(search, X, y, by=3)


@pytest.mark.parametrize(
    "model",
    [
        GridSearchCV(CalibratedClassifierCV(GaussianNB(), cv=3), {"method": ["sigmoid"]}, cv=3),
        VotingClassifier([("s", GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1]}))]),
        make_pipeline(RFECV(LogisticRegression(), cv=3), LogisticRegression()),
        referee.Tuned(GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1]}), {"cv": [3]}),
    ],
    ids=["calibrated", "voting", "selector", "tuned search"],
)
def test_groups_that_cannot_reach_an_inner_loop_are_said_so(model):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match="groups cannot be handed to it"):
        referee.evaluate(model, X, y, groups=np.arange(150) // 3, by=3)
