"""What a user can get wrong: code 2, one message that names place, value and remedy, no files."""

import numpy as np
import pytest

NB = ("--model", "nb")
PYTHONISMS = [
    "pos_label",
    "max_error",
    "test_share",
    "random_state",
    "n_jobs",
    "sample_weight",
    "max_fits",
]


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return name


def altered(name, change):
    def make(folder, frame):
        changed = change(frame.copy())
        changed.to_csv(folder / name, index=False)
        return name

    return make


def with_missing(frame):
    frame.loc[[2, 5], "species"] = None
    return frame


def with_rare(frame):
    frame.loc[:2, "species"] = "rare"
    return frame


def with_infinite(frame):
    frame.loc[4, "sl"] = np.inf
    return frame


def tiny(folder, frame):
    frame.loc[:5, ["sl", "species"]].to_csv(folder / "tiny.csv", index=False)
    return "tiny.csv"


def as_is(folder, frame):
    return "iris.csv"


CASES = {
    "missing file": (lambda f, _: "iris.cvs", [], ["iris.cvs", "no such file", "'iris.csv'"]),
    "a folder": (lambda f, _: ".", [], [". is a folder"]),
    "empty file": (lambda f, _: write(f, "empty.csv", ""), [], ["empty.csv is empty"]),
    "ragged line": (
        lambda f, _: write(f, "ragged.csv", "a,b,species\n1,2,x\n1,2\n3,4,y\n"),
        [],
        ["ragged.csv, line 3", "2 fields, expected 3"],
    ),
    "binary file": (
        lambda f, _: (f / "bin.csv").write_bytes(b"\x89PNG\x00\x01") and "bin.csv",
        [],
        ["bin.csv, byte 4", "binary"],
    ),
    "duplicate header": (
        lambda f, _: write(f, "dup.csv", "a,a,species\n1,2,x\n1,2,y\n"),
        [],
        ["dup.csv, line 1", "'a'", "columns 1, 2", "--no-header"],
    ),
    "one class": (
        altered("one.csv", lambda d: d.assign(species="s")),
        [],
        ["one.csv, column 'species'", "one class", "(s)"],
    ),
    "missing labels": (
        altered("missing.csv", with_missing),
        [],
        ["missing.csv, column 'species'", "2 of 150", "lines 4, 7"],
    ),
    "class smaller than folds": (
        altered("rare.csv", with_rare),
        ["--by", "10"],
        ["'rare' has 3 cases", "10 folds", "--by 3"],
    ),
    "infinite value": (
        altered("inf.csv", with_infinite),
        [],
        ["inf.csv, line 6, column 'sl'", "'inf'"],
    ),
    "one group": (
        altered("group.csv", lambda d: d.assign(plant=1)),
        ["--groups", "plant"],
        ["only one group"],
    ),
    "quantity as target": (as_is, ["--target", "sl"], ["line 2, column 'sl'", "not a class"]),
    "unknown target": (as_is, ["--target", "specie"], ["no column 'specie'", "'species'"]),
    "two targets": (
        as_is,
        ["--target", "species", "--target", "sl"],
        ["--target was given 2 times", "'topic_*'"],
    ),
    "no target": (as_is, ["--target", ""], ["--target is missing", "species"]),
    "unknown group column": (as_is, ["--groups", "plants"], ["'plants'", "'plant'"]),
    "words as weights": (
        altered("heavy.csv", lambda d: d.assign(heavy="much")),
        ["--weight", "heavy"],
        ["heavy.csv, line 2, column 'heavy'", "not a number"],
    ),
    "level in percent": (as_is, ["--level", "95"], ["level", "95", "0.95"]),
    "error in percent": (as_is, ["--max-error", "5"], ["--max-error", "0.05"]),
    "share of everything": (tiny, ["--test-share", "0.999"], ["--test-share 0.999 of 6 rows"]),
    "share above one": (as_is, ["--test-share", "1.5"], ["--test-share", "got 1.5"]),
    "share without holdout": (as_is, ["--test-share", "0.5", "--by", "cv"], ["--by holdout"]),
    "rounds without bootstrap": (as_is, ["--rounds", "10"], ["--rounds", "--by bootstrap"]),
    "one round": (as_is, ["--by", "bootstrap", "--rounds", "1"], ["rounds", "got 1"]),
    "unknown model": (as_is, ["--model", "knnn"], ["'knnn'", "'knn'"]),
    "unknown class": (as_is, ["--model", "sklearn.svm:SVCC"], ["'SVCC'", "'SVC'"]),
    "no such parameter": (as_is, ["--model", "svm(c=1)"], ["'c'"]),
    "refused parameter": (as_is, ["--model", "svm(C=-1)", "--by", "3"], ["split 0", "'C'"]),
    "unknown interval": (as_is, ["--interval", "wilsn"], ["'wilsn'", "'wilson'"]),
    "unknown measure": (as_is, ["--measure", "acuracy"], ["'acuracy'", "'accuracy'"]),
    "unknown scheme": (as_is, ["--by", "cvv"], ["--by cvv", "'cv'"]),
    "interval of another plan": (
        as_is,
        ["--by", "10", "--interval", "nested-cv"],
        ["--interval nested-cv needs inner loops", "use --by nested-cv"],
    ),
    "interval about something else": (
        as_is,
        ["--interval", "conservative-z", "--about", "conditional"],
        ["--interval conservative-z speaks about the learning procedure", "--about expected"],
    ),
    "nested groups": (as_is, ["--by", "nested-cv", "--groups", "plant"], ["--by conservative-z"]),
    "nested time": (as_is, ["--by", "nested-cv", "--time", "day"], ["--by cv", "--time"]),
    "no fits": (as_is, ["--max-fits", "0"], ["--max-fits must be", "at least 1, got 0"]),
    "too many fits": (
        as_is,
        ["--by", "10x10", "--max-fits", "50"],
        ["trains 120 models, more than --max-fits 50", "--by auto"],
    ),
    "unknown aim": (as_is, ["--about", "x"], ["--about", "conditional", "got x"]),
    "rate without class": (as_is, ["--measure", "tpr"], ["tpr", "--pos-label", "'setosa'"]),
    "unknown class as positive": (as_is, ["--pos-label", "seto"], ["--pos-label", "'setosa'"]),
    "more folds than rows": (as_is, ["--by", "999"], ["150", "999", "--by loo"]),
    "one fold": (as_is, ["--by", "1"], ["at least 2, got 1"]),
    "bootstrap in time": (as_is, ["--by", "bootstrap", "--time", "day"], ["--time", "--by cv"]),
    "negative weight": (
        altered("light.csv", lambda d: d.assign(light=[-1.0] + [1.0] * 149)),
        ["--weight", "light"],
        ["light.csv, line 2, column 'light'", "-1 is negative"],
    ),
    "target as groups": (as_is, ["--groups", "species"], ["'species'", "one role only"]),
    "target dropped": (as_is, ["--drop", "species"], ["'species'", "one role only"]),
    "no feature tells": (
        altered("flat.csv", lambda d: d[["species"]].assign(a=1.0, b=None)),
        [],
        ["flat.csv", "constant or missing throughout", "a, b"],
    ),
    "unknown finding": (as_is, ["--dismiss", "R999"], ["'R999' is unknown"]),
    "negative seed": (as_is, ["--seed", "-1"], ["--seed must be a whole number from 0", "got -1"]),
    "no jobs": (as_is, ["--jobs", "0"], ["--jobs must not be 0"]),
    "interval of other data": (as_is, ["--interval", "clustered"], ["--groups"]),
    "measures of the bootstrap": (as_is, ["--by", "bootstrap", "--measure", "mcc"], ["--by cv"]),
    "a file as directory": (as_is, ["--by", "3", "--out", "iris.csv"], ["iris.csv is a file"]),
    "a full directory": (as_is, ["--by", "3", "--out", "."], [". is not empty", "--force"]),
    "test set and scheme": (as_is, ["--test", "test.csv", "--by", "3"], ["--test", "--by 3"]),
    "missing test set": (as_is, ["--test", "tst.csv"], ["tst.csv", "'test.csv'"]),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_gives_code_2_one_message_and_no_file(case, folder, frame, referee):
    make, arguments, says = CASES[case]
    name = make(folder, frame)
    before = sorted(folder.rglob("*"))
    target = [] if "--target" in arguments else ["--target", "species"]
    outcome = referee("evaluate", name, *target, *NB, *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert outcome.err.startswith("referee: ")
    for part in says:
        assert part in outcome.err
    for word in PYTHONISMS:
        assert word not in outcome.err
    assert sorted(folder.rglob("*")) == before


def test_test_set_with_other_columns(folder, frame, referee):
    frame.rename(columns={"sl": "other"}).to_csv("other.csv", index=False)
    outcome = referee("evaluate", "train.csv", "--target", "species", "--test", "other.csv")
    assert outcome.code == 2
    assert "other.csv lacks 'sl'" in outcome.err
    assert "has in addition 'other'" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bogus"], "bogus"),
        (["evaluate"], "Missing argument"),
        (["evaluate", "iris.csv", "--bogus"], "--bogus"),
        (["evaluate", "iris.csv", "--jobs", "x"], "--jobs"),
        (["evaluate-predictions", "iris.csv", "--truth", "species"], "--pred"),
    ],
)
def test_wrong_usage_gives_code_2_and_no_traceback(arguments, says, folder, referee):
    outcome = referee(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert says in outcome.err
    assert "Traceback" not in outcome.err
