"""Files of two models, and the command line in process."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.main import get_command

from referee.cli import main
from referee.cli.app import app

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "looks"))
from gated_answers import answers

# Options of all verbs are assembled once: that takes longer than a gate.
COMMAND = get_command(app)


class Run:
    """Exit code and what was printed."""

    def __init__(self, code, captured):
        self.code, self.out, self.err = code, captured.out, captured.err


@pytest.fixture
def referee(capsys, monkeypatch):
    """Run the whole command line as `main` does, without a new process."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setattr("referee.cli.app.app", COMMAND)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return Run(caught.value.code or 0, capsys.readouterr())

    return run


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Stand in an empty folder and write old.csv (with the truth) and new.csv there."""
    monkeypatch.chdir(tmp_path)

    def files(old="old.csv", new="new.csv", **options):
        ids, truth, one, two = answers(**options)
        language = np.where(np.arange(len(ids)) % 3, "en", "de")
        pd.DataFrame({"id": ids, "y": truth, "pred": one, "language": language}).to_csv(
            old, index=False
        )
        # Another order, so that joining matters.
        frame = pd.DataFrame({"id": ids, "pred": two})
        frame.sample(frac=1, random_state=1).to_csv(new, index=False)
        return tmp_path

    return files
