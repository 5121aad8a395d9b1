"""The gate against compare-predictions on two large files; what the pytest plugin costs unused."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.startup import _cpu

__all__ = ["gate"]

_ROWS = 100_000


def gate(rounds: int = 5) -> Iterator[tuple[str, float, float, str]]:
    """Yield name, value, goal and unit."""
    with tempfile.TemporaryDirectory() as folder:
        one, two = _files(Path(folder))
        cases = ["--truth", "y", "--on", "id"]
        command = [sys.executable, "-m", "referee"]
        ours = [*command, "gate", one, two, *cases, "--margin", "0.01"]
        peer = [*command, "compare-predictions", two, one, *cases, "--rope", "0.01"]
        peer += ["--claim", "non-inferior"]
        ratio = statistics.median(_cpu(ours) / _cpu(peer) for _ in range(rounds))
        yield "gate / compare-predictions, two CSVs of 100 000 rows, CPU", ratio, 2.0, "x"
        yield "pytest with the plugin and without, no test, CPU", _plugin(folder, 25), 20.0, "ms"


def _files(folder: Path) -> tuple[str, str]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, _ROWS)
    places = []
    for name, error in (("old", 0.1), ("new", 0.099)):
        said = np.where(rng.random(_ROWS) < error, 1 - truth, truth)
        rows = "\n".join(f"c{i},{t},{p}" for i, (t, p) in enumerate(zip(truth, said, strict=True)))
        place = folder / f"{name}.csv"
        place.write_text(f"id,y,pred\n{rows}\n")
        places.append(str(place))
    return places[0], places[1]


def _plugin(folder: str, rounds: int) -> float:
    """Return the milliseconds that loading the plugin adds to a run of pytest.

    Other plugins are left out: some take a second, and its noise would hide a few milliseconds. The
    quickest run of either kind counts, as other work on the machine can only add to it.
    """
    Path(folder, "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    bare = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder]
    loaded = [*bare, "-p", "referee.gating.pytest_plugin", folder]
    compiled = str(Path(folder, "compiled"))
    _precise_cpu(loaded, compiled)
    pairs = [
        (_precise_cpu(loaded, compiled), _precise_cpu([*bare, folder], compiled))
        for _ in range(rounds)
    ]
    ours, theirs = (min(times) for times in zip(*pairs, strict=True))
    return 1000 * (ours - theirs)


def _precise_cpu(command: list[str], compiled: str) -> float:
    """Return the seconds of CPU of a command; the clock of `os.times` has ticks of 10 ms.

    Compiled files are kept from run to run, as they are where a package is installed.
    """
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPYCACHEPREFIX": compiled}
    alone.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=alone)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
