"""The command line on a real terminal (a pty): colour, width, and neither where it is piped."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from rich.cells import cell_len

COMMAND = [sys.executable, "-m", "referee", "audit-table", "--n", "900", "99.00", "99.50"]
COLOUR = re.compile(r"\x1b\[[\d;]*\b(?:3\d|4[0-8]|9\d)[\d;]*m")


def on_terminal(columns, **environment):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    process = subprocess.Popen(
        COMMAND, stdout=theirs, stderr=theirs, stdin=theirs,
        env=clean | {"TERM": "xterm-256color"} | environment,
    )  # fmt: skip
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other side has closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    process.wait()
    os.close(ours)
    return b"".join(chunks).decode()


def shown(text):
    return [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_coloured_and_within_the_terminal(columns):
    text = on_terminal(columns)
    assert COLOUR.search(text)
    assert max(cell_len(line) for line in shown(text)) <= columns
    assert any("●" in line for line in shown(text))


def test_no_colour_where_none_is_wanted():
    assert not COLOUR.search(on_terminal(80, NO_COLOR="1"))
    assert "\x1b" not in on_terminal(80, TERM="dumb")


def test_plain_where_it_is_piped():
    piped = subprocess.run(COMMAND, capture_output=True, text=True, check=False).stdout
    assert "\x1b" not in piped
    assert "●" in piped
    assert not any(line != line.rstrip() for line in piped.splitlines())
