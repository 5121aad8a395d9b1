"""Is it slower than it was? This tree against an earlier commit, in one run, taking turns.

``python -m benchmarks.earlier [COMMIT] [ROUNDS]`` unpacks the sources of the commit into a folder
of its own and prints medians of CPU seconds: of new processes, and of calls after a first one.
"""

from __future__ import annotations

import io
import os
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["before_methods", "earlier"]

before_methods = "f0a088d"
"""The last commit before methods became objects and evaluation/ became rooms."""

_HERE = Path(__file__).parent.parent
_CALL = """
import time
import numpy as np
import referee
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
X, y = load_breast_cancer(return_X_y=True)
rng = np.random.default_rng(0)
truth = rng.integers(0, 2, 100_000)
answers = {name: np.where(rng.random(len(truth)) < right, truth, 1 - truth)
           for name, right in (("a", 0.9), ("b", 0.89))}
def call():
    return CALL
call()
times = []
for _ in range(5):
    start = time.process_time()
    call()
    times.append(time.process_time() - start)
print(sorted(times)[2])
"""
_CALLS = {
    "evaluate, 569 cases, 5-fold": "referee.evaluate(GaussianNB(), X, y, by=5, random_state=0)",
    "evaluate, 569 cases, default": "referee.evaluate(GaussianNB(), X, y, random_state=0)",
    "compare_predictions, 1000 cases": (
        "referee.compare_predictions(truth[:1000], {k: v[:1000] for k, v in answers.items()})"
    ),
    "compare_predictions, 100 000 cases": "referee.compare_predictions(truth, answers)",
}


def earlier(commit: str = before_methods, rounds: int = 7) -> Iterator[tuple[str, float, float]]:
    """Yield name, CPU seconds then and CPU seconds now of each thing that is timed."""
    with tempfile.TemporaryDirectory() as folder:
        then = _unpacked(commit, Path(folder))
        for name, command in _commands().items():
            turns = [(_run(command, then), _run(command, _HERE / "src")) for _ in range(rounds)]
            old, new = (statistics.median(side) for side in zip(*turns, strict=True))
            yield name, old, new


def _commands() -> dict[str, list[str]]:
    calls = {name: ["-c", _CALL.replace("CALL", call, 1)] for name, call in _CALLS.items()}
    started = {
        "import referee": ["-c", "import referee"],
        "referee --help": ["-m", "referee", "--help"],
    }
    return started | calls


def _unpacked(commit: str, folder: Path) -> Path:
    archive = subprocess.run(
        ["git", "archive", commit, "src"], cwd=_HERE, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return folder / "src"


def _run(command: list[str], sources: Path) -> float:
    """Return the CPU seconds that the process prints, or else all it took."""
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *command], check=True, capture_output=True, text=True, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if command[0] == "-c" and done.stdout:
        return float(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    print("| what | CPU s then | CPU s now | now / then |\n|---|---:|---:|---:|")
    for name, old, new in earlier(*sys.argv[1:2], *map(int, sys.argv[2:3])):
        print(f"| {name} | {old:.4f} | {new:.4f} | {new / old:.2f} |", flush=True)
