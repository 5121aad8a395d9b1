"""A bar on a terminal, silence elsewhere, checked with a real pseudo-terminal."""

import re
import subprocess
import sys

import pytest

from referee.fitting.progress import track

SCRIPT = """
import time, referee
import pytest

from referee.fitting.progress import track
for _ in track(iter(range(8)), 8, "my model"):
    time.sleep(0.05)
"""


def test_bar_on_a_pseudo_terminal(on_a_terminal):
    shown = on_a_terminal(SCRIPT)
    assert "my model" in shown
    assert "8/8" in shown


def test_only_the_outer_bar_is_shown(on_a_terminal):
    inner = SCRIPT.replace("time.sleep(0.05)", 'list(track(iter("ab"), 2, "inner"))')
    shown = on_a_terminal(inner.replace('"my model"', '"my model", unit="chunks"'))
    assert "chunks" in shown
    assert "inner" not in shown


def test_silence_where_there_is_no_terminal():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == ""
    assert done.stderr == ""


def test_items_pass_through_unchanged():
    assert list(track(iter("abc"), 3, "x")) == ["a", "b", "c"]


PERMUTATIONS = """
import numpy as np, referee
from sklearn.tree import DecisionTreeClassifier
rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
search = referee.Tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}, by=2)
made = referee.permutation_test(
    search, X, y, by=2, permutations=19, name="my search", n_jobs=JOBS, random_state=0
)
"""


def test_one_bar_with_the_time_left_for_relabellings_in_parallel(on_a_terminal):
    shown = on_a_terminal(PERMUTATIONS.replace("JOBS", "2"))
    assert "19/19" in shown
    assert "relabellings" in shown
    assert "0:00:00" in shown
    # Loops inside the test, of folds and of candidates, show no bars of their own.
    assert "fits" not in shown
    assert "model" not in shown


def test_relabellings_are_silent_where_there_is_no_terminal():
    done = subprocess.run(
        [sys.executable, "-c", PERMUTATIONS.replace("JOBS", "1")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == done.stderr == ""


@pytest.mark.parametrize("name", ["{0: 1}", "[/bold]", "[red]x", r"a\\x1b[31m"])
def test_a_name_is_no_format_and_no_markup(name, on_a_terminal):
    shown = on_a_terminal(SCRIPT.replace("my model", name))
    assert "8/8" in shown
    assert name.replace(r"\\", "\\") in shown  # two of them in a script are one in a name


def test_a_notebook_has_a_line():
    kernel = """
import sys, time, types
Shell = type("ZMQInteractiveShell", (), {})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=Shell)
from referee.fitting import progress
progress._EVERY = 0.01
for _ in progress.track(iter(range(8)), 8, "{my} model"):
    time.sleep(0.02)
"""
    done = subprocess.run(
        [sys.executable, "-c", kernel], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == ""
    assert re.search(r"\{my\} model: [1-7]/8 fits, about \d+ s left", done.stderr)
    assert done.stderr.splitlines()[-1].strip() == ""
