"""ROC, ROC50, precision-recall and cost curves: against scikit-learn and by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn import metrics
from sklearn.neighbors import KNeighborsClassifier

from referee.errors import InputError
from referee.measures.cost import cost_curve
from referee.measures.roc import roc_curve
from referee.report.figures import (
    CostDisplay,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    Roc50Display,
    RocDisplay,
)

CURVES = [RocDisplay, Roc50Display, PrecisionRecallDisplay, CostDisplay, ReliabilityDisplay]


def drawn(display, number=0):
    """Return the data of a line of the picture, leaving out chance and other muted lines."""
    lines = [line for line in display.ax_.lines if line.get_linewidth() > 0.9]
    return (np.asarray(v, float) for v in lines[number].get_data())


@pytest.mark.parametrize("ties", [False, True])
def test_roc_against_sklearn(ranking, ties):
    y, s = ranking(ties=ties)
    display = RocDisplay.from_predictions(y, s, band=None)
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    x, v = drawn(display)
    np.testing.assert_allclose(x, fpr)
    np.testing.assert_allclose(v, tpr)
    assert display.lines[0].auc.value == pytest.approx(metrics.roc_auc_score(y, s))


def test_roc_legend_tells_the_area_and_its_interval(ranking):
    y, s = ranking()
    display = RocDisplay.from_predictions(y, s, name="mine")
    area = display.lines[0].auc
    texts = [t.get_text() for t in display.ax_.get_legend().get_texts()]
    i = area.interval
    assert f"mine\nAUC {area.value:.3f} ({i.low:.3f} to {i.high:.3f})" in texts
    assert "95 % band, simultaneous" in texts


def test_the_band_that_is_drawn_is_the_band(ranking):
    y, s = ranking()
    display = RocDisplay.from_predictions(y, s, band="pointwise", rounds=200)
    band = display.lines[0].band
    path = display.ax_.collections[0].get_paths()[0].vertices
    for limit in (band.low, band.high):
        corners = {(round(a, 9), round(b, 9)) for a, b in path}
        assert all(
            (round(a, 9), round(b, 9)) in corners for a, b in zip(band.fpr, limit, strict=True)
        )


def test_several_curves_by_mapping_and_by_add_are_the_same(ranking):
    y, s = ranking()
    both = {"a": s, "b": -s}
    one = RocDisplay.from_predictions(y, both, band=None)
    two = RocDisplay(band=None).add(y, s, name="a").add(y, -s, name="b").plot()
    for k in range(2):
        for a, b in zip(drawn(one, k), drawn(two, k), strict=True):
            assert np.array_equal(a, b)
    assert [line.name for line in one.lines] == ["a", "b"]


def test_neighbours_against_predict_proba(ranking):
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=200)
    X = rng.normal(size=(200, 3)) + y[:, None]
    names = np.array(["ape", "bee", "cat"])[y]
    ks = [1, 4, 39]
    display = RocDisplay.from_neighbours(
        X[:120], names[:120], X[120:], names[120:], ks=ks, pos_label="bee"
    )
    for k, line in zip(ks, display.lines, strict=True):
        model = KNeighborsClassifier(k).fit(X[:120], names[:120])
        score = model.predict_proba(X[120:])[:, 1]
        fpr, tpr, _ = metrics.roc_curve(names[120:] == "bee", score, drop_intermediate=False)
        np.testing.assert_allclose(line.curve.fpr, fpr)
        np.testing.assert_allclose(line.curve.tpr, tpr)
        assert line.k == k


def test_neighbours_draw_all_odd_k_up_to_39_by_themselves(ranking):
    y, s = ranking()
    display = RocDisplay.from_neighbours(s[::2, None], y[::2], s[1::2, None], y[1::2])
    assert [line.k for line in display.lines] == list(range(1, 40, 2))


@pytest.mark.parametrize(
    ("ks", "message"), [([], "ks is empty"), ([0, 3], "got 0"), ([3, 51], "got 51")]
)
def test_neighbours_refuse_impossible_ks(ranking, ks, message):
    y, s = ranking()
    with pytest.raises(InputError, match=message):
        RocDisplay.from_neighbours(s[::2, None], y[::2], s[1::2, None], y[1::2], ks=ks)


def test_neighbours_with_rows_missing_are_refused(ranking):
    y, s = ranking()
    X = s[:, None]
    with pytest.raises(InputError, match="X_test has 99 rows and y_test has 100"):
        RocDisplay.from_neighbours(X, y, X[1:], y)
    with pytest.raises(InputError, match="X_train has 99 rows and y_train has 100"):
        RocDisplay.from_neighbours(X[1:], y, X, y)


def test_roc50_by_hand():
    # Ranking: hit, miss, miss, hit, 60 misses, hit.
    y = np.array([1, 0, 0, 1] + [0] * 60 + [1])
    display = Roc50Display.from_predictions(y, -np.arange(65.0))
    x, found = drawn(display)
    assert np.interp([0.5, 1.9, 2.1, 50], x, found) * 3 == pytest.approx([1, 1, 2, 2])
    assert (x[-1], found[-1]) == (50, pytest.approx(2 / 3))
    assert display.lines[0].auc.value == pytest.approx((2 * 1 + 48 * 2) / (50 * 3))
    assert display.ax_.get_xlim()[1] < 51


def test_roc50_with_few_negatives_is_the_plain_area(ranking):
    y, s = ranking(20, 30)
    display = Roc50Display.from_predictions(y, s)
    assert display.lines[0].auc.value == pytest.approx(metrics.roc_auc_score(y, s))
    assert "AUC50" not in display.ax_.get_legend().get_texts()[0].get_text()


def test_roc50_cuts_a_run_of_ties_at_k():
    display = Roc50Display.from_predictions([1] * 10 + [0] * 100, np.zeros(110))
    x, found = drawn(display)
    assert (x[-1], found[-1]) == (50, pytest.approx(0.5))


@pytest.mark.parametrize("ties", [False, True])
def test_precision_recall_against_sklearn(ranking, ties):
    y, s = ranking(ties=ties)
    display = PrecisionRecallDisplay.from_predictions(y, s)
    precision, recall, _ = metrics.precision_recall_curve(y, s)
    line = display.lines[0]
    np.testing.assert_allclose(line.curve.recall[::-1], recall[:-1])
    np.testing.assert_allclose(line.curve.precision[::-1], precision[:-1])
    expected = metrics.average_precision_score(y, s)
    assert line.average_precision.value == pytest.approx(expected)
    # The area under the steps as drawn is the average precision.
    x, v = line.steps
    assert np.sum(np.diff(x) * v[1:]) == pytest.approx(expected)
    assert display.lines[0].curve.prevalence == pytest.approx(y.mean())


def test_cost_against_every_threshold(ranking):
    y, s = ranking(ties=True)
    display = CostDisplay.from_predictions(y, s, rounds=50)
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    w, cost = drawn(display)
    expected = [np.min(a * (1 - tpr) + (1 - a) * fpr) for a in w]
    np.testing.assert_allclose(cost, expected)


@pytest.mark.parametrize("ties", [False, True])
def test_cost_band_against_a_plain_bootstrap_loop(ranking, ties):
    y, s = ranking(80, 90, ties=ties)
    line = CostDisplay(rounds=1000).add(y, s).lines[0]
    rng = np.random.default_rng(7)
    hits, misses = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    loop = []
    for _ in range(300):
        rows = np.r_[rng.choice(hits, len(hits)), rng.choice(misses, len(misses))]
        loop.append(cost_curve(roc_curve(y[rows] == 1, s[rows])).cost)
    low, high = np.quantile(loop, (0.025, 0.975), axis=0)
    np.testing.assert_allclose(line.band.low, low, atol=0.03)
    assert np.all(line.band.high >= high - 0.02)
    assert np.all((line.band.low <= line.curve.cost) & (line.curve.cost <= line.band.high))
    assert np.all(line.band.high <= line.curve.trivial)


def test_cost_of_a_perfect_ranking_has_a_band_with_width(ranking):
    y, s = ranking(lead=50)
    band = CostDisplay(rounds=50).add(y, s).lines[0].band
    assert band.high[50] > 0.02


@pytest.mark.parametrize("display", CURVES)
class TestEveryCurve:
    def test_draws_on_given_axes(self, display, ranking):
        y, s = ranking()
        _, ax = plt.subplots()
        made = display.from_predictions(y, 1 / (1 + np.exp(-s)), ax=ax)
        assert made.ax_ is ax
        assert made.figure_ is ax.figure

    def test_stores_first_and_draws_later_as_often_as_wanted(self, display, ranking):
        y, s = ranking()
        made = display().add(y, 1 / (1 + np.exp(-s)))
        assert not plt.get_fignums()
        assert made.plot() is made
        first = made.ax_
        assert made.plot().ax_ is not first

    def test_passes_keywords_to_the_lines(self, display, ranking):
        y, s = ranking()
        made = display.from_predictions(y, 1 / (1 + np.exp(-s)), color="red")
        assert any(line.get_color() == "red" for line in made.ax_.lines)

    def test_takes_strings_booleans_and_columns(self, display, ranking):
        y, s = ranking()
        p = 1 / (1 + np.exp(-s))
        names = np.where(y == 1, "yes", "no")
        made = display.from_predictions(names, np.column_stack([1 - p, p]), pos_label="yes")
        other = display.from_predictions(y == 1, p)
        assert np.array_equal(list(drawn(made)), list(drawn(other)))

    @pytest.mark.parametrize(
        ("y", "s", "options", "message"),
        [
            ([1, 1, 1], [0.1, 0.2, 0.3], {}, "y_true holds one class only"),
            ([0, 1, 1], [0.1, 0.2], {}, "y_score must have shape"),
            ([0, 1, 1], [0.1, np.nan, 0.2], {}, "y_score must be finite, got nan in row 1"),
            ([0, 1, 1], None, {}, "y_score is missing"),
            ([], [], {}, "y_true is empty"),
            (["a", "b"], [0.1, 0.2], {}, "pass pos_label, one of 'a', 'b'"),
            (["a", "b"], [0.1, 0.2], {"pos_label": "c"}, "pos_label must be one of"),
            ([0, 1, 2], [0.1, 0.2, 0.3], {}, "pass pos_label, one of 0, 1, 2"),
            ([0, 1], {}, {}, "y_score is an empty mapping"),
            ([0, 1], {"a": [0.1, 0.2]}, {"name": "b"}, "name cannot be used with a mapping"),
            ([0, 1], [0.1, 0.2], {"level": 95}, "level must lie strictly between 0 and 1"),
        ],
    )
    def test_says_what_is_wrong(self, display, y, s, options, message):
        with pytest.raises(InputError, match=message):
            display.from_predictions(y, s, **options)

    def test_with_nothing_to_draw_says_so(self, display):
        with pytest.raises(InputError, match="nothing to draw; add"):
            display().plot()


def test_roc50_refuses_k_below_1():
    with pytest.raises(InputError, match="k must be at least 1, got 0"):
        Roc50Display(k=0)
