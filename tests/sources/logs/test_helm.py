"""Runs of HELM against its own stats.json."""

import json
from collections import defaultdict

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import read_logs, read_scores_source


@pytest.mark.parametrize("model", ["alpha", "beta"])
@pytest.mark.parametrize("metric", ["exact_match", "quasi_exact_match", "num_output_tokens"])
def test_means_by_sub_split_against_helm(data, model, metric):
    (log,) = read_logs(data / "helm" / model, score=metric, fields=["sub_split"])
    values = defaultdict(list)
    for split, score in zip(log.fields["sub_split"], log.score, strict=True):
        values[split].append(score)
    stats = json.loads((data / "helm" / model / "stats.json").read_text())
    told = {s["name"]["sub_split"]: s["mean"] for s in stats if s["name"]["name"] == metric}
    assert {name: np.mean(v) for name, v in values.items()} == pytest.approx(told)


def test_training_trials_are_runs(data):
    scores = read_scores_source(data / "helm" / "*", score="exact_match")
    assert scores.models == ("steady/alpha", "steady/beta")
    assert scores.runs == (1, 2)
    assert scores.n_items == 12


def test_only_originals_are_read_unless_a_perturbation_is_asked_for(data):
    (plain,) = read_logs(data / "helm" / "alpha", score="exact_match")
    (lower,) = read_logs(data / "helm" / "alpha", score="exact_match", filter="lowercase")
    assert plain.n == lower.n == 24
    assert np.mean(plain.score) > np.mean(lower.score) == 0
    assert plain.item_hash[0] != lower.item_hash[0]
    with pytest.raises(LogError, match="no filter 'typos'; known are 'original', 'lowercase'"):
        read_logs(data / "helm" / "alpha", score="exact_match", filter="typos")


def test_prompts_and_settings_come_from_the_run_folder(data):
    (log,) = read_logs(data / "helm" / "alpha", score="exact_match")
    assert log.settings["few-shot examples"] == "2"
    assert log.task == "sums"
    # The two trials draw other examples, so the same question has two prompts.
    first = np.flatnonzero(log.item == log.item[0])
    assert log.prompt_hash[first[0]] != log.prompt_hash[first[1]]
    assert log.item_hash[first[0]] == log.item_hash[first[1]]


def test_the_statistics_alone_are_enough_for_scores(data, tmp_path):
    folder = tmp_path / "mmlu:subject=law,model=openai_gpt2"
    folder.mkdir()
    path = folder / "per_instance_stats.json"
    path.write_bytes((data / "helm" / "alpha" / "per_instance_stats.json").read_bytes())
    (log,) = read_logs(path, score="exact_match")
    assert (log.model, log.task) == ("openai_gpt2", "mmlu:subject=law")
    assert log.item_hash is None
    with pytest.raises(LogError, match=r"'sub_split' would stand in scenario_state.json"):
        read_logs(path, score="exact_match", fields=["sub_split"])


def test_what_helm_left_out_has_no_score(data, changed_json):
    def lose(content):
        content[0]["stats"] = [s for s in content[0]["stats"] if s["name"]["name"] != "exact_match"]

    path = changed_json(data / "helm" / "alpha" / "per_instance_stats.json", lose)
    (log,) = read_logs(path, score="exact_match")
    assert log.problem[0] == "no value (HELM leaves NaN out)"


def test_entries_of_another_shape_are_refused(data, changed_json):
    def spoil(content):
        content[2]["stats"] = [{"name": "exact_match"}]

    path = changed_json(data / "helm" / "alpha" / "per_instance_stats.json", spoil)
    with pytest.raises(LogError, match="entry 3: no instance_id or stats"):
        read_logs(path, score="exact_match")


def test_scores_are_listed(data):
    with pytest.raises(LogError, match=r"several scores: .*'exact_match', 'quasi_exact_match'"):
        read_logs(data / "helm" / "alpha")


def test_only_the_test_split_is_read_and_the_others_are_noted(data, changed_json):
    def other(content):
        for entry in content:
            if entry["instance_id"] in ("id10", "id7"):
                for stat in entry["stats"]:
                    stat["name"]["split"] = "valid"

    path = changed_json(data / "helm" / "alpha" / "per_instance_stats.json", other)
    (log,) = read_logs(path, score="exact_match")
    assert len(set(log.item.tolist())) == 10
    assert log.notes == ("instances of split 'valid' are left out",)
    (valid,) = read_logs(path, score="exact_match", filter="valid")
    assert set(valid.item.tolist()) == {"id7", "id10"}
    (lower,) = read_logs(path, score="exact_match", filter="lowercase/valid")
    assert set(lower.item.tolist()) == {"id7", "id10"}


def test_a_run_of_another_split_alone_is_read(data, changed_json):
    def other(content):
        for entry in content:
            for stat in entry["stats"]:
                stat["name"]["split"] = "valid"

    path = changed_json(data / "helm" / "alpha" / "per_instance_stats.json", other)
    assert read_logs(path, score="exact_match")[0].n == 24
