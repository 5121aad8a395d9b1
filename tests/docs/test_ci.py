"""docs/ci.md, end to end: its commands run in a toy repository, in their order."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)

PREDICT = next(t for k, t in FENCE.findall(PAGE) if k == "python" and "argparse" in t)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    (folder / "predict.py").write_text(PREDICT)
    return folder


def prepare(folder, line):
    """Write the files that the page shows."""
    if "gates.toml" in line:
        (toml,) = [text for kind, text in FENCE.findall(PAGE) if kind == "toml"]
        assert tomllib.loads(toml)["together"] == "all"
        (folder / "gates.toml").write_text(toml)


def run(folder, line):
    words = line.replace("referee ", f"{sys.executable} -m referee ", 1)
    words = words.replace("python predict", f"{sys.executable} predict", 1)
    return subprocess.run(["bash", "-c", words], cwd=folder, capture_output=True, text=True)


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


def test_the_page_from_beginning_to_end(repository):
    every = list(commands())
    assert len(every) > 10
    for line, said in every:
        prepare(repository, line)
        made = run(repository, line)
        wanted = next((code for word, code in CODES.items() if word in line), 0)
        assert made.returncode == wanted, f"{line}\n{made.stdout}{made.stderr}"
        for text in said:
            assert text.removesuffix(" ...") in made.stdout + made.stderr, line
        if "--json" in shlex.split(line):
            assert json.loads(made.stdout)["outcome"] == "shown"
    code = next(t for k, t in FENCE.findall(PAGE) if k == "python" and "gate.outcome" in t)
    made = subprocess.run(
        [sys.executable, "-c", code + "\nprint(gate.line)"],
        cwd=repository,
        capture_output=True,
        text=True,
    )
    assert made.stdout.startswith("SHOWN"), made.stderr
    made = subprocess.run(
        [sys.executable, "-c", fixture_test()], cwd=repository, capture_output=True, text=True
    )
    assert "1 passed" in made.stdout, made.stdout


def fixture_test():
    """Run the page's own test with the plugin."""
    code = next(t for k, t in FENCE.findall(PAGE) if k == "python" and "referee_gate(" in t)
    return (
        f"from pathlib import Path; Path('test_model.py').write_text({code!r}); "
        "import pytest, sys; "
        "sys.exit(pytest.main(['-q', 'test_model.py']))"
    )


def test_integrations_of_the_page_exist():
    root = Path(__file__).parents[2]
    for path in re.findall(r"`((?:integrations|tests)/[\w/.-]+)`", PAGE):
        assert (root / path).exists(), path
