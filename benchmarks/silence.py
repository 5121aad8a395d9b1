"""The longest silence of whole commands on a terminal: nothing written for so many seconds.

A command runs on a pseudo-terminal, from its start to its end; what it writes is timed as it comes.
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

_LONG = int(os.environ.get("REFEREE_BENCHMARK_BYTES", 500_000_000))
"""Bytes of the longest file."""

_GOAL = 2.0


def silence() -> Iterator[tuple[str, float, float, str]]:
    """Yield the longest silence of each command, in seconds."""
    labels = ("--truth", "truth", "--pred", "pred")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        _table(200_000).to_csv(path, index=False)
        for model in ("nb", "logistic"):
            command = ("evaluate", str(path), "--target", "y", "--model", model, "--by", "10")
            yield f"evaluate --model {model}, 200,000 rows", longest_silence(command), _GOAL, "s"
        answers = _answers(2_000_000)
        answers.to_csv(path, index=False)
        command = ("evaluate-predictions", str(path), *labels)
        yield "evaluate-predictions, 2,000,000 labels", longest_silence(command), _GOAL, "s"
        scores = (*command, "--score", "score", "--pos-label", "spam")
        yield "the same with scores", longest_silence(scores), _GOAL, "s"
        _repeat(path, _LONG)
        what = f"evaluate-predictions, a CSV of {path.stat().st_size / 1e6:.0f} MB"
        yield what, longest_silence(command), _GOAL, "s"


def longest_silence(arguments: tuple[str, ...]) -> float:
    """Run a command on a terminal; return the most seconds in which it wrote nothing."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "referee", *arguments]
    process = subprocess.Popen(words, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    last, longest, said = time.monotonic(), 0.0, b""
    try:
        while select.select([ours], [], [])[0] and (text := os.read(ours, 65536)):
            said = (said + text)[-2000:]
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
    except OSError:
        pass  # what a terminal answers when nobody writes to it any more
    finally:
        os.close(ours)
    if process.wait() == 2:
        raise RuntimeError(said.decode(errors="replace"))
    return max(longest, time.monotonic() - last)


def _repeat(path: Path, size: int) -> None:
    """Write the rows of a file again and again until it is so long."""
    head, _, rows = path.read_bytes().partition(b"\n")
    with path.open("wb") as file:
        file.write(head + b"\n")
        while file.tell() < size:
            file.write(rows)


def _table(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(rows, 10)).round(4)
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(10)])
    for name in ("colour", "shape", "town"):
        frame[name] = rng.choice([f"{name} {k}" for k in range(8)], rows)
    frame["y"] = np.where(values[:, 0] + rng.normal(size=rows) > 0, "ill", "well")
    return frame


def _answers(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    score = rng.random(rows).round(6)
    truth = np.where(rng.random(rows) < score, "spam", "ham")
    return pd.DataFrame(
        {"truth": truth, "pred": np.where(score > 0.5, "spam", "ham"), "score": score}
    )
