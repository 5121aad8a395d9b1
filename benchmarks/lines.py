"""How many lines of source there are, and how many belong to features that came since.

``python -m benchmarks.lines [COMMIT]`` counts the lines of this tree and of an earlier commit.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.earlier import before_methods

__all__ = ["FEATURES", "lines"]

_HERE = Path(__file__).parent.parent

FEATURES = {
    "arena": ("arena/", "cli/arena/"),
    "gate": ("gating/", "cli/gate", "cli/baseline"),
    "vault, certificates": ("vault/", "cli/sealed/", "intervals/looks/"),
    "scores and logs": ("sources/logs/", "/scores/", "core/scores/", "significance/score_tests"),
    "one by one (sequential)": ("/sequential/", "sequential", "beta_binomial", "betting"),
    "streams, clusters of machines": ("stream", "tally", "fitting/engines/", "checkpoint"),
    "quantities (regression)": ("residual", "quantit", "regression"),
    "label sets": (
        "label_set",
        "label_tables",
        "per_label",
        "ratio_beta",
        "ratios.",
        "paired_ratio",
    ),
}
"""Parts of the paths of a feature's files; a file belongs to the first that fits."""


def lines(commit: str = before_methods) -> list[tuple[str, int, int]]:
    """Return name, lines then and lines now of each feature, of the rest, and of all."""
    listed = _git("ls-tree", "-r", "--name-only", commit, "--", "src").split()
    then = {path: _git("show", f"{commit}:{path}") for path in listed if path.endswith(".py")}
    now = {
        str(path.relative_to(_HERE)): path.read_text(encoding="utf-8")
        for path in (_HERE / "src").rglob("*.py")
    }
    names = [*FEATURES, "the rest"]
    counts = [(name, _count(name, then.items()), _count(name, now.items())) for name in names]
    return [*counts, ("all", sum(c[1] for c in counts), sum(c[2] for c in counts))]


def _count(feature: str, files: Iterable[tuple[str, str]]) -> int:
    return sum(text.count("\n") for path, text in files if _feature(path) == feature)


def _feature(path: str) -> str:
    inside = path.removeprefix("src/referee/")
    fits = (name for name, parts in FEATURES.items() if any(part in inside for part in parts))
    return next(fits, "the rest")


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=_HERE, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    print("| lines of source | then | now |\n|---|---:|---:|")
    for name, old, new in lines(*sys.argv[1:2]):
        print(f"| {name} | {old} | {new} |")
