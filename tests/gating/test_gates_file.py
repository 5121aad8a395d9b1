"""gates.toml: several gates, slices and measures."""

import json

import numpy as np
import pandas as pd
import pytest

TOML = """
baseline = "old.csv"
candidate = "new.csv"
truth = "y"
on = "id"
pred = "pred"
together = "{together}"

[[gate]]
name = "overall"
margin = 0.01

[[gate]]
name = "German"
where = {{ language = "de" }}
margin = 0.02

[[gate]]
name = "accuracy"
measure = "accuracy"
claim = "better"
"""

HEAD = TOML.format(together="all").split("[[gate]]")[0]


@pytest.mark.parametrize("together", ["all", "holm"])
def test_slices_and_measures(referee, write, together):
    folder = write(better=0.4)
    (folder / "gates.toml").write_text(TOML.format(together=together))
    run = referee("gate", "gates.toml", "--json", "--junit", "j.xml", "--out", "report")
    flat = json.loads(run.out)
    assert (run.code, flat["gates"], flat["together"]) == (0, 3, together)
    assert flat["German.n"] == 400
    assert flat["accuracy.accuracy"] > 0.9
    assert (flat["overall.p_adjusted"] > flat["overall.p_value"]) == (together == "holm")
    assert (folder / "j.xml").read_text().count("<testcase") == 3
    assert (folder / "report" / "report.html").exists()


def test_one_worse_slice_fails_all(referee, write):
    folder = write(worse=0.1)
    (folder / "gates.toml").write_text(TOML.format(together="all"))
    run = referee("gate", "gates.toml")
    assert run.code == 1
    assert run.out.startswith("WORSE: 0 of 3 gates show their claim, worse: overall")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"all"', '"any"'), "together must be 'all' or 'holm', got 'any'"),
        (("margin = 0.01", ""), "gate 'overall': --claim non-inferior needs a margin"),
        (("margin = 0.01", "margin = 1"), "must be below 1, got 1; for 1 point write 0.01"),
        (("margin = 0.01", "margins = 0.01"), "'margins' is unknown; did you mean 'margin'?"),
        (('language = "de"', 'language = "fr"'), "no case has language = fr"),
        (('language = "de"', 'tongue = "de"'), "has no column 'tongue'"),
        (("[[gate]]", "[gate]"), "no TOML"),
        (('truth = "y"', "truth = 5"), "truth must be a text, got 5"),
        (('pred = "pred"', "pred = [1]"), "pred must name columns, got [1]"),
        (('name = "German"', 'name = "overall"'), "two gates are called 'overall'"),
        (('name = "German"', "level = 0.6"), "'level' is unknown"),
        (('on = "id"', 'sequential = "gate.ledger"'), "a ledger is of one gate"),
        (('"old.csv"', '"odd.csv"'), "there is no such file"),
    ],
)
def test_bad_files_are_told(referee, write, change, said):
    folder = write()
    (folder / "gates.toml").write_text(TOML.format(together="all").replace(*change))
    run = referee("gate", "gates.toml")
    assert (run.code, run.out) == (2, "")
    assert said in run.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--sequential", "gate.ledger"), "--sequential: a ledger is of one gate"),
        (("--figures",), "--figures: a ledger is of one gate"),
        (("--margin", ".01"), "gates.toml says itself what is asked; leave out --margin"),
        (("--measure", "error"), "gates.toml says itself what is asked; leave out --measure"),
    ],
)
def test_options_that_the_file_does_not_take(referee, write, more, said):
    folder = write()
    (folder / "gates.toml").write_text(TOML.format(together="all"))
    run = referee("gate", "gates.toml", *more)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not (folder / "gate.ledger").exists()


def test_a_second_candidate_on_the_same_cases_is_a_finding(referee, write):
    folder = write(better=0.4)
    (folder / "gates.toml").write_text(TOML.format(together="all"))
    assert "R030" not in referee("gate", "gates.toml").err
    assert "R030" not in referee("gate", "gates.toml").err
    write(better=0.3)
    assert "2 different candidates" in referee("gate", "gates.toml").err


def test_a_better_candidate_that_is_not_alike_is_different_and_not_worse(referee, write):
    folder = write(better=0.9)
    rows = "[[gate]]\nname = 'same'\nclaim = 'equivalent'\nmargin = 0.02\n"
    (folder / "gates.toml").write_text(HEAD + rows)
    run = referee("gate", "gates.toml", "--json")
    flat = json.loads(run.out)
    assert (run.code, flat["outcome"], flat["same.outcome"]) == (1, "different", "different")
    assert "different: same" in flat["sentence"]
    assert "worse" not in run.out.lower()


def test_the_policy_is_said_of_a_family(referee, write):
    folder = write(worse=0.01, n=400)
    (folder / "gates.toml").write_text(f"undecided = 'pass'\n{HEAD}[[gate]]\nmargin = 0.01\n")
    run = referee("gate", "gates.toml")
    assert (run.code, run.out.split(":")[0]) == (0, "UNDECIDED (taken as pass)")
    assert referee("gate", "gates.toml", "").out == run.out


def test_a_number_that_begins_with_a_point(referee, write):
    folder = write()
    (folder / "gates.toml").write_text(f"{HEAD}[[gate]]\nmargin = .05\n")
    run = referee("gate", "gates.toml")
    assert run.code == 2
    assert "write 0.05 instead of .05" in run.err


def test_whole_numbers_of_a_slice_may_have_a_point(referee, write):
    folder = write()
    table = pd.read_csv("old.csv")
    table.assign(size=np.arange(len(table)) % 2 + 1.0).to_csv("old.csv", index=False)
    for value in ("1", "1.0"):
        row = f"[[gate]]\nmargin = 0.05\nwhere = {{ size = {value} }}\n"
        (folder / "gates.toml").write_text(HEAD + row)
        assert referee("gate", "gates.toml").code == 0
