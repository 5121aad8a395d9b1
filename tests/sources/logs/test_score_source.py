"""From logs, or tables, to Scores."""

import numpy as np
import pytest

from referee.core.scores.scores import Scores
from referee.errors import InputError, LogError
from referee.sources.logs import read_scores_source
from referee.sources.scores import scores_from


def choice(data, model):
    (path,) = (data / "lm_eval" / model).glob("samples_sums_choice_*.jsonl")
    return path


def test_two_logs_are_paired_by_item(data):
    paths = [data / "inspect" / f"{name}.eval" for name in ("alpha", "beta")]
    scores = read_scores_source(paths, cluster="subject")
    assert scores.models == ("mockllm/steady/alpha", "mockllm/steady/beta")
    assert len(scores.shared(*scores.models)) == 30
    assert scores.name == "sums"
    assert (scores.low, scores.high, scores.limits_assumed) == (0.0, 1.0, False)
    assert [log.name for log in scores.logs] == list(scores.models)
    assert len(scores.select(["mockllm/steady/beta"]).logs) == 1


def test_a_pattern_names_several_logs(data):
    scores = read_scores_source(
        str(data / "lm_eval" / "steady__*" / "samples_*.jsonl"), task="sums_choice", score="acc"
    )
    assert scores.models == ("steady/alpha", "steady/beta")


def test_several_tasks_must_be_chosen_or_taken_together(data):
    both = [data / "inspect" / "alpha.eval", data / "inspect" / "judged_kind.eval"]
    with pytest.raises(LogError, match=r"several tasks: 'sums', 'qa'; choose one with task="):
        read_scores_source(both)
    together = read_scores_source(both, task="all", cluster="task")
    assert together.n_items == 40
    assert together.items[0] == "sums/q00"
    assert together.clusters == ("sums", "qa")


def test_two_logs_of_one_model_are_told_apart_by_where_they_stand(data):
    paths = [data / "lm_eval" / "steady__beta", data / "lm_eval" / "fewshot" / "steady__beta"]
    scores = read_scores_source(paths, task="sums_choice", score="acc")
    assert scores.models == (
        "steady/beta (lm_eval/steady__beta)",
        "steady/beta (fewshot/steady__beta)",
    )
    runs = read_scores_source(paths, task="sums_choice", score="acc", same_model="runs")
    assert runs.models == ("steady/beta",)
    assert runs.runs == (1, 2)
    with pytest.raises(InputError, match="same_model must be 'apart' or 'runs', got 'both'"):
        read_scores_source(paths, task="sums_choice", score="acc", same_model="both")


def test_questions_of_one_name_that_say_different_things_are_not_paired(data, changed_lines):
    def renumber(lines):
        for line in lines:
            line["doc_id"] = (line["doc_id"] + 1) % len(lines)

    paths = [choice(data, "steady__alpha"), changed_lines(choice(data, "steady__beta"), renumber)]
    with pytest.raises(LogError, match=r"document '1' of task 'sums_choice' is one question in"):
        read_scores_source(paths, score="acc")
    by_hash = read_scores_source(paths, score="acc", item="hash", cluster="doc.subject")
    plain = read_scores_source([paths[0], choice(data, "steady__beta")], score="acc")
    difference = by_hash.means[:, 0] - by_hash.means[:, 1]
    assert sorted(difference) == sorted(plain.means[:, 0] - plain.means[:, 1])


def test_answers_without_a_score_are_left_out_counted_or_refused(data):
    path = data / "inspect" / "errors.eval"
    assert read_scores_source(path).n_items == 12
    worst = read_scores_source(path, missing="worst", cluster="subject")
    assert worst.n_items == 14
    assert worst.means[[worst.items.index("q03"), worst.items.index("q13")]].tolist() == [[0], [0]]
    with pytest.raises(LogError, match=r"sample 'q03', score 'sums': error: .* \(and 1 more\)"):
        read_scores_source(path, missing="refuse")
    with pytest.raises(InputError, match="missing must be"):
        read_scores_source(path, missing="zero")


def test_the_worst_score_must_be_known(data, changed_json):
    def free(log):
        for sample in log["samples"]:
            sample["scores"]["sums"]["value"] = 7.5
        log["samples"][0]["scores"] = {}
        log["samples"][0]["error"] = {"message": "x"}

    path = changed_json(data / "inspect" / "plain.json", free)
    with pytest.raises(InputError, match="needs the worst score there is"):
        read_scores_source(path, missing="worst")
    assert read_scores_source(path, missing="worst", limits=(0, 10)).score.min() == 0


