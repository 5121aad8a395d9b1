"""The pytest plugin: what a test prints, what it costs where nobody asks."""

import re
import subprocess
import sys
import textwrap

import pytest

PLUGIN = ("-p", "no:cacheprovider")  # the plugin itself comes by its entry point

GATED = """
import numpy as np

TRUTH = np.array([0, 1] * 300)
OLD = np.where(np.arange(600) % 10, TRUTH, 1 - TRUTH)

def test_as_good(referee_gate):
    gate = referee_gate(OLD, OLD, y_true=TRUTH, margin=0.02)
    assert gate.passed

def test_worse(referee_gate):
    bad = np.where(np.arange(600) % 4, TRUTH, 1 - TRUTH)
    referee_gate(OLD, bad, y_true=TRUTH, margin=0.02)

def test_undecided(referee_gate):
    new = np.where(np.arange(600) % 9, TRUTH, 1 - TRUTH)
    referee_gate(OLD, new, y_true=TRUTH, margin=0.02)

def test_undecided_may_pass(referee_gate):
    new = np.where(np.arange(600) % 9, TRUTH, 1 - TRUTH)
    referee_gate(OLD, new, y_true=TRUTH, margin=0.02, undecided="pass")
"""


@pytest.fixture
def run(tmp_path):
    """Run pytest on a file of tests in a process of its own; return its summary and its text.

    pytester would forget the modules that an inner run, or the test itself, is first to import, and
    whoever imports them again has two of each class.
    """

    def finished(code, *options):
        (tmp_path / "test_gates.py").write_text(textwrap.dedent(code), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", *PLUGIN, *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed)", done.stdout)}
        return counts, done.stdout

    return finished


def test_outcomes_and_a_readable_failure(run, tmp_path):
    counts, text = run(GATED, "--referee-report", "reports")
    assert counts == {"passed": 2, "failed": 2}
    assert "WORSE  candidate is worse than baseline" in text
    assert "Both models" in text
    assert "UNDECIDED" in text
    assert "report: reports" in text
    assert "referee gates" in text
    assert "Traceback" not in text
    pages = sorted(p.parent.name for p in (tmp_path / "reports").rglob("report.html"))
    assert len(pages) == 4


def test_a_baseline_of_the_repository(run):
    counts, text = run(
        """
        from pathlib import Path

        import referee

        TRUTH = [0, 1] * 200

        def test_kept(referee_gate, tmp_path):
            ids = [str(i) for i in range(400)]
            kept = referee.Baseline.of_predictions(ids, TRUTH, TRUTH, name="old")
            kept.write("baseline.json")
            rows = "".join(f"{i},{p}\\n" for i, p in zip(ids, TRUTH))
            Path("new.csv").write_text("id,pred\\n" + rows)
            referee_gate("baseline.json", "new.csv", truth="y", on="id", margin=0.01)

        def test_other_data(referee_gate):
            rows = "".join(f"{i},{p}\\n" for i, p in zip(range(5, 405), TRUTH))
            Path("new.csv").write_text("id,pred\\n" + rows)
            referee_gate("baseline.json", "new.csv", truth="y", on="id", margin=0.01)
        """
    )
    assert counts == {"passed": 1, "failed": 1}
    assert "the baseline was saved from cases with the fingerprint" in text
    assert "gate.py:" not in text  # the message, not where it was noticed


def test_unused_it_imports_nothing_heavy():
    code = (
        "import referee.gating.pytest_plugin, sys; "
        "print([m for m in ('numpy', 'pandas', 'scipy', 'sklearn', 'polars') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
