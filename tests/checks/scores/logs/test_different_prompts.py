"""R051: models were not asked in the same way."""

from referee.checks.scores.logs.different_prompts import check
from referee.core.results import Severity
from referee.sources.logs import read_scores_source
from referee.sources.logs.log import column


def test_few_shot_examples_that_differ_are_named_with_both_numbers(data):
    paths = [data / "lm_eval" / "steady__alpha", data / "lm_eval" / "fewshot" / "steady__beta"]
    found = check(read_scores_source(paths, task="sums_choice", score="acc"))
    assert found.severity is Severity.WARNING
    assert "few-shot examples: 0 for steady/alpha, 2 for steady/beta" in found.message


def test_two_ways_of_asking_one_model_are_a_note(data):
    paths = [data / "lm_eval" / "steady__beta", data / "lm_eval" / "fewshot" / "steady__beta"]
    found = check(read_scores_source(paths, task="sums_choice", score="acc"))
    assert found.severity is Severity.NOTE
    assert "one of the ways of asking" in found.message


def test_prompts_are_compared_by_hash_where_settings_say_nothing(with_logs):
    found = check(
        with_logs(
            {"prompt_hash": column(["a", "b", "c", "d", "e"])},
            {"prompt_hash": column(["a", "b", "x", None, "y"])},
        )
    )
    assert "2 of 4 prompts differ between m0 and m1" in found.message


def test_the_chat_template_is_the_models_own(with_logs):
    own = [
        {"prompt_hash": column([name] * 5), "settings": {"chat template": name}} for name in "ab"
    ]
    assert check(with_logs(*own)) is None


def test_logs_asked_alike_are_quiet(data):
    paths = [data / "helm" / name for name in ("alpha", "beta")]
    assert check(read_scores_source(paths, score="exact_match")) is None
