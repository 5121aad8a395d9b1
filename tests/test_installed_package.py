"""A package as pip installs it, not a stand-in: modules, metadata and entry points in a folder."""

import os
import subprocess
import sys

MODULE = """
from referee.intervals.risk import RiskInterval
from referee.measures import make_measure

def hits(y_true, y_pred):
    return float((y_true == y_pred).mean())

HITS = make_measure(hits, greater_is_better=True)
"""
ASKED = """
import referee
truth = [0, 1] * 20
e = referee.evaluate_predictions(truth, truth[:38] + [1, 0], measures=["hits"])
print(e.estimates["hits"].value)
"""


def test_a_module_that_reads_a_catalogue_while_it_is_imported_can_offer_a_method(tmp_path):
    (tmp_path / "mypackage.py").write_text(MODULE)
    info = tmp_path / "mypackage-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[referee.methods]\nhits = mypackage:HITS\n")
    answer = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (answer.stdout.strip(), answer.stderr) == ("0.95", "")
