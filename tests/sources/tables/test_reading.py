"""Dispatch by extension, and files that cannot be tables."""

import pytest

from referee.errors import TableError
from referee.sources.tables import CATALOGUE, read_table


def test_unknown_extension_is_read_as_csv(tmp_path):
    (tmp_path / "iris.data").write_text("5.1,setosa\n6.2,virginica\n")
    assert read_table(tmp_path / "iris.data").labels("2").tolist() == ["setosa", "virginica"]


@pytest.mark.parametrize("extension", ["xlsx", "xls", "zip", "pkl", "npy", "json", "csv.zip"])
def test_refused_extensions_have_a_remedy(extension):
    with pytest.raises(TableError, match=rf"^data\.{extension}: .* cannot be read; \w+"):
        read_table(f"data.{extension}")


def test_missing_file_suggests_a_neighbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.csv").write_text("1,2\n")
    with pytest.raises(TableError, match=r"trian\.csv: there is no such file; did you mean 'train"):
        read_table("trian.csv")


def test_folder(tmp_path):
    (tmp_path / "data.csv").mkdir()
    with pytest.raises(TableError, match=r"data\.csv is a folder"):
        read_table(tmp_path / "data.csv")


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_every_reader_refuses_missing_and_empty_files(tmp_path, name):
    path = tmp_path / f"data.{name}"
    with pytest.raises(TableError, match=r"data\.\w+: there is no such file"):
        read_table(path)
    path.write_bytes(b"")
    with pytest.raises(TableError, match=r"data\.\w+ is empty"):
        read_table(path)


@pytest.mark.parametrize("name", sorted(set(CATALOGUE) - {"parquet"}))
def test_every_text_reader_refuses_binary_files(tmp_path, name):
    path = tmp_path / f"data.{name}"
    path.write_bytes(b"PK\x03\x04\x00\x01")
    with pytest.raises(TableError, match=r"byte 4 \(line 1\): 0x00"):
        read_table(path)


def test_header_must_be_known(tmp_path):
    with pytest.raises(TableError, match="header must be True, False or 'auto', got 'yes'"):
        read_table("data.csv", header="yes")
