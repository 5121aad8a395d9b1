"""Compiled loops say once that they are being compiled, where somebody watches."""

import subprocess
import sys
from pathlib import Path

LOOPS = """
import sys
sys.stderr.isatty = lambda: {watched}
from loops import one, two
assert one(4) == 6
assert two(4.0) == 8.0
"""
MODULE = """
from referee.core.machine.compiling import compiled, compiled_sums

@compiled
def one(n):
    s = 0
    for i in range(n):
        s += i
    return s

@compiled_sums
def two(x):
    return x + x
"""


def said(folder: Path, watched: bool) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LOOPS.format(watched=watched)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def test_the_first_call_is_announced_once_and_the_next_process_loads_from_disk(tmp_path):
    (tmp_path / "loops.py").write_text(MODULE)
    assert said(tmp_path, True) == "referee: compiling, once ...\n"
    assert list((tmp_path / "__pycache__").glob("*.nbc"))
    assert said(tmp_path, True) == ""


def test_nothing_is_said_where_nobody_watches(tmp_path):
    (tmp_path / "loops.py").write_text(MODULE)
    assert said(tmp_path, False) == ""
