"""Pages on evaluations: what they say of areas of cases in groups."""

import numpy as np

from referee import evaluate_predictions
from referee.intervals.area.placements import placements, with_groups


def test_a_paper_is_told_of_groups_and_their_degrees_of_freedom():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 6)
    truth = np.where(groups < 8, np.arange(120) % 2, 0)  # positive cases in eight groups
    score = truth + rng.normal(size=120)
    answers = {"y_score": score, "pos_label": 1}
    page = evaluate_predictions(truth, score > 0.5, groups=groups, **answers).to_markdown()
    text = " ".join(page.split())
    assert "come in 20 groups; the variance of an area is that of groups (Obuchowski 1997)" in text
    assert "at 7 degrees of freedom" in text
    assert with_groups(placements(truth == 1, score), truth == 1, groups).df == 7
    assert "Obuchowski, N. A. (1997)" in text
    plain = evaluate_predictions(truth, score > 0.5, **answers).to_markdown()
    assert "Obuchowski" not in plain
