"""Delimited files, against cells written by hand and against polars and pandas."""

import gzip

import numpy as np
import pandas as pd
import pytest

from referee.errors import TableError
from referee.sources.tables import read_table


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a file into an empty current folder, so that messages show its bare name."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="data.csv"):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def test_headerless_adult_look_alike_against_hand(written):
    table = read_table(written("39, State-gov, <=50K\n50, ?, >50K\n\n38, Private, <=50K\n\n"))
    assert (table.header, table.header_guessed) == (False, True)
    assert table.columns == ("1", "2", "3")
    assert table.column("1").tolist() == [39, 50, 38]
    assert table.column("2").tolist() == ["State-gov", None, "Private"]
    assert table.labels("last").tolist() == ["<=50K", ">50K", "<=50K"]
    assert [table.place(r) for r in range(3)] == [f"data.csv, line {n}" for n in (1, 2, 4)]


def test_header_and_first_line_against_hand(written):
    table = read_table(written("'age' , \"income, gross\"\n39,1\n50,2\n"))
    assert (table.header, table.first_line, table.n_rows) == (True, 2, 2)
    assert table.columns == ("age", "income, gross")


def test_quoted_labels_become_integers(written):
    table = read_table(written("0.2,'-1'\n0.3,'1'\n"))
    labels = table.labels("-1")
    assert labels.dtype.kind == "i"
    assert labels.tolist() == [-1, 1]


@pytest.mark.parametrize(
    "token", ["", "?", "NA", "N/A", "nan", "NaN", "null", "NULL", " ? ", "'?'"]
)
def test_missing_tokens_in_numbers_and_words(written, token):
    table = read_table(written(f"number,word\n1,a\n{token},{token}\n2,b\n"))
    np.testing.assert_array_equal(table.column("number"), [1, np.nan, 2])
    assert table.column("word").tolist() == ["a", None, "b"]


@pytest.mark.parametrize(
    ("first", "header"),
    [
        ("age,sex", True),
        ("39,sex", False),
        ("age,?", False),
        ("'39',sex", False),
        ("age,-1e3", False),
    ],
)
def test_header_is_decided_by_numbers_and_missing_tokens(written, first, header):
    table = read_table(written(f"{first}\nx,y\nz,w\n"))
    assert table.header is header


@pytest.mark.parametrize(("header", "rows"), [(True, 1), (False, 2)])
def test_stated_header_wins(written, header, rows):
    table = read_table(written("1,2\n3,4\n"), header=header)
    assert (table.header, table.header_guessed, table.n_rows) == (header, False, rows)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_sniffed(written, separator):
    text = "name,x,y\nred,1.5,a\nblue,2.5,b\n".replace(",", separator)
    table = read_table(written(text))
    assert table.columns == ("name", "x", "y")
    assert table.column("x").tolist() == [1.5, 2.5]


def test_tsv_keeps_commas(written):
    table = read_table(written("a,1\tb,2\n", "data.tsv"), header=False)
    assert table.column("1").tolist() == ["a,1"]


def test_separator_survives_a_ragged_line(written):
    with pytest.raises(TableError, match="line 3: 2 fields, expected 3"):
        read_table(written("a;b;c\n1;2;3\n1;2\n4;5;6\n"))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_do_not_change_cells_or_lines(written, ending):
    table = read_table(written(ending.join(["x,y", "1,a", "2,b"])))
    assert table.labels("y").tolist() == ["a", "b"]
    assert table.place(1) == "data.csv, line 3"


def test_byte_order_mark_and_gzip(written):
    content = b"\xef\xbb\xbfage,class\n39,yes\n"
    packed = read_table(written(gzip.compress(content), "data.csv.gz"))
    assert read_table(written(content)).columns == packed.columns == ("age", "class")


def test_cells_over_two_lines_count_as_an_editor_counts(written):
    table = read_table(written('x,note\n1,"two\nlines"\n2,one\n'))
    assert table.column("note").tolist() == ["two\nlines", "one"]
    assert table.place(1) == "data.csv, line 4"


