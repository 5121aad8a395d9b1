"""Whatever is changed in a vault, `check` says so: every byte, every entry, an older copy."""

import hmac
import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from referee.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))

from vaults import by_threshold, forge, link, make, rows


@pytest.fixture
def vault(tmp_path):
    made = make(tmp_path, n=24)
    for at in (3.0, 1.0, 0.9):
        made.score(by_threshold(made, at))
    assert made.check().verdict.shown
    return made


def passes(vault):
    try:
        return vault.check().verdict.shown
    except InputError:
        return False


def every_byte(vault, path, step=1):
    """Return the places of the bytes whose change `check` misses."""
    content = path.read_bytes()
    missed = []
    for at in range(0, len(content), step):
        changed = bytearray(content)
        changed[at] ^= 1 + at * 37 % 255
        path.write_bytes(changed)
        if passes(vault):
            missed.append(at)
    path.write_bytes(content)
    assert vault.check().verdict.shown
    return missed


def test_every_byte_of_the_sealed_file(vault):
    assert every_byte(vault, vault.directory / "labels.sealed") == []


def test_every_byte_of_the_ledger(vault):
    assert every_byte(vault, vault.directory / "ledger.sqlite") == []


def test_every_byte_of_the_head(vault):
    assert every_byte(vault, vault.head_file) == []


def test_every_byte_of_the_key(vault):
    assert every_byte(vault, vault.key_file) == []


def test_random_bytes_of_a_large_vault(tmp_path):
    vault = make(tmp_path, n=4000)
    rng = np.random.default_rng(1)
    for _ in range(60):
        vault.score(rng.integers(0, 2, vault.n))
    for name in ("labels.sealed", "ledger.sqlite", "train.csv", "test.csv"):
        path = vault.directory / name
        content = path.read_bytes()
        for at in rng.integers(0, len(content), 15):
            changed = bytearray(content)
            changed[at] ^= int(rng.integers(1, 256))
            path.write_bytes(changed)
            assert not passes(vault), (name, at)
        path.write_bytes(content)
    assert vault.check().verdict.shown


def problems(vault):
    check = vault.check()
    assert not check.verdict.shown
    return " ".join(check.problems)


def rewritten(vault, change):
    """Change the rows of a ledger and mend the chain of hashes, as one without the key can."""
    path = vault.directory / "ledger.sqlite"
    before = sha256((vault.directory / "labels.sealed").read_bytes()).digest()
    fresh = []
    for number, (_, time, kind, content, _, mac) in enumerate(change(rows(path)), 1):
        before = link(before, number, time, kind, content)
        fresh.append((number, time, kind, content, before, mac))
    inserts = [("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row) for row in fresh]
    forge(path, ("DELETE FROM entries",), *inserts)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE entries SET time = '2020-01-01T00:00:00Z' WHERE number = 3", "entry 3"),
        ("UPDATE entries SET kind = 'look' WHERE number = 3", "entry 3"),
        ("UPDATE entries SET mac = zeroblob(32) WHERE number = 2", "entry 2 was not written by"),
        ("DELETE FROM entries WHERE number = 3", "entry 3 is missing"),
        ("DELETE FROM entries WHERE number = 1", "entry 1 is missing"),
        ("DELETE FROM entries WHERE number > 5", "older copy"),
        ("DELETE FROM entries", "empty"),
    ],
)
def test_an_edited_or_removed_entry(vault, statement, said):
    forge(vault.directory / "ledger.sqlite", (statement,))
    assert said in problems(vault)


def test_entries_in_another_order(vault):
    swap = [
        ("UPDATE entries SET number = -4 WHERE number = 4",),
        ("UPDATE entries SET number = 4 WHERE number = 6",),
        ("UPDATE entries SET number = 6 WHERE number = -4",),
    ]
    forge(vault.directory / "ledger.sqlite", *swap)
    assert "entry 4" in problems(vault)


