"""What a gate refuses: message, exit code 2, nothing written."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import referee as package

CASES = ("--truth", "y", "--on", "id")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "--claim non-inferior needs a margin: how much worse the candidate may be"),
        (("--margin", "-0.01"), "--margin must be a number above 0, got -0.01"),
        (("--margin", "0"), "any improvement is --claim better"),
        (("--margin", "1"), "--margin must be below 1, got 1; for 1 point write 0.01"),
        (("--margin", "2.5"), "for 2.5 points write 0.025"),
        (("--margin", "1%"), "must be a share, not a percentage, got 1%; write 0.01"),
        (("--margin", "0,02"), "--margin must be a number, got '0,02'; write 0.02"),
        (("--margin", "wide"), "--margin must be a number, got 'wide'"),
        (("--margin", "nan"), "must be a number above 0, got nan"),
        (("--margin", ".01", "--claim", "better"), "takes no margin"),
        (("--margin", ".01", "--claim", "best"), "must be one of 'non-inferior', 'better'"),
        (("--margin", ".01", "--undecided", "maybe"), "'report', 'pass', 'fail', got 'maybe'"),
        (("--margin", ".01", "--figures"), "--figures belongs to a ledger"),
        (("--margin", ".01", "--level", "95"), "for 95 % write 0.95"),
    ],
)
def test_requests(referee, write, more, said):
    write()
    run = referee("gate", "old.csv", "new.csv", *CASES, *more)
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_a_margin_is_refused_before_files_are_read(referee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = referee("gate", "gone.csv", "away.csv", *CASES, "--margin", "1")
    assert "for 1 point write 0.01" in run.err
    with pytest.raises(package.InputError, match=r"for 1 point write 0\.01"):
        package.gate("gone.csv", "away.csv", truth="y", margin=1)


@pytest.mark.parametrize(
    ("n", "error", "more", "said"),
    [
        (250, 0.0, ("--margin", ".01"), "about 299 cases are needed at the least"),
        (4, 1.0, ("--margin", ".01"), "about 5 cases are needed"),
        (250, 0.1, ("--margin", ".01", "--claim", "equivalent"), "about 2"),
        (100, 0.0, ("--claim", "better"), "errs on 0 of 100 cases"),
    ],
)
def test_too_few_cases_are_told_with_the_number_needed(referee, write, n, error, more, said):
    write(n=n, error=error)
    run = referee("gate", "old.csv", "new.csv", *CASES, *more)
    assert (run.code, run.out) == (2, "")
    assert said in run.err


class TestBaseline:
    def saved(self, referee, write, **options):
        folder = write(**options)
        run = referee("baseline", "save", "old.csv", "--truth", "y", "--pred", "pred", "--out", "b")
        assert run.code == 0
        return folder

    def test_is_small_and_gives_the_same_answer(self, referee, write):
        folder = self.saved(referee, write, better=0.2)
        with_file, with_kept = (
            json.loads(referee("gate", b, "new.csv", *CASES, "--margin", ".02", "--json").out)
            for b in ("old.csv", "b")
        )
        assert with_kept == with_file
        assert (folder / "b").stat().st_size < 25 * 1200

    def test_of_other_cases(self, referee, write):
        self.saved(referee, write)
        write(start=600)
        run = referee("gate", "b", "new.csv", *CASES, "--margin", ".02")
        assert (run.code, run.out) == (2, "")
        assert "600 of 1200 ids of b are not in new.csv" in run.err
        assert "fingerprint" in run.err

    def test_of_other_right_answers(self, referee, write):
        folder = self.saved(referee, write)
        lines = (folder / "old.csv").read_text().splitlines()
        lines[5] = lines[5].replace(",0,", ",7,").replace(",1,", ",0,").replace(",7,", ",1,")
        (folder / "new.csv").write_text("\n".join(lines) + "\n")
        run = referee("gate", "b", "new.csv", *CASES, "--pred", "pred", "--margin", ".02")
        assert run.code == 2
        assert "disagree about 'y' in 1 of 1200 rows" in run.err

    def test_changed_by_hand(self, referee, write):
        folder = self.saved(referee, write)
        text = (folder / "b").read_text()
        (folder / "b").write_text(text.replace('"case 3"', '"case x"', 1))
        run = referee("gate", "b", "new.csv", *CASES, "--margin", ".02")
        assert run.code == 2
        assert "was changed after it was saved" in run.err

    def test_damaged_at_its_beginning(self, referee, write):
        folder = write()
        (folder / "base.json").write_text("garbage")
        run = referee("gate", "base.json", "new.csv", *CASES, "--margin", ".02")
        assert run.code == 2
        assert "the baseline, base.json: this is no baseline that referee wrote" in run.err

    def test_is_not_overwritten(self, referee, write):
        self.saved(referee, write)
        run = referee("baseline", "save", "old.csv", "--truth", "y", "--pred", "pred", "--out", "b")
        assert run.code == 2
        assert "exists already" in run.err


def test_the_same_test_set_twice_is_a_finding(referee, write):
    write(better=0.2)
    first = referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02")
    again = referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02")
    assert "R030" not in first.err + again.err
    write(better=0.3, new="other.csv")
    other = referee("gate", "old.csv", "other.csv", *CASES, "--margin", ".02", "--out", "report")
    assert "R030 test set used before: 2 different candidates" in other.err
    assert "may be up to 10 %." in other.err
    assert "R030" in Path("report/report.html").read_text()


@pytest.mark.parametrize(
    "asked",
    [
        ("--margin", ".02", "--measure", "accuracy"),
        ("--margin", ".02", "--measure", "recall", "--pos-label", "1"),
        ("--claim", "better"),
    ],
)
def test_another_measure_or_claim_does_not_hide_a_second_candidate(referee, write, asked):
    write(better=0.2)
    referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02")
    assert "R030" not in referee("gate", "old.csv", "new.csv", *CASES, *asked).err
    write(better=0.3, new="other.csv")
    other = referee("gate", "old.csv", "other.csv", *CASES, *asked)
    assert "R030 test set used before: 2 different candidates" in other.err


def test_a_fault_of_the_program_is_not_taken_for_worse(referee, write, monkeypatch):
    write()

    def broken(*_, **__):
        raise TypeError("something else")

    monkeypatch.setattr("referee.gating.gate.decide", broken)
    run = referee("gate", "old.csv", "new.csv", "--truth", "y", "--on", "id", "--margin", ".01")
    assert (run.code, run.out) == (2, "")
    assert "TypeError: something else" in run.err


def test_a_candidate_that_lacks_items_is_refused(referee, write):
    folder = write()
    for name, n in (("old", 600), ("new", 450)):
        rows = "\n".join(f"q{i},{int(i % 3 > 0)}" for i in range(n))
        (folder / f"{name}.csv").write_text(f"item,score\n{rows}\n")
    asked = ("gate", "old.csv", "new.csv", "--margin", ".02")
    run = referee(*asked)
    assert (run.code, run.out) == (2, "")
    assert "new has no score for 150 of the items of old" in run.err
    assert referee(*asked, "--missing", "leave-out").code == 0


def nameless(n, seed, old="old.csv", new="new.csv"):
    """Write two models without ids: half of the cases of either class, which ones by the seed."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 2)
    one = np.where(rng.random(n) < 0.1, 1 - truth, truth)
    two = np.where(rng.random(n) < 0.1, 1 - truth, truth)
    pd.DataFrame({"y": truth, "pred": one}).to_csv(old, index=False)
    pd.DataFrame({"pred": two}).to_csv(new, index=False)


