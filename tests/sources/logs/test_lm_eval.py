"""Logs of lm-evaluation-harness against the totals in its own results files."""

import gzip
import json
import math

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import lm_eval, read_logs, read_scores_source


def samples(data, model="steady__alpha", task="sums_choice"):
    (path,) = (data / "lm_eval" / model).glob(f"samples_{task}_*.jsonl")
    return path


def results(data, model="steady__alpha"):
    (path,) = (data / "lm_eval" / model).glob("results_*.json")
    return json.loads(path.read_text())


CASES = [
    ("steady__alpha", "sums_choice", "acc", "none"),
    ("steady__beta", "sums_choice", "acc_norm", "none"),
    ("steady__alpha", "sums_written", "exact_match", "strict-match"),
    ("steady__beta", "sums_written", "exact_match", "flexible-extract"),
    ("steady__alpha", "sums_checked", "acc", "none"),
    ("steady__beta", "sums_checked", "acc", "none"),
    ("dummy", "sums_choice", "acc", "none"),
    ("voted/steady__beta", "sums_voted", "exact_match", "maj@5"),
]


@pytest.mark.parametrize(("model", "task", "metric", "filter_"), CASES)
def test_mean_and_standard_error_against_the_harness(data, model, task, metric, filter_):
    (log,) = read_logs(samples(data, model, task), score=metric, filter=filter_)
    told = results(data, model)["results"][task]
    assert np.mean(log.score) == pytest.approx(told[f"{metric},{filter_}"], abs=1e-12)
    error = np.std(log.score, ddof=1) / math.sqrt(log.n)
    assert error == pytest.approx(told[f"{metric}_stderr,{filter_}"], abs=1e-12)
    assert log.higher_is_better is True


@pytest.mark.parametrize(("model", "task", "metric", "filter_"), CASES)
def test_the_fast_way_and_the_exact_way_agree(data, monkeypatch, model, task, metric, filter_):
    options = {"score": metric, "filter": filter_, "fields": ["doc.subject", "source.book"]}
    (fast,) = read_logs(samples(data, model, task), **options)
    monkeypatch.setattr(lm_eval, "_scanned", lambda *_: None)
    (exact,) = read_logs(samples(data, model, task), **options)
    assert fast.frame().equals(exact.frame())


def test_a_document_counts_once_though_it_has_a_line_for_each_filter(data):
    path = samples(data, task="sums_written")
    assert len(path.read_text().splitlines()) == 60
    with pytest.raises(LogError, match="several filters: 'strict-match', 'flexible-extract'"):
        read_logs(path)
    (log,) = read_logs(path, filter="strict-match")
    assert log.n == 30
    assert log.item.tolist() == [str(i) for i in range(30)]


def test_clusters_come_from_any_field_of_the_document(data):
    scores = read_scores_source(samples(data), score="acc", cluster="doc.subject")
    assert len(scores.clusters) == 6
    bare = read_scores_source(samples(data), score="acc", cluster="subject")
    assert bare.cluster.tolist() == scores.cluster.tolist()
    deep = read_scores_source(samples(data), score="acc", cluster="doc.source.book")
    assert deep.clusters == ("book 0", "book 1", "book 2", "book 3")


def test_a_results_file_stands_for_its_samples(data):
    (path,) = (data / "lm_eval" / "steady__alpha").glob("results_*.json")
    (log,) = read_logs(path, task="sums_choice", score="acc")
    (same,) = read_logs(samples(data), score="acc")
    assert log.score.tolist() == same.score.tolist()


def test_a_results_file_without_samples_says_how_to_get_them(data, tmp_path):
    (path,) = (data / "lm_eval" / "steady__alpha").glob("results_*.json")
    lone = tmp_path / path.name
    lone.write_text(path.read_text())
    with pytest.raises(LogError, match=r"has only totals.*--log_samples"):
        read_logs(lone)


def test_settings_that_shape_the_prompt_are_kept(data):
    (plain,) = read_logs(samples(data, "steady__beta"), score="acc")
    (shots,) = read_logs(samples(data, "fewshot/steady__beta"), score="acc")
    assert (plain.settings["few-shot examples"], shots.settings["few-shot examples"]) == ("0", "2")
    assert plain.prompt_hash[0] != shots.prompt_hash[0]
    assert plain.item_hash[0] == shots.item_hash[0]
    assert shots.notes == ("10 of the 30 documents of sums_choice were asked",)


