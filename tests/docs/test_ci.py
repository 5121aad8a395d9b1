"""docs/ci.md, end to end: its commands run in a toy repository, in their order."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from referee.cli import main
from referee.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Stand in an empty folder with predict.py."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "predict.py").write_text(python_code("argparse"))
    return tmp_path


def prepare(folder, line):
    """Write the files that the page shows."""
    if "gates.toml" in line:
        (toml,) = [text for kind, text in FENCE.findall(PAGE) if kind == "toml"]
        assert tomllib.loads(toml)["together"] == "all"
        (folder / "gates.toml").write_text(toml)


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a line of the page: referee in this process, the rest by the shell."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setattr("referee.cli.app.app", get_command(app))

    def done(line):
        words = shlex.split(line)
        if words[0] != "referee":
            line = line.replace("python predict", f"{sys.executable} predict", 1)
            made = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
            return made.returncode, made.stdout, made.stderr
        assert not {"|", ">", "&&"} & set(words), line
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as caught:
            main()
        return caught.value.code or 0, *capsys.readouterr()

    return done


def commands():
    for kind, text in FENCE.findall(PAGE):
        if kind == "console":
            lines = text.splitlines()
            for at, line in enumerate(lines):
                if line.startswith("$ "):
                    said = []
                    for below in lines[at + 1 :]:
                        if below.startswith("$ "):
                            break
                        said.append(below)
                    yield line[2:], said


CODES = {"gate few.csv": 2}
"""Commands that do not end with 0, by a word in them."""


def test_the_page_from_beginning_to_end(repository, run):
    every = list(commands())
    assert len(every) > 10
    for line, said in every:
        prepare(repository, line)
        code, out, err = run(line)
        wanted = next((code for word, code in CODES.items() if word in line), 0)
        assert code == wanted, f"{line}\n{out}{err}"
        for text in said:
            assert text.removesuffix(" ...") in out + err, line
        if "--json" in shlex.split(line):
            assert json.loads(out)["outcome"] == "shown"
    told = {}
    exec(python_code("gate.outcome"), told)
    assert told["gate"].line.startswith("SHOWN")
    (repository / "test_model.py").write_text(python_code("referee_gate("))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_model.py"]
    tests = subprocess.run(command, capture_output=True, text=True)
    assert tests.returncode == 0, tests.stdout
    assert "1 passed" in tests.stdout


def python_code(word):
    return next(t for k, t in FENCE.findall(PAGE) if k == "python" and word in t)


def test_integrations_of_the_page_exist():
    root = Path(__file__).parents[2]
    for path in re.findall(r"`((?:integrations|tests)/[\w/.-]+)`", PAGE):
        assert (root / path).exists(), path