def test_another_test_set_with_as_many_of_each_class_is_another(referee, write):
    write()
    asked = ("--truth", "y", "--pred", "pred", "--margin", ".05")
    nameless(400, 0)
    referee("gate", "old.csv", "new.csv", *asked)
    nameless(400, 1)
    assert "R030" not in referee("gate", "old.csv", "new.csv", *asked).err
    pd.read_csv("old.csv")[["pred"]].to_csv("new.csv", index=False)  # another candidate
    assert "R030" in referee("gate", "old.csv", "new.csv", *asked).err


def test_a_run_with_a_ledger_is_a_use_for_one_without(referee, write):
    write(better=0.2)
    referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02", "--sequential", "gate.ledger")
    write(better=0.3)
    run = referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02")
    assert "R030 test set used before: 2 different candidates" in run.err


@pytest.mark.parametrize("more", [(), ("--sequential", "gate.ledger")])
@pytest.mark.parametrize("text", ["{", "[]", '{"key": 3}'])
def test_a_corrupt_record_of_runs_is_refused_and_left_alone(referee, write, text, more):
    folder = write()
    (folder / ".referee-runs.json").write_text(text)
    run = referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02", *more)
    assert (run.code, run.out) == (2, "")
    assert ".referee-runs.json counts how often test sets were used" in run.err
    assert (folder / ".referee-runs.json").read_text() == text
    assert not (folder / "gate.ledger").exists()
