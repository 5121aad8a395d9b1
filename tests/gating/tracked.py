"""MLflow, DVC and W&B really run: python tracked.py FOLDER, with a Python that has all of them.

Local files only, W&B offline. Prints what each of them kept, and its version.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd


def with_mlflow(folder):
    """Evaluate predictions with the evaluator of the entry point; return what the run kept."""
    import mlflow  # here, as tests are collected where it is not installed

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1500)
    old = np.where(rng.random(1500) < 0.1, 1 - truth, truth)
    new = np.where(rng.random(1500) < 0.02, truth, old)
    ids = [f"case {i}" for i in range(1500)]
    pd.DataFrame({"id": ids, "y": truth, "pred": old}).to_csv("old.csv", index=False)
    pd.DataFrame({"id": ids, "pred": new}).to_csv("new.csv", index=False)
    run_referee("baseline", "save", "old.csv", "--truth", "y", "--out", "baseline.json")
    mlflow.set_tracking_uri(f"sqlite:///{folder / 'mlflow.db'}")
    mlflow.create_experiment("gate", artifact_location=(folder / "artifacts").as_uri())
    mlflow.set_experiment("gate")
    data = pd.DataFrame({"id": ids, "y": truth, "answer": new})
    with mlflow.start_run() as run:
        result = mlflow.models.evaluate(
            data=data,
            targets="y",
            predictions="answer",
            model_type="classifier",
            evaluators=["referee"],
            evaluator_config={"referee": {"baseline": "baseline.json", "margin": 0.01, "on": "id"}},
        )
    client = mlflow.MlflowClient()
    kept = client.get_run(run.info.run_id)
    pages = [f.path for f in client.list_artifacts(run.info.run_id, "referee")]
    return {
        "metrics": kept.data.metrics,
        "returned": result.metrics,
        "outcome": kept.data.tags["referee.outcome"],
        "artifacts": pages,
    }


def with_dvc():
    """Show the flat JSON as a DVC metrics file, and log it with dvclive."""
    from dvclive import Live

    subprocess.run(["git", "init", "-q"], check=True)
    dvc = str(Path(sys.executable).with_name("dvc"))
    subprocess.run([dvc, "init", "-q"], check=True)
    author = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    subprocess.run(["git", *author, "commit", "-q", "-m", "Begin"], check=True)
    flat = run_referee(
        *("gate", "baseline.json", "new.csv", "--truth", "y", "--on", "id"),
        *("--margin", "0.01", "--json"),
    )
    Path("metrics.json").write_text(flat)
    Path("dvc.yaml").write_text("metrics:\n  - metrics.json\n")
    shown = subprocess.run(
        [dvc, "metrics", "show", "--json"], check=True, capture_output=True, text=True
    )
    with Live("live", save_dvc_exp=False, dvcyaml=None) as live:
        for name, value in numbers(json.loads(flat)).items():
            live.log_metric(name, value, plot=False)
    return {
        "flat": json.loads(flat),
        "shown": json.loads(shown.stdout),
        "live": json.loads(Path("live/metrics.json").read_text()),
    }


def with_wandb(flat):
    """Log the numbers offline; return W&B's summary, and which of them stand in the run's file."""
    import wandb

    # Whatever the outer environment says, nothing is sent, and no one is asked to log in.
    with wandb.init(project="gate", mode="offline", dir=".") as run:
        run.log(numbers(flat))
        summary = {name: run.summary[name] for name in numbers(flat)}
    (file,) = Path("wandb").glob("offline-run-*/run-*.wandb")
    held = file.read_bytes()
    written = [name for name, value in numbers(flat).items() if json.dumps(value).encode() in held]
    return {"summary": summary, "written": written}


def numbers(flat):
    """Return what a metric can be, as docs/ci.md has it."""
    return {name: value for name, value in flat.items() if isinstance(value, (int, float))}


def run_referee(*arguments):
    run = subprocess.run(
        [sys.executable, "-m", "referee", *arguments], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


if __name__ == "__main__":
    place = Path(sys.argv[1]).absolute()
    os.chdir(place)
    kept = {"mlflow": with_mlflow(place), "dvc": with_dvc()}
    kept["wandb"] = with_wandb(kept["dvc"]["flat"])
    kept["versions"] = {name: version(name) for name in ("mlflow", "dvc", "dvclive", "wandb")}
    print(json.dumps(kept, default=str))
