"""R056: what the logs say of themselves."""

from referee.checks.scores.logs.remarks import check


def test_notes_are_repeated_with_their_file(with_logs):
    found = check(with_logs({"notes": ("a", "b")}, {"notes": ("c", "d", "e")}))
    assert found.message == "0.eval: a; 0.eval: b; 1.eval: c; 1.eval: d; and 1 more."


def test_logs_without_notes_are_quiet(with_logs):
    assert check(with_logs({})) is None
