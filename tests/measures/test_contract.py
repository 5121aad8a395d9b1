"""What every measure of the catalogue promises, and one that is registered from outside."""

import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import referee
from referee.core import Predictions, method
from referee.core.labels.label_tables import label_set_table
from referee.errors import InputError
from referee.judging.applicable import applicable
from referee.judging.estimating.measuring import Measuring
from referee.measures import (
    MEASURES,
    Costs,
    MatrixMeasure,
    RankingMeasure,
    RocCurve,
    ShareMeasure,
    as_measure,
    measure_named,
)
from referee.measures.measure import always

EVERY = [
    *MEASURES.values(),
    measure_named("f2"),
    measure_named("auc7"),
    measure_named("pinball0.9"),
]
COSTS = Costs(1, 3)


def named(measures):
    return pytest.mark.parametrize("measure", measures, ids=lambda m: m.name)


def table(n=90, k=2, seed=0, **options):
    """Predictions with probabilities that tell something."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    scores = rng.normal(size=(n, k)) + 1.5 * np.eye(k)[truth]
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return Predictions.of(truth, p.argmax(axis=1), y_score=p, **options)


def quantities(n=90, seed=0, spread=1.0):
    """Predictions of quantities that tell something."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(10, 3, n)
    return Predictions.of_quantities(truth, truth + spread * rng.normal(size=n))


