"""The program as a whole: help, version, completion, and stopping it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import referee as library

VERBS = (
    "evaluate",
    "evaluate-predictions",
    "compare",
    "compare-predictions",
    "compare-datasets",
    "demo",
)
PLANNING = ("sample-size", "audit-table", "evaluate-scores", "compare-scores", "board")
SLOW = """
import time
from pathlib import Path
from sklearn.naive_bayes import GaussianNB

class Slow(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        Path("started").touch()
        time.sleep(60)
        return super().fit(X, y)
"""


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


def test_version(referee):
    outcome = referee("--version")
    assert (outcome.code, outcome.out) == (0, f"referee {library.__version__}\n")


def test_help_names_every_verb(referee):
    outcome = referee("--help")
    assert outcome.code == 0
    assert all(verb in outcome.out for verb in VERBS + PLANNING)
    assert "Usage: referee" in plain(outcome.out)


@pytest.mark.parametrize("verb", VERBS + PLANNING)
def test_help_of_every_verb(verb, referee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    outcome = referee(verb, "-h")
    assert outcome.code == 0
    seeded = ("--seed",) if verb in VERBS else ()
    for option in ("--json", "--out", "--force", *seeded):
        assert option in plain(outcome.out)


def test_help_names_every_interval_and_model(referee, monkeypatch):
    from referee.intervals import RISK_INTERVALS
    from referee.learners import CATALOGUE as MODELS

    monkeypatch.setenv("COLUMNS", "200")
    squeezed = "".join(c for c in plain(referee("evaluate", "-h").out) if c not in " │\n")
    for name in (*RISK_INTERVALS, *MODELS):
        assert name in squeezed


def test_help_lists_what_others_register(referee, monkeypatch):
    """Nothing but the catalogue has to know of a method; an entry of each kind shows up."""
    from dataclasses import replace

    from referee.checks import CHECKS
    from referee.intervals import AREA_INTERVALS, MEAN_INTERVALS, RISK_INTERVALS
    from referee.measures import MEASURES
    from referee.resampling import SCHEMES
    from referee.significance.catalogue import ADJUSTMENTS, COMPARISON_TESTS
    from referee.significance.score_tests import SCORE_TESTS
    from referee.vault.sealed.policies import CATALOGUE as POLICIES

    offered = (
        (RISK_INTERVALS, "wilson", "evaluate"),
        (MEASURES, "mcc", "evaluate-predictions"),
        (SCHEMES, "cv", "evaluate"),
        (CHECKS, "R002", "evaluate"),
        (COMPARISON_TESTS, "mcnemar-exact", "compare-predictions"),
        (ADJUSTMENTS, "holm", "compare"),
        (AREA_INTERVALS, "delong", "evaluate"),
        (MEAN_INTERVALS, "bca", "evaluate-scores"),
        (SCORE_TESTS, "paired-t", "board"),
        (POLICIES, "once", "vault seal"),
    )
    monkeypatch.setenv("COLUMNS", "200")
    for catalogue, known, verb in offered:
        catalogue.register(replace(catalogue[known], name="of-others", aliases=()))
        try:
            assert "of-others" in plain(referee(*verb.split(), "-h").out)
        finally:
            catalogue.remove("of-others")
        assert "of-others" not in plain(referee(*verb.split(), "-h").out)


def test_help_pays_for_catalogues_only_when_it_is_asked_for():
    code = (
        "import sys; from typer.main import get_command; from referee.cli.app import app; "
        "get_command(app); print([m for m in sys.modules if m in ('numpy', 'scipy', 'sklearn')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_predictions_are_judged_without_what_only_models_need(tmp_path):
    (tmp_path / "a.csv").write_text("truth,pred\n" + "ill,ill\nwell,ill\nwell,well\n" * 9)
    code = (
        "import sys; from referee.cli import main; sys.argv[1:] = ['evaluate-predictions', '.', "
        "'--truth', 'truth', '--pred', 'pred']\n"
        "try: main()\n"
        "except SystemExit as done: assert done.code < 2\n"
        "print([m for m in sys.modules if m in ('pandas', 'sklearn', 'scipy.stats')])"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.stdout.strip().endswith("[]"), done.stdout + done.stderr


def test_no_arguments_print_the_help(referee):
    outcome = referee()
    assert outcome.code == 2
    assert "evaluate-predictions" in outcome.out + outcome.err
    assert "Traceback" not in outcome.err


def test_demo_shows_its_claim(referee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = referee("demo", "--out", "shown")
    assert outcome.code == 0
    assert "PASS" in outcome.out
    assert "569 patients" in outcome.err
    assert (tmp_path / "shown" / "report.html").is_file()


def test_the_command_line_does_not_need_click_itself():
    """typer may carry its own copy of click, so click need not be installed."""
    code = "import sys; sys.modules['click'] = None; import referee.cli.app"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_as_a_module_and_completion():
    # Without it typer asks which shell started it, and in a test that may be none.
    told = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = run("--show-completion", "bash", env={**os.environ, **told})
    assert shown.returncode == 0
    assert "complete" in shown.stdout
    wanted = {"_REFEREE_COMPLETE": "complete_bash", "COMP_WORDS": "referee ev", "COMP_CWORD": "1"}
    completed = run(env={**os.environ, **wanted})
    assert completed.stdout.split() == ["evaluate", "evaluate-predictions", "evaluate-scores"]


def members(session):
    """Return the processes of a session that are still alive."""
    alive = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group, owner = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(owner) == session and state != "Z":
            alive.append((int(entry.name), group))
    return alive


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_130_without_traceback_or_children(jobs, folder):
    (folder / "slow.py").write_text(SLOW)
    asked = f"evaluate iris.csv --target species --model slow:Slow --by 3 --jobs {jobs} --out out"
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", *asked.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 40
        while not (folder / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (folder / "started").exists()
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=20)
        for _ in range(100):
            if not members(process.pid):
                break
            time.sleep(0.05)
        left = members(process.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "stopped" in err
    assert out == ""
    assert left == []
    assert not (folder / "out").exists()