def test_a_mended_chain_lacks_the_key(vault):
    def kinder(entries):
        told = [list(entry) for entry in entries]
        content = json.loads(told[2][3])
        content["interval"] = [0.0, 0.1]
        told[2][3] = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return told

    rewritten(vault, kinder)
    assert "entry 3 was not written by a holder of the key" in problems(vault)


def test_a_look_taken_out_with_its_answer_and_the_chain_mended(vault):
    rewritten(vault, lambda entries: [entries[0], *entries[3:]])
    assert "was not written by a holder of the key" in problems(vault)


def test_an_older_ledger_copied_back(vault, tmp_path):
    path = vault.directory / "ledger.sqlite"
    shutil.copy(path, tmp_path / "old")
    vault.score(by_threshold(vault, 0.0))
    shutil.copy(tmp_path / "old", path)
    assert "older copy: the key knows of 9 entries" in problems(vault)
    with pytest.raises(InputError, match=r"older copy.*no look was spent"):
        vault.score(by_threshold(vault))


def test_a_second_copy_of_the_vault_is_found_when_the_first_went_on(vault, tmp_path):
    from referee import Vault

    shutil.copytree(vault.directory, tmp_path / "copy")
    copy = Vault(tmp_path / "copy", key=vault.key_file)
    vault.score(by_threshold(vault, 0.5))
    assert "older copy" in problems(copy)
    with pytest.raises(InputError, match="older copy"):
        copy.score(by_threshold(vault, 0.6))


def test_without_its_head_a_vault_answers_nothing(vault):
    vault.head_file.unlink()
    assert "is missing, so an older ledger could" in problems(vault)
    with pytest.raises(InputError, match=r"head.*can only be opened.*no look was spent"):
        vault.score(by_threshold(vault))


def test_triggers_removed_or_a_table_added(vault):
    path = vault.directory / "ledger.sqlite"
    kept = path.read_bytes()
    import sqlite3
    from contextlib import closing

    for statement in ("DROP TRIGGER no_change", "CREATE TABLE more (x)"):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()
        assert "its table or its triggers were changed" in problems(vault)
        with pytest.raises(InputError, match="triggers were changed"):
            vault.score(by_threshold(vault))
        path.write_bytes(kept)


def test_a_vacuumed_ledger_has_other_bytes(vault):
    forge(vault.directory / "ledger.sqlite", ("VACUUM",))
    assert "bytes of ledger.sqlite are not those that referee left" in problems(vault)


def test_another_vaults_ledger_or_sealed_file(vault, tmp_path):
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other", n=24)
    for name in ("ledger.sqlite", "labels.sealed"):
        kept = (vault.directory / name).read_bytes()
        shutil.copy(other.directory / name, vault.directory / name)
        assert "labels.sealed is not the file that the ledger began with" in problems(vault)
        (vault.directory / name).write_bytes(kept)
    shutil.copy(vault.directory / "labels.sealed", tmp_path / "kept")


def test_a_changed_sealed_file_costs_no_look(vault):
    path = vault.directory / "labels.sealed"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    from referee import Vault

    again = Vault(vault.directory, key=vault.key_file)
    with pytest.raises(InputError, match=r"not the file that the ledger began with.*no look"):
        again.score(by_threshold(vault))


def test_one_with_the_key_can_still_not_tell_an_impossible_story(vault):
    """A second answer to a look, MAC and all, is found by what it says."""
    path = vault.directory / "ledger.sqlite"
    key = bytes.fromhex(vault.key_file.read_text().split()[-1])
    vault_id = bytes.fromhex(vault.header.vault)
    extracted = hmac.digest(vault_id, key, "sha256")
    ledger_key = hmac.digest(extracted, b"referee vault 1 ledger\x01", "sha256")
    last = rows(path)[-1]
    digest = link(last[4], 8, last[1], "answer", last[3])
    mac = hmac.digest(ledger_key, digest, "sha256")
    entry = (8, last[1], "answer", last[3], digest, mac)
    forge(path, ("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", entry))
    assert problems(vault) == "entry 8 answers no look"
