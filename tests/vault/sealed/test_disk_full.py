"""A full disk: a clear message, no look spent, and a ledger that is whole."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee import Vault
from referee.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from vaults import by_threshold, make


@pytest.fixture
def tiny(tmp_path):
    """Give a file system of its own, of 2 MiB, where that is allowed."""
    place = tmp_path / "tiny"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if os.geteuid() or shutil.which("mount") is None:
        pytest.skip("only root can mount a file system")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not allow to mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(place, leave=0):
    """Fill a disk, but for some bytes."""
    free = shutil.disk_usage(place).free
    (place / "filler").write_bytes(bytes(max(0, free - leave)))


def check_whole(vault, looks):
    check = vault.check()
    assert check.verdict.shown, check.problems
    assert check.looks == looks


@pytest.mark.parametrize("leave", [0, 4096, 100_000])
def test_no_look_on_a_full_disk(tiny, tmp_path, leave):
    vault = make(tmp_path, n=40)
    shutil.move(vault.directory, tiny / "vault")
    vault = Vault(tiny / "vault", key=vault.key_file)
    vault.score(by_threshold(vault, 3.0))
    fill(tiny, leave)
    with pytest.raises(InputError, match=r"disk .* is full.*make room \(no look was spent\)"):
        vault.score(by_threshold(vault))
    check_whole(vault, 1)
    (tiny / "filler").unlink()
    assert vault.score(by_threshold(vault)).looks == 2
    check_whole(vault, 2)


@pytest.mark.parametrize("leave", range(0, 60_000, 4096))
def test_a_disk_that_fills_while_a_look_is_taken(tiny, tmp_path, monkeypatch, leave):
    """Without the look ahead, SQLite meets the full disk at one step or another."""
    vault = make(tmp_path, n=40)
    shutil.move(vault.directory, tiny / "vault")
    vault = Vault(tiny / "vault", key=vault.key_file)
    vault.score(by_threshold(vault, 3.0))
    monkeypatch.setattr(Vault, "_refuse_full_disk", lambda self: None)
    fill(tiny, leave)
    try:
        vault.score(by_threshold(vault))
        spent = 1
    except InputError as problem:
        said = str(problem)
        assert "make room" in said or "cannot be written" in said
        assert "no look was spent" in said or "look 2 was spent" in said
        spent = int("look 2 was spent" in said)
    (tiny / "filler").unlink()
    check_whole(vault, 1 + spent)
    assert vault.score(by_threshold(vault)).looks == 2 + spent
    check_whole(vault, 2 + spent)


@pytest.mark.parametrize("more", [0, 1000, 4096, 9000, 20_000, 40_000])
def test_a_limit_on_the_size_of_files(tmp_path, more):
    """The same without root: no file may grow beyond a limit."""
    vault = make(tmp_path, n=40)
    for at in (3.0, 2.5, 2.0):
        vault.score(by_threshold(vault, at))
    size = (vault.directory / "ledger.sqlite").stat().st_size
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    said = ""
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max(400, more or size // 4), kept[1]))
        vault.score(by_threshold(vault))
    except InputError as problem:
        said = str(problem)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)
        signal.signal(signal.SIGXFSZ, ignored)
    if said:
        assert "written" in said
        assert "no look was spent" in said or "look 4 was spent" in said
    looks = 3 if "no look was spent" in said else 4
    check_whole(vault, looks)
    assert vault.score(by_threshold(vault)).looks == looks + 1


def test_a_vault_that_does_not_fit_leaves_nothing_behind(tiny, tmp_path, config):
    fill(tiny, 8192)
    with pytest.raises(InputError, match="cannot be written"):
        make(tiny, n=2000, key=None)
    assert sorted(p.name for p in tiny.iterdir()) == ["filler"]
    assert list(config.rglob("*.key")) == []
    assert list(config.rglob("*.head")) == []


def test_a_file_in_the_place_of_a_directory(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file exists already; name another place"):
        make(tmp_path / "file", key=None)
