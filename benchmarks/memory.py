"""Memory of whole commands on tables of text: peak resident memory over the size of the file.

What the same command takes on the first rows of the file (Python, libraries) is set aside.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

_LONG = int(os.environ.get("REFEREE_BENCHMARK_BYTES", 0))
"""Set REFEREE_BENCHMARK_BYTES=2000000000 to write and count a file of that size, too."""

_FEW = 200
_GOAL = 3.0

_PEAK = """
import re, sys
from referee.cli import main
sys.argv[0] = "referee"
try:
    main()
except SystemExit:
    pass
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""


def memory() -> Iterator[tuple[str, float, float, str]]:
    """Yield peak resident memory beyond that of a small table, as a multiple of the file."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        labels = ("--truth", "truth", "--pred", "pred")
        scores = (*labels, "--score", "score", "--pos-label", "spam")
        table = answers(2_000_000)
        yield _measured(
            "evaluate-predictions, 2,000,000 labels",
            table[["truth", "pred"]],
            place,
            ("evaluate-predictions", *labels),
        )
        yield _measured(
            "evaluate-predictions, 2,000,000 labels and scores",
            table,
            place,
            ("evaluate-predictions", *scores),
        )
        for model in ("majority", "nb"):
            yield _measured(
                f"evaluate --model {model}, 200,000 rows of 13 features",
                _table(200_000),
                place,
                ("evaluate", "--target", "y", "--model", model),
            )
        if _LONG:
            yield _of_long_file(table, place, labels)


def _measured(
    what: str, frame: pd.DataFrame, folder: Path, arguments: tuple[str, ...]
) -> tuple[str, float, float, str]:
    whole, few = folder / "whole.csv", folder / "few.csv"
    frame.to_csv(whole, index=False)
    frame[:_FEW].to_csv(few, index=False)
    return what, _times(whole, few, arguments), _GOAL, "times the file"


def _of_long_file(
    frame: pd.DataFrame, folder: Path, labels: tuple[str, ...]
) -> tuple[str, float, float, str]:
    whole, few = folder / "whole.csv", folder / "few.csv"
    frame[:_FEW].to_csv(few, index=False)
    frame.to_csv(whole, index=False)
    block = whole.read_bytes().split(b"\n", 1)[1]
    with whole.open("ab") as file:
        while file.tell() < _LONG:
            file.write(block)
    arguments = ("evaluate-predictions", *labels)
    what = f"evaluate-predictions, a CSV of {whole.stat().st_size / 1e9:.1f} GB"
    return what, _times(whole, few, arguments), _GOAL, "times the file"


def _times(whole: Path, few: Path, arguments: tuple[str, ...]) -> float:
    command, *options = arguments
    peaks = [_peak(command, str(path), *options) for path in (whole, few)]
    return (peaks[0] - peaks[1]) / whole.stat().st_size


def _peak(*arguments: str) -> int:
    said = subprocess.run(
        [sys.executable, "-c", _PEAK, *arguments], capture_output=True, text=True, check=True
    )
    return 1024 * int(re.findall(r"\d+", said.stderr)[-1])


def answers(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    hit = rng.random(n) < 0.3
    score = np.round(np.where(hit, rng.beta(3, 2, n), rng.beta(2, 3, n)), 6)
    words = np.array(["ham", "spam"])
    labels = {"truth": words[hit.astype(int)], "pred": words[(score > 0.5).astype(int)]}
    return pd.DataFrame({"id": np.arange(n), **labels, "score": score})


def _table(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(n, 10)), 4)
    table = pd.DataFrame(X, columns=[f"x{number}" for number in range(10)])
    for levels in (5, 20, 300):
        names = np.array([f"level{number}" for number in range(levels)])
        table[f"c{levels}"] = names[rng.integers(0, levels, n)]
    table["y"] = np.where(X[:, 0] + X[:, 1] + rng.normal(size=n) > 0, "yes", "no")
    return table