def label_sets(n=90, seed=0, wrong=0.1):
    """Predictions of sets of four labels."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 4)) < [0.6, 0.4, 0.3, 0.2]
    return label_set_table(truth, truth ^ (rng.random((n, 4)) < wrong))


def suited(measure, n=90, k=2, seed=0):
    """Predictions of what the measure is about."""
    if measure.sets:
        return label_sets(n, seed)
    return quantities(n, seed) if measure.numeric else table(n, k, seed)


def shrunk(n=90, k=2, seed=0):
    """The same cases, with answers and probabilities that are worse."""
    better = table(n, k, seed)
    rng = np.random.default_rng(1)
    noise = rng.random(n) < 0.4
    answers = np.where(noise, rng.integers(k, size=n), better.predicted)
    p = np.where(noise[:, None], 1 / k, better.scores)
    return Predictions.of(better.truth, answers, y_score=p)


def test_names_are_keys_and_no_two_measures_share_one():
    assert all(name == m.name for name, m in MEASURES.items())
    names = [*MEASURES, *(a for m in MEASURES.values() for a in m.aliases)]
    assert len(names) == len(set(names))
    assert next(iter(MEASURES)) == "error"


def test_other_names_lead_to_the_measure():
    assert measure_named("recall") is measure_named("sensitivity") is MEASURES["tpr"]
    assert measure_named("f2") is measure_named("f2")


def test_what_is_shown_unasked():
    two, three = table(300), table(300, 3)
    assert [m.name for m in applicable(None, two, 1)] == [
        "error",
        "accuracy",
        "balanced_accuracy",
        "mcc",
        "tpr",
        "tnr",
        "precision",
        "f1",
        "auc",
        "auc50",
        "average_precision",
        "log_loss",
        "brier",
    ]
    assert [m.name for m in applicable(None, three, None)] == (
        [
            "error",
            "accuracy",
            "balanced_accuracy",
            "mcc",
            "macro_f1",
            "auc_ovr",
            "log_loss",
            "brier",
        ]
    )
    assert applicable(None, two, 1, costs=True)[-1].name == "cost"
    assert [m.name for m in applicable(None, label_sets(), None)] == [
        "error",
        "accuracy",
        "hamming",
        "jaccard",
        "micro_label_f1",
        "macro_label_f1",
    ]


@named(EVERY)
def test_values_keep_to_the_range_and_do_not_depend_on_order(measure):
    for seed in range(5):
        for k in (2, 3):
            p = suited(measure, 60, k, seed)
            value = measure.value(p, 1, COSTS)
            assert measure.low <= value <= measure.high
            measure.check_order(p, 1, COSTS, value)


@named(EVERY)
def test_better_predictions_have_the_better_value(measure):
    worse = quantities(400, spread=2.0) if measure.numeric else shrunk(400)
    if measure.sets:
        worse = label_sets(400, wrong=0.3)
    good, bad = measure.value(suited(measure, 400), 1, COSTS), measure.value(worse, 1, COSTS)
    assert (good > bad) == measure.greater_is_better


@named(EVERY)
def test_an_estimate_is_the_value_within_its_interval_or_says_why_not(measure):
    p = suited(measure, 200)
    estimate = Measuring(predictions=p, positive=1, costs=COSTS).estimate(measure)
    assert estimate.name == measure.name
    assert estimate.value == pytest.approx(measure.value(p, 1, COSTS), abs=1e-12)
    assert estimate.greater_is_better == measure.greater_is_better
    assert estimate.interval.low < estimate.value < estimate.interval.high
    assert measure.low <= estimate.interval.low
    assert estimate.interval.high <= measure.high


@named([m for m in EVERY if not m.numeric and not m.sets])
def test_one_class_only_is_undefined_or_a_number_never_an_error(measure):
    p = Predictions.of([1] * 20, [1] * 20, y_score=np.linspace(0, 1, 20), labels=[0, 1])
    if measure.name in ("auc_ovr", "auc_ovo"):
        return  # needs a column per class
    estimate = Measuring(predictions=p, positive=1, costs=COSTS).estimate(measure)
    assert estimate.defined or estimate.reason


@named([m for m in EVERY if m.of_matrix is not None])
def test_direction_against_a_better_matrix(measure):
    more = (1,) if measure.positive else ()
    worse, better = np.array([[30.0, 20], [20, 30]]), np.array([[45.0, 5], [5, 45]])
    change = measure.of_matrix(better, *more) - measure.of_matrix(worse, *more)
    assert (change > 0) == measure.greater_is_better


@named([m for m in EVERY if isinstance(m, ShareMeasure)])
def test_shares_are_shares_of_the_cases_they_name(measure):
    matrix = np.array([[7.0, 2, 1], [3, 11, 4], [0, 5, 9]])
    at = 1
    more = (at,) if measure.positive else ()
    positive = np.zeros((3, 3), bool)
    if measure.given == "all":
        inside = ~positive
        right = np.eye(3, dtype=bool)
    else:
        axis = 0 if measure.given == "truth" else 1
        member = np.indices((3, 3))[axis] == at
        inside = member if measure.of_class else ~member
        truth, answer = (np.indices((3, 3))[i] == at for i in (0, 1))
        right = truth == answer
    share = matrix[inside & right].sum() / matrix[inside].sum()
    expected = share if measure.greater_is_better else 1 - share
    assert measure.of_matrix(matrix, *more) == pytest.approx(expected)


@named(EVERY)
def test_measures_go_through_pickle(measure):
    again = pickle.loads(pickle.dumps(measure))
    p = suited(measure)
    assert again.value(p, 1, COSTS) == measure.value(p, 1, COSTS)


def test_a_mistyped_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="measure 'mmc' is unknown; did you mean 'mcc'"):
        measure_named("mmc")


# One measure of each way to an interval, from outside.


def g_mean(matrix):
    """The geometric mean of the classes' rates."""
    rates = np.diagonal(matrix, axis1=-2, axis2=-1) / matrix.sum(-1)
    return np.prod(rates, axis=-1) ** (1 / matrix.shape[-1])


def gini(curve: RocCurve) -> float:
    return 2 * curve.auc - 1


G_MEAN = MatrixMeasure(
    "g_mean", title="geometric mean of rates", greater_is_better=True, of_matrix=g_mean,
    undefined="a class has no case", shown=always,
)  # fmt: skip
GINI = RankingMeasure(
    "gini", title="Gini coefficient", greater_is_better=True, low=-1.0, of_curve=gini, shown=always
)


@pytest.fixture
def registered():
    for measure in (G_MEAN, GINI):
        MEASURES.register(measure)
    yield
    for measure in (G_MEAN, GINI):
        MEASURES.remove(measure.name)


