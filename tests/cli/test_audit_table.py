"""referee audit-table: 0 where a difference stands, 1 where it does not, 2 for errors."""

import json

import pytest


def test_an_impossible_rate(referee):
    outcome = referee("audit-table", "--n", 900, "99.00", "99.50")
    assert outcome.code == 1
    for part in ("UNDECIDED", "cannot be observed on 900 cases", "800 or 1000", ".125", "R020"):
        assert part in " ".join(outcome.out.split())


def test_a_difference_that_stands(referee):
    outcome = referee("audit-table", "90.0", "99.0", "--n", 1000)
    assert outcome.code == 0
    assert "PASS" in outcome.out


def test_a_difference_that_might_be(referee):
    assert referee("audit-table", "99.00", "99.50", "--n", 2000).code == 1


def test_one_rate(referee):
    assert referee("audit-table", "97.33", "--n", 150).code == 0
    assert referee("audit-table", "97.34", "--n", 150).code == 1


def test_decimals_and_shares(referee):
    assert referee("audit-table", "0.995", "--n", 900, "--decimals", 4).code == 1
    assert "0.9950" in referee("audit-table", "0.995", "--n", 900, "--decimals", 4).out


def test_json(referee):
    outcome = referee("audit-table", "99.00", "99.50", "--n", 900, "--json")
    assert outcome.code == 1
    (record,) = json.loads(outcome.out)
    assert record["kind"] == "table_audit"
    assert [r["counts"] for r in record["rates"]] == [[891], []]


def test_out(referee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert referee("audit-table", "90", "--n", 10, "--out", "audit").code == 0
    assert (tmp_path / "audit" / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["99.0", "99.5"], "unless we know how many cases they were measured on; give --n"),
        (["99.0", "0.9", "--n", "100"], "mark percentages: 0.9%"),
        (["abc", "--n", "100"], "number such as 99.50, got 'abc'"),
        (["101", "--n", "100"], "between 0 and 100"),
        (["99", "--n", "0"], "at least 1, got 0"),
        (["99", "--n", "100", "--level", "95"], "for 95 % write 0.95"),
        (["99", "98", "--n", "100", "--power", "80"], "for 80 % write 0.8"),
    ],
)
def test_bad_input_gives_code_2_and_one_message(arguments, says, referee):
    outcome = referee("audit-table", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert "Traceback" not in outcome.err
