"""Uploaded files: each kind of bad one, its status and its message; a bad file costs no try."""

import contextlib
import gzip
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.benchmark.creating import plan_benchmark
from referee.arena.benchmark.lines import csv_lines
from referee.arena.benchmark.parquet_footer import read_footer
from referee.arena.benchmark.upload import (
    CSV,
    PARQUET,
    _at_once,
    _by_lines,
    _plain,
    read_upload,
)
from referee.arena.problem import Problem

from ..conftest import CANARY, request_for, write_tables

IDS = tuple("abcdefgh")


@pytest.fixture(scope="module")
def definitions(tmp_path_factory):
    """Definitions of a benchmark of classes, of one with areas, and of a Brier score."""
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder, n_test=40)
    made = {
        measure: plan_benchmark(
            request_for(folder, measure=measure, pos_label="cat"), seed=0
        ).definition
        for measure in ("error", "auc", "brier")
    }
    write_tables(folder, n_test=12, classes=("cat", "zebra"))
    made["short"] = plan_benchmark(request_for(folder), seed=0).definition
    write_tables(folder, n_test=60, classes=("0", "1", "2"))
    made["three"] = plan_benchmark(request_for(folder, measure="brier"), seed=0).definition
    return made


def table(definition, answers=("cat",), header="id,prediction", end="\n"):
    rows = [f"{name},{answers[k % len(answers)]}" for k, name in enumerate(definition.ids)]
    return (end.join([header, *rows]) + end).encode()


def with_line(definition, number, line):
    lines = table(definition).decode().splitlines()
    lines[number - 1] = line
    return ("\n".join(lines) + "\n").encode()


def problem(content, definition, kind=CSV):
    with pytest.raises(Problem) as caught:
        read_upload(content, kind, definition)
    return caught.value