def test_repeats_that_a_filter_made_one_are_said_to_be_reduced(data):
    (log,) = read_logs(samples(data, "voted/steady__beta", "sums_voted"))
    assert log.reduced == "5 answers to each document became one by filter 'maj@5'"


def test_without_a_results_file_the_folder_names_the_model(data, changed_lines):
    path = changed_lines(samples(data), lambda lines: None, beside=False, folder="llama")
    (log,) = read_logs(path, score="acc")
    assert (log.model, log.task, log.higher_is_better) == ("llama", "sums_choice", None)


def test_a_packed_file_is_read(data, tmp_path):
    source = samples(data)
    path = tmp_path / f"{source.name}.gz"
    path.write_bytes(gzip.compress(source.read_bytes()))
    (log,) = read_logs(path, score="acc")
    (same,) = read_logs(source, score="acc")
    assert log.score.tolist() == same.score.tolist()


def test_true_and_false_are_scores(data, changed_lines):
    def truths(lines):
        for line in lines:
            line["acc"] = line["acc"] == 1

    (log,) = read_logs(changed_lines(samples(data), truths), score="acc")
    (same,) = read_logs(samples(data), score="acc")
    assert log.score.tolist() == same.score.tolist()


def test_old_logs_without_filters_and_hashes_are_read(data, changed_lines):
    def old(lines):
        for line in lines:
            for name in ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash"):
                del line[name]

    path = changed_lines(samples(data), old)
    with pytest.raises(LogError, match="several scores: 'acc', 'acc_norm'"):
        read_logs(path)
    (log,) = read_logs(path, score="acc")
    assert log.item_hash is None
    assert log.filter == "none"


def test_pairs_of_numbers_are_no_score(data):
    with pytest.raises(LogError, match=r"document 0, score 'word_perplexity': \[.*\] is a list"):
        read_logs(samples(data, "dummy", "sums_rolling"))


def test_nan_is_refused_with_file_document_and_score(data, changed_lines):
    def nan(lines):
        lines[4]["acc"] = math.nan

    path = changed_lines(samples(data), nan)
    (log,) = read_logs(path, score="acc")
    assert np.isnan(log.score[4])
    with pytest.raises(LogError, match=r"document '4', score 'acc': the score is NaN.*missing="):
        read_scores_source(path, score="acc")
    worst = read_scores_source(path, score="acc", missing="worst")
    assert worst.score[4] == 0.0


def test_words_are_refused_until_their_worth_is_said(data, changed_lines):
    def word(lines):
        lines[7]["acc"] = "maybe"

    path = changed_lines(samples(data), word)
    with pytest.raises(LogError, match=r"line 8, document 7, score 'acc': 'maybe' is neither"):
        read_logs(path, score="acc")
    assert read_logs(path, score="acc", values={"maybe": 0.5})[0].score[7] == 0.5


def test_a_line_cut_short_is_named(data, tmp_path):
    source = samples(data)
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes()[:20_000])
    with pytest.raises(LogError, match=r"line 20: not JSON .*cut short"):
        read_logs(path, score="acc")


def test_lines_that_are_gone_are_missed_by_the_results_file(data, changed_lines):
    path = changed_lines(samples(data), lambda lines: lines[:22])
    with pytest.raises(LogError, match="has 22 documents, but its results file counts 30"):
        read_logs(path, score="acc")


def test_a_document_that_repeats_without_runs_is_refused(data, changed_lines):
    path = changed_lines(samples(data), lambda lines: [*lines, lines[3]])
    with pytest.raises(LogError, match=r"document '3' stands there twice \(rows 4 and 31\)"):
        read_logs(path, score="acc")


def test_a_field_may_tell_runs_apart(data, changed_lines):
    def twice(lines):
        return [{**line, "seed": seed} for seed in (7, 8) for line in lines]

    scores = read_scores_source(changed_lines(samples(data), twice), score="acc", run="seed")
    assert scores.runs == (1, 2)
    assert len(scores.score) == 60


def test_a_metric_some_documents_lack_leaves_them_without_a_score(data, changed_lines):
    def lose(lines):
        del lines[2]["acc"]

    (log,) = read_logs(changed_lines(samples(data), lose), score="acc")
    assert log.problem[2] == "the document has no value of this metric"
    assert np.sum(~log.scored) == 1


def test_a_field_nobody_has_is_refused_and_the_others_named(data):
    with pytest.raises(LogError, match=r"no field 'doc.topic'.*'doc.subject'"):
        read_logs(samples(data), score="acc", fields=["doc.topic"])
