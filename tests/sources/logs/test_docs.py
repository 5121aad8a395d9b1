"""docs/logs.md does what it shows."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from referee.cli import main

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "logs.md"

pytestmark = pytest.mark.skipif(
    not PAGE.exists(), reason="the docs are not part of an installation"
)


def test_the_page_on_logs_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert tried > 20
    assert failed == 0


def commands():
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ referee ") for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("command", commands() if PAGE.exists() else [])
def test_its_commands_run(command, monkeypatch, capsys):
    monkeypatch.chdir(Path(__file__).parent / "data")
    monkeypatch.setattr(sys, "argv", ["referee", *shlex.split(command)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code in (0, 1, None)
    assert "items" in capsys.readouterr().out