def test_any_order_bom_windows_lines_quotes_and_missing_last_newline(definitions):
    definition = definitions["error"]
    plain = read_upload(table(definition, ("cat", CANARY)), CSV, definition)
    lines = table(definition, ("cat", CANARY)).decode().splitlines()
    mixed = [lines[0], *reversed(lines[1:])]
    quoted = [",".join(f'"{cell}"' for cell in line.split(",")) for line in mixed]
    for content in (
        "\n".join(mixed),
        "\r\n".join(lines) + "\r\n",
        "\ufeff" + "\n".join(lines),
        "\n".join(quoted) + "\n\n",
    ):
        assert read_upload(content.encode(), CSV, definition).digest == plain.digest


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("dog", 3),
        ("", 3),
        ("Cat", 3),
        (" cat", 3),
        ("cat ", 3),
        ("+1", 3),
        ("0x1", 3),
        ("1_0", 3),
        ("١", 3),
        ("1" * 400, 3),
        ("NaN", 3),
        ("=cmd()", 3),
    ],
)
def test_an_answer_that_is_no_class_is_named_with_line_and_column(definitions, cell, line):
    definition = definitions["error"]
    found = problem(with_line(definition, line, f"{definition.ids[1]},{cell}"), definition)
    assert (found.status, found.line, found.column) == (422, line, "prediction")
    assert "none of the classes 'cat', 'zebrafish'" in found.detail


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda d: b"", "empty"),
        (lambda d: b"id,prediction\n", "40 of the 40 cases"),
        (lambda d: table(d).replace(b"id,", b"name,", 1), "no column 'id'"),
        (lambda d: table(d, header="id,id"), "two columns are called 'id'"),
        (lambda d: table(d).replace(b",", b";"), "separated by commas"),
        (lambda d: with_line(d, 5, f"{d.ids[0]},cat"), "stood in line 2 already"),
        (lambda d: with_line(d, 5, "nobody,cat"), "no id of test.csv"),
        (lambda d: with_line(d, 5, "one"), "has 1 cells"),
        (lambda d: with_line(d, 5, "a,b,c"), "has 3 cells"),
        (lambda d: table(d) + b"more,cat\n", "no id of test.csv"),
        (lambda d: table(d)[:-20], "have no prediction"),
        (lambda d: table(d).replace(b"cat", b"c\0t", 1), "NUL"),
        (lambda d: table(d).decode().encode("utf-16"), "UTF-16"),
        (lambda d: table(d, end="\r"), "CR alone"),
        (lambda d: table(d).replace(b"cat", b"c\xe9t", 1), "not UTF-8"),
        (lambda d: gzip.compress(table(d)), "gzip"),
        (lambda d: b'id,prediction\n"' + b"x" * 200_000, "not a line of CSV"),
        (lambda d: b"id,prediction\n" + b"\n" * 3_000_000, "have no prediction"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_is_wrong(definitions, content, words):
    found = problem(content(definitions["error"]), definitions["error"])
    assert found.status == 422
    assert words in found.detail


@pytest.mark.parametrize("cell", ["nan", "inf", "1e999", "0x1", "1_0", "١", "", "one", "1,5"])
def test_scores_must_be_finite_numbers(definitions, cell):
    definition = definitions["auc"]
    rows = [f"{name},0.{k}" for k, name in enumerate(definition.ids)]
    rows[3] = f"{definition.ids[3]},{cell}"
    found = problem(("id,score\n" + "\n".join(rows)).encode(), definition)
    assert (found.status, found.line) == (422, 5)


def test_scores_are_read_as_they_are_written(definitions):
    definition = definitions["auc"]
    rng = np.random.default_rng(0)
    values = rng.normal(size=definition.n)
    order = rng.permutation(definition.n)
    rows = [f"{definition.ids[k]},{values[k]!r}".replace("np.float64(", "") for k in order]
    rows = [row.replace(")", "") for row in rows]
    made = read_upload(("id,score\n" + "\n".join(rows)).encode(), CSV, definition)
    assert np.array_equal(made.scores, values)


def test_probabilities_of_three_classes_may_stand_in_any_column(definitions):
    definition = definitions["three"]
    rows = [f"0.5,{name},0.25,0.25" for name in definition.ids]
    made = read_upload(("2,id,0,1\n" + "\n".join(rows)).encode(), CSV, definition)
    assert made.scores[0].tolist() == [0.25, 0.25, 0.5]
    rows[2] = f"0.5,{definition.ids[2]},0.25,0.35"
    found = problem(("2,id,0,1\n" + "\n".join(rows)).encode(), definition)
    assert found.line == 4
    assert "sum to 1" in found.detail


def parquet(**columns):
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return stream.getvalue()


def test_parquet_is_the_same_as_csv(definitions):
    definition = definitions["error"]
    answers = ["cat", CANARY] * 20
    made = read_upload(parquet(id=definition.ids, label=answers), PARQUET, definition)
    same = read_upload(table(definition, ("cat", CANARY)), CSV, definition)
    assert made.digest == same.digest
    scores = definitions["auc"]
    values = np.linspace(0, 1, 40)
    made = read_upload(parquet(id=scores.ids, score=values), PARQUET, scores)
    assert np.array_equal(made.scores, values)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda d: b"PAR1" + b"\0" * 20 + b"PAR1", "no Parquet file"),
        (lambda d: b"no parquet at all", "no Parquet file"),
        (
            lambda d: parquet(id=d.ids, label=["cat"] * 40)[:-9] + b"\xff\xff\xff\x7fPAR1",
            "no Parquet",
        ),
        (lambda d: parquet(id=d.ids[:-1], label=["cat"] * 39), "39 rows"),
        (lambda d: parquet(id=d.ids, label=[None] * 40), "holds Null"),
        (lambda d: parquet(id=d.ids, label=[None, "cat"] * 20), "none of the classes"),
        (lambda d: parquet(id=d.ids, label=[["cat"]] * 40), "holds List"),
        (lambda d: parquet(id=d.ids, label=[float("nan")] * 40), "none of the classes"),
    ],
)
def test_bad_parquet(definitions, content, words):
    found = problem(content(definitions["error"]), definitions["error"], PARQUET)
    assert found.status == 422
    assert words in found.detail


def test_a_parquet_bomb_is_refused_by_its_footer(definitions):
    """Many rows in few bytes: the footer says so, and nothing is unpacked."""
    stream = io.BytesIO()
    pl.DataFrame({"id": pl.repeat(0, 20_000_000, eager=True, dtype=pl.Int8)}).write_parquet(
        stream, compression="zstd"
    )
    content = stream.getvalue()
    assert len(content) < 2_000_000
    assert read_footer(content).rows == 20_000_000
    found = problem(content, definitions["error"], PARQUET)
    assert "20000000 rows" in found.detail


def test_a_parquet_file_that_would_unfold_is_refused(definitions, monkeypatch):
    monkeypatch.setattr("referee.arena.benchmark.parquet._UNPACKED", 1_000_000)
    definition = definitions["error"]
    wide = "x" * 50_000
    content = parquet(id=definition.ids, label=[f"{k}{wide}" for k in range(40)])
    found = problem(content, definition, PARQUET)
    assert found.status == 413