def test_a_log_in_which_everything_failed_is_refused(data, changed_json):
    def fail(log):
        for sample in log["samples"]:
            sample["scores"]["sums"]["value"] = float("nan")

    path = changed_json(data / "inspect" / "plain.json", fail)
    with pytest.raises(LogError, match="no sample has a score"):
        read_scores_source(path)


def test_the_direction_is_what_the_logs_say(data, changed_json, tmp_path):
    def down(results):
        results["higher_is_better"]["sums_choice"]["acc"] = False

    source = choice(data, "steady__alpha")
    (results,) = source.parent.glob("results_*.json")
    changed_json(results, down)
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes())
    assert read_scores_source(path, score="acc").greater_is_better is False
    assert read_scores_source(path, score="acc", greater_is_better=True).greater_is_better
    with pytest.raises(LogError, match="a high acc is good in"):
        read_scores_source([path, choice(data, "steady__beta")], score="acc")


def test_clusters_missing_for_some_are_refused_with_their_place(data, changed_lines):
    def lose(lines):
        del lines[5]["doc"]["subject"]

    path = changed_lines(choice(data, "steady__alpha"), lose)
    with pytest.raises(InputError, match=r"cluster.*document '5'|document '5'.*cluster"):
        read_scores_source(path, score="acc", cluster="doc.subject")


def test_weights_are_numbers(data):
    path = choice(data, "steady__alpha")
    scores = read_scores_source(path, score="acc", weight="doc.gold")
    assert scores.weight is not None
    with pytest.raises(LogError, match=r"field 'doc.subject': 'addition' is not a number"):
        read_scores_source(path, score="acc", weight="doc.subject")


def test_copies_of_a_question_may_be_a_cluster(data, changed_lines):
    def copy(lines):
        return [*lines, {**lines[0], "doc_id": 30}]

    path = changed_lines(choice(data, "steady__alpha"), copy)
    scores = read_scores_source(path, score="acc", cluster="question")
    assert scores.n_items == 31
    assert len(scores.clusters) == 30


def test_tables_are_read_as_before(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,model,score\nq1,a,1\nq1,b,0\nq2,a,0.5\nq2,b,0.25\n")
    scores = read_scores_source(path)
    assert isinstance(scores, Scores)
    assert scores.logs == ()
    assert np.array_equal(scores.means, scores_from(str(path)).means)
    lines = tmp_path / "scores.jsonl"
    lines.write_text('{"item": "q1", "model": "a", "score": 1}\n')
    assert read_scores_source(lines).models == ("a",)
    with pytest.raises(InputError, match="task= goes with evaluation logs"):
        read_scores_source(path, task="mmlu")
    with pytest.raises(InputError, match=r"missing= goes with evaluation logs.* leave out their"):
        read_scores_source(path, missing="leave-out")
    with pytest.raises(InputError, match=r"same_model= goes with .* a column named by run="):
        read_scores_source(path, same_model="runs")


def test_logs_and_tables_do_not_mix(data, tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text("item,model,score\nq1,a,1\n")
    with pytest.raises(InputError, match=r"is an evaluation log and .*scores.csv is none"):
        read_scores_source([data / "inspect" / "alpha.eval", table])


def test_arguments_that_belong_to_tables_are_refused_for_logs(data):
    with pytest.raises(InputError, match="model='m' names a column of a table"):
        read_scores_source(data / "inspect" / "alpha.eval", model="m")
    with pytest.raises(InputError, match="item must be 'id' or 'hash' where files are logs"):
        read_scores_source(data / "inspect" / "alpha.eval", item="name")


def test_models_are_kept_in_the_order_asked_for(data):
    paths = [data / "inspect" / f"{name}.eval" for name in ("alpha", "beta")]
    names = ["mockllm/steady/beta", "mockllm/steady/alpha"]
    assert read_scores_source(paths, models=names).models == tuple(names)


def test_tasks_with_scores_of_their_own_are_taken_together_by_a_bar(data):
    where = data / "lm_eval" / "steady__*"
    both = read_scores_source(
        where, task="all", score="acc|exact_match", filter="none|strict-match"
    )
    apart = [
        read_scores_source(where, task="sums_choice", score="acc"),
        read_scores_source(where, task="sums_written", filter="strict-match"),
        read_scores_source(where, task="sums_checked", score="acc"),
    ]
    assert both.n_items == sum(s.n_items for s in apart)
    assert both.score.sum() == sum(s.score.sum() for s in apart)
    with pytest.raises(LogError, match=r"has no score 'f1\|bleu'"):
        read_scores_source(where, task="sums_choice", score="f1|bleu")
    with pytest.raises(InputError, match="score must be text"):
        read_scores_source(where, score=["acc"])
