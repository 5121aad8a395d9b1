"""referee sample-size: answers, exit code 0, and what a user can get wrong."""

import json

import pytest


def test_two_accuracies(referee):
    outcome = referee("sample-size", "--a", ".99", "--b", ".995")
    assert outcome.code == 0
    for part in ("1 580", "4 944", "4 673", "nested errors"):
        assert part in outcome.out


def test_cases_that_are_too_few_still_exit_with_0(referee):
    outcome = referee("sample-size", "--a", ".99", "--b", ".995", "--n", "800")
    assert outcome.code == 0
    assert "too few" in outcome.out


def test_unpaired_and_power(referee):
    outcome = referee("sample-size", "--a", ".9", "--b", ".8", "--unpaired", "--power", ".9")
    assert outcome.code == 0
    assert "266 cases for each model" in " ".join(outcome.out.split())
    assert "nested" not in outcome.out


def test_acceptance(referee):
    outcome = referee("sample-size", "--error", ".01", "--confidence", ".95", "--failures", "2")
    assert outcome.code == 0
    assert "628 cases with at most 2 failures" in outcome.out


def test_cases_alone(referee):
    outcome = referee("sample-size", "--n", "50")
    assert outcome.code == 0
    assert "none" in outcome.out


def test_json(referee):
    outcome = referee("sample-size", "--error", ".01", "--json")
    (record,) = json.loads(outcome.out)
    assert record["kind"] == "sample_size"
    assert record["acceptance"]["steps"][0] == {"failures": 0, "rows": 299}


def test_out(referee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = referee("sample-size", "--n", "500", "--out", "plan")
    assert outcome.code == 0
    names = ["figures", "report.html", "results.json", "table.tex"]
    assert sorted(f.name for f in (tmp_path / "plan").iterdir()) == names
    again = referee("sample-size", "--n", "500", "--out", "plan")
    assert again.code == 2
    assert "--force" in again.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "nothing to go by; give two accuracies (--a 0.99 --b 0.995)"),
        (["--a", ".9"], "--a and --b are two accuracies; give both"),
        (["--a", "99", "--b", ".9"], "for 99 % write 0.99"),
        (["--a", ".9", "--b", ".9"], "must differ"),
        (["--a", ".9", "--b", ".8", "--error", ".1"], "pass one of them"),
        (["--error", "5"], "for 5 % write 0.05"),
        (["--n", "0"], "at least 1, got 0"),
        (["--n", "10", "--power", "80"], "for 80 % write 0.8"),
        (["--n", "10", "--level", "95"], "for 95 % write 0.95"),
        (["--error", ".1", "--failures", "-1"], "failures must be a whole number"),
        (["--a", ".9", "--b", ".8", "--discordance", ".9"], "discordance must lie between"),
    ],
)
def test_bad_input_gives_code_2_and_one_message(arguments, says, referee):
    outcome = referee("sample-size", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert "Traceback" not in outcome.err


def test_sequential(referee):
    outcome = referee("sample-size", "--max-error", ".01", "--fails", "0", "--sequential")
    assert outcome.code == 0
    text = " ".join(outcome.out.split())
    assert "367 cases without a failure show an error of at most 1.00 %" in text
    assert "2 298 cases on average" in text
    (record,) = json.loads(referee("sample-size", "--error", ".01", "--sequential", "--json").out)
    assert record["sequential"]["pass_after"][:2] == [367, 657]
    assert record["outcomes"][0]["expected"] == 367


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--n", "100", "--sequential"), "give the error too"),
        (("--error", ".01", "--most", "9"), "give --sequential too"),
        (("--error", ".01", "--sequential", "--most", "0"), "most must be a whole number"),
    ],
)
def test_sequential_asked_wrongly(referee, arguments, says):
    outcome = referee("sample-size", *arguments)
    assert outcome.code == 2
    assert says in outcome.err
