"""Scores from files: one table, several, and what is wrong with which line."""

import pandas as pd
import pytest

from referee.core.scores.scores import Scores
from referee.errors import InputError
from referee.sources.scores import scores_from


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, **columns):
    pd.DataFrame(columns).to_csv(name, index=False)


def test_one_file_against_its_frame(folder):
    columns = {"item": ["a", "b", "a", "b"], "model": ["x", "x", "y", "y"], "score": [1, 0, 0.5, 1]}
    write("scores.csv", **columns)
    assert scores_from("scores.csv").fingerprint == Scores.of(columns).fingerprint


def test_two_files_are_joined_by_the_names_of_items(folder):
    write("old.csv", item=["a", "b", "c"], score=[1, 0, 1])
    write("new.csv", item=["c", "a", "d"], score=[0, 1, 1])
    made = scores_from(["old.csv", "new.csv"])
    assert made.models == ("old", "new")
    assert [made.items[i] for i in made.shared("old", "new")] == ["a", "c"]


def test_files_of_one_name_are_told_apart_by_their_folders(folder):
    for name in ("run1", "run2"):
        (folder / name).mkdir()
        write(f"{name}/samples.csv", item=["a", "b"], score=[1, 0])
    made = scores_from(["run1/samples.csv", "run2/samples.csv"])
    assert made.models == ("run1/samples", "run2/samples")


def test_runs_of_several_files_are_kept(folder):
    write("a.csv", item=["x", "x"], run=[1, 2], score=[1, 0])
    write("b.csv", item=["x"], run=[1], score=[1])
    made = scores_from(["a.csv", "b.csv"])
    assert made.counts.tolist() == [[2, 1]]


def test_scores_pass_through(folder):
    made = Scores.of([1, 0])
    assert scores_from(made) is made
    with pytest.raises(InputError, match="cluster= goes with a table"):
        scores_from(made, cluster="x")


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ({"item": ["a", "b"], "score": [1, "maybe"]}, None, "line 3.*'maybe'"),
        ({"item": ["a", "b"], "score": [1, None]}, None, "line 3.*is missing"),
        (
            {"item": ["a", "b", "c"], "score": [1, 0, 1], "cluster": ["x", "x", "y"]},
            {"item": ["a", "b"], "score": [1, 0]},
            "one.csv has a column of the cluster and two.csv has none",
        ),
        (
            {"item": ["a", "b"], "score": [1, 0], "model": ["m", "m"]},
            {"item": ["a", "b"], "score": [1, 0], "model": ["m", "m"]},
            r"item 'a' \(one.csv\) is scored again in two.csv",
        ),
        (
            {"item": ["a", "b", "c"], "score": [1, 0, 1], "cluster": ["x", "x", "y"]},
            {"item": ["a", "b", "c"], "score": [1, 0, 1], "cluster": ["y", "x", "y"]},
            "cluster of item 'a'.*two.csv.*'y' but 'x' in one.csv",
        ),
    ],
)
def test_bad_files(folder, first, second, says):
    write("one.csv", **first)
    paths = ["one.csv"]
    if second is not None:
        write("two.csv", **second)
        paths.append("two.csv")
    with pytest.raises(InputError, match=says):
        scores_from(paths)
