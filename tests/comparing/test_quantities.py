"""Comparing models that predict quantities: tests of losses, against scipy and simulation."""

import numpy as np
import pandas as pd
import pytest
from compared_models import mirrored
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor

import referee
from referee.errors import InputError, Refusal


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X[:120], y[:120]


def two(n=150, seed=0, spread=(1.0, 1.3)):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    answers = {name: truth + s * rng.normal(size=n) for name, s in zip("ab", spread, strict=True)}
    return truth, answers


def test_the_paired_t_is_that_of_scipy():
    truth, answers = two()
    c = referee.compare_predictions(truth, answers)
    one, other = (np.abs(truth - answers[name]) for name in "ab")
    expected = stats.ttest_rel(one, other)
    assert c.evidence.test == "paired-t"
    assert c.measure.name == "mae"
    assert c.difference.value == pytest.approx((one - other).mean())
    assert c.evidence.p_value == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval(0.95)
    assert (c.difference.interval.low, c.difference.interval.high) == pytest.approx((low, high))


def test_swapping_models_mirrors_the_difference():
    truth, answers = two()
    mirrored(
        referee.compare_predictions(truth, answers),
        referee.compare_predictions(truth, dict(reversed(answers.items()))),
    )


def test_groups_move_together():
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(30), 6)
    truth = rng.normal(size=180)
    answers = {
        "a": truth + rng.normal(size=30)[group],
        "b": truth + rng.normal(size=30)[group],
    }
    alone = referee.compare_predictions(truth, answers).difference.interval
    together = referee.compare_predictions(truth, answers, groups=group).difference.interval
    assert together.width > 1.5 * alone.width


def test_weights_are_used():
    truth, answers = two()
    weight = np.random.default_rng(2).integers(1, 4, 150).astype(float)
    c = referee.compare_predictions(truth, answers, sample_weight=weight)
    off = {name: np.abs(truth - answers[name]) for name in "ab"}
    expected = np.average(off["a"] - off["b"], weights=weight)
    assert c.difference.value == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["rmse", "r2"])
def test_functions_of_losses_are_resampled(measure):
    truth, answers = two(spread=(0.5, 1.5))
    c = referee.compare_predictions(truth, answers, measure=measure)
    assert c.evidence.test == "paired-bootstrap"
    assert c.verdict.outcome.value == "first"


def test_medians_are_resampled_too():
    """The jackknife of a median jumps, so the interval is wide; it is never too narrow."""
    truth, answers = two(spread=(0.5, 1.5))
    c = referee.compare_predictions(truth, answers, measure="median_ae")
    off = [np.median(np.abs(truth - answers[name])) for name in "ab"]
    assert c.difference.value == pytest.approx(off[0] - off[1])
    assert c.difference.value in c.difference.interval


def test_a_rope_in_the_units_of_the_target():
    truth, answers = two(400, spread=(10.0, 10.0))
    c = referee.compare_predictions(truth, answers, rope=5.0)
    assert c.verdict.outcome.value == "equivalent"


def test_size_of_the_paired_t_small():
    """Equal models: rejections of the 5 % test, 150 data sets of skewed squared errors."""
    rejected = 0
    for seed in range(150):
        truth, answers = two(40, seed=seed, spread=(1.0, 1.0))
        c = referee.compare_predictions(truth, answers, measure="mse")
        rejected += c.evidence.p_value < 0.05
    assert rejected <= 15


def test_learners_by_the_corrected_t(diabetes):
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    c = referee.compare(models, *diabetes, by="5x5", random_state=0)
    assert c.evidence.test == "corrected-t"
    assert c.verdict.outcome.value == "first"
    assert "linear is better than mean" in c.verdict.sentence


def test_learners_by_halvings(diabetes):
    models = {"linear": LinearRegression(), "knn": KNeighborsRegressor()}
    c = referee.compare(models, *diabetes, random_state=0)
    assert c.evidence.test == "calibrated-t"
    assert c.difference.interval is not None


def test_evaluations_of_one_plan_are_compared(diabetes):
    made = {
        name: referee.evaluate(model, *diabetes, by="2x5", random_state=3)
        for name, model in (("linear", LinearRegression()), ("ridge", Ridge(100.0)))
    }
    assert referee.compare(made).measure.name == "mae"


def test_a_comparison_is_reported_and_kept(tmp_path, diabetes):
    truth, answers = two()
    c = referee.compare_predictions(truth, answers, measure=["mae", "r2"])
    c.to_html(tmp_path / "c.html")
    assert "mean absolute error" in (tmp_path / "c.html").read_text()
    c.to_bundle(tmp_path / "c.referee")
    assert referee.verify(tmp_path / "c.referee").verdict.outcome.value == "pass"


def test_kinds_do_not_mix(diabetes):
    models = {"a": LinearRegression(), "b": LogisticRegression()}
    with pytest.raises(InputError, match="compare models of one kind"):
        referee.compare(models, *diabetes)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"measure": "auc"}, "auc is a measure of classes"),
        ({"pos_label": 1}, "pos_label is for classes"),
        ({"significance": "mcnemar-exact"}, "mcnemar-exact"),
        ({"sequential": True}, "sequential is for classes"),
    ],
)
def test_what_only_classes_have_is_refused(options, problem):
    with pytest.raises((InputError, Refusal), match=problem):
        referee.compare_predictions(*two(), **options)


def test_paired_t_is_not_for_classes():
    truth = [0, 1] * 30
    answers = {"a": truth, "b": [0, 1] * 25 + [1, 0] * 5}
    with pytest.raises(
        Refusal, match=r"paired-t.*for mean losses of quantities or label sets, not for error"
    ):
        referee.compare_predictions(truth, answers, significance="paired-t")


def test_quantities_on_different_cases_are_refused():
    truth, answers = two()
    with pytest.raises(Refusal, match="cannot be compared"):
        referee.compare_predictions({"a": truth, "b": truth + 1}, answers)


def test_an_undefined_r2_is_refused_with_a_remedy_about_quantities():
    rng = np.random.default_rng(0)
    answers = {name: 3.3 + rng.normal(size=60) for name in "ab"}
    with pytest.raises(Refusal, match="test more cases with different right answers"):
        referee.compare_predictions(np.full(60, 3.3), answers, measure="r2", task="regression")


@pytest.mark.parametrize("task", [pd.NA, 5, None])
def test_a_task_that_is_no_text_is_refused(task):
    with pytest.raises(InputError, match="task must be text"):
        referee.compare_predictions([0, 1] * 20, {"a": [0, 1] * 20, "b": [0] * 40}, task=task)
