"""What cannot be scored is refused with line and column, before any label is decrypted."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from referee import Vault
from referee.errors import InputError
from referee.vault.sealed.labels.sealed_file import SealedFile

sys.path.insert(0, str(Path(__file__).parents[1]))
from vaults import by_threshold, data, make


@pytest.fixture
def vault(tmp_path, monkeypatch):
    made = make(tmp_path)

    def never(self, key):
        raise AssertionError("labels were decrypted")

    monkeypatch.setattr(SealedFile, "decrypt", never)
    return made


def lines(vault):
    answers = by_threshold(vault)
    return ["id,prediction", *(f"{name},{label}" for name, label in answers.items())]


def edited(vault, change):
    text = lines(vault)
    change(text)
    return "\n".join(text) + "\n"


def put(line, text):
    def change(every):
        every[line - 1] = text

    return change


BAD = {
    "an id is missing": (lambda t: t.pop(4), r"1 of the 20 cases .*have no prediction \('4'\)"),
    "an id twice": (put(6, "4,1"), r"lines 5, 6, column 'id': the id '4' stands 2 times"),
    "an unknown id": (put(6, "99,1"), r"line 6, column 'id': '99' is no id of test.csv"),
    "no id": (put(6, ",1"), r"column 'id': 1 of 20 values are missing \(.*line 6\)"),
    "other ids": (
        lambda t: t.__setitem__(slice(1, None), [f"case{k},1" for k in range(20)]),
        r"lines 2, 3, 4, 5, 6 and 15 more, column 'id': 'case0', .* are no ids of test.csv",
    ),
    "an unknown class": (put(6, "5,2"), r"line 6, column 'prediction': '2' is none of the 2 cl"),
    "a word": (put(6, "5,yes"), r"line 6, column 'prediction': 'yes' is none of the 2 classes"),
    "an empty answer": (put(6, "5,"), r"column 'prediction': 1 of 20 labels are missing .*line 6"),
    "NaN": (put(6, "5,nan"), r"column 'prediction': 1 of 20 labels are missing .*line 6"),
    "a quantity": (put(6, "5,0.7"), r"line 6, column 'prediction': 0.7 looks like a number"),
    "a short line": (put(6, "5"), r"line 6: 1 field, expected 2"),
    "no such column": (put(1, "case,prediction"), r"has no column 'id'"),
    "no header": (lambda t: t.pop(0), r"has no column 'id'; it has no header"),
    "only a header": (lambda t: t.__delitem__(slice(1, None)), r"a header and no row"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_scored(vault, tmp_path, name):
    change, said = BAD[name]
    path = tmp_path / "p.csv"
    path.write_text(edited(vault, change))
    with pytest.raises(InputError, match=said):
        vault.score(path)
    assert vault.status().looks == ()


def test_a_file_in_another_encoding(vault, tmp_path):
    path = tmp_path / "p.csv"
    text = edited(vault, put(1, "id,prédiction"))
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"byte 5 \(line 1\): 0xe9 is not UTF-8"):
        vault.score(path)
    path.write_bytes(text.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        vault.score(path)
    path.write_bytes(b"\x00\x01")
    with pytest.raises(InputError, match="binary"):
        vault.score(path)
    assert vault.status().looks == ()


def test_columns_that_are_not_told_apart(vault, tmp_path):
    path = tmp_path / "p.csv"
    rows = "".join(f"{name},1,0\n" for name in vault.header.ids)
    path.write_text("id,a,b\n" + rows)
    with pytest.raises(InputError, match=r"2 columns besides 'id' \('a', 'b'\); say which .*pred"):
        vault.score(path)
    with pytest.raises(InputError, match="has no column 'c'"):
        vault.score_file(path, pred="c")


ARRAYS = {
    "too few": (lambda v: [1] * 19, r"one prediction for each of the 20 cases .* got 19"),
    "two columns": (lambda v: np.ones((20, 2)), r"must have one dimension"),
    "nan": (lambda v: [0.0, np.nan] * 10, r"rows 1, 3, .*column 'predictions': the answer is miss"),
    "none": (lambda v: [None] + [1] * 19, r"row 0, column 'predictions': the answer is missing"),
    "another class": (lambda v: [1] * 19 + [7], r"row 19, column 'predictions': '7' is none of"),
    "booleans": (lambda v: [True] * 20, r"'True' is none of the 2 classes"),
    "a frame without ids": (
        lambda v: pd.DataFrame({"a": [1] * 20, "b": [1] * 20}),
        r"has the columns 'a', 'b'; give one column of labels",
    ),
    "an index of other ids": (
        lambda v: pd.Series([1] * 20, index=[f"c{k}" for k in range(20)]),
        r"are no ids of test.csv",
    ),
    "an id twice": (
        lambda v: pd.Series([1] * 20, index=["1", *v.header.ids[:19]]),
        r"rows 0, 1, column 'id': the id '1' stands 2 times",
    ),
    "a mapping with a gap": (lambda v: dict.fromkeys(v.header.ids[:19], 1), r"1 of the 20 cases"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_values_that_cannot_be_scored(vault, name):
    values, said = ARRAYS[name]
    with pytest.raises(InputError, match=said):
        vault.score(values(vault))
    assert vault.status().looks == ()


SCORES = {
    "nan": (lambda s: s.mask(s.index == "3"), r"row 2, column 'scores': nan is not a finite"),
    "infinite": (lambda s: s.where(s.index != "3", np.inf), r"row 2, .*inf is not a finite number"),
    "words": (lambda s: s.astype(object).where(s.index != "3", "x"), r"must hold numbers"),
    "two columns": (lambda s: pd.DataFrame({"a": s, "b": s}), r"one column of scores .* got 2"),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_that_cannot_be_scored(tmp_path, name):
    vault = make(tmp_path, measure="auc", baseline=None)
    scores = pd.Series(np.linspace(0, 1, 20), index=list(vault.header.ids))
    change, said = SCORES[name]
    with pytest.raises(InputError, match=said):
        vault.score(change(scores))
    assert vault.status().looks == ()


def test_probabilities_that_are_none(tmp_path):
    vault = make(tmp_path, measure="brier", baseline=None)
    with pytest.raises(InputError, match=r"row 19, column 'scores': 1.5 is no probability"):
        vault.score([0.5] * 19 + [1.5])
    X, _ = data(60)
    three = Vault.seal(X, [*"abc"] * 20, out=tmp_path / "t", key=tmp_path / "tk", measure="brier")
    frame = pd.DataFrame({"a": [0.5] * 12, "b": [0.2] * 12, "c": [0.2] * 12})
    with pytest.raises(InputError, match=r"rows 0, .*: the probabilities sum to 0.9"):
        three.score(frame)
    with pytest.raises(InputError, match="a column of probabilities for each of the 3 classes"):
        three.score(frame.drop(columns="c"))
    with pytest.raises(InputError, match="a column of probabilities for each of the 3 classes"):
        three.score(frame.rename(columns={"c": "d"}))


def test_messages_do_not_depend_on_the_labels(tmp_path):
    """The same bad files against other secret labels: the same messages, to the letter."""
    X, y = data()
    said = []
    for k, secret in enumerate((y[:20], 1 - y[:20], np.ones(20, dtype=int))):
        vault = Vault.seal(
            X, y, test=(X[:20], secret), out=tmp_path / f"v{k}", key=tmp_path / f"k{k}",
            random_state=0,
        )  # fmt: skip
        texts = []
        for change, _ in BAD.values():
            path = tmp_path / "p.csv"
            path.write_text(edited(vault, change))
            with pytest.raises(InputError) as caught:
                vault.score(path)
            texts.append(str(caught.value))
        said.append(texts)
    assert said[0] == said[1] == said[2]
