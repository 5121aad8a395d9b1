"""The ledger: new cases add up, known cases are looks, nothing is lost."""

import json
from math import pi

import numpy as np
import pytest

import referee as package

STATE = ("--truth", "y", "--on", "id", "--margin", ".02", "--sequential", "gate.ledger")


def ask(referee, *more, new="new.csv"):
    run = referee("gate", "old.csv", new, *STATE, "--json", *more)
    return run, json.loads(run.out) if run.code != 2 else None


def test_new_cases_add_up_to_a_decision(referee, write):
    outcomes = []
    for night in range(7):
        write(n=100, start=100 * night, seed=night, better=0.03)
        run, flat = ask(referee, "--version", "v1")
        outcomes.append(run.code)
        assert (flat["runs"], flat["looks"]) == (night + 1, 0)
        assert (flat["new_cases"], flat["cases_so_far"]) == (100, 100 * (night + 1))
    assert outcomes[0] == 3
    assert outcomes[-1] == 0


def test_figures_are_withheld_unless_asked_for(referee, write):
    write(better=0.3)
    _, flat = ask(referee)
    assert flat["error"] is flat["difference"] is flat["p_value"] is None
    folder = write(start=5000, better=0.3)
    _, shown = ask(referee, "--figures", "--out", "report")
    assert shown["difference_low"] < shown["difference"] < shown["difference_high"]
    assert "looks at known cases" in (folder / "report" / "report.html").read_text()


def test_figures_end_the_use_of_cases(referee, write):
    folder = write(better=0.3)
    ask(referee, "--figures")
    before = (folder / "gate.ledger").read_bytes()
    write(better=0.2)
    run, _ = ask(referee)
    assert run.code == 2
    assert "figures of 1200 of these cases, new in run 1, were shown" in run.err
    assert (folder / "gate.ledger").read_bytes() == before


def test_known_cases_are_looks_and_a_rerun_is_none(referee, write):
    write(better=0.3)
    ask(referee)
    _, again = ask(referee)
    assert (again["runs"], again["looks"]) == (1, 0)
    write(better=0.4)
    _, look = ask(referee)
    assert (look["runs"], look["looks"], look["new_cases"]) == (2, 1, 0)
    write(worse=0.2)
    run, worse = ask(referee)
    assert (run.code, worse["looks"]) == (1, 2)


def test_a_growing_file_counts_only_what_is_new(referee, write):
    write(n=400)
    ask(referee, "--version", "v1")
    write(n=500)
    _, flat = ask(referee, "--version", "v1")
    assert (flat["new_cases"], flat["cases_so_far"]) == (100, 500)
    assert "400 known ones left out" in flat["sentence"]


def test_evidence_of_one_version_does_not_pass_another(referee, write):
    write(better=0.5, n=2500)
    assert ask(referee, "--version", "a")[0].code == 0
    write(n=50, start=5000, worse=0.0)
    run, flat = ask(referee, "--version", "b")
    assert (run.code, flat["versions"], flat["cases_so_far"]) == (3, 2, 50)


def test_without_a_version_each_run_counts_as_another_model(referee, write):
    """A good model's evidence must not pass a bad one that nobody told apart from it."""
    write(better=0.5, n=2500)
    line = referee("gate", "old.csv", "new.csv", *STATE).out
    assert line.startswith("SHOWN")
    assert "without --version each run counts as another model" in line
    write(n=200, start=5000, worse=0.2)
    run, flat = ask(referee)
    assert (run.code, flat["versions"], flat["cases_so_far"]) == (1, 2, 200)
    assert flat["alpha_share"] == pytest.approx(3 / pi**2 / 4)
    write(n=200, start=9000)
    named = referee("gate", "old.csv", "new.csv", *STATE, "--version", "b").out
    assert "without --version" not in named


def test_a_restarted_job_with_figures_gets_its_answer(referee, write):
    folder = write(better=0.3)
    first, _ = ask(referee, "--figures")
    before = (folder / "gate.ledger").read_bytes()
    again, flat = ask(referee, "--figures")
    assert (again.code, flat["runs"]) == (first.code, 1)
    assert (folder / "gate.ledger").read_bytes() == before


