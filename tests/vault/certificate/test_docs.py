"""docs/certificates.md does what it shows: commands print what stands there, Python blocks run."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from referee.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "certificates.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks():
    """Return the kind and the text of every fenced block, in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def commands(text):
    """Return each command of a console block with what should be printed."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_the_page_on_certificates_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names = {}
    ran = []
    for kind, text in blocks():
        ran.append(kind)
        if kind == "python":
            exec(compile(text, "docs/certificates.md", "exec"), names)
        elif kind == "toml":
            Path("protocol.toml").write_text(text)
        else:
            for line, wanted in commands(text):
                check_command(line, wanted, monkeypatch, capsys)
    assert (ran.count("console"), ran.count("python"), ran.count("toml")) == (5, 3, 1)


def check_command(line, wanted, monkeypatch, capsys):
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with pytest.raises(SystemExit) as caught:
        main()
    printed = capsys.readouterr()
    code = caught.value.code or 0
    notes = [n for n in printed.err.splitlines() if not n.startswith("referee: wrote")]
    said = printed.out if code == 0 else "\n".join(notes) + f"\n[exit {code}]\n"
    assert doctest.OutputChecker().check_output(wanted, said, FLAGS), said
