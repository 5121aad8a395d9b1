"""How long a new process needs for `import referee` and `referee --help`, in seconds of CPU."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

__all__ = ["startup"]

_COMMANDS = {
    "python -c pass": ([sys.executable, "-c", "pass"], None),
    "import referee": ([sys.executable, "-c", "import referee"], 0.3),
    "referee --help": ([sys.executable, "-m", "referee", "--help"], 0.5),
}


def startup(rounds: int = 9) -> list[tuple[str, float, float | None]]:
    """Return name, median CPU seconds and goal of each command."""
    return [
        (name, statistics.median(_cpu(command) for _ in range(rounds)), goal)
        for name, (command, goal) in _COMMANDS.items()
    ]


def _cpu(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