@pytest.mark.parametrize("option", ["--summary", "--junit", "--out"])
def test_places_are_checked_before_the_ledger_is_written(referee, write, option):
    folder = write(n=200)
    (folder / "file").write_text("")
    run = referee("gate", "old.csv", "new.csv", *STATE, option, "file/none/x")
    assert (run.code, run.out) == (2, "")
    assert not (folder / "gate.ledger").exists()


def test_the_same_answers_in_another_order_are_no_new_look(referee, write):
    import pandas as pd

    write(better=0.3)
    ask(referee)
    for name in ("old.csv", "new.csv"):
        pd.read_csv(name).sort_values("id").to_csv(name, index=False)
    assert ask(referee)[1]["runs"] == 1


def test_a_case_that_stands_there_twice_is_refused(referee, write):
    folder = write()
    rows = "\n".join(f"c{i % 300},{i % 2},1,1" for i in range(600))
    (folder / "both.csv").write_text(f"id,y,a,b\n{rows}\n")
    run = referee("gate", "both.csv", "--pred", "a", "--pred", "b", *STATE)
    assert (run.code, run.out) == (2, "")
    assert "case 'c0' stands there more than once" in run.err
    assert not (folder / "gate.ledger").exists()


def test_looks_at_scores_hold_where_losses_are_rare(tmp_path):
    """Candidates worse by the margin lose .65 rarely, else next to nothing."""
    rng = np.random.default_rng(0)
    items = [f"q{i}" for i in range(100)]
    asked = {"ids": items, "margin": 0.02, "limits": (0, 1), "sequential": tmp_path / "gate.ledger"}
    for _ in range(12):
        new = 0.9 + rng.normal(0, 0.003, 100) - 0.65 * (rng.random(100) < 0.02 / 0.65)
        assert not package.gate(np.full(100, 0.9), new, **asked).passed


def test_figures_tell_of_all_nights_of_the_version(referee, write):
    """Figures are of all new cases so far: what night 2 shows gives night 1 away, too."""
    folder = write(n=200, better=0.3)
    ask(referee, "--version", "v1")
    write(n=200, start=500, better=0.3)
    ask(referee, "--version", "v2")
    write(n=200, start=200, seed=1, better=0.3)
    _, flat = ask(referee, "--version", "v1", "--figures")
    assert flat["cases_so_far"] == 400
    before = (folder / "gate.ledger").read_bytes()
    write(n=200, better=0.4)
    run, _ = ask(referee, "--version", "v3")
    assert run.code == 2
    assert "figures of 200 of these cases, new in run 1, were shown" in run.err
    assert (folder / "gate.ledger").read_bytes() == before
    write(n=200, start=500, better=0.4)  # another version's cases: nothing was told of them
    assert ask(referee, "--version", "v3")[1]["looks"] == 1


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        (("--pos-label", "1"), ("--pos-label", "0"), "positive class 1, and this run has 0"),
        ((), ("--pos-label", "0"), "positive class 1, and this run has 0"),
    ],
)
def test_another_positive_class_is_refused(referee, write, first, then, said):
    folder = write(n=200)
    recall = ("--measure", "recall", "--version", "v1")
    ask(referee, *recall, *first)
    before = (folder / "gate.ledger").read_bytes()
    write(n=200, start=500)
    run, _ = ask(referee, *recall, *then)
    assert (run.code, run.out) == (2, "")
    assert f"gate.ledger was begun with {said}" in run.err
    assert (folder / "gate.ledger").read_bytes() == before


def test_other_costs_and_another_direction_are_refused(tmp_path):
    ids, truth = list(range(200)), [0, 1] * 100
    asked = {"ids": ids, "margin": 0.1, "sequential": tmp_path / "gate.ledger"}
    package.gate(truth, truth, y_true=truth, measure="cost", costs=(1, 5), pos_label=1, **asked)
    asked["ids"] = [i + 200 for i in ids]
    with pytest.raises(package.InputError, match=r"begun with costs \(1, 5\), and .* \(5, 1\)"):
        package.gate(truth, truth, y_true=truth, measure="cost", costs=(5, 1), pos_label=1, **asked)
    scores = [0.5] * 200
    asked |= {"sequential": tmp_path / "scores.ledger"}
    package.gate(scores, scores, **asked)
    asked["ids"] = ids
    with pytest.raises(
        package.InputError, match=r"begun with greater is better True, and .* False"
    ):
        package.gate(scores, scores, greater_is_better=False, **asked)


