"""Confusion matrices: counts against scikit-learn, and what is written where."""

import numpy as np
import pytest
from sklearn import metrics

from referee.errors import InputError
from referee.report.displays import ConfusionDisplay


def answers(k, n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(k), rng.integers(k, size=n)]
    return y, np.where(rng.random(len(y)) < 0.3, rng.integers(k, size=len(y)), y)


@pytest.mark.parametrize("k", [2, 3, 12, 20, 40])
def test_matrix_against_sklearn(k):
    y, p = answers(k)
    display = ConfusionDisplay.from_predictions(y, p)
    expected = metrics.confusion_matrix(y, p)
    assert np.array_equal(display.matrix, expected)
    np.testing.assert_allclose(display.shares, metrics.confusion_matrix(y, p, normalize="true"))
    np.testing.assert_allclose(display.ax_.images[0].get_array(), display.shares)


def test_every_cell_tells_count_and_share():
    display = ConfusionDisplay.from_predictions(
        ["a"] * 4 + ["b"] * 2, ["a", "a", "a", "b", "b", "b"]
    )
    texts = {t.get_position(): t.get_text() for t in display.ax_.texts}
    assert texts == {(0, 0): "3\n75 %", (1, 0): "1\n25 %", (0, 1): "0\n0 %", (1, 1): "2\n100 %"}


def test_text_stands_out_from_its_cell():
    display = ConfusionDisplay.from_predictions(*answers(5))
    image = display.ax_.images[0]
    for text in display.ax_.texts:
        column, row = text.get_position()
        channels = np.array(image.to_rgba(display.shares[int(row), int(column)])[:3])
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        back = linear @ (0.2126, 0.7152, 0.0722)
        ink = 1.0 if text.get_color() == "white" else 0.0
        contrast = (max(ink, back) + 0.05) / (min(ink, back) + 0.05)
        assert contrast >= 4.5  # the WCAG's bound for text


def test_above_twenty_classes_shades_speak_alone():
    twenty, more = (ConfusionDisplay.from_predictions(*answers(k)) for k in (20, 21))
    assert twenty.ax_.texts
    assert not more.ax_.texts
    assert len(more.figure_.axes) == 2  # with the scale of shades


def test_classes_without_cases_have_no_share():
    display = ConfusionDisplay.from_predictions(["a", "b"], ["a", "b"], labels=["a", "b", "c"])
    assert np.isnan(display.shares[2]).all()
    texts = {t.get_position(): t.get_text() for t in display.ax_.texts}
    assert texts[(0, 2)] == "0"


def test_long_names_keep_what_tells_them_apart():
    names = [f"a class with a long name {i}" for i in range(4)]
    display = ConfusionDisplay.from_predictions(names, names)
    shown = [t.get_text() for t in display.ax_.get_yticklabels()]
    assert len(set(shown)) == 4
    assert max(map(len, shown)) <= 14


def test_repeated_cross_validation_counts_every_case_once(evaluations):
    e = evaluations(by="10x10")
    assert ConfusionDisplay.from_evaluation(e).matrix.sum() == pytest.approx(150)


def test_bad_input_is_named():
    with pytest.raises(InputError, match="y_true has 2 rows and y_pred has 1"):
        ConfusionDisplay.from_predictions([0, 1], [0])
    with pytest.raises(InputError, match="y_pred has the label 'x' in row 1"):
        ConfusionDisplay.from_predictions(["a", "b"], ["a", "x"])
