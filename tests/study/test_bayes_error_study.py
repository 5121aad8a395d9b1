"""The study of note 004, against a plain loop over scikit-learn and against the issue's figures."""

import importlib

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import LeaveOneOut

from referee.core.dataset import Dataset
from referee.core.plan import Part
from referee.core.randomness import child
from referee.errors import InputError
from referee.resampling import CrossValidation
from referee.study import (
    METHODS,
    BayesErrorStudy,
    bayes_error_study,
    separation_for,
    true_risk,
    two_normals,
)
from referee.study.estimate_trial import ResampleByClass

QUICK = ("resubstitution", "holdout", "cv")
AXES = ["dimension", "bayes_error", "per_class"]


def test_the_module_bears_the_name_of_its_function():
    """One word finds both: referee.study.bayes_error_study."""
    assert importlib.import_module("referee.study.bayes_error_study").bayes_error_study is (
        bayes_error_study
    )


def quick(dims=(2, 3), bayes_errors=(0.1,), per_class=(20,), **options):
    chosen = {"methods": QUICK, "repetitions": 4, "test_per_class": 50} | options
    return bayes_error_study(dims, bayes_errors, per_class, **chosen)


def wrong(X, y, train, test):
    model = QuadraticDiscriminantAnalysis().fit(X[train], y[train])
    return np.sum(model.predict(X[test]) != y[test])


def plain_loop(d, bayes_error, per_class, repetitions, test_per_class):
    """Return resubstitution, holdout, cv, loo, true risk of every sample, by scikit-learn."""
    task = two_normals(separation_for(bayes_error), d)
    start = child(0, d, round(1e6 * bayes_error), per_class)
    rows = []
    for r in range(repetitions):
        seed = child(start, r)
        X, y = task.sample_per_class([per_class] * 2, child(seed, 0))
        model = QuadraticDiscriminantAnalysis().fit(X, y)
        fresh_X, fresh_y = task.sample_per_class([test_per_class] * 2, child(seed, 1))
        plan = CrossValidation(10).plan(Dataset.of(X, y), child(seed, 2))
        folds = [s for s in plan.splits if s.part is Part.MAIN]
        assert sorted(np.concatenate([s.test for s in folds])) == list(range(len(y)))
        rows.append(
            [
                np.mean(model.predict(X) != y),
                np.mean(model.predict(fresh_X) != fresh_y),
                sum(wrong(X, y, s.train, s.test) for s in folds) / len(y),
                sum(wrong(X, y, *split) for split in LeaveOneOut().split(X)) / len(y),
                true_risk(task, model).value,
            ]
        )
    return np.array(rows)


