"""R052: different judges."""

from referee.checks.scores.logs.different_judges import check
from referee.core.results import Severity
from referee.sources.logs import read_scores_source


def test_two_judges_are_serious_and_named(data):
    paths = [data / "inspect" / f"judged_{name}.eval" for name in ("kind", "strict")]
    found = check(read_scores_source(paths))
    assert found.severity is Severity.SERIOUS
    assert "marked by mockllm/steady/kind" in found.message
    assert "by mockllm/steady/strict" in found.message


def test_a_judge_beside_none_is_told_too(with_logs):
    found = check(with_logs({"judge": ("gpt",)}, {}))
    assert "m0 were marked by gpt, those of m1 by no model" in found.message


def test_one_judge_for_all_is_quiet(with_logs):
    assert check(with_logs({"judge": ("gpt",)}, {"judge": ("gpt",)})) is None
    assert check(with_logs({"judge": ("a",), "task": "s"}, {"judge": ("b",)})) is None
