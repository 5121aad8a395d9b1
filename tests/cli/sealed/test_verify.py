"""--bundle and referee verify: exit 0 where all agrees, 1 where not, 2 where there is no bundle."""

import json
import zipfile

import pandas as pd
import pytest

EVALUATE = ("evaluate", "iris.csv", "--target", "species", "--model", "nb", "--by", "3")
NB, KNN = ("--model", "nb"), ("--model", "knn")


@pytest.fixture
def answers(folder, frame=None):
    truth = ["a", "b"] * 50
    table = pd.DataFrame({"y": truth, "m": truth[:90] + ["b", "a"] * 5, "k": ["a"] * 100})
    table.to_csv(folder / "answers.csv", index=False)
    pd.DataFrame({"x": [0.9, 0.8, 0.7, 0.9, 0.8, 0.6], "z": [0.8, 0.7, 0.6, 0.8, 0.7, 0.5]}).to_csv(
        folder / "scores.csv", index=False
    )
    return folder


@pytest.mark.parametrize(
    "asked",
    [
        EVALUATE,
        (*EVALUATE[:-1], "bootstrap", "--rounds", "10"),
        ("evaluate-predictions", "answers.csv", "--truth", "y", "--pred", "m"),
        ("evaluate-predictions", "answers.csv", "--truth", "y", "--pred", "m",
         "--prior", "a=.9", "--prior", "b=.1"),
        ("compare", "iris.csv", "--target", "species", *NB, *KNN, "--by", "5"),
        ("compare", "train.csv", "--target", "species", "--test", "test.csv", *NB, *KNN),
        ("compare-predictions", "answers.csv", "--truth", "y"),
        ("compare-datasets", "scores.csv"),
        ("permutation-test", "iris.csv", "--target", "species", *NB, "--permutations", "19"),
    ],
)  # fmt: skip
def test_every_verb_writes_a_bundle_that_verifies(asked, answers, referee):
    made = referee(*asked, "--bundle", "kept.zip")
    assert made.code in (0, 1), made.err
    assert "wrote kept.zip" in made.err
    verified = referee("verify", "kept.zip")
    assert verified.code == 0, verified.out
    assert "agree exactly" in " ".join(verified.out.split())
    assert f"referee {asked[0]}" in verified.out


def test_a_changed_file_is_named_with_exit_1(folder, referee):
    referee(*EVALUATE, "--bundle", "kept.zip")
    content = (folder / "kept.zip").read_bytes()
    with zipfile.ZipFile("kept.zip") as archive:
        at = content.index(archive.read("results.json"))
    (folder / "kept.zip").write_bytes(content[: at + 5] + b"?" + content[at + 6 :])
    outcome = referee("verify", "kept.zip")
    assert outcome.code == 1
    assert "FAIL" in outcome.out
    assert "results.json: changed" in outcome.out


def test_json_and_out(folder, referee):
    referee(*EVALUATE, "--bundle", "kept.zip")
    outcome = referee("verify", "kept.zip", "--json", "--out", "checked")
    [got] = json.loads(outcome.out)
    assert got["verdict"]["outcome"] == "pass"
    assert {v["agreement"] for v in got["values"]} == {"exactly", "not recomputed"}
    assert got["command"] == f"referee {' '.join(EVALUATE)} --bundle kept.zip"
    assert sorted(p.name for p in (folder / "checked").iterdir()) == [
        "report.html",
        "results.json",
        "table.tex",
    ]


def refused(outcome):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1, outcome.err
    return outcome.err


def test_an_existing_bundle_is_kept_before_any_work_is_done(folder, referee):
    (folder / "kept.zip").write_text("mine")
    assert "--force" in refused(referee(*EVALUATE, "--bundle", "kept.zip", "--out", "o"))
    assert (folder / "kept.zip").read_text() == "mine"
    assert not (folder / "o").exists()
    assert referee(*EVALUATE, "--bundle", "kept.zip", "--force").code == 0
    assert referee("verify", "kept.zip").code == 0


def test_a_bundle_keeps_one_model(folder, referee):
    said = refused(referee(*EVALUATE, "--model", "lda", "--bundle", "kept.zip"))
    assert "--bundle keeps one result" in said
    assert not (folder / "kept.zip").exists()


@pytest.mark.parametrize("where", ["none/kept.zip", "iris.csv/kept.zip", "."])
def test_a_place_that_cannot_take_it(folder, referee, where):
    refused(referee(*EVALUATE, "--bundle", where))


@pytest.mark.parametrize("file", ["none.zip", "iris.csv", "."])
def test_what_is_no_bundle(folder, referee, file):
    refused(referee("verify", file))


def test_schema_is_printed(referee):
    outcome = referee("schema")
    assert outcome.code == 0
    assert json.loads(outcome.out)["$id"] == "urn:referee:results:1"


def test_a_folder_that_is_not_empty_is_refused_by_studies(folder, referee):
    asked = ("study", "bracket", "iris.csv", "--target", "species", "--out", "made")
    (folder / "made").mkdir()
    (folder / "made" / "mine.txt").write_text("mine")
    assert "not empty" in refused(referee(*asked))
    assert [p.name for p in (folder / "made").iterdir()] == ["mine.txt"]
    assert referee(*asked, "--force").code == 0
    made = {p.name for p in (folder / "made").iterdir()}
    assert {"mine.txt", "bracket.csv", "report.html", "results.json", "figures"} <= made
