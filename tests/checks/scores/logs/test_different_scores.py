"""R055: different scores."""

from referee.checks.scores.logs.different_scores import check
from referee.core.results import Severity


def test_other_names_on_one_task_are_serious(with_logs):
    found = check(with_logs({}, {"metric": "includes"}))
    assert found.severity is Severity.SERIOUS
    assert "m0 has the score 'match' and m1 the score 'includes'" in found.message


def test_each_task_may_have_its_own(with_logs):
    assert check(with_logs({"task": "a"}, {"task": "b", "metric": "includes"})) is None
