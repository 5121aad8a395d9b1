"""A bar on a terminal, silence elsewhere, checked with a real pseudo-terminal."""

import os
import pty
import subprocess
import sys

from referee.fitting.progress import track

SCRIPT = """
import time, referee
from referee.fitting.progress import track
for _ in track(iter(range(8)), 8, "my model"):
    time.sleep(0.05)
"""


def read_all(descriptor):
    parts = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # Linux says so when the other end has gone
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def on_a_terminal(script):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = read_all(ours)
    os.close(ours)
    assert process.wait(timeout=30) == 0
    return shown


def test_bar_on_a_pseudo_terminal():
    shown = on_a_terminal(SCRIPT)
    assert "my model" in shown
    assert "8/8" in shown


def test_only_the_outer_bar_is_shown():
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


def test_one_bar_with_the_time_left_for_relabellings_in_parallel():
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    script = PERMUTATIONS.replace("JOBS", "2")
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = read_all(ours)
    os.close(ours)
    assert process.wait(timeout=60) == 0
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
