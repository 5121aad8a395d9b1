"""A bar on a terminal, silence elsewhere, checked with a real pseudo-terminal."""

import os
import pty
import subprocess
import sys

from referee.evaluation.progress import track

SCRIPT = """
import time, referee
from referee.evaluation.progress import track
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