def test_against_pandas(written):
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(generator.normal(size=(50, 4)), columns=list("abcd"))
    frame["word"] = generator.choice(["red", "green"], 50)
    frame.loc[3, "b"] = np.nan
    name = written(frame.to_csv(index=False))
    ours = read_table(name).features()
    theirs = pd.read_csv(name, dtype={"word": object})
    pd.testing.assert_frame_equal(ours.reset_index(drop=True), theirs)
    assert (ours.index.name, ours.index[0], ours.index[-1]) == ("line", 2, 51)


def test_a_column_with_one_word_is_text(written):
    assert read_table(written("x,y\n1,1\ntwo,2\n")).column("x").tolist() == ["1", "two"]


BAD = {
    "short line": ("a,b,c\n1,2,3\n4,5\n", ["line 3", "2 fields", "expected 3", "complete"]),
    "long line": ("a,b\n1,2\n\n4,5,6\n", ["line 4", "3 fields", "expected 2", "quote"]),
    "infinite": ("age,b\n1,2\ninf,3\n", ["line 3", "'age'", "'inf'", "empty"]),
    "minus infinite": ("age,b\n1,2\n-inf,3\n", ["line 3", "'age'", "'-inf'", "empty"]),
    "overflow": ("age,b\n1,2\n3,1e999\n", ["line 3", "'b'", "'1e999'", "finite"]),
    "duplicate names": ("a,b,a\nx,y,z\n", ["line 1", "'a'", "columns 1, 3", "rename"]),
    "header only": ("age,sex\n", ["line 1", "header", "header=False"]),
    "open quote": ('x,y\n1,"a\n2,b\n3,c\n', ["line 2", "double quote", "close it"]),
    "two open quotes": ('x,y\n1,"a\n2,b\n3,"c\n', ["line 2", "line 4", "double quote"]),
    "decimal commas": ("x;y\n1,5;a\n2;b\n", ["line 2", "'x'", "'1,5'", "decimal point"]),
    "blank": ("\n \n", ["empty"]),
    "nothing": ("", ["empty", "0 bytes"]),
    "zero byte": (b"a,b\n1,\x002\n", ["byte 6", "line 2", "0x00", "binary"]),
    "latin 1": (b"a,b\nx,caf\xe9\n", ["byte 9", "line 2", "0xe9", "UTF-8"]),
    "utf 16": ("a,b\n".encode("utf-16"), ["byte 0", "UTF-16", "iconv"]),
}


@pytest.mark.parametrize("case", BAD)
def test_messages_name_file_place_value_and_remedy(written, case):
    content, parts = BAD[case]
    with pytest.raises(TableError) as caught:
        read_table(written(content))
    for part in ["data.csv", *parts]:
        assert part in str(caught.value)


def test_numbers_in_a_header_do_not_pass_unnoticed(written):
    name = written("site,2019,2020x\na,1,5\nb,2,6\n")
    with pytest.raises(TableError, match=r"line 1, column 3: '2020x' is the only cell"):
        read_table(name)
    assert read_table(name, header=True).columns == ("site", "2019", "2020x")


def test_empty_name_in_a_stated_header(written):
    with pytest.raises(TableError, match=r"data.csv, line 1: .* no name to columns 1, 3"):
        read_table(written(",age,\n0,39,1\n"), header=True)


def test_broken_gzip(written):
    with pytest.raises(TableError, match=r"data\.csv\.gz is not a complete gzip"):
        read_table(written(gzip.compress(b"a,b\n1,2\n")[:-6], "data.csv.gz"))


def test_the_nameless_index_that_pandas_writes(written):
    made = read_table(written(",age,y\n0,39,a\n1,50,b\n"))
    assert made.header
    assert made.columns == ("index", "age", "y")
    assert made.column("age").tolist() == [39, 50]
