"""Methods tried on a task of one's own: cells from a file, and what is refused."""

import os

import pytest

from referee.errors import InputError
from referee.study import calibration
from referee.study.calibration.own_task import own_cells

FILE = """
learner = "nb"
sizes = [30, 40]
repetitions = 3

[task]
means = [[-1.0, 0.0], [1.0, 0.0]]
covariances = [[1.0, 0.0], [0.0, 1.0]]
"""
SECOND = """
[second]
means = [[-2.0, 0.0], [2.0, 0.0]]
covariances = [[1.0, 0.0], [0.0, 1.0]]
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_an_interval_is_tried_where_the_file_says(file):
    cells = own_cells(file(FILE), "wilson")
    assert [cell.name for cell in cells] == ["mine, nb, n 30", "mine, nb, n 40"]
    made = calibration(cells[:1], ["wilson"]).frame()
    assert set(made.cell) == {"mine, nb, n 30"}
    assert set(made.repetitions) == {3}


def test_a_test_has_size_without_and_power_with_a_second_task(file):
    (equal, *_), (power, *_) = (own_cells(file(t), "kfold-t") for t in (FILE, FILE + SECOND))
    assert equal.equal
    assert not power.equal
    both = own_cells(file(FILE), "corrected-t")  # it is an interval, too
    assert {type(cell).__name__ for cell in both} == {"RiskCell", "PairCell"}


def test_a_task_of_a_module(file):
    text = 'task = "referee.study.calibration.cells:_RARE"\nsizes = [60]\n'
    assert own_cells(file(text), "wilson")[0].task.priors[0] > 0.9


@pytest.mark.parametrize(
    ("text", "method", "message"),
    [
        ("", "wilson", "names no task"),
        ("task = 3", "wilson", "needs means and covariances, got 3"),
        ('task = "nowhere:X"', "wilson", "'nowhere:X' cannot be imported"),
        ('task = "math:pi"', "wilson", "'math:pi' is no task, but float"),
        (FILE, "delong", "'delong' is not tried on tasks"),
        (
            "sizes = [5]\n" + FILE.replace("sizes = [30, 40]", ""),
            "wilson",
            r"at least 20, got \[5\]",
        ),
        ("size = 5\n" + FILE, "wilson", "has 'size', which is unknown"),
        ("not toml", "wilson", "is no TOML file"),
    ],
)
def test_what_is_wrong_is_said(file, text, method, message):
    with pytest.raises(InputError, match=message):
        own_cells(file(text), method)


def test_a_pipe_is_no_task(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be read: it is a device or a pipe"):
        own_cells(tmp_path / "pipe", "wilson")