@pytest.mark.parametrize(("d", "bayes_error", "per_class"), [(2, 0.1, 15), (5, 0.25, 20)])
def test_against_a_plain_loop(d, bayes_error, per_class):
    made = bayes_error_study(
        (d,), (bayes_error,), (per_class,), methods=(*QUICK, "loo"), repetitions=5,
        test_per_class=60,
    ).frame()  # fmt: skip
    values = plain_loop(d, bayes_error, per_class, 5, 60)
    assert made.method.tolist() == [*QUICK, "loo", "true risk"]
    np.testing.assert_allclose(made["mean"], values.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(made["sd"], values.std(axis=0, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(made.se, values.std(axis=0, ddof=1) / np.sqrt(5), rtol=1e-9)
    np.testing.assert_allclose(made.true_risk, values[:, -1].mean(), rtol=1e-9)
    np.testing.assert_allclose(made.below_bayes, (values < bayes_error).mean(axis=0))


def test_bootstrap_estimates_lie_between_the_flattering_and_the_large():
    made = bayes_error_study(
        (5,), per_class=(20,), methods=("resubstitution", "optimism", ".632+"), repetitions=6,
        rounds=20,
    )  # fmt: skip
    seen, corrected, plus, truth = made.table["mean"]
    assert seen < corrected < 2 * truth
    assert seen < plus < 2 * truth


def test_resamples_keep_the_size_of_every_class():
    # Left to chance, a class of 50 now and then holds too few cases for 20 dimensions.
    data = Dataset.of(*two_normals(1.0, 2).sample_per_class([10, 10], 0))
    plan = ResampleByClass(30).plan(data, 0)
    drawn = [s.train for s in plan.splits if s.part is Part.MAIN]
    assert len(drawn) == 30
    assert all((np.bincount(data.codes[rows]) == 10).all() for rows in drawn)
    assert all(len(np.unique(rows)) < 20 for rows in drawn)


def test_any_number_of_jobs_gives_the_same_numbers():
    one, two = (quick((2,), repetitions=2, n_jobs=jobs).frame() for jobs in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_another_seed_gives_other_numbers():
    assert not quick().frame()["mean"].equals(quick(random_state=1).frame()["mean"])


def test_more_settings_do_not_change_the_others():
    few = quick((3,)).frame()
    many = quick((2, 3, 4), (0.1, 0.2), (20, 30)).frame()
    assert len(many) == 12 * 4
    both = few[[*AXES, "method"]].merge(many, how="left")
    pd.testing.assert_frame_equal(both, few)


def test_fewer_methods_do_not_change_the_others():
    all_of_them = quick((2,)).frame().set_index("method")
    one = quick((2,), methods=("cv",)).frame().set_index("method")
    pd.testing.assert_frame_equal(one, all_of_them.loc[["cv", "true risk"]])


def test_resuming_gives_the_table_of_a_run_in_one_go():
    calls = []
    whole = quick((2, 3, 4), after=calls.append)
    assert [len(c) for c in calls] == [4, 8, 12]
    half, more = calls[0], []
    resumed = quick((2, 3, 4), resume=half, after=more.append)
    assert [len(c) for c in more] == [8, 12]
    pd.testing.assert_frame_equal(resumed.frame(), whole.frame())


def test_resuming_from_a_file(tmp_path):
    first = quick((3,), (0.1, 1 / 3))
    first.frame().to_csv(tmp_path / "table.csv", index=False)
    earlier = pd.read_csv(tmp_path / "table.csv")
    calls = []
    again = quick((2, 3), (0.1, 1 / 3), resume=earlier, after=calls.append)
    assert len(calls) == 2
    pd.testing.assert_frame_equal(
        again.frame(), quick((2, 3), (0.1, 1 / 3)).frame(), check_dtype=False
    )


def test_a_finished_table_runs_nothing():
    done = quick()
    again = quick(resume=done.frame(), after=lambda table: pytest.fail("ran again"))
    pd.testing.assert_frame_equal(again.frame(), done.frame())


@pytest.mark.parametrize("change", [{"repetitions": 5}, {"methods": (*QUICK, "loo")}])
def test_a_changed_study_replaces_the_earlier_rows(change):
    pd.testing.assert_frame_equal(
        quick(resume=quick().frame(), **change).frame(), quick(**change).frame()
    )


@pytest.mark.parametrize("change", [{"random_state": 1}, {"test_per_class": 60}])
def test_a_table_of_another_seed_is_not_taken_over(change):
    pd.testing.assert_frame_equal(
        quick(resume=quick().frame(), **change).frame(), quick(**change).frame()
    )


def test_a_setting_asked_for_twice_is_one_setting():
    assert quick((2, 2)).means().shape == (1, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ("cross",)}, "method 'cross' is unknown"),
        ({"methods": ("lo",)}, "did you mean 'loo'"),
        ({"bayes_errors": (0.5,)}, "strictly between 0 and 1/2, got 0.5"),
        ({"bayes_errors": (0.1, 0.0)}, "strictly between 0 and 1/2, got 0.0"),
        ({"bayes_errors": (-0.1,)}, "strictly between 0 and 1/2, got -0.1"),
        ({"bayes_errors": (float("nan"),)}, "strictly between 0 and 1/2"),
        ({"dims": (20,)}, "dimension 20 by these methods, got 20; use more cases"),
        ({"dims": (0,)}, "dims must hold whole numbers of at least 1, got 0"),
        ({"dims": (2.5,)}, "dims must hold whole numbers of at least 1, got 2.5"),
        ({"per_class": (0,)}, "per_class must hold whole numbers of at least 1, got 0"),
        ({"dims": ()}, "must each hold at least one value"),
        ({"repetitions": 1}, "repetitions must be a whole number of at least 2, got 1"),
        ({"test_per_class": 0}, "test_per_class must be at least 1, got 0"),
        ({"methods": ("optimism",), "rounds": 1}, "rounds must be a whole number of at least 2"),
    ],
)
def test_messages(options, message):
    with pytest.raises(InputError, match=message):
        quick(**options)


@pytest.mark.parametrize(("d", "per_class"), [(20, 23), (2, 5)])
def test_too_few_cases_for_the_folds_is_said_before_anything_runs(d, per_class):
    with pytest.raises(InputError, match="per_class"):
        quick((d,), per_class=(per_class,))


def test_means_by_every_axis():
    made = quick((2, 3), (0.1, 0.2), (20, 30))
    table, last = made.frame(), (3, 0.2, 30)
    for by, values in zip(AXES, ([2, 3], [0.1, 0.2], [20, 30]), strict=True):
        means = made.means(by)
        assert means.index.tolist() == values
        assert set(means.columns) == {*QUICK, "true risk"}
        second = [v if a == by else f for a, f, v in zip(AXES, (2, 0.1, 20), last, strict=True)]
        row = table[(table[AXES] == second).all(axis=1) & (table.method == "cv")]
        assert means.loc[values[1], "cv"] == row["mean"].item()
    with pytest.raises(InputError, match="by must be one of dimension, bayes_error, per_class"):
        made.means("n")


def test_the_table_is_a_copy():
    made = quick((2,))
    mine = made.frame()
    mine["mean"] = 0
    assert made.table["mean"].max() > 0


def study_of(resubstitution, holdout, below):
    rows = [
        {"method": m, "mean": v, "bayes_error": 0.1, "se": 0.004, "below_bayes": b}
        for m, v, b in zip(
            ("resubstitution", "holdout"), (resubstitution, holdout), below, strict=True
        )
    ]
    return BayesErrorStudy(table=pd.DataFrame(rows), repetitions=10)


def test_conclusion():
    said = study_of(0.09, 0.12, (0.8, 0.25)).conclusion
    assert said == (
        "Resubstitution lies below the Bayes error on average, but above it in up to 20% of single "
        "samples; holdout lies above the Bayes error on average, but below it in up to 25%; the "
        "bracket holds in expectation, for rules that are Bayes for the fitted family."
    )
    said = study_of(0.12, 0.08, (0.1, 0.9)).conclusion
    assert "not always below the Bayes error" in said
    assert "not always above the Bayes error" in said


@pytest.mark.slow
def test_against_the_figures_of_the_issue():
    theirs = pd.DataFrame(
        {"resubstitution": [0.096, 0.087, 0.056, 0.015], "holdout": [0.105, 0.118, 0.152, 0.260]},
        index=[2, 5, 10, 20],
    )
    made = bayes_error_study(methods=("resubstitution", "holdout"), repetitions=150, n_jobs=2)
    table = made.frame().set_index(["dimension", "method"])
    print(table[["mean", "sd", "se", "true_risk", "below_bayes"]].round(4).to_string())
    for d in theirs.index:
        for method in theirs:
            row = table.loc[(d, method)]
            assert abs(row["mean"] - theirs.loc[d, method]) < 3.5 * np.hypot(row.se, 0.004)
    # Holdout's expectation is the true risk; the noise left is that of 2000 test cases.
    held = table.xs("holdout", level="method")
    noise = np.sqrt(held.true_risk * (1 - held.true_risk) / 2000 / 150)
    assert (np.abs(held["mean"] - held.true_risk) < 4 * noise).all()


@pytest.mark.slow
def test_every_estimate_but_resubstitution_is_near_the_truth():
    made = bayes_error_study((5,), methods=METHODS, repetitions=60, n_jobs=2)
    table = made.frame().set_index("method")
    print(table[["mean", "se", "true_risk"]].round(4).to_string())
    for method in ("holdout", "cv", "loo", "optimism", ".632+"):
        assert abs(table.loc[method, "mean"] - table.loc[method, "true_risk"]) < 0.02
    assert table.loc["resubstitution", "mean"] < table.loc["true risk", "mean"] - 0.02
