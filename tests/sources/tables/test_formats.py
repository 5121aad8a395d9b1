"""ARFF, svmlight, Parquet and JSON lines, against what was written and against scipy."""

import datetime as dt
import io

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.io import arff as scipy_arff
from sklearn.datasets import dump_svmlight_file

from referee.errors import TableError
from referee.sources.tables import read_table

ARFF = """% a comment
@RELATION 'some pets'

@attribute 'body mass' REAL
@attribute legs integer
@attribute kind{cat, 'big dog', "fi,sh"}
@attribute born date "yyyy-MM-dd"
@attribute answer {0, 1}
@data
% another
4.2,4,cat,2020-01-02,0
?,4,'big dog',?,1

0.1, 0, 'fi,sh', "2021-03-04", 1
"""


def save(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_arff_against_hand(tmp_path):
    table = read_table(save(tmp_path, "pets.arff", ARFF))
    assert table.columns == ("body mass", "legs", "kind", "born", "answer")
    np.testing.assert_array_equal(table.column("body mass"), [4.2, np.nan, 0.1])
    assert table.labels("kind").tolist() == ["cat", "big dog", "fi,sh"]
    assert table.column("born").tolist() == ["2020-01-02", None, "2021-03-04"]
    assert table.column("answer").tolist() == ["0", "1", "1"]
    assert table.labels("answer").tolist() == [0, 1, 1]
    assert table.place(2).endswith("pets.arff, line 14")


def test_arff_against_scipy(tmp_path):
    text = "@relation r\n@attribute x real\n@attribute y {a,b}\n@data\n1.5,a\n?,b\n-2,a\n"
    expected, _ = scipy_arff.loadarff(io.StringIO(text))
    table = read_table(save(tmp_path, "r.arff", text))
    np.testing.assert_array_equal(table.column("x"), expected["x"])
    assert table.labels("y").tolist() == [value.decode() for value in expected["y"]]


HEAD = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n"

BAD_ARFF = {
    "sparse": (HEAD + "{0 1, 1 a}\n", ["line 5", "sparse", "svmlight"]),
    "ragged": (HEAD + "1,a\n2\n", ["line 6", "1 field", "expected 2"]),
    "not a number": (HEAD + "1,a\nten,b\n", ["line 6", "'x'", "'ten'", "string"]),
    "infinite": (HEAD + "1,a\ninf,b\n", ["line 6", "'x'", "'inf'"]),
    "undeclared": (HEAD + "1,a\n2,bb\n", ["line 6", "'y'", "'bb'", "did you mean 'b'"]),
    "no data": ("@relation r\n@attribute x numeric\n", ["without @data"]),
    "no rows": (HEAD, ["line 4", "no row"]),
    "relational": ("@attribute x relational\n@data\n1\n", ["line 1", "'x'", "'relational'"]),
    "duplicate": ("@attribute x real\n@attribute x real\n@data\n1,2\n", ["'x'", "rename"]),
    "not arff": ("a,b\n1,2\n", ["line 1", "'a,b'", "not ARFF"]),
}


@pytest.mark.parametrize("case", BAD_ARFF)
def test_arff_messages(tmp_path, case):
    content, parts = BAD_ARFF[case]
    with pytest.raises(TableError) as caught:
        read_table(save(tmp_path, "r.arff", content))
    for part in ["r.arff", *parts]:
        assert part in str(caught.value)


@pytest.mark.parametrize("zero_based", [True, False])
def test_svmlight_reads_back_what_scikit_learn_wrote(tmp_path, zero_based):
    X = sparse.random(20, 6, density=0.5, format="csr", rng=np.random.default_rng(0)).toarray()
    X[0] = 1.0  # so that every feature occurs
    y = np.arange(20) % 3
    dump_svmlight_file(X, y, str(tmp_path / "d.libsvm"), zero_based=zero_based)
    table = read_table(tmp_path / "d.libsvm")
    assert sparse.isspmatrix_csr(table.features(drop=["target"]))
    np.testing.assert_allclose(table.features(drop=["target"]).toarray(), X)
    assert table.labels("target").tolist() == y.tolist()


def test_svmlight_knows_its_lines(tmp_path):
    table = read_table(save(tmp_path, "d.svm", "# comment\n1 1:2\n\n-1 1:3 # x\n"))
    assert table.place(1).endswith("d.svm, line 4")


BAD_SVMLIGHT = {
    "word": ("1 1:2\nspam 1:3\n", ["line 2", "'spam'"]),
    "value": ("1 1:2\n\n1 1:x\n", ["line 3", "'1:x'", "index:value"]),
    "order": ("1 2:2 1:3\n", ["line 1", "feature 1", "ascend"]),
    "repeated": ("1 1:2\n1 1:2 1:3\n", ["line 2", "feature 1 comes after feature 1", "ascend"]),
    "infinite": ("1 1:2\n# c\n1 1:1 3:inf\n", ["line 3", "feature 3", "inf"]),
    "comments": ("# only\n", ["empty"]),
}


@pytest.mark.parametrize("case", BAD_SVMLIGHT)
def test_svmlight_messages(tmp_path, case):
    content, parts = BAD_SVMLIGHT[case]
    with pytest.raises(TableError) as caught:
        read_table(save(tmp_path, "d.svmlight", content))
    for part in ["d.svmlight", *parts]:
        assert part in str(caught.value)


def test_parquet_reads_back_what_polars_wrote(tmp_path):
    pl.DataFrame(
        {
            "n": [1, None, 3],
            "flag": [True, None, False],
            "word": [" red ", "?", "blue"],
            "day": [dt.date(2020, 1, 2), None, dt.date(2021, 3, 4)],
            "none": [None, None, None],
            "kind": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
        }
    ).write_parquet(tmp_path / "d.parquet")
    table = read_table(tmp_path / "d.parquet")
    np.testing.assert_array_equal(table.column("n"), [1, np.nan, 3])
    assert table.column("flag").tolist() == ["True", None, "False"]
    assert table.column("word").tolist() == ["red", None, "blue"]
    assert table.column("day").tolist() == ["2020-01-02", None, "2021-03-04"]
    assert np.isnan(table.column("none")).all()
    assert table.labels("kind").tolist() == ["a", "b", "a"]
    assert table.place(2).endswith("d.parquet, row 3")


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        ({"x": [[1, 2], [3]]}, ["'x'", "List", "flatten"]),
        ({"x": [{"a": 1}, {"a": 2}]}, ["'x'", "Struct", "flatten"]),
        ({"x": [1.0, np.inf]}, ["row 2", "'x'", "'inf'"]),
        ({"x": []}, ["empty"]),
    ],
)
def test_parquet_messages(tmp_path, columns, parts):
    pl.DataFrame(columns).write_parquet(tmp_path / "d.parquet")
    with pytest.raises(TableError) as caught:
        read_table(tmp_path / "d.parquet")
    for part in ["d.parquet", *parts]:
        assert part in str(caught.value)


