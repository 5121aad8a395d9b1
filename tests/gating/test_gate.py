"""referee gate and referee.gate: outcomes, exit codes, what is written."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from gated_answers import answers
from scipy import stats

import referee as package
from referee.core.scores.scores import Scores
from referee.errors import InputError
from referee.gating.family import gates_together
from referee.gating.gate import decide
from referee.gating.question import GateQuestion
from referee.gating.sides.score_sides import ScoreSides
from referee.report.typesetting import typeset_cell
from referee.sources.logs.log import Log, column

CASES = ("--truth", "y", "--on", "id")


@pytest.mark.parametrize(
    ("options", "more", "code", "word"),
    [
        ({"better": 0.3}, ("--margin", ".01"), 0, "SHOWN"),
        ({"worse": 0.1}, ("--margin", ".01"), 1, "WORSE"),
        ({"worse": 0.01, "n": 400}, ("--margin", ".01"), 3, "UNDECIDED"),
        ({"worse": 0.01, "n": 400}, ("--margin", ".01", "--undecided", "pass"), 0, "UNDECIDED"),
        ({"worse": 0.01, "n": 400}, ("--margin", ".01", "--undecided", "fail"), 1, "UNDECIDED"),
        ({"better": 0.5}, ("--claim", "better"), 0, "SHOWN"),
        ({"worse": 0.1}, ("--claim", "better"), 1, "WORSE"),
        ({"better": 0.01}, ("--claim", "equivalent", "--margin", ".02"), 0, "SHOWN"),
        ({"better": 0.9}, ("--claim", "equivalent", "--margin", ".02"), 1, "DIFFERENT"),
    ],
)
def test_three_outcomes_and_a_policy(referee, write, options, more, code, word):
    write(**options)
    run = referee("gate", "old.csv", "new.csv", *CASES, *more)
    assert (run.code, run.out.split(":")[0].split(" ")[0]) == (code, word)
    assert run.out.count("\n") == 1


def test_figures_are_those_of_compare_predictions(referee, write):
    write(better=0.2, worse=0.01)
    run = referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02", "--json")
    flat = json.loads(run.out)
    _, truth, old, new = answers(better=0.2, worse=0.01)
    held = package.compare_predictions(
        truth, {"new": new, "old": old}, rope=0.02, claim="non-inferior"
    )
    assert flat["difference"] == held.difference.value
    assert flat["difference_high"] == held.difference.interval.high
    assert flat["p_value"] == held.pairs[0].equivalence.p_value
    exact = stats.binomtest(int((new != truth).sum()), len(truth)).proportion_ci(method="exact")
    assert flat["error_low"] == pytest.approx(exact.low, abs=1e-9)
    assert flat["error_high"] == pytest.approx(exact.high, abs=1e-9)
    assert flat["n"] == 1200
    assert all(not isinstance(v, (dict, list)) for v in flat.values())


def test_python_and_the_command_agree(referee, write):
    write(better=0.2)
    flat = json.loads(
        referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".02", "--json").out
    )
    by_files = package.gate("old.csv", "new.csv", truth="y", on="id", margin=0.02)
    _, truth, old, new = answers(better=0.2)
    by_arrays = package.gate(old, new, y_true=truth, margin=0.02)
    for key in ("outcome", "difference", "p_value", "n", "exit_code"):
        assert by_files.flat()[key] == by_arrays.flat()[key] == flat[key]


def test_what_is_written(referee, write, monkeypatch):
    folder = write(worse=0.1)
    page = folder / "step.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    run = referee(
        *("gate", "old.csv", "new.csv", *CASES, "--margin", ".01"),
        *("--summary", "s.md", "--junit", "j.xml", "--out", "report"),
    )
    assert run.code == 1
    assert page.read_text().startswith("before\n## ❌ Gate: new against old")
    assert f"\n| {typeset_cell('1200')} |" in (folder / "s.md").read_text()
    suite = ET.parse(folder / "j.xml").getroot()
    assert suite.get("failures") == "1"
    assert suite[0][0].get("message").startswith("WORSE: new is worse than old")
    record = json.loads((folder / "report" / "results.json").read_text())
    assert (record["kind"], record["outcome"]) == ("gate", "worse")
    assert (
        "not worse than old by more than 1.0 points"
        in (folder / "report" / "report.html").read_text()
    )


def test_junit_of_undecided_is_skipped(referee, write):
    folder = write(worse=0.01, n=400)
    referee("gate", "old.csv", "new.csv", *CASES, "--margin", ".01", "--junit", "j.xml")
    assert ET.parse(folder / "j.xml").getroot().get("skipped") == "1"


def test_groups_widen_the_interval(referee, write):
    folder = write(better=0.2, worse=0.01)
    import pandas as pd

    frame = pd.read_csv("old.csv")
    frame["patient"] = np.arange(len(frame)) // 4
    frame.to_csv("old.csv", index=False)
    plain, grouped = (
        json.loads(
            referee(
                *("gate", "old.csv", "new.csv", *CASES, "--pred", "pred"),
                *("--margin", ".02", "--json", *more),
            ).out
        )
        for more in ((), ("--groups", "patient"))
    )
    assert grouped["difference"] == plain["difference"]
    assert grouped["p_value"] != plain["p_value"]
    assert folder.exists()


def test_scores_of_two_files(referee, write):
    folder = write()
    rng = np.random.default_rng(0)
    items = [f"q{i}" for i in range(500)]
    old = (rng.random(500) < 0.7).astype(int)
    for name, values in (("old", old), ("new", np.maximum(old, rng.random(500) < 0.05))):
        rows = "\n".join(f"{i},{int(v)}" for i, v in zip(items, values, strict=True))
        (folder / f"{name}.csv").write_text(f"item,score\n{rows}\n")
    run = referee("gate", "old.csv", "new.csv", "--margin", ".02", "--json")
    flat = json.loads(run.out)
    assert (run.code, flat["measure"], flat["n"]) == (0, "score", 500)
    assert flat["difference"] > 0
    saved = referee("baseline", "save", "old.csv", "--out", "base.json")
    assert saved.code == 0
    again = json.loads(referee("gate", "base.json", "new.csv", "--margin", ".02", "--json").out)
    assert again["difference"] == flat["difference"]
    assert again["p_value"] == flat["p_value"]


def test_one_file_with_a_column_for_each_model(referee, write):
    folder = write()
    _, truth, old, new = answers(better=0.3)
    rows = "\n".join(f"{t},{a},{b}" for t, a, b in zip(truth, old, new, strict=True))
    (folder / "both.csv").write_text(f"y,old,new\n{rows}\n")
    run = referee(
        *("gate", "both.csv", "--truth", "y", "--pred", "old", "--pred", "new"),
        *("--margin", ".01"),
    )
    assert run.code == 0
    assert "new is not worse than old" in run.out


def test_identical_models_pass_with_enough_cases():
    truth = [0, 1] * 200
    same = package.gate(truth, truth, y_true=truth, margin=0.01)
    assert same.passed
    assert same.compared.difference.value == 0


def judged(*judges):
    """Return two models with the same 600 marks, each of one judge."""
    items = [f"q{i}" for i in range(600)]
    marks = np.tile([1.0, 1.0, 0.0], 200)
    table = {"item": items * 2, "model": ["old"] * 600 + ["new"] * 600, "score": [*marks] * 2}
    logs = tuple(
        Log(
            path=f"{model}.eval",
            format="inspect",
            model=model,
            task="qa",
            metric="mark",
            item=column(items),
            score=marks,
            run=np.ones(600, dtype=np.intp),
            problem=column([""] * 600),
            judge=(judge,),
        )
        for model, judge in zip(("old", "new"), judges, strict=True)
    )
    return ScoreSides(scores=replace(Scores.of(table), logs=logs), names=("old", "new"))


@pytest.mark.parametrize("ledger", [False, True])
def test_a_serious_finding_withholds_a_pass(tmp_path, ledger):
    """The same marks pass if one judge gave them, and are undecided if two did (R052)."""
    question = GateQuestion(margin=0.05)
    state = tmp_path / "gate.ledger" if ledger else None
    withheld = decide(judged("kind", "strict"), question, sequential=state)
    assert withheld.outcome.value == "undecided"
    assert [f.code for f in withheld.findings] == ["R052"]
    assert "while R052 (different judges) stands" in withheld.sentence
    assert not (tmp_path / "gate.ledger").exists()
    mended = decide(judged("kind", "kind"), question, sequential=state)
    assert mended.outcome.value == "pass"
    if ledger:
        assert (mended.history.runs, mended.history.new_cases) == (1, 600)


def test_a_withheld_gate_does_not_help_the_others():
    """Under Holm it counts as p = 1, so the other one is judged at half the level."""
    _, truth, old, new = answers(worse=0.004)
    other = package.gate(old, new, y_true=truth, margin=0.015)
    withheld = decide(judged("kind", "strict"), GateQuestion(margin=0.05))
    assert withheld.p_value < other.p_value
    family = gates_together([withheld, other], "holm")
    assert family.p_values == (1.0, 2 * other.p_value)
    assert family.outcome.value == "undecided"


class TestTogether:
    def gates(self):
        gates = []
        for k, worse in enumerate((0.0, 0.004, 0.006)):
            _, truth, old, new = answers(seed=k, worse=worse)
            gates.append(package.gate(old, new, y_true=truth, margin=0.015))
        return gates

    def test_holm_by_hand(self):
        gates = self.gates()
        p = np.array([g.p_value for g in gates])
        order = np.argsort(p)
        by_hand = np.empty(3)
        running = 0.0
        for rank, at in enumerate(order):
            running = max(running, min(1.0, (3 - rank) * p[at]))
            by_hand[at] = running
        assert gates_together(gates, "holm").p_values == pytest.approx(by_hand)

    def test_all_must_hold_adjusts_nothing(self):
        gates = self.gates()
        family = gates_together(gates, "all")
        assert family.p_values == tuple(g.p_value for g in gates)
        assert family.passed == all(g.p_value <= 0.05 for g in gates)


class TestIntervalBeyondTheMargin:
    """A claim is tested on one side at 5 %; the interval leaves 5 % on both together."""

    REASON = "The interval reaches beyond the margin because it is two-sided"

    @pytest.mark.parametrize("measure", ["error", "accuracy"])
    def test_is_explained(self, measure):
        # 400 cases, 8 lost and 4 won: between the two-sided end and the one-sided one.
        truth = np.zeros(400, dtype=int)
        old, new = truth.copy(), truth.copy()
        old[:4], new[4:12] = 1, 1
        options = {"y_true": truth, "measure": measure}
        wide = package.gate(old, new, margin=0.05, **options)
        assert self.REASON not in wide.sentence
        end = wide.flat()["difference_high" if measure == "error" else "difference_low"]
        near = package.gate(old, new, margin=abs(end) - 0.001, **options)
        assert near.outcome.value == "pass"
        assert self.REASON in near.sentence
        assert "on one side at 5 %" in near.sentence

    def test_not_where_nothing_was_shown(self):
        truth = np.zeros(400, dtype=int)
        new = truth.copy()
        new[:8] = 1
        held = package.gate(truth, new, y_true=truth, margin=0.012)
        assert held.outcome.value != "pass"
        assert self.REASON not in held.sentence


def test_a_better_candidate_is_never_said_to_be_worse(referee, write):
    write(better=0.9)
    run = referee(
        *("gate", "old.csv", "new.csv", *CASES, "--margin", ".02", "--claim", "equivalent"),
        "--json",
    )
    assert (run.code, json.loads(run.out)["outcome"]) == (1, "different")


def test_how_many_positive_cases_would_show_it():
    """One positive, found by the candidate only, can never show it; the fewest that do are told."""
    asked = {"measure": "recall", "pos_label": 1, "margin": 0.05}

    def held(n):
        truth, old = [1] * n + [0] * 9, [0] * (n + 9)
        return package.gate(old, truth, y_true=truth, **asked)

    with pytest.raises(package.InputError) as caught:
        held(1)
    said = str(caught.value)
    assert "1 case of the class that tpr is about can never show" in said
    needed = int(said.split("about ")[2].split(" ")[0])
    assert held(needed).passed
    with pytest.raises(package.InputError):
        held(needed - 1)


@pytest.mark.parametrize(("margin", "told"), [(0.5, True), (0.21, True), (0.2, False)])
def test_a_wide_margin_of_shares_is_told(margin, told):
    truth = np.arange(400) % 2
    old, new = (np.where(np.arange(400) % k == 0, 1 - truth, truth) for k in (10, 9))
    sentence = package.gate(old, new, y_true=truth, margin=margin).sentence
    assert ("which nearly any candidate keeps" in sentence) is told
    if margin == 0.5:
        assert "The margin is 50 points" in sentence
        assert sentence.endswith("0.5 % is written 0.005.")


def test_a_wide_margin_of_quantities_is_not_told():
    truth = np.arange(100) + 0.5
    new = truth + np.sin(np.arange(100))
    sentence = package.gate(truth + np.cos(new), new, y_true=truth, measure="mae", margin=3.0)
    assert "nearly any" not in sentence.sentence


def test_whole_numbers_without_right_answers_are_told_to_be_scores():
    rng = np.random.default_rng(0)
    old, new = rng.integers(0, 2, (2, 400))
    remark = "whole numbers were taken for scores; if they are predicted classes, pass y_true"
    assert remark in package.gate(old, new, margin=0.2).sentence
    assert remark not in package.gate(old, new, margin=0.2, limits=(0, 1)).sentence
    assert remark not in package.gate(old / 2, new / 2, margin=0.2).sentence
    assert remark not in package.gate(old, new, y_true=old, margin=0.2).sentence


@pytest.mark.parametrize("asked", [{"measure": "f1"}, {"pos_label": 1}, {"costs": (1, 5)}])
def test_what_is_about_predictions_is_refused_without_right_answers(asked):
    with pytest.raises(InputError, match="pass y_true"):
        package.gate([0, 1] * 50, [0, 1] * 50, margin=0.1, **asked)


def test_a_single_number_for_many_cases_is_refused():
    with pytest.raises(InputError, match="y_true must hold one value for each case"):
        package.gate([0, 1] * 50, [0, 1] * 50, y_true=np.array(5), margin=0.1)
