"""Power cuts: after any of them the disk holds what was synced, and that is all there is.

A library between SQLite and the system (power_cut.c) notes every write, change of length and fsync
of the database. A cut is a moment in that trace: a file then holds what it held at its last fsync,
and of the writes since then any part, some of them torn. Before each answer the process notes it in
the same trace, so it is known which submissions had been acknowledged by then.
"""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from referee.arena.arena import open_arena
from referee.arena.scoring.checking import check_arena

from ..conftest import Site, cheap_passwords
from ..crashing import SOURCES, recorded

SUBMITTING = """
import sys
from pathlib import Path
from referee.arena.arena import open_arena
from referee.arena.accounts.accounts import account_named
from referee.arena.scoring.submitting import submit

directory, slug, files, marks = sys.argv[1:]
with open_arena(directory) as arena:
    accounts = [account_named(arena, f"Team {k}") for k in range(3)]
    with open(marks, "wb", buffering=0) as acknowledged:
        for k, path in enumerate(sorted(Path(files).iterdir())):
            made = submit(arena, accounts[k % 3], slug, path.read_bytes(), idempotency_key=str(k))
            acknowledged.write(made.id.encode())
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    target = tmp_path_factory.mktemp("library") / "power_cut.so"
    source = Path(__file__).with_name("power_cut.c")
    build = ["cc", "-shared", "-fPIC", "-O1", "-o", target, source, "-ldl", "-lpthread"]
    subprocess.run([*map(str, build)], check=True)
    return target


def traced(folder, library, submissions):
    """Submit from a process whose writes are noted; return the site, a copy of it, the trace."""
    site = Site(folder, per_day=1000, total=1000)
    with site.open_now() as arena:
        for k in range(3):
            site.team(arena, f"Team {k}")
    before = folder / "before"
    shutil.copytree(site.directory, before)
    files = folder / "files"
    files.mkdir()
    for k in range(submissions):
        (files / f"{k:04}.csv").write_bytes(site.file(150 - k % 140, k))
    marks = site.directory / "acknowledged"
    environment = os.environ | {
        "PYTHONPATH": SOURCES,
        "LD_PRELOAD": str(library),
        "POWER_CUT_ROOT": str(site.directory),
        "POWER_CUT_TRACE": str(folder / "trace"),
    }
    command = [sys.executable, "-c", SUBMITTING, site.directory, site.slug, files, marks]
    subprocess.run([*map(str, command)], check=True, env=environment)
    return site, before, read_trace((folder / "trace").read_bytes())


def read_trace(data):
    records, at = [], 0
    while at < len(data):
        kind, length = struct.unpack_from("<cI", data, at)
        name = data[at + 5 : at + 5 + length].decode()
        at += 5 + length
        offset, size = struct.unpack_from("<QQ", data, at)
        records.append((kind.decode(), Path(name).name, offset, data[at + 16 : at + 16 + size]))
        at += 16 + size
    return records


class Disk:
    """Files as they were at their last fsync, and what was written since."""

    def __init__(self, folder):
        self.safe = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
        self.since = {}
        self.acknowledged = b""

    def apply(self, record):
        kind, name, _, data = record
        if name == "acknowledged":
            self.acknowledged += data
        elif kind == "s":
            self.safe[name] = self._with(name, self.since.pop(name, []))
        else:
            self.since.setdefault(name, []).append(record)

    def _with(self, name, records):
        content = bytearray(self.safe.get(name, b""))
        for kind, _, offset, data in records:
            if kind == "t":
                content = content[:offset].ljust(offset, b"\0")
            else:
                content = content.ljust(offset, b"\0")
                content[offset : offset + len(data)] = data
        return bytes(content)

    def after_the_cut(self, rng):
        """Return the files: what was synced, and of the rest what chance lets through."""
        files = dict(self.safe)
        for name, records in self.since.items():
            kept = [record for record in records if rng.random() < 0.5]
            if kept and kept[-1][0] == "w" and rng.random() < 0.5:
                kind, _, offset, data = kept[-1]
                kept[-1] = (kind, name, offset, data[: int(rng.integers(len(data) + 1))])
            files[name] = self._with(name, kept)
        return files


def cut(site, before, records, moment, rng, folder):
    """Return the arena after the power failed at a moment, and who had been answered by then."""
    disk = Disk(before)
    for record in records[:moment]:
        disk.apply(record)
    shutil.copytree(before, folder)
    for name, content in disk.after_the_cut(rng).items():
        (folder / name).write_bytes(content)
    marks = disk.acknowledged.decode()
    return [marks[k : k + 24] for k in range(0, len(marks), 24)]


@pytest.fixture(scope="module")
def trace(tmp_path_factory, library):
    """What eight submissions wrote; traced once."""
    return traced(tmp_path_factory.mktemp("traced"), library, 8)


def survived(folder, trace, cuts, seed):
    site, before, records = trace
    assert any(kind == "s" for kind, *_ in records)
    rng = np.random.default_rng(seed)
    totals = []
    for k in range(cuts):
        moment = int(rng.integers(1, len(records) + 1))
        place = folder / f"cut{k}"
        acknowledged = cut(site, before, records, moment, rng, place)
        with open_arena(place, passwords=cheap_passwords()) as arena:
            held, keys = recorded(arena)
            assert check_arena(arena).problems == ()
            assert not set(acknowledged) - set(held), "an acknowledged submission was lost"
            assert keys == len(held)
        totals.append((len(acknowledged), len(held)))
    return totals


def test_what_was_acknowledged_survives_power_cuts(tmp_path, trace):
    totals = survived(tmp_path, trace, cuts=6, seed=0)
    assert max(held for _, held in totals) > 0


@pytest.mark.slow
def test_twenty_power_cuts_lose_nothing(tmp_path, library):
    totals = survived(tmp_path, traced(tmp_path, library, 60), cuts=20, seed=1)
    print(f"20 power cuts: {sum(a for a, _ in totals)} acknowledged, 0 lost")


def test_without_fsync_a_power_cut_loses_answers(tmp_path, trace):
    """The test can fail: the same cuts, with nothing ever synced, lose what was acknowledged."""
    site, before, records = trace
    unsynced = [record for record in records if record[0] != "s"]
    rng = np.random.default_rng(0)
    acknowledged = cut(site, before, unsynced, len(unsynced), rng, tmp_path / "cut")
    try:
        with open_arena(tmp_path / "cut", passwords=cheap_passwords()) as arena:
            held = set(recorded(arena)[0])
    except Exception:
        held = set()  # the file cannot be read at all
    assert set(acknowledged) - held
