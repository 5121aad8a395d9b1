"""The pytest plugin, by pytester: what a test prints, what it costs where nobody asks."""

import subprocess
import sys

import pytest

import referee as package
from referee.gating.pytest_plugin import _failure

pytest_plugins = ["pytester"]
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


@pytest.fixture(scope="module", autouse=True)
def _loaded(tmp_path_factory):
    """Load all that the inner runs need: what they load first is forgotten after them."""
    folder = tmp_path_factory.mktemp("loaded")
    ids, truth = [str(i) for i in range(400)], [0, 1] * 200
    package.Baseline.of_predictions(ids, truth, truth, name="old").write(folder / "base.json")
    rows = "".join(f"{i},{1 - p}\n" for i, p in zip(ids, truth, strict=True))
    (folder / "new.csv").write_text("id,pred\n" + rows)
    files = (folder / "base.json", folder / "new.csv")
    worse = package.gate(*files, truth="y", on="id", margin=0.02)
    worse.save(folder / "report", figures=())
    assert "WORSE" in _failure(worse, folder)


@pytest.fixture
def tests(pytester):
    pytester.makepyfile(GATED)
    return pytester


def test_outcomes_and_a_readable_failure(tests):
    result = tests.runpytest_inprocess(*PLUGIN, "--referee-report", "reports")
    result.assert_outcomes(passed=2, failed=2)
    text = result.stdout.str()
    assert "WORSE  candidate is worse than baseline" in text
    assert "Both models" in text
    assert "UNDECIDED" in text
    assert "report: reports" in text
    assert "referee gates" in text
    assert "Traceback" not in text
    pages = sorted(p.parent.name for p in (tests.path / "reports").rglob("report.html"))
    assert len(pages) == 4


def test_a_baseline_of_the_repository(pytester):
    pytester.makepyfile(
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
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*the baseline was saved from cases with the fingerprint*"])
    assert "gate.py:" not in result.stdout.str()  # the message, not where it was noticed


def test_unused_it_imports_nothing_heavy():
    code = (
        "import referee.gating.pytest_plugin, sys; "
        "print([m for m in ('numpy', 'pandas', 'scipy', 'sklearn', 'polars') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
