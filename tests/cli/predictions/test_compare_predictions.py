"""referee compare-predictions: files in any order, every option against Python, bad input."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import referee as library

PYTHONISMS = ["pos_label", "y_true", "y_pred", "random_state", "Traceback"]
JOIN = ("--truth", "y", "--on", "id")


def answers(n=160, seed=0):
    """Return truth, answers and scores of three models, and groups, one row per case."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["ill", "well"], n)
    other = np.where(truth == "ill", "well", "ill")
    made = {"id": [f"p{i:03d}" for i in range(n)], "y": truth, "ward": np.arange(n) // 4}
    for name, share in (("a", 0.06), ("b", 0.2), ("c", 0.22)):
        made[name] = np.where(rng.random(n) < share, other, truth)
        made[f"{name}_score"] = (truth == "ill") * 0.4 + rng.random(n) * 0.6
    return pd.DataFrame(made)


@pytest.fixture
def cases():
    return answers()


@pytest.fixture
def two(folder, cases):
    """Two files with ids in different order, string labels, and a column that is in the way."""
    a = cases[["id", "y", "a", "a_score"]].set_axis(["id", "y", "pred", "score"], axis=1)
    b = cases[["id", "y", "b", "b_score"]].set_axis(["id", "y", "pred", "score"], axis=1)
    a.assign(remark="as seen").to_csv("a.csv", index=False)
    b.sample(frac=1, random_state=1).to_csv("b.csv", index=False)
    return "a.csv", "b.csv"


def one(outcome):
    (got,) = json.loads(outcome.out)
    return got


def exact(first, second):
    """McNemar's exact test of two columns of right and wrong, by statsmodels."""
    return min(1.0, mcnemar(pd.crosstab(first, second).to_numpy(), exact=True).pvalue)


def same(outcome, expected, err=""):
    got, data = one(outcome), json.loads(expected.to_json())
    assert outcome.err == err
    for key in ("names", "measure", "verdict", "difference", "evidence", "pairs", "standings"):
        assert got[key] == data[key]
    assert outcome.code == (0 if expected.verdict.shown else 1)


# The promise: files in any order, one command, the right answer.


def test_two_files_in_different_order_against_pandas_and_statsmodels(two, referee):
    outcome = referee("compare-predictions", *two, *JOIN, "--json")
    left, right = pd.read_csv("a.csv"), pd.read_csv("b.csv")
    assert left.id.tolist() != right.id.tolist()
    both = left.merge(right, on="id", suffixes=("_a", "_b"), validate="one_to_one")
    ok_a, ok_b = both.pred_a == both.y_a, both.pred_b == both.y_a
    got = one(outcome)
    assert outcome.err == ""
    assert outcome.code == 0
    assert got["names"] == ["a", "b"]
    assert got["evidence"]["test"] == "mcnemar-exact"
    assert got["evidence"]["p_value"] == pytest.approx(exact(ok_a, ok_b))
    assert got["difference"]["value"] == pytest.approx((~ok_a).mean() - (~ok_b).mean())
    assert got["verdict"]["outcome"] == "first"


def test_ids_are_found_by_their_usual_name_and_that_is_said(two, referee):
    said = referee("compare-predictions", *two, "--truth", "y", "--json")
    told = referee("compare-predictions", *two, *JOIN, "--json")
    assert said.out == told.out
    assert "'id'" in said.err
    assert "--on" in said.err


def test_order_of_the_files_swaps_the_models(two, referee):
    there = one(referee("compare-predictions", *two, *JOIN, "--json"))
    back = one(referee("compare-predictions", *two[::-1], *JOIN, "--json"))
    assert back["difference"]["value"] == -there["difference"]["value"]
    assert back["evidence"]["p_value"] == there["evidence"]["p_value"]
    assert (there["verdict"]["outcome"], back["verdict"]["outcome"]) == ("first", "second")


def test_three_files_against_holm(two, cases, referee):
    cases[["id", "c"]].rename(columns={"c": "pred"})[::-1].to_csv("c.csv", index=False)
    got = one(referee("compare-predictions", *two, "c.csv", *JOIN, "--json"))
    right = {m: cases[m] == cases.y for m in "abc"}
    raw = [exact(right[i], right[j]) for i, j in (("a", "b"), ("a", "c"), ("b", "c"))]
    assert [d["evidence"]["p_value"] for d in got["pairs"]] == pytest.approx(raw)
    holm = multipletests(raw, method="holm")[1]
    assert [d["p_adjusted"] for d in got["pairs"]] == pytest.approx(list(holm))


def test_a_wide_file(cases, folder, referee):
    cases.drop(columns=["a_score", "b_score", "c_score"]).to_csv("wide.csv", index=False)
    outcome = referee(
        "compare-predictions", "wide.csv", "--truth", "y", "--pred", "a", "--pred", "b", "--json"
    )
    expected = library.compare_predictions(
        cases.y.to_numpy(), {"a": cases.a.to_numpy(), "b": cases.b.to_numpy()}
    )
    same(outcome, expected)


def test_columns_of_a_wide_file_are_found_by_looking_and_named(cases, folder, referee):
    cases.to_csv("wide.csv", index=False)
    outcome = referee("compare-predictions", "wide.csv", "--truth", "y", "--json")
    assert one(outcome)["names"] == ["a", "b", "c"]
    assert "a, b, c" in outcome.err
    assert "--pred" in outcome.err


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("named", ["--on id", "--on id --pred pred", "--pred pred", ""])
def test_truth_in_a_file_of_its_own(place, named, cases, folder, referee):
    for m in "ab":
        cases[["id", m]].rename(columns={m: "pred"}).sample(frac=1, random_state=ord(m)).to_csv(
            f"{m}.csv", index=False
        )
    cases[["id", "y"]][::-1].to_csv("truth.csv", index=False)
    files = ["a.csv", "b.csv"]
    files.insert(place, "truth.csv")
    outcome = referee("compare-predictions", *files, "--truth", "y", *named.split(), "--json")
    assert outcome.code == 0, outcome.err
    got = one(outcome)
    assert got["names"] == ["a", "b"]
    assert got["evidence"]["p_value"] == pytest.approx(
        exact(cases.a == cases.y, cases.b == cases.y)
    )


def test_columns_that_are_called_after_the_models(cases, folder, referee):
    # The ids are found by their name, so one column is left, whatever it is called.
    for m in "ab":
        cases[["id", "y", m]].to_csv(f"{m}.csv", index=False)
    outcome = referee("compare-predictions", "a.csv", "b.csv", "--truth", "y", "--json")
    assert outcome.code == 0, outcome.err
    assert one(outcome)["evidence"]["n"] == 160


def test_files_without_ids_are_taken_row_by_row_if_they_agree_on_the_truth(cases, folder, referee):
    for m in "ab":
        cases[["y", m]].rename(columns={m: "pred"}).to_csv(f"{m}.csv", index=False)
    got = one(referee("compare-predictions", "a.csv", "b.csv", "--truth", "y", "--json"))
    assert got["evidence"]["p_value"] == pytest.approx(
        exact(cases.a == cases.y, cases.b == cases.y)
    )


def test_numbers_as_ids_in_either_spelling(cases, folder, referee):
    left = cases.assign(id=range(160))[["id", "y", "a"]].rename(columns={"a": "pred"})
    right = cases.assign(id=[f"{i}.0" for i in range(160)])[["id", "y", "b"]]
    left.to_csv("a.csv", index=False)
    right.rename(columns={"b": "pred"})[::-1].to_csv("b.csv", index=False)
    got = one(referee("compare-predictions", "a.csv", "b.csv", *JOIN, "--json"))
    assert got["evidence"]["n"] == 160


def test_long_numbers_as_ids_are_not_rounded_together(cases, folder, referee):
    ids = [10**18 + i for i in range(160)]
    for m in "ab":
        frame = cases.assign(id=ids)[["id", "y", m]].rename(columns={m: "pred"})
        frame.sample(frac=1, random_state=ord(m)).to_csv(f"{m}.csv", index=False)
    outcome = referee("compare-predictions", "a.csv", "b.csv", *JOIN, "--json")
    assert outcome.code == 0, outcome.err
    assert one(outcome)["evidence"]["p_value"] == pytest.approx(
        exact(cases.a == cases.y, cases.b == cases.y)
    )


def test_long_numbers_that_differ_are_not_joined(cases, folder, referee):
    # Neighbours beyond 2**53 are the same floating-point number, but not the same case.
    for m, offset in (("a", 0), ("b", 1)):
        ids = [10**18 + 300 * i + offset for i in range(160)]
        cases.assign(id=ids)[["id", "y", m]].rename(columns={m: "pred"}).to_csv(
            f"{m}.csv", index=False
        )
    outcome = referee("compare-predictions", "a.csv", "b.csv", *JOIN)
    assert outcome.code == 2
    assert "160 of 160 ids" in outcome.err


def test_other_formats_are_joined_too(two, referee):
    pl.read_csv("b.csv").write_parquet("b.parquet")
    pd.read_csv("a.csv").to_json("a.jsonl", orient="records", lines=True)
    made = referee("compare-predictions", "a.jsonl", "b.parquet", *JOIN, "--json")
    told = referee("compare-predictions", *two, *JOIN, "--json")
    assert one(made)["pairs"] == one(told)["pairs"]


def test_integer_labels_keep_their_convention(cases, folder, referee):
    for m in "ab":
        frame = pd.DataFrame({"id": cases.id, "y": cases.y == "ill", "pred": cases[m] == "ill"})
        frame.astype({"y": int, "pred": int}).to_csv(f"{m}.csv", index=False)
    got = one(referee("compare-predictions", "a.csv", "b.csv", *JOIN, "--measure", "tpr", "--json"))
    assert got["pos_label"] == 1


# Every option, against Python.

OPTIONS = {
    "nothing": ([], {}),
    "measure": (["--measure", "accuracy"], {"measure": "accuracy"}),
    "pos label": (
        ["--measure", "tpr", "--pos-label", "ill"],
        {"measure": "tpr", "pos_label": "ill"},
    ),
    "costs": (
        ["--measure", "cost", "--costs", "1", "5", "--pos-label", "ill"],
        {"measure": "cost", "costs": (1, 5), "pos_label": "ill"},
    ),
    "significance": (["--significance", "mcnemar-midp"], {"significance": "mcnemar-midp"}),
    "bootstrap": (
        ["--measure", "mcc", "--seed", "4"],
        {"measure": "mcc", "random_state": 4},
    ),
    "interval": (["--interval", "tango"], {"interval": "tango"}),
    "rope": (["--rope", "0.3"], {"rope": 0.3}),
    "non-inferior": (
        ["--rope", "0.02", "--claim", "non-inferior"],
        {"rope": 0.02, "claim": "non-inferior"},
    ),
    "level": (["--level", "0.99"], {"level": 0.99}),
    "label": (["--label", "dead"], {"labels": ["dead", "ill", "well"]}),
    "header": (["--header"], {}),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_against_python(option, two, cases, referee):
    written, keywords = OPTIONS[option]
    preds = {m: cases[m].to_numpy() for m in "ab"}
    expected = library.compare_predictions(cases.y.to_numpy(), preds, **keywords)
    same(referee("compare-predictions", *two, *JOIN, "--json", *written), expected)


def test_scores_against_python(two, cases, referee):
    expected = library.compare_predictions(
        cases.y.to_numpy(),
        {m: cases[m].to_numpy() for m in "ab"},
        y_scores={m: cases[f"{m}_score"].to_numpy() for m in "ab"},
        measure="auc",
        pos_label="ill",
    )
    outcome = referee(
        "compare-predictions", *two, *JOIN, "--score", "score", "--measure", "auc",
        "--pos-label", "ill", "--json",
    )  # fmt: skip
    same(outcome, expected)
    assert one(outcome)["evidence"]["test"] == "delong-paired"


def test_scores_of_a_wide_file_in_the_order_of_the_models(cases, folder, referee):
    cases.to_csv("wide.csv", index=False)
    expected = library.compare_predictions(
        cases.y.to_numpy(),
        {m: cases[m].to_numpy() for m in "ba"},
        y_scores={m: cases[f"{m}_score"].to_numpy() for m in "ba"},
        measure="average_precision",
        pos_label="ill",
    )
    outcome = referee(
        "compare-predictions", "wide.csv", "--truth", "y", "--pred", "b", "--pred", "a",
        "--score", "b_score", "--score", "a_score", "--measure", "average_precision",
        "--pos-label", "ill", "--json",
    )  # fmt: skip
    same(outcome, expected)


def test_groups_against_python(cases, folder, referee):
    for m in "ab":
        frame = cases[["id", "y", "ward", m]].rename(columns={m: "pred"})
        frame.sample(frac=1, random_state=ord(m)).to_csv(f"{m}.csv", index=False)
    outcome = referee("compare-predictions", "a.csv", "b.csv", *JOIN, "--groups", "ward", "--json")
    expected = library.compare_predictions(
        cases.y.to_numpy(), {m: cases[m].to_numpy() for m in "ab"}, groups=cases.ward.to_numpy()
    )
    got, data = one(outcome), json.loads(expected.to_json())
    assert got["evidence"]["test"] == "group-flip"
    assert got["evidence"]["p_value"] == pytest.approx(data["evidence"]["p_value"])
    assert got["difference"]["interval"] == pytest.approx(data["difference"]["interval"])


def test_weights_against_python(cases, folder, referee):
    weighted = cases.assign(w=1.0 + np.arange(len(cases)) % 5)
    for name in "ab":
        weighted[["id", "y", name, "w"]].to_csv(f"{name}.csv", index=False)
    got = one(referee("compare-predictions", "a.csv", "b.csv", *JOIN, "--weight", "w", "--json"))
    expected = library.compare_predictions(
        cases.y, {"a": cases.a, "b": cases.b}, sample_weight=weighted.w
    )
    assert got["difference"]["value"] == expected.difference.value
    assert got["evidence"]["p_value"] == expected.evidence.p_value


def test_names_and_pred_of_each_file(cases, folder, referee):
    cases[["id", "y", "a"]].to_csv("one.csv", index=False)
    cases[["id", "y", "b"]].to_csv("two.csv", index=False)
    outcome = referee(
        "compare-predictions", "one.csv", "two.csv", *JOIN, "--pred", "a", "--pred", "b",
        "--name", "Dr House", "--name", "Dr Who", "--json",
    )  # fmt: skip
    assert one(outcome)["names"] == ["Dr House", "Dr Who"]


def test_no_header(cases, folder, referee):
    cases[["y", "a", "b"]].to_csv("wide.csv", index=False, header=False)
    outcome = referee(
        "compare-predictions", "wide.csv", "--truth", "1", "--pred", "2", "--pred", "3",
        "--no-header", "--json",
    )  # fmt: skip
    assert one(outcome)["evidence"]["p_value"] == pytest.approx(
        exact(cases.a == cases.y, cases.b == cases.y)
    )


def test_different_test_sets_against_python(cases, folder, referee):
    left, right = cases[:90], cases[90:]
    left[["y", "a"]].rename(columns={"a": "pred"}).to_csv("a.csv", index=False)
    right[["y", "b"]].rename(columns={"b": "pred"}).to_csv("b.csv", index=False)
    outcome = referee(
        "compare-predictions", "a.csv", "b.csv", "--truth", "y", "--unpaired", "--json"
    )
    expected = library.compare_predictions(
        {"a": left.y.to_numpy(), "b": right.y.to_numpy()},
        {"a": left.a.to_numpy(), "b": right.b.to_numpy()},
    )
    same(outcome, expected)
    assert one(outcome)["evidence"]["test"] == "boschloo"
    fisher = referee(
        "compare-predictions", "a.csv", "b.csv", "--truth", "y", "--unpaired", "--json",
        "--significance", "fisher",
    )  # fmt: skip
    assert one(fisher)["evidence"]["test"] == "fisher"


def test_unpaired_columns_of_one_file_are_refused(cases, folder, referee):
    # The columns of one file are about the same cases; to call them different wastes the pairing.
    cases.to_csv("wide.csv", index=False)
    outcome = referee("compare-predictions", "wide.csv", "--truth", "y", "--unpaired")
    assert outcome.code == 2
    assert "--unpaired" in outcome.err


# Exit codes and files.


def test_exit_codes_0_1_and_2(two, cases, folder, referee):
    assert referee("compare-predictions", *two, *JOIN).code == 0
    cases[["id", "y", "c"]].rename(columns={"c": "pred"}).to_csv("c.csv", index=False)
    not_shown = referee("compare-predictions", "b.csv", "c.csv", *JOIN)
    assert not_shown.code == 1
    assert "undecided" in not_shown.out
    assert "could detect" in " ".join(not_shown.out.split())
    assert referee("compare-predictions", "b.csv", *JOIN).code == 2
    alike = referee("compare-predictions", "b.csv", "c.csv", *JOIN, "--rope", "0.3")
    assert alike.code == 0
    assert "no difference that matters" in alike.out


def test_out_writes_page_record_and_predictions_of_every_model(two, cases, folder, referee):
    outcome = referee("compare-predictions", *two, *JOIN, "--out", "out", "--json")
    names = ["figures", "predictions.parquet", "report.html", "results.json", "table.tex"]
    assert sorted(p.name for p in (folder / "out").iterdir()) == names
    table = pd.DataFrame(
        pl.read_parquet(folder / "out" / "predictions.parquet").to_dict(as_series=False)
    )
    assert set(table.model) == {"a", "b"}
    assert table[table.model == "b"].predicted.tolist() == cases.b.tolist()
    assert json.loads((folder / "out" / "results.json").read_text()) == one(outcome)
    assert referee("compare-predictions", *two, *JOIN, "--out", "out").code == 2
    assert referee("compare-predictions", *two, *JOIN, "--out", "out", "--force").code == 0


def test_models_that_never_differ_give_1_and_a_sentence(cases, folder, referee):
    for name in ("a", "b"):
        cases[["id", "y", "a"]].rename(columns={"a": "pred"}).to_csv(f"{name}.csv", index=False)
    outcome = referee("compare-predictions", "a.csv", "b.csv", *JOIN)
    assert outcome.code == 1
    text = " ".join(outcome.out.split())
    assert "right and wrong on the same cases" in text
    assert "p = 1" in text


def test_too_few_cases_say_the_smallest_p(cases, folder, referee):
    few = pd.DataFrame(
        {"y": ["ill", "well"] * 2, "a": ["ill", "well"] * 2, "b": ["well", "ill"] * 2}
    )
    few.to_csv("few.csv", index=False)
    outcome = referee(
        "compare-predictions", "few.csv", "--truth", "y", "--pred", "a", "--pred", "b"
    )
    assert outcome.code == 1
    assert "too few to ever show it: the smallest p possible is .12" in " ".join(
        outcome.out.split()
    )


# Bad input: code 2, one line, nothing written, no traceback.


def altered(change):
    def make(folder):
        frame = change(pd.read_csv("b.csv"))
        frame.to_csv("b.csv", index=False)
        return ["a.csv", "b.csv"]

    return make


def as_is(folder):
    return ["a.csv", "b.csv"]


def fewer(frame):
    return frame.sort_values("id")[:-7]


def strange(frame):
    frame.loc[frame.id == "p003", "pred"] = "dead"
    return frame


def disagreeing(frame):
    frame.loc[frame.id == "p003", "y"] = frame.y.map({"ill": "well", "well": "ill"})
    return frame


def repeated(frame):
    return pd.concat([frame, frame[frame.id.isin(["p005", "p009"])]])


def holed(column):
    def change(frame):
        frame.loc[4, column] = None
        return frame

    return change


CASES = {
    "ids missing": (
        altered(fewer),
        JOIN,
        ["7 of 160 ids of a.csv are not in b.csv", "'p153', 'p154', 'p155', 'p156', 'p157' and 2"],
    ),
    "ids of other cases": (
        altered(lambda f: f.assign(id="q" + f.id)),
        JOIN,
        ["160 of 160 ids of a.csv", "160 of 160 ids of b.csv"],
    ),
    "ids twice": (altered(repeated), JOIN, ["b.csv", "2 ids", "'p005', 'p009'"]),
    "no id": (altered(holed("id")), JOIN, ["b.csv", "'id'", "6"]),
    "different lengths without ids": (
        altered(lambda f: fewer(f).drop(columns="id")),
        ("--truth", "y"),
        ["different numbers of rows", "a.csv: 160", "b.csv: 153", "--on"],
    ),
    "truths that differ": (
        altered(disagreeing),
        JOIN,
        ["disagree about 'y' in 1 of 160", "line 5"],
    ),
    "unknown class": (altered(strange), JOIN, ["b.csv", "'pred'", "dead", "--label"]),
    "no prediction": (altered(holed("pred")), JOIN, ["b.csv", "'pred'"]),
    "one file": (lambda f: ["a.csv"], JOIN, ["at least two columns of predictions"]),
    "missing file": (lambda f: ["a.csv", "bb.csv"], JOIN, ["bb.csv", "'b.csv'"]),
    "unknown truth": (as_is, ("--truth", "z", "--on", "id"), ["no column 'z'"]),
    "unknown id column": (as_is, ("--truth", "y", "--on", "ids"), ["'ids'", "'id'"]),
    "unknown prediction column": (as_is, (*JOIN, "--pred", "predd"), ["'predd'", "'pred'"]),
    "too many columns": (
        as_is,
        (*JOIN, "--pred", "pred", "--pred", "y", "--pred", "score"),
        ["--pred", "2 files, got 3"],
    ),
    "too many scores": (
        as_is,
        (*JOIN, "--score", "score", "--score", "score", "--score", "score"),
        ["--score", "3"],
    ),
    "words as scores": (as_is, (*JOIN, "--score", "remark"), ["remark"]),
    "the same file twice": (lambda f: ["a.csv", "a.csv"], JOIN, ["'a'", "--name"]),
    "too few names": (as_is, (*JOIN, "--name", "x"), ["--name", "2 models, got 1"]),
    "one name twice": (as_is, (*JOIN, "--name", "x", "--name", "x"), ["'x'"]),
    "unknown test": (as_is, (*JOIN, "--significance", "mcnemar"), ["mcnemar-exact"]),
    "test of learners": (
        as_is,
        (*JOIN, "--significance", "corrected-t"),
        ["--significance mcnemar-exact"],
    ),
    "test of other cases": (as_is, (*JOIN, "--significance", "boschloo"), ["mcnemar-exact"]),
    "paired test, unpaired": (
        as_is,
        ("--truth", "y", "--unpaired", "--significance", "mcnemar-exact"),
        ["--significance boschloo"],
    ),
    "rope, unpaired": (as_is, ("--truth", "y", "--unpaired", "--rope", "0.1"), ["--rope"]),
    "unknown measure": (as_is, (*JOIN, "--measure", "eror"), ["'error'"]),
    "rate without class": (as_is, (*JOIN, "--measure", "tpr"), ["--pos-label"]),
    "area without scores": (
        as_is,
        (*JOIN, "--measure", "auc", "--pos-label", "ill"),
        ["--score"],
    ),
    "unknown interval": (as_is, (*JOIN, "--interval", "tangoo"), ["'tango'"]),
    "rope in percent": (as_is, (*JOIN, "--rope", "5"), ["0.05"]),
    "margin missing": (
        as_is,
        (*JOIN, "--claim", "non-inferior"),
        ["--claim non-inferior", "--rope 0.01"],
    ),
    "level in percent": (as_is, (*JOIN, "--level", "95"), ["0.95"]),
    "one group": (
        altered(lambda f: f.assign(ward=1)),
        (*JOIN, "--groups", "ward"),
        ["one group"],
    ),
    "unknown groups": (as_is, (*JOIN, "--groups", "wards"), ["wards"]),
    "mcnemar with groups": (
        altered(lambda f: f.assign(ward=f.id.str[:3])),
        (*JOIN, "--groups", "ward", "--significance", "mcnemar-exact"),
        ["--significance group-flip"],
    ),
    "full directory": (as_is, (*JOIN, "--out", "."), ["not empty", "--force"]),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_gives_code_2_one_message_and_no_file(case, two, folder, referee):
    make, arguments, says = CASES[case]
    files = make(folder)
    before = sorted(folder.rglob("*"))
    outcome = referee("compare-predictions", *files, *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    told = outcome.err.splitlines()
    # Notes about how files were read may come first; what is wrong is one line.
    assert all(line.startswith("referee: ") for line in told)
    assert len(told) == 1 or all("--on" in note for note in told[:-1])
    for part in says:
        assert part in told[-1]
    for word in PYTHONISMS:
        assert word not in outcome.err
    assert sorted(folder.rglob("*")) == before


def test_scores_for_some_of_three_files_are_refused(two, cases, referee):
    cases[["id", "y", "c", "c_score"]].set_axis(["id", "y", "pred", "score"], axis=1).to_csv(
        "c.csv", index=False
    )
    outcome = referee(
        "compare-predictions", *two, "c.csv", *JOIN, "--score", "score", "--score", "score",
        "--measure", "auc", "--pos-label", "ill",
    )  # fmt: skip
    assert outcome.code == 2
    assert "--score" in outcome.err


def test_an_unknown_class_among_numbers_is_the_one_that_is_named(cases, folder, referee):
    for m in "ab":
        frame = pd.DataFrame({"id": cases.id, "y": cases.y == "ill", "pred": cases[m] == "ill"})
        frame = frame.astype({"y": int, "pred": int}).astype({"pred": object})
        if m == "b":
            frame.loc[7, "pred"] = "maybe"
        frame.to_csv(f"{m}.csv", index=False)
    outcome = referee("compare-predictions", "a.csv", "b.csv", *JOIN)
    assert outcome.code == 2
    assert "maybe" in outcome.err
    assert "line 9" in outcome.err


def test_an_extra_column_of_a_truth_file_is_not_taken_for_a_model(cases, folder, referee):
    for m in "ab":
        cases[["id", m]].rename(columns={m: "pred"}).to_csv(f"{m}.csv", index=False)
    cases[["id", "y"]].assign(age=40).to_csv("truth.csv", index=False)
    outcome = referee(
        "compare-predictions", "truth.csv", "a.csv", "b.csv", *JOIN, "--pred", "pred", "--json"
    )
    assert outcome.code == 0, outcome.err
    assert one(outcome)["names"] == ["a", "b"]


def test_files_of_one_name_in_two_folders_are_told_apart(two, folder, referee):
    for number, file in ((1, "a.csv"), (2, "b.csv")):
        (folder / f"d{number}").mkdir()
        (folder / file).rename(folder / f"d{number}" / "preds.csv")
    found = referee("compare-predictions", "d1/preds.csv", "d2/preds.csv", *JOIN, "--pred", "pred")
    assert found.code == 0, found.err
    assert "d1/preds is better than d2/preds" in found.out
