"""JSON of every kind of result keeps to the published schema, and a broken document does not."""

import copy
import json

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee import study
from referee.gating.family import gates_together
from referee.report.json import results_schema

SCHEMA = json.loads(results_schema())
VALIDATOR = Draft202012Validator(SCHEMA)


def sample(n=60):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, 2)) + y[:, None], y


def compared(**options):
    models = {"nb": GaussianNB(), "1nn": KNeighborsClassifier(1)}
    return referee.compare(models, *sample(), by="3x4", random_state=0, **options)


def given(truth, *answers, **options):
    named = {f"model {k}": a for k, a in enumerate(answers)}
    return referee.compare_predictions(truth, named, **options)


RANKS = {"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.6], "b": [0.8, 0.7, 0.6, 0.8, 0.7, 0.5]}
RIGHT = [0, 1] * 30
MARKED = {"item": [1, 1, 2, 2, 3, 3], "run": [1, 2] * 3, "score": [1, 0, 1, 1, 0, 0]}
JUDGED = {
    "item": range(12),
    "score": [1, 0, 1, 1] * 3,
    "human": [1, 0, 1, 0, 1, 0] + [None] * 6,
}

MAKERS = {
    "comparison": compared,
    "comparison with rope": lambda: compared(rope=0.05),
    "comparison of aucs": lambda: compared(measure="auc"),
    "same answers": lambda: given(RIGHT, RIGHT, RIGHT),
    "three models": lambda: given(RIGHT, RIGHT, RIGHT[::-1], [0] * 60),
    "unpaired": lambda: referee.compare_predictions(
        {"a": RIGHT, "b": RIGHT[:40]}, {"a": RIGHT, "b": [0] * 40}
    ),
    "data sets": lambda: referee.compare_datasets(scores=RANKS),
    "control": lambda: referee.compare_datasets(scores={**RANKS, "c": [0.5] * 6}, control="c"),
    "all ranks alike": lambda: referee.compare_datasets(scores={"a": [0.5] * 6, "b": [0.5] * 6}),
    "scores": lambda: referee.evaluate_scores([1, 0, 1, 1], at_least=0.2),
    "scores without an interval": lambda: referee.evaluate_scores([3.0, 3.0]),
    "runs": lambda: referee.evaluate_scores(MARKED),
    "scores compared": lambda: referee.compare_scores({"a": [1, 0, 1], "b": [1, 1, 1]}, rope=0.2),
    "scores without limits": lambda: referee.compare_scores({"a": [1.5, 2], "b": [1.5, 2]}),
    "judge": lambda: referee.evaluate_scores(JUDGED),
    "board": lambda: referee.board({"a": [1, 0, 1], "b": [1, 1, 1], "c": [0, 0, 0]}),
    "permutation test": lambda: referee.permutation_test(
        GaussianNB(), *sample(), permutations=19, random_state=0
    ),
    "plan": lambda: referee.sample_size(a=0.99, b=0.995, n=800),
    "plan for a margin": lambda: referee.sample_size(non_inferior=0.01, n=800),
    "gate": lambda: referee.gate(RIGHT, RIGHT, y_true=RIGHT, margin=0.1),
    "gate of scores": lambda: referee.gate([1.5, 2, 3], [1.5, 2, 4], claim="better"),
    "gates": lambda: gates_together([referee.gate(RIGHT, RIGHT, y_true=RIGHT, margin=0.1)] * 2),
    "plan for an error": lambda: referee.sample_size(error=0.01),
    "plan for cases": lambda: referee.sample_size(n=200),
    "unpaired plan": lambda: referee.sample_size(a=0.9, b=0.95, paired=False),
    "audit": lambda: referee.audit_table(["99.50", "98.25", "97.3"], 800),
    "bracket": lambda: study.bracket(*sample(), random_state=0),
    "optimism": lambda: study.optimism(
        "two-normals", "neighbours", [1, 5], n=40, repetitions=2, random_state=0
    ),
    "bounds": lambda: study.bounds("two-normals", sizes=[50], repetitions=3, random_state=0),
}


def strict(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def problems(document):
    return [f"{'/'.join(map(str, e.path))}: {e.message}" for e in VALIDATOR.iter_errors(document)]


def test_the_schema_itself_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", MAKERS)
def test_every_kind_keeps_to_the_schema(name):
    assert problems(strict(MAKERS[name]().to_json())) == []


def test_every_evaluation_keeps_to_the_schema(result):
    assert problems(strict(result.to_json())) == []


def test_a_verification_keeps_to_the_schema(make, tmp_path):
    made = referee.verify(make("plain").to_bundle(tmp_path / "kept.zip"))
    assert problems(strict(made.to_json())) == []


def test_numbers_are_read_back_exactly(make):
    e = make("cv")
    back = strict(e.to_json())["estimates"]
    for name, estimate in e.estimates.items():
        assert back[name]["value"] == estimate.value
        assert back[name]["interval"]["high"] == estimate.interval.high


def test_a_number_that_is_none_has_a_reason():
    e = referee.evaluate_predictions([0, 1] * 30, [0] * 60, measures=["precision"])
    made = strict(e.to_json())["estimates"]["precision"]
    assert made["value"] is None
    assert made["nonfinite"] == {"value": "nan"}
    assert made["reason"]


def places(value, path=()):
    """Yield the path of every value, objects and lists as well."""
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def parent(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


FREE = {"estimates", "scores", "versions"}
"""Objects whose names are the user's or the world's: one name less is no mistake."""


@pytest.mark.parametrize("name", ["comparison", "data sets", "permutation test", "plan", "audit"])
def test_a_broken_document_fails(name):
    check_broken(strict(MAKERS[name]().to_json()))


def test_a_broken_evaluation_fails(make):
    check_broken(strict(make("cv").to_json()))


def check_broken(document):
    """Put something of the wrong type everywhere, leave out every field, add one everywhere."""
    every = list(places(document))
    for path in every[:: max(1, len(every) // 60)]:
        odd = copy.deepcopy(document)
        parent(odd, path)[path[-1]] = {"odd": []}
        assert problems(odd), path
        holder = parent(document, path)
        if isinstance(holder, dict) and not FREE & set(map(str, path[:-1])):
            fewer = copy.deepcopy(document)
            del parent(fewer, path)[path[-1]]
            assert problems(fewer), path
            more = copy.deepcopy(document)
            parent(more, path)["surplus"] = 1
            assert problems(more), path


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), 2),
        (("kind",), "wish"),
        (("verdict", "outcome"), "won"),
        (("estimates", "error", "interval", "level"), 95),
        (("estimates", "error", "n"), -1),
        (("estimates", "error", "n"), 1.5),
        (("estimates", "error", "value"), None),
        (("estimates", "error", "value"), "0.1"),
        (("findings",), None),
        (("classes",), ["a"]),
    ],
)
def test_values_that_cannot_be(make, path, value):
    document = strict(make("cv").to_json())
    parent(document, path)[path[-1]] = value
    assert problems(document)
