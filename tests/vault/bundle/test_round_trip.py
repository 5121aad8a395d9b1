"""What is kept can be concluded again, for every kind of result."""

import io
import json
import zipfile

import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.errors import InputError
from referee.vault import Bundle
from referee.vault.bundle import agreement, verifying
from referee.vault.bundle.environment import Environment, here


def test_every_kind_passes_exactly_and_is_written_alike(result, tmp_path):
    path = result.to_bundle(tmp_path / "kept.zip")
    assert path.read_bytes() == Bundle.of(result).content()
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.read("results.json").decode() == result.to_json()
    made = referee.verify(path)
    assert made.verdict.outcome.value == "pass", made.verdict.sentence
    assert made.counts[agreement.Agreement.CLOSE] == 0
    assert made.claim == result.verdict.sentence
    assert made.tolerance == 0


def test_every_stated_value_is_in_the_table(make, tmp_path):
    e = make("predictions")
    frame = referee.verify(e.to_bundle(tmp_path / "kept.zip")).frame().set_index("value")
    assert frame.loc["estimates.error.value", "stated"] == e.error.value
    assert frame.loc["estimates.error.interval.high", "recomputed"] == e.error.interval.high
    assert frame.loc["verdict.sentence", "agreement"] == "exactly"
    assert frame.loc["provenance.seed", "agreement"] == "not recomputed"


def test_findings_that_need_the_data_are_not_said_to_agree(tmp_path):
    # Each row is there three times, so copies of test rows are in the training sets (R002).
    import numpy as np
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.normal(size=(40, 2)), 3, axis=0), np.repeat(np.arange(40) % 2, 3)
    e = referee.evaluate(KNeighborsClassifier(1), X, y, by=5, random_state=0)
    codes = [f.code for f in e.findings]
    assert "R002" in codes
    made = referee.verify(e.to_bundle(tmp_path / "kept.zip"))
    assert made.verdict.shown
    frame = made.frame().set_index("value")
    place = f"findings[{codes.index('R002')}]"
    assert frame.loc[f"{place}.message", "agreement"] == "not recomputed"
    # The verdict it withholds is still withheld when it is judged again.
    assert "Not a result while R002" in frame.loc["verdict.sentence", "recomputed"]


def test_parquet_files_can_be_read_by_themselves(make, tmp_path):
    with zipfile.ZipFile(make("three given").to_bundle(tmp_path / "kept.zip")) as archive:
        table = pl.read_parquet(io.BytesIO(archive.read("predictions.parquet")))
    assert table["model"].unique(maintain_order=True).to_list() == ["one", "two", "3.x"]
    assert {"case", "truth", "predicted"} <= set(table.columns)


def test_elsewhere_numbers_agree_within_a_stated_tolerance(make, tmp_path, monkeypatch):
    result = make("predictions")
    path = result.to_bundle(tmp_path / "kept.zip")
    other = Environment({**here().versions, "numpy": "9.9"}, here().machine)
    monkeypatch.setattr(verifying, "here", lambda: other)
    made = referee.verify(path)
    assert made.verdict.shown
    assert made.tolerance == 1e-9
    assert made.changes == (f"numpy {here().versions['numpy']}, now 9.9",)
    assert "now 9.9" in str(made)


@pytest.mark.parametrize(("factor", "found"), [(1 + 1e-11, "nearly"), (1 + 1e-7, "differs")])
def test_nearly_is_near(factor, found):
    said, made = {"a": 0.3}, {"a": 0.3 * factor}
    [value] = agreement.compare_records(said, made, tolerance=1e-9, untold={})
    assert value.agreement.value == found
    [value] = agreement.compare_records(said, made, tolerance=0, untold={})
    assert value.agreement.value == "differs"


@pytest.mark.parametrize(
    ("said", "made", "paths"),
    [
        ({"a": 1}, {"a": True}, ["a"]),
        ({"a": []}, {"a": [1]}, ["a", "a[0]"]),
        ({"a": None}, {"a": 0.0}, ["a"]),
        ({"a": 1, "b": 2}, {"a": 1}, ["b"]),
        ({"a.b": 1}, {"a": {"b": 1}}, ["'a.b'", "a.b"]),
        ({"a": "x"}, {"a": "y"}, ["a"]),
    ],
)
def test_what_differs(said, made, paths):
    values = agreement.compare_records(said, made, tolerance=1e-9, untold={})
    assert [v.path for v in values if v.agreement.value == "differs"] == paths


def test_what_was_taken_over_must_be_the_same_all_the_same():
    [value] = agreement.compare_records({"n": "x"}, {"n": "y"}, untold={"n": "asked"})
    assert value.agreement.value == "differs"


def test_results_without_predictions_have_no_bundle(tmp_path):
    with pytest.raises(InputError, match="SampleSize rests on no predictions"):
        referee.sample_size(n=100).to_bundle(tmp_path / "plan.zip")
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_left_alone_unless_forced(make, tmp_path):
    path = tmp_path / "kept.zip"
    path.write_text("mine")
    with pytest.raises(InputError, match=r"exists.*force=True"):
        make("predictions").to_bundle(path)
    assert path.read_text() == "mine"
    make("predictions").to_bundle(path, force=True)
    assert referee.verify(path).verdict.shown
    assert [p.name for p in tmp_path.iterdir()] == ["kept.zip"]


@pytest.mark.parametrize("where", [".", "none/kept.zip", "file/kept.zip"])
def test_a_place_that_cannot_take_a_bundle(make, tmp_path, where):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match=r"name a file|cannot be written"):
        make("predictions").to_bundle(tmp_path / where)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_report_is_plain_about_what_is_shown(make, tmp_path):
    made = referee.verify(make("cv").to_bundle(tmp_path / "kept.zip"))
    assert "Hashes are no signature" in str(made)
    assert "provenance.data (the data themselves are not in the bundle)" in " ".join(
        str(made).split()
    )
    assert json.loads(made.to_json())["kind"] == "verification"
    assert made.sha256 in made._repr_html_()


def test_a_search_inside_is_kept(tmp_path):
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    made = referee.evaluate(search, X, y, by=3, random_state=0)
    made.to_bundle(tmp_path / "e.zip")
    found = referee.verify(tmp_path / "e.zip")
    assert found.verdict.outcome.value == "pass"
    assert made.grounds.evaluation().search == made.search
