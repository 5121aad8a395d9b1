"""The kept calibration table, read without anything heavy."""

import subprocess
import sys

import pytest

from referee.core.calibration_record import calibrated
from referee.study import Calibration


def test_record_against_pandas():
    table = Calibration.kept().table
    mine = table[
        (table.method == "effective-jeffreys") & (table.by == "10x10") & (table.section == "risk")
    ]
    for target in ("conditional", "expected"):
        rows = mine[mine.target == target]
        record = calibrated("effective-jeffreys", target=target)
        assert record.by == "10x10"
        assert record.mean == pytest.approx(rows.value.mean())
        assert record.worst == rows.value.min()
        assert record.worst_cell in set(rows.cell[rows.value == rows.value.min()])
        assert (record.cells, record.repetitions) == (len(rows), rows.repetitions.sum())
        assert record.error == pytest.approx((rows.error**2).sum() ** 0.5 / len(rows))


def test_the_worst_of_a_test_is_its_largest_size():
    table = Calibration.kept().table
    rows = table[(table.method == "calibrated-t") & (table.quantity == "size")]
    record = calibrated("calibrated-t")
    assert record.quantity == "size"
    assert record.worst == rows.value.max()
    assert "at worst" in record.sentence


def test_every_method_has_a_record_and_a_sentence():
    for method in Calibration.kept().table.method.unique():
        record = calibrated(method)
        assert record.sentence.startswith(method)
        assert record.anchor == f"docs/calibration.md#{method}"


def test_groups_that_were_ignored_are_no_record_of_the_method():
    assert "groups" not in calibrated("effective-jeffreys").worst_cell
    assert "groups" in calibrated("clustered").worst_cell


def test_a_scheme_may_be_named():
    assert calibrated("effective-jeffreys", by="10-fold").by == "10-fold"
    assert calibrated("wilson").target == "conditional"
    assert calibrated("wilson", target="fixed").repetitions == 0
    assert calibrated("wilson", by="guess") is None


def test_reading_imports_nothing_heavy():
    code = (
        "import sys; from referee.core.calibration_record import calibrated; "
        "assert calibrated('wilson'); "
        "print([m for m in ('numpy', 'pandas', 'sklearn', 'numba', 'joblib') if m in sys.modules])"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(eval(made.stdout)) <= {"numpy"}
