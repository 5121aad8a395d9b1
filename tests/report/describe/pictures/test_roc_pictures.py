"""Curves of the report against the curve of all cases, and the reasons where there are none."""

import numpy as np
import pytest

import referee
from referee.measures.formulas.roc import roc_curve
from referee.report import describe
from referee.report.describe.pictures.roc_pictures import (
    roc_picture,
    roc_section,
    thinned,
    top_picture,
)
from referee.report.displays.scored import Scored
from referee.report.document import Drawing, Paragraph


def ranked(n=600, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    return truth, rng.normal(size=n) + 1.5 * truth


def test_a_thinned_curve_lies_within_a_pixel_of_the_whole():
    truth, scores = ranked(50_000)
    curve = roc_curve(truth == 1, scores)
    x, y = thinned(curve.fpr, curve.tpr)
    assert len(x) <= 900
    kept = np.column_stack([x, y])
    for corner in np.column_stack([curve.fpr, curve.tpr])[::97]:
        assert np.abs(kept - corner).max(axis=1).min() <= 1.01 / 400


def test_the_roc_picture_holds_the_curve_inside_its_band():
    truth, scores = ranked()
    band, line, chance = roc_picture(Scored.of(truth, scores), 0.95).curves
    inside = np.interp(band.x, line.x, line.y)
    assert (np.array(band.low) <= inside + 0.01).all()
    assert (np.array(band.high) >= inside - 0.01).all()
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    assert chance.y == (0.0, 1.0)


def test_the_top_of_the_ranking_ends_at_the_fiftieth_false_positive():
    truth, scores = ranked()
    band, line, chance = top_picture(Scored.of(truth, scores), 0.95).curves
    order = np.argsort(-scores)
    hits = truth[order] == 1
    after = np.flatnonzero(~hits)[50]  # all that is found before one more false positive
    assert line.x[-1] == 50
    assert line.y[-1] == pytest.approx(hits[:after].sum() / hits.sum(), abs=1e-4)
    assert band.x[-1] == 50
    assert chance.y[1] == pytest.approx(50 / (truth == 0).sum(), abs=1e-4)


def test_few_negatives_end_the_curve_early():
    truth, scores = ranked(60)
    _, line, _ = top_picture(Scored.of(truth, scores), 0.95).curves
    assert line.x[-1] == (truth == 0).sum()
    assert line.y[-1] == 1


def test_reasons_stand_in_words():
    without = referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20)
    (told,) = roc_section(without).blocks
    assert isinstance(told, Paragraph)
    assert "holds no scores" in told.text


def test_no_curve_is_computed_for_text():
    truth, scores = ranked(80)
    made = referee.evaluate_predictions(
        truth, scores > 0.7, y_score=scores, pos_label=1, labels=[0, 1]
    )
    document = describe(made)
    str(made)
    drawings = [b for b in document.blocks if isinstance(b, Drawing)]
    assert len(drawings) == 3
    assert not any("picture" in vars(d) for d in drawings)
