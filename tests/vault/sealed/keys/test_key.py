"""Keys: where they lie, who may read them, and what happens with a wrong one or none."""

import shutil
import stat
import sys
from pathlib import Path

import pytest

from referee import Vault
from referee.errors import InputError
from referee.vault.sealed.keys.passphrase import Stretching

sys.path.insert(0, str(Path(__file__).parents[1]))
from vaults import by_threshold, make


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_lies_in_the_configuration_directory_for_its_owner_alone(tmp_path, config):
    vault = make(tmp_path, key=None)
    assert vault.key_file == config / "referee" / "vaults" / f"{vault.header.vault}.key"
    assert mode(vault.key_file) == 0o600
    assert mode(vault.head_file) == 0o600
    assert mode(vault.key_file.parent) == 0o700
    assert vault.score(by_threshold(vault)).looks == 1
    assert mode(vault.head_file) == 0o600


def test_without_the_variable_it_is_the_home_directory(tmp_path, monkeypatch):
    from referee.vault.sealed.keys.key_place import configuration

    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative/path"):  # the specification says to ignore relative ones
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
        assert configuration() == tmp_path / ".config" / "referee" / "vaults"


def test_a_key_that_moved_with_its_head(tmp_path):
    vault = make(tmp_path, key=tmp_path / "mine")
    (tmp_path / "colleague").mkdir()
    for name in ("mine", "mine.head"):
        shutil.move(tmp_path / name, tmp_path / "colleague" / name)
    moved = Vault(vault.directory, key=tmp_path / "colleague" / "mine")
    assert moved.score(by_threshold(vault)).looks == 1
    with pytest.raises(InputError, match=r"key .* is missing.*key.*person who keeps it"):
        vault.score(by_threshold(vault))
    assert moved.check().looks == 1


def refused(vault, tmp_path, **access):
    """Return what `score`, `check` and `open` all say; nothing must have happened."""
    before = {p.name: p.read_bytes() for p in vault.directory.iterdir()}
    other = Vault(vault.directory, **access)
    said = set()
    for job in (lambda: other.score(by_threshold(vault)), other.check, other.open):
        with pytest.raises(InputError) as caught:
            job()
        said.add(str(caught.value).removesuffix(" (no look was spent)"))
    assert {p.name: p.read_bytes() for p in vault.directory.iterdir()} == before
    (text,) = said
    return text


def test_missing_wrong_and_damaged_keys(tmp_path):
    vault = make(tmp_path)
    (tmp_path / "b").mkdir()
    other = make(tmp_path / "b")
    text = (tmp_path / "key").read_text()
    damaged = {
        "nothing": None,
        "other": other.key_file.read_text(),
        "cut": text[:-10],
        "text": "hello\n",
        "digit": text[:-2] + ("0" if text[-2] != "0" else "1") + "\n",
    }
    said = {}
    for name, content in damaged.items():
        if content is not None:
            (tmp_path / name).write_text(content)
        said[name] = refused(vault, tmp_path, key=tmp_path / name)
    assert "there is no" in said["nothing"]
    assert "is the key of another vault" in said["other"]
    assert "is no key of a vault" in said["cut"]
    assert "is no key of a vault" in said["text"]
    assert "does not hold the key that sealed this vault" in said["digit"]
    assert all("key" in text and ("name" in text or "restore" in text) for text in said.values())


def test_passphrases(tmp_path, config, monkeypatch):
    # What scrypt costs by default is for attackers, not for this test.
    monkeypatch.setattr(Stretching, "new", lambda: Stretching("ab" * 16, n=2))
    vault = make(tmp_path, key=None, passphrase="correct horse")
    assert not list(config.rglob("*.key"))
    again = Vault(vault.directory, passphrase=lambda: "correct horse")
    assert again.score(by_threshold(vault)).looks == 1
    assert again.check().verdict.shown
    assert "not the one this vault was sealed with" in refused(vault, tmp_path, passphrase="wrong")
    assert "was sealed with a passphrase" in refused(vault, tmp_path)
    assert "is empty" in refused(vault, tmp_path, passphrase="")


def test_every_vault_has_a_key_of_its_own(tmp_path):
    make(tmp_path)
    (tmp_path / "b").mkdir()
    with pytest.raises(InputError, match="every vault has a key of its own"):
        make(tmp_path / "b", key=tmp_path / "key")
    with pytest.raises(InputError, match="would lie in the vault itself"):
        make(tmp_path / "b", key=tmp_path / "b" / "vault" / "key")
    assert not (tmp_path / "b" / "vault").exists()


def test_a_key_prints_nothing_of_itself(tmp_path):
    from referee.vault.sealed.ledger.books import right_key

    vault = make(tmp_path)
    key = right_key(vault._place, vault.header)
    digits = (tmp_path / "key").read_text().split()[-1]
    assert digits not in repr(key) + str(key) + f"{key!r}"
    assert key.secret.hex() == digits
