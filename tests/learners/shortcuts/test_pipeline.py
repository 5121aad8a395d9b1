"""Shortcuts of pipelines against scikit-learn's own fits: the same answers, or none."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Lda
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Qda
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as Neighbours
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

import referee
from referee.core import Dataset
from referee.core.shared_work import SteppedAside
from referee.learners import for_table, model_from_name
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.learners.shortcuts.shortcut import shortcut_of
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut

PLANS = {
    "cv": CrossValidation(4, stratify="best effort"),
    "loo": LeaveOneOut(),
    "holdout": Holdout(0.3, repetitions=3, stratify=False),
    "bootstrap": Bootstrap(3),
}
SCALERS = {
    "standard": StandardScaler(),
    "not centred": StandardScaler(with_mean=False),
    "not scaled": StandardScaler(with_std=False),
    "range": MinMaxScaler(feature_range=(-1, 0.7)),
    "clipped": MinMaxScaler(clip=True),
    "largest": MaxAbsScaler(),
    "robust": RobustScaler(),
    "unit variance": RobustScaler(quantile_range=(10, 90), unit_variance=True),
    "length": Normalizer(),
    "none": "passthrough",
}
MODELS = {
    "knn": Neighbours(),
    "knn distance": Neighbours(4, weights="distance"),
    "knn brute": Neighbours(4, algorithm="brute"),
    "knn manhattan": Neighbours(3, p=1, algorithm="ball_tree"),
    "knn chebyshev": Neighbours(1, metric="chebyshev"),
    "lda": Lda(),
    "lda lsqr": Lda(solver="lsqr", shrinkage=0.1),
    "lda eigen": Lda(solver="eigen"),
    "qda": Qda(),
    "qda ridge": Qda(reg_param=0.1),
    "nb": GaussianNB(),
    "svc": SVC(),
    "svc linear": SVC(kernel="linear", C=0.5),
    "linear svc": LinearSVC(),
}
KINDS = ["normal", "grid", "constant", "offset", "copies", "units", "outlier", "columns first"]


@pytest.fixture(autouse=True)
def one_thread():
    """Threads of so small searches wait for each other where cores are shared."""
    with threadpool_limits(1):
        yield


def made(kind, n, d, rng):
    X = rng.normal(size=(n, d))
    if kind == "grid":
        X = rng.integers(0, 3, (n, d)).astype(float)
    elif kind == "constant":
        X[:, 0] = rng.choice([0.1, 3.0])
        X[:, -1] = np.arange(n) == 1  # constant where that row is tested
    elif kind == "offset":
        X += rng.choice([1e3, 1e6, 1e9])
    elif kind == "copies":
        X = X[rng.integers(0, n // 3, n)]
    elif kind == "units":
        X *= 10.0 ** rng.integers(-6, 7, d)
    elif kind == "outlier":
        X[0] *= 1e6
    return np.asfortranarray(X) if kind == "columns first" else X


def assert_same(model, X, Y, plan, classes, *, scores):
    """Compare with fits split by split and column by column, unless the shortcut steps aside."""
    try:
        ours = shortcut_of(model).predict_plan(X, Y, plan, classes=classes, scores=scores)
    except SteppedAside:
        return None
    method = shortcut_of(model).work.score_method
    plain = plain_plan(model, X, Y, plan, classes=classes, scores=scores, method=method)
    for mine, other in zip(ours, plain, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)
        if scores:
            np.testing.assert_allclose(mine.scores, other.scores, rtol=1e-6, atol=1e-8)
    return ours


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(KINDS),
    scaler=st.sampled_from(sorted(SCALERS)),
    d=st.sampled_from([1, 2, 5]),
    scheme=st.sampled_from(sorted(PLANS)),
    scores=st.booleans(),
    m=st.sampled_from([1, 9]),
    k=st.sampled_from([2, 3]),
)
def test_any_data_and_plan_against_the_loop_of_scikit_learn(
    name, seed, kind, scaler, d, scheme, scores, m, k
):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(26, 36))
    X, y = made(kind, n, d, rng), np.array(["ant", "bee", "cat"])[np.arange(n) % k]
    if k == 3 and seed % 2:
        y[y == "cat"] = "bee"
        y[:2] = "cat"  # so rare that some training rows lack it
    data = Dataset.of(X, y)
    plan = PLANS[scheme].plan(data, seed=1)
    Y = np.column_stack([data.codes, *(rng.permutation(data.codes) for _ in range(8))])[:, :m]
    model = Pipeline([("scale", SCALERS[scaler]), ("model", MODELS[name])])
    try:
        assert_same(model, X, Y, plan, data.classes, scores=scores and name != "linear svc")
    # Of the pipeline itself: a class that is missing, or LDA on a column that does not vary.
    except (ValueError, IndexError) as problem:
        with pytest.raises(type(problem)):
            plain_plan(model, X, Y, plan, classes=data.classes)


@pytest.mark.parametrize("scheme", ["cv", "loo", "holdout"])
@pytest.mark.parametrize("scaler", ["standard", "range", "largest", "robust"])
@pytest.mark.parametrize("name", ["knn", "knn distance", "lda", "qda"])
def test_splits_share_work_for_one_labelling(name, scaler, scheme):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    data = Dataset.of(rng.normal(size=(60, 3)) + y[:, None], y)
    plan = PLANS[scheme].plan(data, 0)
    model = make_pipeline(SCALERS[scaler], MODELS[name])
    outputs = assert_same(model, data.X, data.codes[:, None], plan, data.classes, scores=True)
    assert outputs is not None
    assert sum(o.refits for o in outputs) <= len(outputs) / 4


@pytest.mark.parametrize("scaler", ["standard", "length", "clipped"])
@pytest.mark.parametrize("name", MODELS)
def test_label_columns_share_work(name, scaler):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    data = Dataset.of(rng.normal(size=(120, 3)) + y[:, None], y)
    plan = PLANS["cv"].plan(data, 0)
    Y = np.column_stack([rng.permutation(data.codes) for _ in range(12)])
    model = make_pipeline(SCALERS[scaler], MODELS[name])
    outputs = assert_same(model, data.X, Y, plan, data.classes, scores=False)
    assert outputs is not None
    assert sum(o.refits for o in outputs) <= 12


def test_imputed_and_scaled_columns_share_work():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 4)), np.arange(90) % 2
    X[rng.random(X.shape) < 0.1] = np.nan
    model = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler(), Neighbours())
    data = Dataset.of(pd.DataFrame(X, columns=list("abcd")), y)
    plan = PLANS["cv"].plan(data, 0)
    Y = np.column_stack([rng.permutation(data.codes) for _ in range(9)])
    assert assert_same(model, data.X, Y, plan, data.classes, scores=True) is not None


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(PCA(2), Lda()),
        make_pipeline(PowerTransformer(), Lda()),
        make_pipeline(FunctionTransformer(np.abs), Lda()),
        make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), Lda())),
        make_pipeline(StandardScaler(), LogisticRegression()),
        make_pipeline(StandardScaler(), Neighbours(metric="cosine")),
        make_pipeline(StandardScaler(), SVC(kernel="poly")),
        make_pipeline(StandardScaler(), LinearSVC(loss="hinge")),
        make_pipeline(StandardScaler(copy=False), Lda()),
        make_pipeline(SimpleImputer(strategy=np.nanmax), Lda()),
        make_pipeline(StandardScaler(), Lda(), memory="somewhere"),
        make_pipeline(StandardScaler(), Lda(), verbose=True),
        make_pipeline(StandardScaler(), Lda(), transform_input=["X_val"]),
        make_pipeline(StandardScaler().set_output(transform="pandas"), Lda()),
        make_pipeline(StandardScaler(), Lda()).set_output(transform="pandas"),
        make_pipeline(StandardScaler(), "passthrough"),
        type("Mine", (Pipeline,), {})([("scale", StandardScaler()), ("lda", Lda())]),
        make_pipeline(type("Mine", (StandardScaler,), {})(), Lda()),
        make_pipeline(StandardScaler(), type("Mine", (Lda,), {})()),
    ],
)
def test_what_is_not_known_has_no_shortcut(model):
    assert shortcut_of(model) is None


@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize("method", ["fit", "transform", "predict", "decision_function"])
def test_an_altered_step_has_no_shortcut(method, step):
    model = make_pipeline(StandardScaler(), SVC())
    if (method == "transform") == (step == 0) or method == "fit":
        setattr(model.steps[step][1], method, lambda *a: None)
        assert shortcut_of(model) is None


def test_requested_metadata_and_frames_have_no_shortcut():
    model = make_pipeline(StandardScaler(), Lda())
    with config_context(transform_output="pandas"):
        assert shortcut_of(model) is None
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=True)
        assert shortcut_of(make_pipeline(scaler, Lda())) is None


def test_twins_are_named_and_turned_off(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), np.arange(80) % 2
    model = make_pipeline(StandardScaler(), Neighbours())
    shared = referee.evaluate(model, X, y, by=5, random_state=0)
    assert shared.how.endswith("(shortcut for Pipeline(StandardScaler, KNeighborsClassifier))")
    assert type(shared.model) is Pipeline
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    plain = referee.evaluate(model, X, y, by=5, random_state=0)
    assert "shortcut" not in plain.how
    np.testing.assert_array_equal(shared.predictions.predicted, plain.predictions.predicted)
    np.testing.assert_allclose(shared.predictions.scores, plain.predictions.scores)
    assert shared.error == plain.error


@pytest.mark.parametrize("name", ["knn", "lda", "qda", "nb", "svc", "linear svc"])
def test_permutation_tests_against_fitting_every_relabelling(name, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    model = make_pipeline(StandardScaler(), MODELS[name])
    options = {"permutations": 19, "random_state": 0}
    shared = referee.permutation_test(model, X, y, **options)
    assert "shortcut for Pipeline(StandardScaler, " in shared.how
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    plain = referee.permutation_test(model, X, y, **options)
    assert plain.how == "by fitting every relabelling"
    np.testing.assert_allclose(shared.null, plain.null, rtol=0, atol=1e-14)
    assert shared.observed == pytest.approx(plain.observed, abs=1e-14)
    assert shared.p_value == plain.p_value


FULL = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=list("abc"))
TABLES = {
    "numbers": FULL,
    "gaps": FULL.mask(FULL > 1.5),
    "text": FULL.assign(colour=["red", "green", "blue"] * 10),
}


@pytest.mark.parametrize("name", ["knn", "1nn", "lda", "qda", "nb", "svm", "linear-svm"])
def test_models_of_the_command_line_have_twins_for_tables_of_numbers(name):
    found = {
        kind: shortcut_of(for_table(model_from_name(name), table)) is not None
        for kind, table in TABLES.items()
    }
    # With gaps, quadratic discriminant analysis shrinks by a share that each fit chooses.
    assert found == {"numbers": True, "gaps": name != "qda", "text": False}
