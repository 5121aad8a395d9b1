"""Save the results of every command anew: python tests/unchanged/make.py [NAME ...].

Only for results that are meant to change; say why in the commit.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from commands import COMMANDS
from running import RESULTS, outcome
from small_tables import write_tables


def make(names: list[str]) -> None:
    """Write one JSON file per command, and say how long each took."""
    RESULTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_tables(Path(folder))
        for command in COMMANDS:
            if not names or command.name in names:
                begin = time.process_time()
                kept = outcome(command, Path(folder))
                text = json.dumps(kept, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
                (RESULTS / f"{command.name}.json").write_text(text, encoding="utf-8")
                exits = "".join(str(run["exit"]) for run in kept["runs"].values())
                seconds = time.process_time() - begin
                print(f"{command.name:<45} {seconds:6.2f} s  exit {exits}", flush=True)


if __name__ == "__main__":
    make(sys.argv[1:])