@pytest.mark.usefixtures("registered")
def test_a_registered_measure_shows_up_everywhere():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=120)
    score = rng.normal(size=120) + truth
    answers = (score > 0.5).astype(int)
    evaluation = referee.evaluate_predictions(truth, answers, y_score=score)
    frame = evaluation.frame().set_index("measure")
    for name in ("g_mean", "gini"):
        row = frame.loc[name]
        assert row["low"] < row["value"] < row["high"]
    assert "geometric mean of rates" in str(evaluation)
    assert "Gini coefficient" in str(evaluation)
    assert {"name": "gini", "title": "Gini coefficient"}.items() <= MEASURES.table()[-1].items()
    other = rng.normal(size=120) + truth
    both = {"a": answers, "b": (other > 0.5).astype(int)}
    for name in ("g_mean", "gini"):
        compared = referee.compare_predictions(
            truth, both, y_scores={"a": score, "b": other}, measure=name
        )
        assert compared.evidence.test == "paired-bootstrap"
        assert compared.difference.interval.low < compared.difference.value


def test_a_gini_coefficient_has_the_interval_of_its_area(registered):
    """gini = 2 auc - 1, so its interval must be about that of the area, stretched."""
    p = table(300)
    measuring = Measuring(predictions=p, positive=1)
    area, coefficient = measuring.estimate("auc"), measuring.estimate("gini")
    assert coefficient.value == pytest.approx(2 * area.value - 1)
    assert coefficient.interval.low == pytest.approx(2 * area.interval.low - 1, abs=0.03)
    assert coefficient.interval.high == pytest.approx(2 * area.interval.high - 1, abs=0.03)


def test_a_taken_name_is_refused_naming_both_modules():
    clash = MatrixMeasure("mcc", title="mine", greater_is_better=True, of_matrix=g_mean)
    with pytest.raises(InputError, match=r"'mcc' of .*test_contract.* taken by referee\.measures"):
        MEASURES.register(clash)


def test_a_package_offers_a_measure_by_an_entry_point(monkeypatch):
    class Point:
        name, value = "g_mean", "outside:G_MEAN"

        def load(self):
            return G_MEAN

    monkeypatch.setattr(method, "entry_points", lambda group: [Point()])
    monkeypatch.setattr(MEASURES, "_loaded", False)
    method._points.cache_clear()
    try:
        assert as_measure("g_mean") is G_MEAN
        assert (
            "g_mean"
            in referee.evaluate_predictions([0, 1] * 30, [0, 1] * 25 + [1, 0] * 5).estimates
        )
    finally:
        MEASURES.remove("g_mean")
        method._points.cache_clear()


def test_an_offer_that_cannot_be_imported_is_named(monkeypatch):
    class Point:
        name, value = "broken", "outside:missing"

        def load(self):
            raise ImportError("no module named outside")

    monkeypatch.setattr(method, "entry_points", lambda group: [Point()])
    monkeypatch.setattr(MEASURES, "_loaded", False)
    method._points.cache_clear()
    try:
        with pytest.raises(referee.errors.RefereeError, match="'broken' of outside:missing"):
            list(MEASURES)
    finally:
        MEASURES._loaded = True
        method._points.cache_clear()


_CLASH = """
from referee.core.results import Interval
from referee.intervals import RiskInterval
from referee.measures import Measure

def halves(sample):
    return Interval(low=0.0, high=0.5, level=sample.level, method="wilson")

CLASH = RiskInterval("wilson", title="mine", compute=halves)
"""


@pytest.mark.parametrize(
    ("first", "refused"),
    [("import referee.intervals.catalogue", True), ("import clash", False)],
)
def test_a_package_that_takes_a_name_is_refused_at_import(tmp_path, first, refused):
    """A real distribution on the path, in a process of its own."""
    (tmp_path / "clash.py").write_text(_CLASH)
    information = tmp_path / "clash-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: clash\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[referee.methods]\nmine = clash:CLASH\n")
    # A package that asks for measures on its way is imported in peace, and refused at first use.
    use = "" if refused else "; import referee.intervals.catalogue"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    run = subprocess.run(
        [sys.executable, "-c", f"{first}; print('imported'){use}"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("imported" in run.stdout) is not refused
    assert run.returncode == 1
    assert (
        "'wilson' of clash is already taken by referee.intervals.one_set.proportion" in run.stderr
    )


def test_widest_is_the_range_and_infinite_without_one():
    assert measure_named("mcc").widest == 2
    assert measure_named("partial_auc").widest == pytest.approx(0.1)
    assert math.isinf(measure_named("log_loss").widest)
