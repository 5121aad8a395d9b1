"""The bracket of the Bayes error: Cover and Hart's formula, and ends that hold on average."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from referee.errors import InputError, RefereeError
from referee.learners import GaussianBayes
from referee.study import GaussianTask, bracket, cover_hart, nearest_limit, two_normals

THREE = GaussianTask([[0, 0], [2.5, 0], [1, 2.5]], np.eye(2), classes=("a", "b", "c"))


@pytest.mark.parametrize("bayes_error", [0.0, 0.01, 0.1, 0.25, 0.5])
def test_cover_hart_against_the_closed_form_of_two_classes(bayes_error):
    # The upper end of the band is R = 2 R* (1 - R*); solved for R*, the quadratic's smaller root.
    error = 2 * bayes_error * (1 - bayes_error)
    assert cover_hart(error) == pytest.approx(bayes_error)
    if error < 0.5:
        assert cover_hart(error) == pytest.approx((1 - math.sqrt(1 - 2 * error)) / 2)


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_cover_hart_inverts_the_band_of_k_classes(k):
    for bayes_error in np.linspace(0, (k - 1) / k, 7):
        error = bayes_error * (2 - k * bayes_error / (k - 1))
        assert cover_hart(error, k) == pytest.approx(bayes_error, abs=1e-7)


@pytest.mark.parametrize("k", [2, 4])
def test_cover_hart_grows_from_zero_to_guessing_and_stays_there(k):
    ends = [cover_hart(e, k) for e in np.linspace(0, 1, 101)]
    assert ends[0] == 0
    assert (np.diff(ends) >= 0).all()
    assert ends[-1] == pytest.approx((k - 1) / k)
    assert all(low <= e + 1e-12 for low, e in zip(ends, np.linspace(0, 1, 101), strict=True))


@pytest.mark.parametrize("task", [two_normals(1.0), two_normals(0.4, 3), THREE])
def test_cover_hart_holds_for_the_limit_of_the_nearest_neighbour(task):
    limit, best = nearest_limit(task, n_samples=50_000), task.bayes_risk().value
    spare = 4 * limit.standard_error
    assert cover_hart(limit.value - spare, len(task.classes)) < best < limit.value + spare


def intervals_hold(made):
    frame = made.frame()
    assert np.isfinite(frame[["value", "low", "high"]]).all(axis=None)
    assert (frame.low <= frame.value + 1e-12).all()
    assert (frame.value <= frame.high + 1e-12).all()
    assert frame.low.min() >= 0
    assert frame.high.max() <= 1
    assert "nan" not in made.conclusion
    return frame


def test_two_classes():
    made = bracket(*two_normals(1.0, 2).sample(120, random_state=0))
    frame = intervals_hold(made)
    assert frame.end.tolist() == ["lower", "upper"] * 2 + ["upper"]
    assert frame.value[4] == made.guessing.value
    assert not made.misfit
    assert made.low == cover_hart(made.nearest.value)
    i = made.nearest.interval
    assert made.low_interval == (cover_hart(i.low), cover_hart(i.high))
    assert "The Bayes error may lie between" in made.conclusion
    assert "read the intervals" in made.conclusion


def test_ends_that_cross_are_told():
    made = bracket(*two_normals(1.0, 2).sample(60, random_state=0), by=5)
    assert made.resubstitution.value < made.validated.value
    assert "lies above" not in made.conclusion
    swapped = replace(made, resubstitution=made.validated, validated=made.resubstitution)
    said = f"The lower end by {made.rule} lies above the upper one, as it may in one sample."
    assert swapped.conclusion.startswith(said)


def test_a_family_that_does_not_fit_is_told_and_its_bracket_set_aside():
    # Both classes are alike, one is rare, and the rule is told that it is common.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), np.repeat([0, 1], [380, 20])
    worse = make_pipeline(StandardScaler(), GaussianBayes(priors=[0.05, 0.95]))
    made = bracket(X, y, rule=worse, by=5)
    assert made.resubstitution.value > made.guessing.value
    assert made.misfit
    assert "does not fit these data" in made.conclusion
    assert "so ignore it" in made.conclusion


def test_tables_with_text_and_gaps_are_prepared_inside_the_folds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"colour": rng.choice(["red", "blue"], 120), "size": rng.normal(size=120)})
    X.loc[3, "size"] = np.nan
    y = np.where(X.colour == "red", "a", "b")
    made = bracket(X, y, by=5)
    intervals_hold(made)
    assert made.validated.value == 0


def test_three_classes_use_the_formula_of_three():
    made = bracket(*THREE.sample(90, random_state=0), by=5)
    intervals_hold(made)
    assert made.classes == 3
    assert made.low == pytest.approx(cover_hart(made.nearest.value, 3))
    assert made.low < cover_hart(made.nearest.value, 2)


def test_perfect_separation():
    made = bracket(*two_normals(30.0, 2).sample(60, random_state=0))
    frame = intervals_hold(made)
    assert (frame.value[:4] == 0).all()
    assert (frame.high > 0).all()


def test_no_separation_at_all():
    made = bracket(*two_normals(0.0, 2).sample(80, random_state=3))
    frame = intervals_hold(made)
    assert made.low <= 0.5
    assert frame.high.max() > 0.5


def test_groups_stay_together():
    X, y = two_normals(0.5, 2).sample(40, random_state=0)
    thrice = np.repeat(np.arange(40), 3)
    made = bracket(X[thrice], y[thrice], by=5, groups=thrice)
    intervals_hold(made)
    # Without groups the nearest neighbour of a case is its own copy.
    assert bracket(X[thrice], y[thrice], by=5).nearest.value < 0.1 < made.nearest.value


def test_another_rule_and_level():
    X, y = load_iris(return_X_y=True)
    wide = bracket(X, y, rule=DecisionTreeClassifier(random_state=0), by=5, level=0.99)
    narrow = bracket(X, y, rule=DecisionTreeClassifier(random_state=0), by=5, level=0.8)
    assert "DecisionTree" in wide.rule
    assert wide.resubstitution.value == 0
    widths = [f.high - f.low for f in (intervals_hold(narrow), intervals_hold(wide))]
    assert (widths[0] < widths[1]).all()


def test_jobs_and_seed():
    X, y = two_normals(1.0, 2).sample(60, random_state=0)
    first = bracket(X, y, random_state=1).frame()
    assert first.equals(bracket(X, y, random_state=1).frame())


def test_units_of_features_do_not_matter():
    X, y = two_normals(1.2816, 3).sample(200, random_state=0)
    turned = X @ np.array([[1.0, 0.9, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 1.0]])
    same = bracket(turned, y, by=5)
    scaled = bracket(turned * [1e-3, 1e-3, 1e3], y, by=5)
    assert scaled.validated.value == pytest.approx(same.validated.value, abs=0.02)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_level_must_be_a_probability(level):
    with pytest.raises(InputError, match="level"):
        bracket(*two_normals(1.0).sample(40, random_state=0), level=level)


def test_one_class_is_refused():
    with pytest.raises(RefereeError):
        bracket(np.arange(20.0)[:, None], np.zeros(20))


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 5])
def test_ends_hold_on_average_where_the_family_holds_the_truth(d):
    task = two_normals(1.2815515655446004, d)  # Bayes error .10
    made = [bracket(*task.sample(200, random_state=r), random_state=r) for r in range(60)]
    ends = np.array([b.frame().value for b in made])
    print(ends.mean(axis=0).round(4), (ends.std(axis=0) / np.sqrt(60)).round(4))
    seen, validated, _, nearest = ends.mean(axis=0)
    spare = 3 * ends.std(axis=0, ddof=1) / np.sqrt(60)
    assert seen - spare[0] < 0.1 < validated + spare[1]
    assert nearest > 0.1 + spare[3]
    # A single sample breaks the first bracket often: that is the caveat.
    assert ((ends[:, 0] > 0.1) | (ends[:, 1] < 0.1)).mean() > 0.1