def test_parquet_that_is_text(tmp_path):
    with pytest.raises(TableError, match=r"d\.parquet is not a readable Parquet file"):
        read_table(save(tmp_path, "d.parquet", "a,b\n1,2\n"))


def test_json_lines_against_hand(tmp_path):
    text = '{"x": 1, "y": "a"}\n\n{"y": "b", "z": true}\n{"x": NaN, "y": " c ", "z": null}\n'
    table = read_table(save(tmp_path, "d.jsonl", text))
    np.testing.assert_array_equal(table.column("x"), [1, np.nan, np.nan])
    assert table.labels("y").tolist() == ["a", "b", "c"]
    assert table.column("z").tolist() == [None, "True", None]
    assert table.place(1).endswith("d.jsonl, line 3")


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ('{"x": 1}\n{bad}\n', ["line 2", "'{bad}'", "JSON"]),
        ('{"x": 1}\n[1]\n', ["line 2", "'[1]'", "object"]),
        ('{"x": 1}\n{"x": [2]}\n', ["line 2", "'x'", "[2]", "flatten"]),
        ('{"x": 1}\n{"x": 1e999}\n', ["line 2", "'x'", "inf"]),
        ("{}\n{}\n", ["no column"]),
    ],
)
def test_json_lines_messages(tmp_path, content, parts):
    with pytest.raises(TableError) as caught:
        read_table(save(tmp_path, "d.ndjson", content))
    for part in ["d.ndjson", *parts]:
        assert part in str(caught.value)
