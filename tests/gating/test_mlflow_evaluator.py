"""What the MLflow evaluator judges, without MLflow; test_tracking runs it within MLflow."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from gated_answers import answers

import referee as package
from referee.gating.mlflow_evaluator import _judged


@pytest.fixture
def case(tmp_path):
    """Return a baseline, and the same cases in another order as MLflow hands them over."""
    ids, truth, old, new = answers(n=400, better=0.3)
    kept = package.Baseline.of_predictions(ids, truth, old, name="old")
    kept.write(tmp_path / "baseline.json")
    order = np.random.default_rng(0).permutation(400)
    data = SimpleNamespace(features_data=pd.DataFrame({"id": np.array(ids)[order]}))
    return str(tmp_path / "baseline.json"), data, truth[order], new[order], old[order]


def test_cases_are_joined_by_their_ids(case):
    baseline, data, truth, new, old = case
    config = {"baseline": baseline, "margin": 0.02, "on": "id"}
    result, flat = _judged(truth, new, data, config)
    expected = package.gate(old, new, y_true=truth, margin=0.02)
    assert flat == expected.flat()
    assert result.outcome is expected.outcome


def test_without_a_baseline_the_error_is_estimated(case):
    _, data, truth, new, _ = case
    _, flat = _judged(truth, new, data, {})
    alone = package.evaluate_predictions(truth, new).error
    assert (flat["error"], flat["n"]) == (alone.value, 400)
    assert (flat["error_low"], flat["error_high"]) == (alone.interval.low, alone.interval.high)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"on": None}, "or in another order; name a column of ids"),
        ({"on": "name"}, "names the column 'name', which the data do not have"),
        ({"ids": True}, "was saved from other cases; 400 ids are new"),
        ({"truth": True}, "was saved from other cases (fingerprint"),
    ],
)
def test_other_data_are_refused(case, change, said):
    baseline, data, truth, new, _ = case
    if change.get("ids"):
        data.features_data["id"] += "x"
    if change.get("truth"):
        truth = 1 - truth
    config = {"baseline": baseline, "margin": 0.02, "on": change.get("on", "id")}
    with pytest.raises(package.InputError) as caught:
        _judged(truth, new, data, config)
    assert said in str(caught.value)


def test_a_baseline_without_ids_is_not_joined(case, tmp_path):
    _, data, truth, new, old = case
    path = tmp_path / "nameless.json"
    package.Baseline.of_predictions(None, truth, old, name="old").write(path)
    config = {"baseline": str(path), "margin": 0.02}
    assert _judged(truth, new, data, config)[1]["n"] == 400  # row by row
    with pytest.raises(package.InputError, match="has no ids to join by"):
        _judged(truth, new, data, {**config, "on": "id"})
