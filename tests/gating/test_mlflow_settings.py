"""What the MLflow evaluator is asked; MLflow itself runs in test_tracking."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from gated_answers import answers

import referee
from referee.gating.mlflow_evaluator import _judged
from referee.gating.sides.baseline import Baseline

IDS, TRUTH, OLD, NEW = answers(better=0.3)


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "baseline.json"
    Baseline.of_predictions(IDS, TRUTH, OLD, name="old").write(path)
    return path


def judged(config, truth=TRUTH, new=NEW):
    groups = np.arange(len(IDS)) // 4
    dataset = SimpleNamespace(features_data=pd.DataFrame({"id": IDS, "house": groups}))
    return _judged(np.asarray(truth), np.asarray(new), dataset, config)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"margn": 0.01}, r"evaluator_config\['margn'\] is unknown; did you mean 'margin'"),
        ({"where": {}}, r"evaluator_config\['where'\] is unknown"),
        ({"groups": "hause"}, r"names the column 'hause'.*did you mean 'house'"),
    ],
)
def test_unknown_settings_are_refused(kept, more, said):
    with pytest.raises(referee.InputError, match=said):
        judged({"baseline": kept, "margin": 0.01, **more})


def test_settings_of_a_gate_need_a_baseline():
    with pytest.raises(referee.InputError, match="belongs to a gate, and there is no baseline"):
        judged({"margin": 0.01})


def test_groups_are_not_left_out(kept):
    plain = judged({"baseline": kept, "margin": 0.01})[1]
    grouped = judged({"baseline": kept, "margin": 0.01, "groups": "house"})[1]
    assert grouped["p_value"] != plain["p_value"]


def test_a_ledger_is_kept(kept, tmp_path):
    config = {"baseline": kept, "margin": 0.01, "on": "id", "version": "v1"}
    _, flat = judged({**config, "sequential": tmp_path / "gate.ledger"})
    assert (flat["runs"], flat["cases_so_far"]) == (1, 1200)
    assert (tmp_path / "gate.ledger").exists()


@pytest.mark.parametrize("kind", [float, bool])
def test_labels_of_another_type_are_the_same_labels(kept, kind):
    plain = judged({"baseline": kept, "margin": 0.01, "pos_label": 1})[1]
    typed = judged(
        {"baseline": kept, "margin": 0.01, "pos_label": 1}, TRUTH.astype(kind), NEW.astype(kind)
    )[1]
    assert typed == plain


def test_other_labels_are_told_as_such(kept):
    words = np.where(TRUTH, "ill", "well")
    with pytest.raises(
        referee.InputError, match="has the labels 0, 1, and the data have ill, well"
    ):
        judged({"baseline": kept, "margin": 0.01}, words, words)
