"""The ledger itself: it only grows, it is synced, and a look stands in it before it is answered."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.vault.sealed.labels.sealed_file import SealedFile
from referee.vault.sealed.ledger.ledger import open_ledger
from referee.vault.sealed.sealed_measure import SealedMeasure

sys.path.insert(0, str(Path(__file__).parents[1]))
from vaults import by_threshold, make


@pytest.fixture
def vault(tmp_path):
    made = make(tmp_path, n=400)
    made.score(by_threshold(made, 3.0))
    return made


def path(vault):
    return vault.directory / "ledger.sqlite"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET content = '{}' WHERE number = 2",
        "DELETE FROM entries WHERE number = 3",
        "DELETE FROM entries",
        "INSERT INTO entries VALUES (9, '', '', '', x'', x'')",
        "INSERT OR REPLACE INTO entries VALUES (2, '', '', '', x'', x'')",
    ],
)
def test_a_database_program_that_means_well_cannot_change_it(vault, statement):
    with (
        closing(sqlite3.connect(path(vault))) as connection,
        pytest.raises(sqlite3.IntegrityError, match=r"only grows|without gaps"),
    ):
        connection.execute(statement)
    assert vault.check().verdict.shown


def test_it_is_a_write_ahead_log_synced_at_every_commit(vault):
    assert path(vault).read_bytes()[18:20] == b"\x02\x02"  # WAL, by SQLite's file format
    with open_ledger(path(vault)) as ledger:
        pragma = ledger._connection.execute
        assert pragma("PRAGMA journal_mode").fetchone() == ("wal",)
        assert pragma("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_look_stands_in_ledger_and_head_before_labels_are_decrypted(vault, monkeypatch):
    seen = []
    decrypt = SealedFile.decrypt

    def watched(self, key):
        with closing(sqlite3.connect(f"file:{path(vault)}?mode=ro", uri=True)) as connection:
            last = connection.execute("SELECT number, kind, content FROM entries").fetchall()[-1]
        head = json.loads(vault.head_file.read_text())
        seen.append((last[0], last[1], json.loads(last[2])["look"], head["number"]))
        return decrypt(self, key)

    monkeypatch.setattr(SealedFile, "decrypt", watched)
    vault.score(by_threshold(vault))
    assert seen == [(4, "look", 2, 4)]


def test_the_answer_stands_there_before_it_is_told(vault):
    look = vault.score(by_threshold(vault))
    with open_ledger(path(vault), read_only=True) as ledger:
        last = ledger.last()
    assert (last.kind, last.content["look"]) == ("answer", look.looks)
    assert last.content["released"] == look.released
    assert set(last.content) == {
        "cell", "ends", "interval", "look", "naive", "released", "releases_before", "state"
    }  # fmt: skip


def test_the_score_itself_is_nowhere_in_the_ledger(vault, monkeypatch):
    """Every number written is one of the grid: a secret loss off the grid leaves no trace."""
    grid = vault.header.grid
    off = int(grid.cell(4).low) + 1
    assert grid.cell(4).low < off < grid.cell(4).high
    monkeypatch.setattr(SealedMeasure, "loss", lambda *_: off)
    vault.score(by_threshold(vault))
    with open_ledger(path(vault), read_only=True) as ledger:
        content = ledger.last().content
    numbers = [*content["cell"], *content["ends"], content["released"]]
    assert off not in numbers
    assert off / grid.n not in numbers


def test_another_program_that_holds_the_database(vault, monkeypatch):
    monkeypatch.setattr("referee.vault.sealed.ledger.ledger._PATIENCE", 0.05)
    connection = sqlite3.connect(path(vault), isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(InputError, match="in use by another program"):
            vault.score(by_threshold(vault))
    finally:
        connection.execute("ROLLBACK")
        connection.close()
    assert vault.score(by_threshold(vault)).looks == 2


def test_a_directory_that_cannot_be_written_can_be_read(vault):
    for name in ("ledger.sqlite", "labels.sealed"):
        (vault.directory / name).chmod(0o444)
    vault.directory.chmod(0o555)
    try:
        assert len(vault.status().looks) == 1
        assert vault.check().verdict.shown
        assert {p.name for p in vault.directory.iterdir()} == {
            "labels.sealed", "ledger.sqlite", "test.csv", "train.csv"
        }  # fmt: skip
    finally:
        vault.directory.chmod(0o755)
