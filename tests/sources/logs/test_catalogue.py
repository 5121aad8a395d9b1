"""Formats are recognised by what files hold; what is no log is said to be none."""

import json
import zipfile

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import FORMATS, LogFormat, format_of, open_log, read_logs
from referee.sources.logs.catalogue import expanded
from referee.sources.logs.log import Log, column

EXAMPLES = [
    ("inspect", "inspect/alpha.eval"),
    ("inspect", "inspect/plain.json"),
    ("lm-eval", "lm_eval/steady__alpha/results_*.json"),
    ("lm-eval", "lm_eval/steady__alpha/samples_sums_choice_*.jsonl"),
    ("helm", "helm/alpha/per_instance_stats.json"),
    ("lighteval", "lighteval/details/steady/alpha/*/*.parquet"),
    ("lighteval", "lighteval/results/steady/alpha/*.json"),
    ("promptfoo", "promptfoo/plain.json"),
    ("every-eval-ever", "every_eval_ever/*_samples.jsonl"),
    ("every-eval-ever", "every_eval_ever/*-000000000001.json"),
]


@pytest.mark.parametrize(("name", "pattern"), EXAMPLES)
def test_each_format_claims_its_own_files_and_no_other_does(data, name, pattern):
    (path,) = data.glob(pattern)
    opened = open_log(str(path))
    assert [entry.name for entry in FORMATS.values() if entry.claims(opened)] == [name]
    assert format_of(opened).name == name


def test_every_format_has_an_example():
    assert {name for name, _ in EXAMPLES} == set(FORMATS)


def test_the_name_of_a_file_does_not_matter(data, tmp_path):
    path = tmp_path / "run.dat"
    path.write_bytes((data / "inspect" / "alpha.eval").read_bytes())
    assert read_logs(path)[0].format == "inspect"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.json", '{"answer": 42}', "no evaluation log that referee knows"),
        ("a.json", "[1, 2]", "no evaluation log that referee knows"),
        ("a.jsonl", '{"x": 1}\n', "no evaluation log that referee knows"),
        ("a.txt", "hello", "no evaluation log that referee knows"),
        ("a.json", '{"version": 2, "eval": {', "line 1, character 25: not JSON"),
        ("a.jsonl", '{"doc_id": 1', "line 1: not JSON"),
        ("a.jsonl", "{}\n[1]\n", "no evaluation log"),
        ("a.json", "", "no evaluation log"),
    ],
)
def test_foreign_and_broken_files_are_refused(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(LogError, match=told):
        read_logs(path)


def test_a_foreign_archive_is_refused(tmp_path):
    path = tmp_path / "paper.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<xml/>")
    with pytest.raises(LogError, match=r"paper.eval is no evaluation log that referee knows"):
        read_logs(path)


def test_a_file_that_is_not_there_is_named_with_its_neighbour(tmp_path):
    (tmp_path / "alpha.eval").write_text("x")
    with pytest.raises(LogError, match=r"alfa.eval: there is no such file; did you mean 'alpha"):
        read_logs(tmp_path / "alfa.eval")


def test_folders_and_patterns_are_expanded(data, tmp_path):
    assert len(expanded(data / "lm_eval" / "steady__alpha")) == 3
    assert len(expanded(str(data / "inspect" / "judged_*.eval"))) == 2
    twice = [data / "inspect" / "alpha.eval"] * 2
    assert len(expanded(twice)) == 1
    with pytest.raises(LogError, match=r"is a folder without logs \(looked for \*.eval"):
        expanded(tmp_path)


def test_a_format_of_ones_own_is_one_entry(tmp_path):
    def read(opened, wanted):
        n = len(opened.content["marks"])
        return [
            Log(
                path=opened.path,
                format="mine",
                model="m",
                task="t",
                metric="mark",
                item=column([str(i) for i in range(n)]),
                score=np.array(opened.content["marks"], dtype=float),
                run=np.ones(n, dtype=int),
                problem=column([""] * n),
            )
        ]

    path = tmp_path / "own.json"
    path.write_text(json.dumps({"marks": [1, 0, 1]}))
    FORMATS.register(LogFormat("mine", title="my own", claims=lambda o: o.has("marks"), read=read))
    try:
        assert read_logs(path)[0].score.tolist() == [1, 0, 1]
    finally:
        FORMATS.remove("mine")


def test_what_a_format_cannot_be_asked_is_refused(data):
    with pytest.raises(LogError, match=r"filter='none' goes with logs of lm-eval.* and HELM"):
        read_logs(data / "inspect" / "alpha.eval", filter="none")
    with pytest.raises(LogError, match="run='uuid' is for logs that do not tell runs apart"):
        read_logs(data / "inspect" / "alpha.eval", run="uuid")


def test_a_field_tells_runs_apart_where_the_format_does_not(data):
    (path,) = data.glob("lighteval/details/steady/alpha/*/*.parquet")
    (log,) = read_logs(path, run="subject")
    assert sorted(set(log.run.tolist())) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(LogError, match="has no field 'seed'"):
        read_logs(path, run="seed")
