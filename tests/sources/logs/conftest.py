"""The logs that the tools themselves wrote (scripts/fixture_logs), and changed copies of them."""

import json
import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def changed_json(tmp_path):
    """Write a changed copy of a JSON file; `change` gets the document and returns it or None."""

    def write(source, change, name=None):
        document = json.loads(Path(source).read_text())
        document = change(document) or document
        target = tmp_path / (name or Path(source).name)
        target.write_text(json.dumps(document))
        return target

    return write


@pytest.fixture
def changed_lines(tmp_path):
    """Write a changed copy of a JSON-lines file, in a folder like its own."""

    def write(source, change, *, beside=True, folder="copy"):
        source = Path(source)
        lines = [json.loads(line) for line in source.read_text().splitlines()]
        lines = change(lines) or lines
        target = tmp_path / folder / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        for other in source.parent.glob("results_*.json") if beside else ():
            shutil.copy(other, target.parent)
        target.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return target

    return write
