"""Pictures of feature selection: error against the number of features, and what leaking does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.evaluation.selection_path import SelectionPath
from referee.report.figures.style import COLUMN, MUTED, dress, key, new_axes, stroke
from referee.study.selection_bias import SelectionBias

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_selection", "draw_selection_bias"]

_FEW = 15
"""Up to so many features each one is named."""


def draw_selection(path: SelectionPath, ax: Axes | None = None) -> Axes:
    """Draw the inner error against the number of features, with intervals, and what was kept."""
    ax = new_axes(1.5 * COLUMN, 1.1 * COLUMN) if ax is None else ax
    table = path.frame().sort_values("features")
    look = stroke(0)
    ax.fill_between(table.features, table.low, table.high, color=look.color, alpha=0.16, lw=0,
                    label="interval of a fixed choice")  # fmt: skip
    ax.plot(table.features, table.error, color=look.color, marker="o", ms=3, lw=1.4,
            label="error that chose the features")  # fmt: skip
    kept = table[table.kept]
    ax.plot(kept.features, kept.error, color=stroke(1).color, marker="D", ms=7, ls="",
            label=f"kept: {int(kept.features.iloc[0])}")  # fmt: skip
    ax.set_ylim(bottom=0)
    ticks = sorted(int(f) for f in table.features)
    ax.set_xticks(ticks if len(ticks) <= _FEW else ticks[:: -(-len(ticks) // 10)])
    dress(ax, f"number of features, {path.direction} selection", "error")
    key(ax)
    return ax


def draw_selection_bias(study: SelectionBias, ax: Axes | None = None) -> Axes:
    """Draw what leaking and nested validation report on noise, with two standard errors."""
    ax = new_axes(1.4 * COLUMN, COLUMN) if ax is None else ax
    table = study.frame()
    place = np.arange(len(table))
    for number, (column, text) in enumerate(
        (("nested", "selected inside each fold"), ("leaking", "selected on all rows first"))
    ):
        look = stroke(number)
        ax.errorbar(place, table[column], yerr=2 * table[f"{column}_se"], label=text, capsize=2,
                    lw=1.4, color=look.color, linestyle=look.linestyle)  # fmt: skip
    ax.axhline(study.truth, color=MUTED, lw=1, ls=":", label="truth")
    ax.set_xticks(place, [str(k) for k in table.kept])
    ax.set_ylim(0, 0.75)
    dress(ax, f"features selected of {study.features} that are noise", "reported error")
    key(ax, loc="lower left")
    return ax
