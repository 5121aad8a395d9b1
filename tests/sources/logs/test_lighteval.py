"""Details of lighteval against its own results files."""

import json
import math

import numpy as np
import polars as pl
import pytest

from referee.errors import LogError
from referee.sources.logs import read_logs

DATE = "2026-01-02T03-04-05.678901"


def details(data, model="alpha"):
    (path,) = (data / "lighteval" / "details" / "steady" / model / DATE).glob("*.parquet")
    return path


@pytest.mark.parametrize("model", ["alpha", "beta"])
def test_mean_and_standard_error_against_lighteval(data, model):
    (log,) = read_logs(details(data, model), fields=["subject", "doc.gold_index"])
    path = data / "lighteval" / "results" / "steady" / model / f"results_{DATE}.json"
    told = json.loads(path.read_text())["results"]["sums|0"]
    assert np.mean(log.score) == pytest.approx(told["acc"], abs=1e-12)
    error = np.std(log.score, ddof=1) / math.sqrt(log.n)
    assert error == pytest.approx(told["acc_stderr"], abs=1e-12)
    assert (log.model, log.task, log.higher_is_better) == (f"steady/{model}", "sums", True)
    assert len(set(log.fields["subject"].tolist())) == 6
    (same,) = read_logs(path)
    assert same.score.tolist() == log.score.tolist()


def test_few_shot_examples_are_a_setting_not_part_of_the_task(data):
    (log,) = read_logs(details(data))
    assert log.settings["few-shot examples"] == "0"
    assert read_logs(details(data), task="sums|0")[0].task == "sums"


def test_several_answers_are_said_to_be_reduced(data, tmp_path):
    frame = pl.read_parquet(details(data))
    many = frame.with_columns(pl.col("doc").struct.with_fields(num_samples=pl.lit(4)))
    path = tmp_path / f"details_sums|0_{DATE}.parquet"
    many.write_parquet(path)
    assert read_logs(path)[0].reduced == "4 answers to each document became one by acc"


def test_results_without_details_say_how_to_get_them(data, tmp_path):
    source = data / "lighteval" / "results" / "steady" / "alpha" / f"results_{DATE}.json"
    lone = tmp_path / source.name
    lone.write_text(source.read_text())
    with pytest.raises(LogError, match=r"has only totals.*--save-details"):
        read_logs(lone)


def test_a_truncated_file_is_refused(data, tmp_path):
    path = tmp_path / "details.parquet"
    path.write_bytes(details(data).read_bytes()[:9000])
    with pytest.raises(LogError, match="not a complete Parquet file"):
        read_logs(path)


def test_the_folders_name_the_model_where_there_are_no_results(data, tmp_path):
    folder = tmp_path / "details" / "org" / "model" / DATE
    folder.mkdir(parents=True)
    path = folder / details(data).name
    path.write_bytes(details(data).read_bytes())
    (log,) = read_logs(path)
    assert (log.model, log.higher_is_better) == ("org/model", None)
