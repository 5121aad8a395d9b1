"""MLflow, DVC and W&B in an environment of their own; nothing is served, all is kept in files.

REFEREE_TRACKING_PYTHON names a Python that has mlflow, dvc, dvclive, wandb and referee; without it
one is made, which takes minutes and a package index.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tracking_python(tmp_path_factory):
    known = os.environ.get("REFEREE_TRACKING_PYTHON")
    if known:
        return known
    place = tmp_path_factory.mktemp("tracking") / "venv"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = str(place / "bin" / "python")
    tools = ("mlflow", "dvc", "dvclive", "wandb")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *tools, str(ROOT)], check=True)
    return python


@pytest.mark.slow
def test_mlflow_dvc_and_wandb_show_the_numbers(tracking_python, tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    run = subprocess.run(
        [tracking_python, Path(__file__).with_name("tracked.py"), tmp_path],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert run.returncode == 0, run.stderr
    held = json.loads(run.stdout.splitlines()[-1])
    flat, kept = held["dvc"]["flat"], held["mlflow"]
    assert kept["outcome"] == "shown"
    assert kept["returned"] == kept["metrics"]
    assert "referee/report.html" in kept["artifacts"]
    for name in ("error", "error_low", "error_high", "difference", "difference_high", "n"):
        assert kept["metrics"][f"referee_{name}"] == flat[name]
        assert held["dvc"]["live"][name] == flat[name]
        assert held["wandb"]["summary"][name] == flat[name]
        assert name in held["wandb"]["written"]
    shown = held["dvc"]["shown"]
    assert json.dumps(flat["error_low"]) in json.dumps(shown)
    print(held["versions"], {k: v for k, v in flat.items() if "error" in k or "difference" in k})
