"""Findings about scores: each is raised where it should be and stays silent where not."""

import numpy as np
import pytest

from referee.checks.scores import SCORE_CHECKS, check_scores
from referee.core.results import Severity
from referee.core.scores.scores import Scores
from referee.errors import InputError


def codes(scores):
    return [f.code for f in check_scores(scores)]


def test_nothing_to_say_about_plain_scores():
    rng = np.random.default_rng(0)
    assert codes(Scores.of({"a": rng.random(50), "b": rng.random(50)})) == []


@pytest.mark.parametrize(("clusters", "severity"), [(3, "warning"), (8, "note"), (25, None)])
def test_r040_few_clusters(clusters, severity):
    made = check_scores(Scores.of(np.tile([0.2, 0.8], 50), cluster=np.arange(100) % clusters))
    assert [f.severity.value for f in made] == ([severity] if severity else [])


def test_r040_one_large_cluster_makes_many_few():
    code = np.concatenate([np.zeros(80, dtype=int), np.arange(1, 21)])
    assert codes(Scores.of(np.tile([0.2, 0.8], 50), cluster=code)) == ["R040"]


def lacking(gaps):
    rows = [(i, m) for m in "ab" for i in range(100) if not (m == "b" and i < gaps)]
    return Scores.of(
        {
            "item": [i for i, _ in rows],
            "model": [m for _, m in rows],
            "score": [0.3 + i % 5 / 10 for i, _ in rows],
        }
    )


@pytest.mark.parametrize(("gaps", "severity"), [(0, None), (2, "note"), (20, "warning")])
def test_r041_items_that_not_all_models_have(gaps, severity):
    made = check_scores(lacking(gaps))
    assert [f.severity.value for f in made] == ([severity] if severity else [])
    if made:
        assert f"{gaps} of 100 items" in made[0].message
        assert "0 for b" in made[0].message


@pytest.mark.parametrize(("right", "told"), [(0, True), (1, True), (30, False), (40, True)])
def test_r042_floor_and_ceiling(right, told):
    made = check_scores(Scores.of([1] * right + [0] * (40 - right)))
    assert [f.code for f in made] == (["R042"] if told else [])


def test_r042_needs_limits_and_a_few_items():
    assert codes(Scores.of([5.0] * 40)) == []
    assert codes(Scores.of([1.0] * 10)) == []


def repeated(shift, seed=0):
    rng = np.random.default_rng(seed)
    base = np.repeat(rng.uniform(0.3, 0.6, 40), 3)
    run = np.tile([1, 2, 3], 40)
    score = base + rng.normal(0, 0.05, 120) + shift * (run == 3)
    return Scores.of({"item": np.repeat(np.arange(40), 3), "run": run, "score": score})


def test_r043_whole_runs_that_differ():
    assert codes(repeated(0.0)) == []
    made = check_scores(repeated(-0.1))
    assert [f.code for f in made] == ["R043"]
    assert "runs of model differ by up to 13.0 points" in made[0].message


def test_r043_is_rarely_raised_by_chance():
    raised = sum("R043" in codes(repeated(0.0, seed)) for seed in range(300))
    assert raised <= 2  # one in a thousand is expected


def judged(picked):
    rng = np.random.default_rng(1)
    score = (rng.random(400) < 0.6).astype(float)
    draw = score == 1 if picked else rng.random(400) < 0.3
    human = np.where(draw & (rng.random(400) < 0.5), score, np.nan)
    return Scores.of({"item": np.arange(400), "score": score, "human": human})


def test_r044_marks_that_are_no_random_draw():
    assert codes(judged(picked=False)) == []
    assert codes(judged(picked=True)) == ["R044"]


def test_r045_two_models_without_a_shared_item():
    table = {"item": [1, 2, 3, 4], "model": list("aabb"), "score": [0.1, 0.2, 0.3, 0.4]}
    assert codes(Scores.of(table)) == ["R045"]


def test_dismissed_findings_are_notes_and_unknown_codes_are_refused():
    (made,) = check_scores(lacking(20), ["R041"])
    assert made.severity is Severity.NOTE
    assert "dismissed" in made.title
    with pytest.raises(InputError, match="finding 'R999' is unknown"):
        check_scores(lacking(20), ["R999"])


def test_every_code_has_an_entry_in_the_documentation():
    from pathlib import Path

    page = Path(__file__).parents[3] / "docs" / "findings.md"
    text = page.read_text(encoding="utf-8")
    for code in SCORE_CHECKS:
        assert f"## {code} " in text
