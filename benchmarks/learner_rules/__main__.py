"""python -m benchmarks.learner_rules [--cells tuning|fresh] [--null N] [--power N] [--minutes M].

Prints size, raw and size-adjusted power of every rule. A learner takes 100 fits on .9 of the data
and, but for the corrected t, 10 on .4 of it for each halving. Splits and blocks are shared by all
learners of a task.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from benchmarks.learner_rules.draws import drawn
from benchmarks.learner_rules.rules import RULES, adjusted_power
from benchmarks.learner_rules.tasks import FRESH, TUNING, Cell

_SEEDS = {"tuning": 1, "fresh": 2}
_ROUND = 25
_COLLAPSED = 6
"""The column that tells in which share of repetitions a learner gave one answer only."""


def simulated(which: str, cells: list[Cell], null: int, power: int, end: float) -> dict[str, Any]:
    """Return a table for each cell and kind; begins nothing new after `end`."""
    tasks = list(dict.fromkeys((c.title, c.task, c.unequal) for c in cells))
    learners = tuple(dict.fromkeys(c.learner for c in cells))
    made: dict[str, list[list[float]]] = {}
    for start in range(0, max(null, power), _ROUND):
        for k, (title, equal, unequal) in enumerate(tasks):
            for kind, task, most in ((0, equal, null), (1, unequal, power)):
                for i in range(start, min(start + _ROUND, most)):
                    for name, row in drawn(task, learners, [_SEEDS[which], k, kind, i]).items():
                        made.setdefault(f"{name}, {title}|{kind}", []).append(row)
        if time.monotonic() > end:
            break
    return {key: np.array(rows) for key, rows in made.items()}


def shown(made: dict[str, Any]) -> None:
    """Print a row for each rule, and the sizes of the rule that was frozen."""
    names = [key[:-2] for key in made if key.endswith("|0")]
    calm = [n for n in names if np.mean(made[f"{n}|0"][:, _COLLAPSED] > 0) <= 0.05]
    some = made[f"{names[0]}|0"], made[f"{names[0]}|1"]
    print(f"{len(calm)} of {len(names)} cells whose learners do not collapse; "
          f"{len(some[0])} data sets of equal learners, {len(some[1])} of others\n")  # fmt: skip
    print("| rule | fits | on half or less | mean size | largest | power | adjusted power |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for title, rule in RULES.items():
        p = {n: [rule.p_values(made[f"{n}|{kind}"]) for kind in (0, 1)] for n in calm}
        sizes = [np.mean(a <= 0.05) for a, _ in p.values()]
        raw = np.mean([np.mean(b <= 0.05) for _, b in p.values()])
        adjusted = np.mean([adjusted_power(a, b) for a, b in p.values()])
        print(f"| {title} | {rule.full + rule.half} | {rule.half} | {np.mean(sizes):.3f} | "
              f"{max(sizes):.3f} | {raw:.3f} | {adjusted:.3f} |")  # fmt: skip
    print("\n| cell | collapsed | " + " | ".join(RULES) + " |")
    print("|---|---:|" + "---:|" * len(RULES))
    for n in names:
        sizes = [np.mean(rule.p_values(made[f"{n}|0"]) <= 0.05) for rule in RULES.values()]
        gone = np.mean(made[f"{n}|0"][:, _COLLAPSED] > 0)
        print(f"| {n} | {gone:.2f} | " + " | ".join(f"{s:.3f}" for s in sizes) + " |")


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learner_rules")
    parser.add_argument("--cells", choices=list(_SEEDS), default="fresh")
    parser.add_argument("--null", type=int, default=400, help="data sets of equal learners")
    parser.add_argument("--power", type=int, default=300, help="data sets of unequal ones")
    parser.add_argument("--minutes", type=float, default=600.0, help="begin nothing new after")
    asked = parser.parse_args()
    cells = {"tuning": TUNING, "fresh": FRESH}[asked.cells]
    end = time.monotonic() + 60 * asked.minutes
    shown(simulated(asked.cells, cells, asked.null, asked.power, end))


if __name__ == "__main__":
    main()
