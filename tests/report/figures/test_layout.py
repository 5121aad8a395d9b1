"""No text runs into another or out of the picture, whatever is drawn."""

import itertools
import warnings

import numpy as np
import pytest
from matplotlib.text import Text

import referee
from referee.report import figures
from referee.report.displays import (
    ConfusionDisplay,
    CostDisplay,
    IntervalDisplay,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    Roc50Display,
    RocDisplay,
)
from referee.report.figures.style import PALETTE, shortened, stroke

LONG = "a model with quite a long name, number"


def texts(figure):
    """Return all text that is drawn: no empty text, no label of a tick beyond the axes."""
    beyond = set()
    for ax in figure.findobj(lambda a: hasattr(a, "xaxis")):
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                    beyond |= {tick.label1, tick.label2}
    return [
        t
        for t in figure.findobj(Text)
        if t.get_visible() and t.get_text().strip() and t not in beyond
    ]


def check(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    boxes = [(t.get_text(), t.get_window_extent()) for t in texts(figure)]
    assert boxes
    for (one, a), (two, b) in itertools.combinations(boxes, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide < 1 or high < 1, f"{one!r} runs into {two!r}"
    right, top = figure.canvas.get_width_height()
    for text, box in boxes:
        assert box.x0 > -1, f"{text!r} leaves the picture"
        assert box.y0 > -1, f"{text!r} leaves the picture"
        assert box.x1 < right + 1, f"{text!r} leaves the picture"
        assert box.y1 < top + 1, f"{text!r} leaves the picture"


def test_the_check_itself_finds_text_that_overlaps_or_leaves():
    import matplotlib.pyplot as plt

    for at in (0.5, 0.95):
        figure = plt.figure()
        figure.text(0.45, 0.5, "one word")
        figure.text(at, 0.5, "another word")
        with pytest.raises(AssertionError, match="runs into" if at == 0.5 else "leaves"):
            check(figure)


def mapping(y, curves):
    rng = np.random.default_rng(curves)
    return {
        f"{LONG} {i}": 1 / (1 + np.exp(-rng.normal(size=len(y)) - (i + 1) / 2 * (2 * y - 1)))
        for i in range(curves)
    }


@pytest.mark.parametrize("curves", [1, 3, 7])
@pytest.mark.parametrize(
    "display", [RocDisplay, Roc50Display, PrecisionRecallDisplay, CostDisplay, ReliabilityDisplay]
)
def test_curves(display, curves, ranking):
    y, _ = ranking()
    options = {"rounds": 50} if display in (RocDisplay, CostDisplay) else {}
    check(display.from_predictions(y, mapping(y, curves), **options).figure_)


def test_neighbours(ranking):
    y, s = ranking()
    check(RocDisplay.from_neighbours(s[::2, None], y[::2], s[1::2, None], y[1::2]).figure_)


@pytest.mark.parametrize("name", ["", "x", "a rather long name of a class"])
@pytest.mark.parametrize("k", [2, 3, 5, 10, 11, 20, 21, 40, 100])
def test_confusion(k, name):
    rng = np.random.default_rng(k)
    y = np.r_[np.arange(k), rng.integers(k, size=40 * k)]
    p = np.where(rng.random(len(y)) < 0.3, rng.integers(k, size=len(y)), y)
    names = np.array([f"{name} {i:02d}" for i in range(k)])
    check(ConfusionDisplay.from_predictions(names[y], names[p], name=LONG * 3).figure_)


def test_confusion_of_many_cases():
    y = np.repeat([0, 1, 2], 400_000)
    check(ConfusionDisplay.from_predictions(y, np.roll(y, 1000)).figure_)


@pytest.mark.parametrize("by", ["holdout", "10x10"])
def test_intervals(evaluations, by):
    check(IntervalDisplay.from_evaluation(evaluations(by=by, measures=None)).figure_)


def test_intervals_of_all_measures(ranking):
    y, s = ranking()
    p = 1 / (1 + np.exp(-s))
    e = referee.evaluate_predictions(y, (p > 0.5).astype(int), y_score=p, name=LONG * 3)
    check(IntervalDisplay.from_evaluation(e).figure_)


def test_several_displays_in_one_figure(evaluations):
    import matplotlib.pyplot as plt

    e = evaluations()
    figure, axes = plt.subplots(2, 3, figsize=(12, 8), layout="constrained")
    RocDisplay.from_evaluation(e, ax=axes[0, 0], rounds=50)
    CostDisplay.from_evaluation(e, ax=axes[0, 1], rounds=50)
    ReliabilityDisplay.from_evaluation(e, ax=axes[0, 2])
    ConfusionDisplay.from_evaluation(e, ax=axes[1, 0])
    IntervalDisplay.from_evaluation(e, ax=axes[1, 1])
    PrecisionRecallDisplay.from_evaluation(e, ax=axes[1, 2])
    check(figure)


@pytest.mark.parametrize(
    "name", ["$x_", "_hidden", "a $ b $ c", "two\nlines", "50 % & #1 {x} ^ \\"]
)
def test_names_are_shown_as_they_are(name, ranking):
    y, s = ranking()
    display = RocDisplay.from_predictions(y, s, name=name, band=None)
    check(display.figure_)
    shown = [t.get_text() for t in display.ax_.get_legend().get_texts()]
    assert any(" ".join(name.split()) in t.replace(r"\$", "$") for t in shown)


def test_strokes_differ_in_colour_or_dashes_and_the_first_seven_in_both():
    strokes = [stroke(i) for i in range(49)]
    assert len({(s.color, str(s.linestyle)) for s in strokes}) == 49
    assert len({s.color for s in strokes[:7]}) == len({str(s.linestyle) for s in strokes[:7]}) == 7
    assert "#F0E442" not in PALETTE


def test_shortened_names_keep_both_ends():
    assert shortened("x" * 26) == "x" * 26
    assert len(shortened("x" * 300, 14)) == 14
    assert shortened("model of the year number 17", 12).endswith("17")


def test_every_public_name_can_be_imported():
    for name in figures.__all__:
        assert getattr(figures, name).__name__ == name
    with pytest.raises(AttributeError, match=r"attribute '?Nothing"):
        figures.Nothing  # noqa: B018
