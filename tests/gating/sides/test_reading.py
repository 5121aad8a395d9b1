"""What a gate is given: frames with named columns, and messages that name the side at fault."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import referee as package

LOGS = Path(__file__).parents[2] / "sources" / "logs" / "data" / "inspect"


@pytest.fixture
def frames(write):
    write(better=0.3)
    return pd.read_csv("old.csv"), pd.read_csv("new.csv")


def flat_of(*sides, **options):
    flat = package.gate(*sides, margin=0.01, **options).flat()
    return {k: v for k, v in flat.items() if k not in ("baseline", "candidate", "sentence")}


@pytest.mark.parametrize("named", [{"y_true": "y", "ids": "id"}, {"truth": "y", "on": "id"}])
def test_frames_and_files_give_the_same_answer(frames, named):
    old, new = frames
    by_files = flat_of("old.csv", "new.csv", **named, pred="pred")
    assert flat_of(old, new, **named, pred="pred") == by_files
    assert flat_of("old.csv", new, **named, pred="pred") == by_files


def test_frames_of_words_and_missing_values(frames):
    old, new = frames
    words = {0: "no", 1: "yes"}
    old = old.assign(y=old["y"].map(words), pred=old["pred"].map(words))
    new = new.assign(pred=new["pred"].map(words))
    assert flat_of(old, new, truth="y", on="id", pred="pred")["n"] == 1200
    new.loc[3, "pred"] = None
    with pytest.raises(package.InputError, match=r"candidate, column 'pred': 1 of 1200 .* row 3"):
        flat_of(old, new, truth="y", on="id", pred="pred")


def test_frames_of_scores():
    old = pd.DataFrame({"item": range(200), "score": [1, 1, 1, 0] * 50})
    new = old.assign(score=[1, 1, 1, 1, 1, 1, 1, 0] * 25).sample(frac=1, random_state=0)
    by_arrays = flat_of(old["score"], [1, 1, 1, 1, 1, 1, 1, 0] * 25, ids=list(range(200)))
    assert flat_of(old, new) == by_arrays
    assert by_arrays["difference"] == pytest.approx(0.125)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"truth": "z"}, "baseline has no column 'z'"),
        ({"truth": "y", "y_true": "pred"}, "truth='y' and y_true='pred' contradict each other"),
        ({"y_true": [0, 1]}, "y_true= must name a column where files or frames are given"),
        ({}, "cannot be read as scores: column 'id' holds no scores"),
    ],
)
def test_frames_that_do_not_fit(frames, options, said):
    with pytest.raises(package.InputError) as caught:
        flat_of(*frames, **options)
    assert said in str(caught.value)


def test_a_frame_against_a_kept_baseline(frames, referee):
    old, new = frames
    referee("baseline", "save", "old.csv", "--truth", "y", "--pred", "pred", "--out", "b.json")
    named = {"truth": "y", "on": "id"}
    by_files = flat_of("old.csv", "new.csv", **named, pred="pred")
    assert flat_of("b.json", new, **named) == by_files
    with pytest.raises(package.InputError, match="the candidate is a list, and the other side"):
        flat_of("b.json", list(new["pred"]), **named)
    with pytest.raises(package.InputError, match="the baseline is a ndarray, and the other side"):
        flat_of(np.asarray(old["pred"]), new, **named)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (([0, 1, 1], [0, 1]), "baseline has 3 cases and candidate 2; a gate holds both"),
        (([0, 1], [0, 1], [0, 1, 1]), "y_true has 3 cases and baseline 2"),
        (([0, 1], None), "candidate must hold one value for each case, got a NoneType"),
    ],
)
def test_arrays_that_are_not_of_the_same_cases(given, said):
    old, new, *truth = given
    with pytest.raises(package.InputError) as caught:
        flat_of(old, new, y_true=truth[0] if truth else None)
    assert said in str(caught.value)


def test_arrays_in_a_ledger_need_names(tmp_path):
    truth = [0, 1] * 200
    for right in ({"y_true": truth}, {}):
        with pytest.raises(package.InputError, match="pass ids=, a name for each case"):
            package.gate(truth, truth, margin=0.1, sequential=tmp_path / "gate.ledger", **right)
    assert not list(tmp_path.iterdir())


def test_a_column_named_for_arrays(frames):
    old, new = frames
    with pytest.raises(package.InputError, match="there is none to name in arrays"):
        flat_of(old["pred"], new["pred"], y_true="y")


def test_predictions_without_truth_say_what_was_looked_for(referee, write):
    write()
    run = referee("gate", "old.csv", "new.csv", "--margin", ".01")
    assert run.code == 2
    for part in (
        "old.csv and new.csv cannot be read as scores: column 'id' holds no scores",
        "Without --truth files are taken as evaluation logs, or as tables with a column 'score'",
        "predictions: name the column of the right answers with --truth",
        "scores: name their column with --score",
    ):
        assert part in run.err
    assert "--only" not in run.err  # it is no option of this command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("od.csv", "new.csv"), "the baseline, od.csv: there is no such file; did you mean 'old"),
        (("old.csv", "nw.csv"), "the candidate, nw.csv: there is no such file; did you mean 'new"),
        (("baseline.json", "new.csv"), "the baseline, baseline.json: there is no such file"),
        (("old.csv", "new.csv", "--junit", "no/x.xml"), "--junit no/x.xml cannot be written"),
        (("old.csv", "new.csv", "--summary", "no/x.md"), "--summary no/x.md cannot be written"),
        (("old.csv", "new.csv", "--sequential", "no/l"), "--sequential no/l cannot be written"),
    ],
)
def test_a_wrong_file_is_named_with_its_side(referee, write, arguments, said):
    write()
    run = referee("gate", *arguments, "--truth", "y", "--on", "id", "--margin", ".01")
    assert run.code == 2
    assert said in run.err


def test_evaluation_logs_are_read_as_compare_scores_reads_them(referee, write):
    folder = write()  # runs are counted beside the baseline, so not among the logs themselves
    for name in ("alpha", "beta"):
        shutil.copy(LOGS / f"{name}.eval", folder)
    asked = ("beta.eval", "--margin", ".5", "--json")
    run = referee("gate", "alpha.eval", *asked)
    flat = json.loads(run.out)
    held = package.compare_scores(["beta.eval", "alpha.eval"]).pair
    assert (run.code, flat["outcome"], flat["n"]) == (0, "shown", 30)
    assert flat["difference"] == held.difference.value
    assert flat["difference_low"] == held.difference.interval.low
    assert referee("baseline", "save", "alpha.eval", "--out", "base.json").code == 0
    kept = json.loads(referee("gate", "base.json", *asked).out)
    assert {**kept, "findings": 0} == flat


def test_names_are_given_to_two_models_and_choose_among_more(referee, write):
    write()
    for name, values in (("a", [1, 1, 0, 1]), ("b", [1, 1, 1, 1])):
        frame = pd.DataFrame({"item": range(400), "score": values * 100})
        frame.to_csv(f"{name}.csv", index=False)
    asked = ("gate", "a.csv", "b.csv", "--margin", ".05", "--name")
    run = referee(*asked, "old", "--name", "live")
    assert run.out.startswith("SHOWN: live is not worse than old")
    assert referee(*asked, "b", "--name", "a").out.startswith("WORSE: a is worse than b")
    assert "there is no model 'c'" in referee(*asked, "a", "--name", "c").err
