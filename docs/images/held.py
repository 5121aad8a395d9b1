"""python docs/images/held.py: how often intervals of cross-validation held the truth.

The numbers are those of docs/calibration.md, means over all its cells of independent cases.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

from referee.study import calibrated

HERE = Path(__file__).parent
SHOWN = (
    ("our default, 10 × 10 folds", "effective-jeffreys", "10x10"),
    ("our default, 10 folds", "effective-jeffreys", "10-fold"),
    ("nested cross-validation", "nested-cv", "nested-cv"),
    ("corrected t", "corrected-t", "25 x 90/10"),
    ("Wilson, folds pooled", "wilson", "10-fold"),
    ("t over ten folds", "student-t", "10-fold"),
    ("central limit theorem", "cv-clt", "10-fold"),
)
"""Label, method and plan; ours first."""


def main() -> None:
    """Draw a dot for each method, with two standard errors of the simulation."""
    figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
    cells = set()
    for place, (label, name, by) in enumerate(SHOWN):
        record = calibrated(name, target="conditional", quantity="coverage", by=by)
        assert record is not None, name
        cells.add(record.cells)
        colour = "#0b559f" if label.startswith("our") else "#767676"
        axes.errorbar(
            record.mean, -place, xerr=2 * record.error, fmt="o", color=colour, markersize=11,
            elinewidth=2.5,
        )  # fmt: skip
        axes.annotate(
            f"{record.mean:.3f}".lstrip("0"), (record.mean, -place), (0, 10), color=colour,
            textcoords="offset points", ha="center", weight="bold",
        )  # fmt: skip
    axes.axvline(0.95, color="#c44e00", linewidth=1.5, zorder=0)
    axes.annotate("promised", (0.9505, 0.6), color="#c44e00", va="center")
    axes.set_yticks([-place for place in range(len(SHOWN))], [label for label, *_ in SHOWN])
    axes.set(xlim=(0.87, 1.0), ylim=(-len(SHOWN) + 0.5, 0.8))
    axes.set_xlabel(
        "share of data sets whose 95 % interval held the true error,\n"
        f"mean over {min(cells)} kinds of data and learners"
    )
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
    figure.savefig(HERE / "held.png", dpi=150)


if __name__ == "__main__":
    main()
