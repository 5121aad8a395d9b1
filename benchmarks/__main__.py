"""python -m benchmarks: every race, one table. Name a module to run only that one.

`REFEREE_BENCHMARK_ONLY=k-NN` runs only the races whose names hold that; several are parted by `|`.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from benchmarks import (
    auc_bootstrap,
    bayes_error,
    clusters,
    csv_files,
    evaluate_overhead,
    feature_selection,
    kernels,
    logs,
    neighbours,
    predictions,
    resampling,
    stream,
    svm,
)
from benchmarks.arena import arena
from benchmarks.arena_pages import arena_pages
from benchmarks.gate import gate
from benchmarks.memory import memory
from benchmarks.plans import plans
from benchmarks.report import report
from benchmarks.scores import scores
from benchmarks.silence import silence
from benchmarks.startup import startup
from benchmarks.vault import vault

RACES = {
    "evaluate_overhead": evaluate_overhead.races,
    "auc_bootstrap": auc_bootstrap.races,
    "resampling": resampling.races,
    "bayes_error": bayes_error.races,
    "feature_selection": feature_selection.races,
    "neighbours": neighbours.races,
    "kernels": kernels.races,
    "svm": svm.races,
    "logs": logs.races,
    "predictions": predictions.races,
    "stream": stream.races,
    "clusters": clusters.races,
    "csv_files": csv_files.races,
}


def _wanted(race: Any) -> bool:
    only = os.environ.get("REFEREE_BENCHMARK_ONLY", "")
    return any(part in race.name for part in only.split("|"))


def main(names: list[str]) -> None:
    if not names or "startup" in names:
        print("| command | CPU s | goal |  |\n|---|---:|---:|---|")
        for name, seconds, goal in startup():
            met = "-" if goal is None else ("met" if seconds <= goal else "MISSED")
            print(f"| {name} | {seconds:.3f} | {goal or '-'} | {met} |")
        print()
    for what, measured in {
        "report": report,
        "arena": arena,
        "arena_pages": arena_pages,
        "gate": gate,
        "vault": vault,
        "scores": scores,
        "logs": logs.logs,
        "predictions": predictions.predictions,
        "stream": stream.stream,
        "memory": memory,
        "silence": silence,
        "plans": plans,
        "evaluate_overhead": evaluate_overhead.beyond_the_fits,
    }.items():
        if not names or what in names:
            print(f"| {what} | measured | goal |  |\n|---|---:|---:|---|")
            for name, value, goal, unit in measured():
                met = "met" if value <= goal else "MISSED"
                print(f"| {name} | {value:.2f} {unit} | {goal:.2g} | {met} |")
            print()
    print("| race | peer | ours, wall s | ours / peer, wall | ours / peer, CPU | goal |  |")
    print("|---|---|---:|---:|---:|---:|---|")
    for name in names or RACES:
        for race in filter(_wanted, RACES.get(name, lambda: iter(()))()):
            o = race.run()
            goal = "-" if o.goal is None else f"{o.goal:.3g}"
            print(
                f"| {o.name} | {o.peer_name} | {o.ours_wall:.3f} | {o.wall:.2g} | {o.cpu:.2g} "
                f"| {goal} | {o.met} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
