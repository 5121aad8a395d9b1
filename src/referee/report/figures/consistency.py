"""A picture of consistency: errors of 1 and of ln N neighbours in Cover and Hart's band (N11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.report.figures.style import COLUMN, MUTED, dress, key, new_axes, stroke
from referee.study.consistency import Consistency

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_consistency"]


def draw_consistency(study: Consistency, ax: Axes | None = None) -> Axes:
    """Draw true errors against the number of cases, with two Monte Carlo standard errors."""
    ax = new_axes(1.5 * COLUMN, 1.1 * COLUMN) if ax is None else ax
    table = study.frame()
    ax.axhspan(study.bayes.value, study.upper, color=MUTED, alpha=0.13, lw=0,
               label="Cover-Hart band of one neighbour")  # fmt: skip
    ax.axhline(study.bayes.value, color="black", lw=1, label="Bayes error")
    ax.axhline(study.limit.value, color=stroke(1).color, lw=0.9, ls=":",
               label="limit of one neighbour")  # fmt: skip
    for number, (column, text) in enumerate(
        (("log_neighbours", "ln N neighbours"), ("one_neighbour", "one neighbour"))
    ):
        look = stroke(number)
        ax.errorbar(table.n, table[column], yerr=2 * table[f"{column}_se"], label=text, capsize=2,
                    lw=1.4, color=look.color, linestyle=look.linestyle)  # fmt: skip
    ax.set_xscale("log")
    ax.set_xticks(list(table.n), [str(n) for n in table.n])
    ax.minorticks_off()
    low = study.bayes.value
    top = max(study.upper, float((table.one_neighbour + 2 * table.one_neighbour_se).max()),
              float((table.log_neighbours + 2 * table.log_neighbours_se).max()))  # fmt: skip
    # Room above for the legend.
    ax.set_ylim(low - 0.1 * (top - low), top + 0.75 * (top - low))
    dress(ax, "training cases N", "true error")
    key(ax, loc="upper right")
    return ax
