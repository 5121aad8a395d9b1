"""What all tests share."""

import os
import pty
import subprocess
import sys

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether it is right.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_collection_modifyitems(config, items):
    """Leave out the one check of scikit-learn that would only skip itself.

    It wants the array API, which no learner here claims to support, and an environment variable.
    """
    left = [item for item in items if _check_of(item) == "check_array_api_input"]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def _check_of(item):
    check = getattr(getattr(item, "callspec", None), "params", {}).get("check")
    return getattr(getattr(check, "func", check), "__name__", None)


def _read_all(descriptor):
    parts = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # Linux says so when the other end has gone
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def _shown(script):
    """Run a script on a pseudo-terminal and return what it shows there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = _read_all(ours)
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown


@pytest.fixture
def on_a_terminal():
    """What runs a script on a pseudo-terminal and returns what it shows."""
    return _shown