@given(st.binary(max_size=200))
def test_no_footer_makes_the_reader_stumble(data):
    content = b"PAR1" + data + len(data).to_bytes(4, "little") + b"PAR1"
    with contextlib.suppress(ValueError):
        read_footer(content)


CELLS = st.sampled_from(["cat", CANARY, "dog", "", " cat", '"cat"', "c,at", "1", "nan", "\u0663"])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(CELLS, min_size=40, max_size=40),
    st.permutations(range(40)),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
    st.booleans(),
)
def test_what_is_read_at_once_is_what_is_read_line_by_line(definitions, cells, order, end, legal):
    definition = definitions["error"]
    cells = [("cat" if cell != CANARY else cell) if legal else cell for cell in cells]
    rows = [f"{definition.ids[k]},{cells[k]}" for k in order]
    content = (end.join(["id,prediction", *rows]) + end).encode()
    fast = _at_once(content, definition)
    if fast is not None:
        assert fast.digest == _by_lines(csv_lines(content), definition).digest
    elif legal and end != "\n\n":
        raise AssertionError("a plain file was not read at once")


def outcome(content, definition):
    """Return the digest of what a file holds read line by line; None if it is refused."""
    try:
        return _by_lines(csv_lines(content), definition).digest
    except Problem:
        return None


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_is_read_as_plain_bytes_is_what_is_read_line_by_line(definitions, data):
    """A plain file with bytes changed, put in, taken out or doubled is never misread."""
    definition = definitions["short"]
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    content = table(definition, data.draw(st.permutations(["cat", "zebra", "cat"])), end=end)
    content = bytearray(content[: len(content) - data.draw(st.sampled_from([0, 0, 1]))])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        byte = data.draw(st.sampled_from([*b'\n\r,"\0 cid01', 0xEF, 0xFF]))
        kind = data.draw(st.sampled_from(["change", "insert", "remove", "double"]))
        until = at if kind == "insert" else at + 1
        put = {"remove": b"", "double": bytes(content[at : at + 1]) * 2}.get(kind, bytes([byte]))
        content[at:until] = put
    found = _plain(bytes(content), definition)
    if bytes(content) == table(definition, ("cat", "zebra", "cat"), end=end):
        assert found is not None
    assert found is None or found.digest == outcome(bytes(content), definition)


def test_plain_files_are_read_as_plain_bytes(definitions, tmp_path):
    """Ids and classes of all lengths; with BOM, Windows lines and without a last line's end."""
    write_tables(tmp_path, n_test=60, classes=("x", "ill", "well1234", "\u00e9"))
    definition = plan_benchmark(request_for(tmp_path), seed=0).definition
    plain = table(definition, ("ill", "\u00e9", "well1234", "x"))
    expected = outcome(plain, definition)
    windows = plain.replace(b"\n", b"\r\n")
    for content in (plain, b"\xef\xbb\xbf" + plain, windows, plain[:-1]):
        assert _plain(content, definition).digest == expected
    for content in (
        plain.replace(b"x\n", b"\n", 1),
        plain.replace(b"prediction", b"id"),
        plain.replace(b"ill", b"ilk", 1),
        plain + b"\n",
    ):
        assert _plain(content, definition) is None
    assert definitions["auc"].plain_form is None  # scores
    assert definitions["error"].plain_form is None  # a class of nine letters


def test_a_message_is_the_same_whatever_the_labels(tmp_path):
    """The same files, labels of the test cases permuted: the same words."""
    messages = []
    for seed in (0, 1):
        folder = tmp_path / str(seed)
        folder.mkdir()
        write_tables(folder, n_test=40, seed=0)
        rows = (folder / "test.csv").read_text().splitlines()
        labels = [row.rsplit(",", 1)[1] for row in rows[1:]]
        mixed = np.random.default_rng(seed).permutation(labels) if seed else labels
        body = [
            f"{row.rsplit(',', 1)[0]},{label}" for row, label in zip(rows[1:], mixed, strict=True)
        ]
        (folder / "test.csv").write_text("\n".join([rows[0], *body]) + "\n")
        definition = plan_benchmark(request_for(folder), seed=0).definition
        first = min(definition.ids)
        for line in (f"{first},dog", "nobody,cat", "x"):
            content = f"id,prediction\n{line}\n".encode()
            messages.append(problem(content, definition).detail)
    assert messages[:3] == messages[3:]
