"""A cluster of Ray that was started by `ray start --head`, as its users do."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MODELS = """
import contextlib, os, signal, sys, time, warnings
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Slow(ClassifierMixin, BaseEstimator):
    def __init__(self, seconds=0.0, deadly=""):
        self.seconds, self.deadly = seconds, deadly
    def fit(self, X, y):
        time.sleep(self.seconds)
        if self.deadly:
            # Of two workers at once only one removes the file, and dies.
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.deadly)
                os.kill(os.getpid(), signal.SIGKILL)
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return (X[:, 0] > 0).astype(int)

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3))
y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
"""

AGREES = """
from models import *
import referee
deadly = sys.argv[1]
open(deadly, "w").close()
there = referee.evaluate(Slow(0, deadly), X, y, by=5, random_state=0, backend="ray:auto")
assert not os.path.exists(deadly)
here = referee.evaluate(Slow(0, deadly), X, y, by=5, random_state=0)
assert np.array_equal(there.predictions.predicted, here.predictions.predicted)
assert there.error == here.error
print("agrees")
"""

HEAD_DIES = """
from models import *
import threading
import referee
from referee.errors import ClusterError

def kill():
    time.sleep(8)
    for process in map(int, sys.argv[2:]):
        os.kill(process, signal.SIGKILL)

threading.Thread(target=kill, daemon=True).start()
try:
    referee.evaluate(Slow(0.5), X, y, by=80, random_state=0, backend="ray:auto",
                     checkpoint=sys.argv[1])
except ClusterError as error:
    print(error, flush=True)
    os._exit(0)
"""


@pytest.fixture
def head(tmp_path):
    """Yield the environment of a cluster, and the numbers of its processes."""
    (tmp_path / "models.py").write_text(MODELS)
    place = tempfile.mkdtemp(dir="/tmp")  # sockets have short names
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = os.environ | {"RAY_TMPDIR": place}
    subprocess.run(
        [Path(sys.executable).with_name("ray"), "start", "--head", f"--port={port}",
         "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"],
        env=environment, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    yield environment, _processes(place)
    for process in _processes(place):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    shutil.rmtree(place, ignore_errors=True)


def _processes(place, called=""):
    """Return the processes whose command names the folder of the cluster."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            command = (entry / "cmdline").read_text() if entry.name.isdigit() else ""
            if place in command and called in command:
                found.append(int(entry.name))
    return found


def _ran(script, folder, environment, *arguments):
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", folder / "script.py", *map(str, arguments)],
        env=environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_auto_finds_the_cluster_and_a_killed_worker_costs_time_only(head, tmp_path):
    environment, _ = head
    assert "agrees" in _ran(AGREES, tmp_path, environment, tmp_path / "deadly")


def test_a_dead_head_is_named_and_what_was_done_is_kept(head, tmp_path):
    environment, _ = head
    place, kept = environment["RAY_TMPDIR"], tmp_path / "kept"
    ends = [p for part in ("raylet/raylet", "gcs_server") for p in _processes(place, part)]
    said = _ran(HEAD_DIES, tmp_path, environment, kept, *ends)
    assert "stopped answering after" in said
    assert list(kept.rglob("*.split"))
