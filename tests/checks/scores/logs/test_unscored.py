"""R054: answers without a score."""

import numpy as np

from referee.checks.scores.logs.unscored import check
from referee.core.results import Severity
from referee.sources.logs import read_scores_source
from referee.sources.logs.log import column


def test_failed_samples_are_counted_named_and_their_effect_told(data):
    found = check(read_scores_source(data / "inspect" / "errors.eval"))
    assert found.severity is Severity.SERIOUS
    assert "2 of 14 answers of mockllm/steady/beta have no score: 2 error" in found.message
    assert "sample 'q03', 'q13'" in found.message
    # 7 of 12 were right, so 7 of 14 would be.
    assert "from 0.583 to 0.5" in found.message


def test_counted_with_the_worst_score_they_are_a_note(data):
    found = check(read_scores_source(data / "inspect" / "errors.eval", missing="worst"))
    assert found.severity is Severity.NOTE
    assert "they count with the worst score" in found.message


def test_few_are_a_warning(with_logs):
    n = 100
    few = {
        "item": column([str(i) for i in range(n)]),
        "score": np.array([np.nan, *[1.0] * 98, 0.0]),
        "run": np.ones(n, dtype=np.intp),
        "problem": column(["cancelled before it was asked", *[""] * 99]),
    }
    found = check(with_logs(few))
    assert found.severity is Severity.WARNING
    assert "1 cancelled, as 'cancelled before it was asked'" in found.message


def test_whole_logs_are_quiet(data):
    assert check(read_scores_source(data / "inspect" / "alpha.eval")) is None
