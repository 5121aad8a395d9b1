"""A folder with tables, and the command line in process."""

import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris
from typer.main import get_command

from referee.cli import main
from referee.cli.app import app

# Options of all verbs are assembled once: that takes a tenth of a second.
COMMAND = get_command(app)


class Outcome:
    """Exit code and what was printed."""

    def __init__(self, code, captured):
        self.code, self.out, self.err = code, captured.out, captured.err


@pytest.fixture
def referee(capsys, monkeypatch):
    """Run the whole command line as `main` does, without a new process."""
    monkeypatch.setattr("referee.cli.app.app", COMMAND)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return Outcome(caught.value.code or 0, capsys.readouterr())

    return run


def iris_frame():
    import pandas as pd

    bunch = load_iris()
    frame = pd.DataFrame(bunch.data, columns=["sl", "sw", "pl", "pw"])
    frame["species"] = bunch.target_names[bunch.target]
    frame["plant"] = np.arange(150) // 3
    frame["weight"] = 1.0 + frame.plant % 3
    frame["day"] = np.random.default_rng(0).permutation(150)
    return frame.sample(frac=1, random_state=0).reset_index(drop=True)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Stand in an empty folder that holds iris.csv and two halves of it."""
    frame = iris_frame()
    frame.to_csv(tmp_path / "iris.csv", index=False)
    frame[:100].to_csv(tmp_path / "train.csv", index=False)
    frame[100:].to_csv(tmp_path / "test.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def frame():
    return iris_frame()
