"""Tables in blocks: split at once or record by record, packed or not, the cells are the same."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from referee.errors import TableError
from referee.sources.packed_stream import PackedStream
from referee.sources.tables import read_table
from referee.sources.tables.columns import Coded, Columns, Spelled
from referee.sources.tables.growing import GrowingColumn, GrowingWords
from referee.sources.tables.records import record_blocks
from referee.sources.tables.text import TextFile

ENDS = ("\n", "\r\n", "\r")


def cells_of(text, cells):
    blocks = list(record_blocks(TextFile("-", text.encode()), ",", cells))
    width = len(blocks[0].columns)
    columns = [[cell for b in blocks for cell in b.columns[i]] for i in range(width)]
    return columns, [line for block in blocks for line in block.lines]


def random_text(rng):
    def cell():
        return rng.choice(["1", "", " x", "a b", '"q"', '"a,b"', '"two\nlines"', "'s'", "é"])

    end = rng.choice(ENDS)
    rows = [",".join([cell(), cell(), "z"]) for _ in range(rng.integers(1, 30))]
    return end.join(rng.choice([row, row + end], p=[0.9, 0.1]) for row in rows) + rng.choice(
        ["", end]
    )


@pytest.mark.parametrize("seed", range(40))
def test_blocks_of_any_size_against_the_csv_module(seed):
    rng = np.random.default_rng(seed)
    text = random_text(rng)
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    rows, lines, end = [], [], 0
    for row in reader:
        start, end = end + 1, reader.line_num
        if row:
            rows.append([cell.strip() for cell in row])
            lines.append(start)
    for cells in (1, 7, 1000):
        columns, begins = cells_of(text, cells)
        assert [[c.strip() for c in row] for row in zip(*columns, strict=True)] == rows
        assert begins == lines


@pytest.mark.parametrize("cells", [1, 6, 1000])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n3\n", "line 3: 1 field, expected 2 as in line 1"),
        ('a,b\n1,2\n3,"4\n5,6\n', "line 3: a double quote"),
        ("\n\n", "blank lines only"),
    ],
)
def test_what_is_wrong_is_named_wherever_a_block_ends(text, words, cells):
    with pytest.raises(TableError, match=words):
        list(record_blocks(TextFile("-", text.encode()), ",", cells))


def test_words_that_come_late_find_their_column_as_it_is_written(tmp_path, monkeypatch):
    file = tmp_path / "late.csv"
    file.write_text("x,y\n01,1e3\n2.50,7\n?,8\nseven,9\n9007199254740993,10\n")
    monkeypatch.setattr(
        "referee.sources.tables.delimited.record_blocks",
        lambda text, separator: record_blocks(text, separator, 4),
    )
    table = read_table(file)
    assert table.column("x").tolist() == ["01", "2.50", None, "seven", "9007199254740993"]
    assert table.column("y").tolist() == [1000, 7, 8, 9, 10]


def test_a_number_without_end_is_named_as_it_is_written(tmp_path):
    file = tmp_path / "far.csv"
    file.write_text("x\n1\n1e999\n")
    with pytest.raises(TableError, match=r"line 3, column 'x': '1e999' is not a finite number"):
        read_table(file)


def test_a_byte_that_is_no_text_is_named_beyond_the_first_piece(tmp_path):
    file = tmp_path / "late.csv"
    lines = ["é" * 40] * 40_000
    file.write_bytes("\n".join(lines).encode() + b"\n\xe9\n")
    offset = len("\n".join(lines).encode()) + 1
    with pytest.raises(TableError, match=rf"byte {offset} \(line 40001\): 0xe9 is not UTF-8"):
        read_table(file)


def test_many_words_are_spelled_and_few_are_coded():
    few, many = GrowingWords(many=3), GrowingWords(many=3)
    few.add(["a", "b", "?", "a"])
    for start in (0, 4):
        many.add([f"w{n}" for n in range(start, start + 4)])
    many.add(["?", "w1"])
    assert isinstance(few.finish(), Coded)
    column = many.finish()
    assert isinstance(column, Spelled)
    assert column.array().tolist() == [*(f"w{n}" for n in range(8)), None, "w1"]
    assert column.take(np.arange(10) > 7).array().tolist() == [None, "w1"]
    assert column.take(np.array([9, 0])).array().tolist() == ["w1", "w0"]


def test_a_column_is_packed_in_a_byte_a_row():
    column = GrowingColumn()
    for _ in range(10):
        column.add(["yes", "no"] * 500)
    held = Columns({"y": column.finish()}).held("y")
    assert held.codes.nbytes == 10_000


def test_coded_labels_against_the_labels_themselves(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"word": rng.choice(["b", "a", "c"], 50), "number": rng.choice([3, -1], 50)}
    )
    frame["digits"] = frame.word.map({"b": "'01'", "a": "'1'", "c": "'2'"})
    frame.to_csv(tmp_path / "y.csv", index=False)
    table = read_table(tmp_path / "y.csv")
    table = table.keep(table.column("word") != "c")
    for name in frame:
        coded = table.coded_labels(name)
        assert coded.array().tolist() == table.labels(name).tolist()
        assert coded.kinds.tolist() == list(dict.fromkeys(table.labels(name).tolist()))
    assert table.labels("number").dtype.kind == "i"


def test_packed_labels_are_counted_as_pandas_counts_them():
    rng = np.random.default_rng(1)
    codes = {name: rng.integers(0, 5, 300).astype(np.uint8) for name in "yp"}
    stream = PackedStream(
        labels={name: Coded(c, np.array(list("edcba"))) for name, c in codes.items()}
    )
    frame = pd.DataFrame({name: np.array(list("edcba"))[c] for name, c in codes.items()})
    counts = frame.groupby(["y", "p"], sort=False).size()
    assert stream.kinds(["y", "p"]) == [(*kind, n) for kind, n in counts.items()]
    with pytest.raises(TableError, match="no column 'z'"):
        stream.kinds(["y", "z"])
