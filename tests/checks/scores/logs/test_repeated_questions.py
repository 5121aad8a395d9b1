"""R050: the same question more than once."""

from referee.checks.scores.logs.repeated_questions import check
from referee.core.results import Severity
from referee.sources.logs import read_scores_source
from referee.sources.logs.log import column


def test_copies_are_counted_and_named(with_logs):
    found = check(with_logs({"item_hash": column(["a", "b", "a", "c", "a"])}))
    assert found.code == "R050"
    assert found.severity is Severity.WARNING
    assert (
        "2 of 5 questions say the same as another one (0.eval: 'q0' = 'q2' = 'q4')" in found.message
    )


def test_few_copies_are_a_note(with_logs):
    many = {
        "item": column([str(i) for i in range(5)]),
        "item_hash": column(["a", "b", "c", "d", None]),
    }
    assert check(with_logs(many)) is None


def test_runs_of_a_question_are_no_copies(data):
    assert check(read_scores_source(data / "inspect" / "alpha.eval")) is None


def test_unknown_hashes_are_not_alike(with_logs):
    assert check(with_logs({"item_hash": column([None] * 5)})) is None
    assert check(with_logs({})) is None
