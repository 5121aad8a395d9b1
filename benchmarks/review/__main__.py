"""python -m benchmarks.review [--exact] [--rounds N]: every figure of the review, then and now."""

from __future__ import annotations

import argparse

from benchmarks.review import exact, simulated


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review", description=__doc__)
    parser.add_argument("--exact", action="store_true", help="only what needs no simulation")
    parser.add_argument("--rounds", type=int, default=400, help="data sets of a simulation")
    asked = parser.parse_args()
    print("| item | situation | before | goal | now |  |\n|---:|---|---|---|---|---|")
    for row in exact.rows():
        print(row, flush=True)
    if not asked.exact:
        for row in simulated.rows(asked.rounds):
            print(row, flush=True)


main()
