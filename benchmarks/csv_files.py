"""Whole commands on text files of 2 million rows, against a process in which pandas reads them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.memory import answers
from benchmarks.race import Race


def races() -> Iterator[Race]:
    table = answers(2_000_000)
    known = float((table["truth"] != table["pred"]).mean())
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "answers.csv")
        table.to_csv(path, index=False)
        read = f"import pandas as pd; pd.read_csv({path!r})"
        for what, more in (("labels", ()), ("labels and scores", ("--score", "score"))):
            asked = ["evaluate-predictions", path, "--truth", "truth", "--pred", "pred", *more]
            yield Race(
                f"referee evaluate-predictions, {what} of 2,000,000 rows of CSV, whole command",
                "a process in which pandas reads the file",
                partial(_run, ["-m", "referee", *asked, "--pos-label", "spam", "--json"]),
                partial(_run, ["-c", read]),
                partial(_agrees, known),
                3.0,
                rounds=3,
                children=True,
            )


def _run(arguments: list[str]) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def _agrees(known: float, said: str, _: str) -> None:
    assert abs(json.loads(said)[0]["estimates"]["error"]["value"] - known) < 1e-12