def test_another_task_or_filter_is_refused(tmp_path):
    from referee.gating.gate import decide
    from referee.gating.question import GateQuestion
    from referee.gating.sides.files import ScoreOptions
    from referee.gating.sides.score_sides import ScoreSides
    from referee.sources.scores import scores_from

    def night(start, **chosen):
        items = [f"q{i}" for i in range(start, start + 20)]
        table = {"item": items, "old": [0.5] * 20, "new": [0.5] * 20}
        read_by = ScoreOptions(**chosen).chosen
        sides = ScoreSides(scores=scores_from(table), names=("old", "new"), read_by=read_by)
        return decide(sides, GateQuestion(margin=0.1), sequential=tmp_path / "gate.ledger")

    night(0, task=["gsm8k"], filter="strict")
    for chosen in ({"task": ["mmlu"], "filter": "strict"}, {"task": ["gsm8k"]}):
        with pytest.raises(package.InputError, match=r"was begun with (task|filter)"):
            night(20, **chosen)
    assert night(20, task=["gsm8k"], filter="strict").history.runs == 2


def test_a_ledger_of_another_version_says_so(referee, write):
    import hashlib

    folder = write(n=200)
    ask(referee)
    held = json.loads((folder / "gate.ledger").read_text().splitlines()[0])
    held["version"] = 1
    del held["chain"]
    text = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    held["chain"] = hashlib.sha256(text + b"\0").hexdigest()
    line = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (folder / "gate.ledger").write_text(line + "\n")
    run, _ = ask(referee)
    assert run.code == 2
    assert "is a ledger of version 1, and this referee keeps version 2" in run.err


def test_the_order_of_rows_does_not_matter(referee, write):
    import pandas as pd

    folder = write(better=0.3, worse=0.01)
    ask(referee)
    first = (folder / "gate.ledger").read_text().splitlines()[1]
    (folder / "gate.ledger").unlink()
    frame = pd.read_csv("old.csv").sort_values("y")
    frame.to_csv("old.csv", index=False)
    ask(referee)
    second = (folder / "gate.ledger").read_text().splitlines()[1]
    assert json.loads(first)["entry"]["excess"] == json.loads(second)["entry"]["excess"]


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: text.replace('"+', '"-', 1).replace("0+", "0-", 1),
        lambda text: text[: len(text) // 2],
        lambda text: "\n".join(text.splitlines()[1:]) + "\n",
        lambda text: "",
        lambda text: "{}\n",
        lambda text: text.replace("undecided", "pass"),
        lambda text: text + text.splitlines()[-1] + "\n",
    ],
)
def test_a_corrupt_ledger_is_refused_and_left_alone(referee, write, harm):
    folder = write(n=200, worse=0.05)
    ask(referee)
    path = folder / "gate.ledger"
    broken = harm(path.read_text())
    path.write_text(broken)
    write(n=200, start=900)
    run, _ = ask(referee)
    assert (run.code, run.out) == (2, "")
    assert "gate.ledger" in run.err
    assert path.read_text() == broken


def test_another_question_is_refused(referee, write):
    write(n=200)
    ask(referee)
    write(n=200, start=500)
    run, _ = ask(referee, "--margin", ".05")
    assert run.code == 2
    assert "was begun with margin 0.02, and this run has 0.05" in run.err


def test_cases_without_names_are_refused(referee, write):
    import pandas as pd

    write(n=200)
    for name in ("old.csv", "new.csv"):
        pd.read_csv(name).sort_values("id").drop(columns="id").to_csv(name, index=False)
    run = referee(
        *("gate", "old.csv", "new.csv", "--truth", "y", "--pred", "pred", "--margin", ".02"),
        *("--sequential", "gate.ledger"),
    )
    assert run.code == 2
    assert "these have no names" in run.err


def test_the_same_cases_under_other_names_are_a_finding(referee, write):
    write(n=200, better=0.3)
    ask(referee, "--version", "v1")
    write(n=200, start=900, better=0.4)  # the same right answers, the same baseline
    run, flat = ask(referee, "--version", "v2")
    assert flat["findings"] == 1
    assert "R030 test set used before: All 200 cases are new by their names" in run.err
    write(n=200, start=2000, seed=1)
    assert ask(referee, "--version", "v2")[1]["findings"] == 0
