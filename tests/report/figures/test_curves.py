"""Curves, by the pictures of the Bayes error study: what is drawn is what the table says."""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from referee.errors import InputError
from referee.report.figures.curves import draw_curves
from referee.report.figures.picture import pictures_figure
from referee.study import BayesErrorStudy

NAMES = ("resubstitution", "holdout", "true risk")


def study(dims=(2, 5), bayes_errors=(0.1,), per_class=(50,)):
    rows = [
        {
            "dimension": d, "bayes_error": e, "per_class": n, "method": m,
            "mean": e + 0.01 * d + 0.1 * k + 1 / n, "sd": 0.02, "se": 0.001 * d + e / 100 + 1 / n,
            "true_risk": e, "below_bayes": 0.0, "repetitions": 9,
        }
        for d, e, n in product(dims, bayes_errors, per_class)
        for k, m in enumerate(NAMES)
    ]  # fmt: skip
    return BayesErrorStudy(table=pd.DataFrame(rows), repetitions=9)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(ax):
    """Return the points of every curve, and the half lengths of its bars, by name."""
    found = {}
    for bars in ax.containers:
        line, _, (marks,) = bars.lines
        ends = np.array([s[:, 1] for s in marks.get_segments()])
        found[bars.get_label()] = (*line.get_data(), np.ptp(ends, axis=1) / 2)
    return found


@pytest.mark.parametrize("by", ["dimension", "bayes_error", "per_class"])
def test_curves_are_the_means_with_two_standard_errors(by):
    made = study((2, 5, 10), (0.1, 0.2), (50, 100))
    ax = draw_curves(made.curves(by))
    rows = made.table
    for other in {"dimension", "bayes_error", "per_class"} - {by}:
        rows = rows[rows[other] == rows[other].iloc[0]]
    found = drawn(ax)
    assert tuple(found) == NAMES
    for name in NAMES:
        mine = rows[rows.method == name]
        x, y, bar = found[name]
        np.testing.assert_allclose(x.astype(float), mine[by])
        np.testing.assert_allclose(y.astype(float), mine["mean"])
        np.testing.assert_allclose(bar, 2 * mine.se)


def test_the_bayes_error_is_drawn_and_named():
    ax = draw_curves(study((2,), (0.1, 0.2, 0.3)).curves("bayes_error"))
    (line,) = [one for one in ax.lines if one.get_label() == "Bayes error"]
    np.testing.assert_allclose(line.get_ydata(), [0.1, 0.2, 0.3])
    assert ax.get_legend().get_texts()[0].get_text() == "Bayes error"
    assert ax.get_ylim()[0] == 0
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Bayes error", "error")


def test_draws_where_it_is_told():
    _, ax = plt.subplots()
    assert draw_curves(study().curves(), ax=ax) is ax


@pytest.mark.parametrize(
    ("axes", "labels"),
    [
        ({}, ["dimension"]),
        ({"dims": (2,)}, ["dimension"]),
        ({"dims": (2,), "per_class": (50, 90)}, ["cases in each class"]),
        ({"bayes_errors": (0.1, 0.2)}, ["dimension", "Bayes error"]),
        (
            {"bayes_errors": (0.1, 0.2), "per_class": (50, 90)},
            ["dimension", "Bayes error", "cases in each class"],
        ),
    ],
)
def test_one_picture_for_every_axis_with_several_values(axes, labels):
    figure = pictures_figure(study(**axes).pictures)
    assert [ax.get_xlabel() for ax in figure.axes] == labels
    figure.canvas.draw()


def test_an_unknown_axis():
    with pytest.raises(InputError, match="by must be one of"):
        study().curves("n")
