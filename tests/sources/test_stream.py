"""Streams of text files against the reader of tables, cell by cell."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import evaluate_predictions
from referee.errors import TableError
from referee.sources.stream import Stream
from referee.sources.tables.cells import MISSING, words

CELLS = st.sampled_from(
    ["ill", " ill", "ill ", "'ill'", "' ill '", "well", "'", "''", "x'y", " ?", "NA"]
)


def written(path, cells, head="y"):
    path.write_text("\n".join([head, *cells, ""]), encoding="utf-8")
    return path


@given(st.lists(CELLS, min_size=1, max_size=12))
def test_words_mean_what_they_mean_in_a_table(tmp_path_factory, cells):
    path = written(tmp_path_factory.mktemp("stream") / "a.csv", [*cells, "well"])
    read = Stream.of(path).frame.collect()["y"].to_list()
    assert read == words([*cells, "well"])


@given(st.lists(CELLS.filter(lambda cell: words([cell]) != [None]), min_size=1, max_size=12))
def test_codes_of_words_are_those_of_what_they_mean(tmp_path_factory, cells):
    rows = [f"{cell},{number}.5,'{cell}'" for number, cell in enumerate(cells)]
    path = written(tmp_path_factory.mktemp("stream") / "a.csv", rows, "y,w,group")
    meant = words(cells)
    codes = {word: number for number, word in enumerate(dict.fromkeys(meant))}
    read = Stream.of(path).coded({"y": codes}, ["w", "group"])
    assert read["y"].tolist() == [codes[word] for word in meant]
    assert read["w"].tolist() == [number + 0.5 for number in range(len(cells))]
    assert read["group"].tolist() == words([f"'{cell}'" for cell in cells])


def test_blanks_and_quotes_make_no_classes_of_their_own(tmp_path):
    rows = ["ill,ill", "ill ,'ill'", " well,well", "'well',ill"]
    path = written(tmp_path / "a.csv", rows, "y,p")
    e = evaluate_predictions(str(path), "p", truth="y", pos_label="ill")
    assert (e.error.value, list(e.predictions.classes)) == (0.25, ["ill", "well"])


@pytest.mark.parametrize("missing", sorted(MISSING - {""}))
def test_what_says_missing_is_missing(tmp_path, missing):
    path = written(tmp_path / "a.csv", ["ill,ill", f"{missing},well", f" {missing} ,ill"], "y,p")
    with pytest.raises(TableError, match=r"column 'y' of .*a.csv is missing in 2 rows"):
        evaluate_predictions(str(path), "p", truth="y", pos_label="ill")


def test_numbers_stay_numbers(tmp_path):
    path = written(tmp_path / "a.csv", ["1,0", "?,1", "0,1"], "y,p")
    table = Stream.of(path).frame.collect()
    assert table["y"].to_list() == [1, None, 0]


def test_spellings_of_a_text_file_are_one_word_and_those_of_parquet_are_not(tmp_path):
    words = ["a", " a", "'a'", "b", "b "]
    frame = pl.DataFrame({"y": words, "p": ["a", "a", "b", "b", "b"]})
    frame.write_csv(tmp_path / "t.csv")
    frame.write_parquet(tmp_path / "t.parquet")
    known = [("a", "a", 2), ("a", "b", 1), ("b", "b", 2)]
    assert Stream.of(tmp_path / "t.csv").kinds(["y", "p"]) == known
    assert len(Stream.of(tmp_path / "t.parquet").kinds(["y", "p"])) == 5
    assert len(Stream.of(frame.lazy()).kinds(["y", "p"])) == 5
