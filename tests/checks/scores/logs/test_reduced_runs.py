"""R053: runs were reduced before they were logged."""

from referee.checks.scores.logs.reduced_runs import check
from referee.core.results import Severity
from referee.sources.logs import read_scores_source


def test_means_of_epochs_are_a_note(data):
    found = check(read_scores_source(data / "inspect" / "without_samples.eval"))
    assert found.severity is Severity.NOTE
    assert "3 epochs of each sample became one by mean" in found.message


def test_a_majority_of_answers_is_another_score(data):
    found = check(read_scores_source(data / "lm_eval" / "voted" / "steady__beta"))
    assert found.severity is Severity.WARNING
    assert "5 answers to each document became one by filter 'maj@5'" in found.message


def test_logged_epochs_are_quiet(data):
    assert check(read_scores_source(data / "inspect" / "alpha.eval")) is None
