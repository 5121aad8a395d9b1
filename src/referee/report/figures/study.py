"""Pictures of the Bayes error study: estimates against dimension, Bayes error or sample size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.report.figures.style import COLUMN, MUTED, dress, key, stroke
from referee.study.bayes_error import BayesErrorStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_study", "study_figure"]

_AXES = {
    "dimension": "dimension",
    "bayes_error": "Bayes error",
    "per_class": "cases in each class",
}


def draw_study(study: BayesErrorStudy, by: str = "dimension", ax: Axes | None = None) -> Axes:
    """Draw the mean of every method with two Monte Carlo standard errors, and the Bayes error."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(1.4 * COLUMN, COLUMN), layout="constrained")
    means = study.means(by)
    table = study.frame()
    for number, method in enumerate(m for m in table.method.unique()):
        rows = table[table.method == method].groupby(by).first().loc[means.index]
        look = stroke(number)
        ax.errorbar(
            means.index,
            means[method],
            yerr=2 * rows.se,
            label=method,
            color=look.color,
            linestyle=look.linestyle,
            lw=1.4,
            capsize=2,
        )
    best = table.groupby(by).first().loc[means.index].reset_index()
    ax.plot(best[by], best.bayes_error, color=MUTED, lw=1, ls=":", label="Bayes error")
    ax.set_ylim(bottom=0)
    ax.set_xticks(list(means.index))
    dress(ax, _AXES[by], "error")
    key(ax)
    return ax


def study_figure(study: BayesErrorStudy) -> Figure:
    """Return one picture for every axis of the study that has more than one value."""
    import matplotlib.pyplot as plt

    table = study.frame()
    axes = [by for by in _AXES if table[by].nunique() > 1] or ["dimension"]
    figure, places = plt.subplots(
        1, len(axes), figsize=(1.5 * COLUMN * len(axes), 1.1 * COLUMN), layout="constrained",
        squeeze=False,
    )  # fmt: skip
    for by, ax in zip(axes, places[0], strict=True):
        draw_study(study, by, ax=ax)
    return figure
