"""One gate to the screen: what acts on a terminal is written nowhere else."""

import re
from pathlib import Path

import referee as library


def test_one_gate_to_the_screen():
    """Only the screen itself writes; others could forget what acts on a terminal."""
    source = Path(library.__file__).parent / "cli"
    for path in source.rglob("*.py"):
        if path.name not in ("screen.py", "pulse.py"):  # the pulse writes words of its own
            assert not re.search(
                r"typer\.echo\(|(?<![\w.])print\(|std(out|err)\.write", path.read_text()
            )
