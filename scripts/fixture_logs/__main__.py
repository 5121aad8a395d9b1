"""Make the evaluation logs in tests/sources/logs/data by the tools themselves, without a network.

    python scripts/fixture_logs [--tools FOLDER] [TOOL ...]

Each tool gets an environment of its own (promptfoo: a node_modules), in FOLDER where it is kept
for the next time, or in a temporary one. Neither users nor the tests need any of this: the logs,
and what the tools themselves make of them, are part of the repository.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "tests" / "sources" / "logs" / "data"
TORCH = "torch==2.13.0"
PACKAGES = {
    "inspect": ["inspect_ai==0.3.285"],
    "lm_eval": ["lm_eval==0.4.13"],
    "helm": [TORCH, "crfm-helm==0.5.16"],
    # lighteval hashes text that xxhash takes since version 4 for an error.
    "lighteval": [TORCH, "lighteval==0.13.0", "xxhash<4"],
    "promptfoo": [],
    # Its command needs these of its requirements, and runs on Python 3.11 too.
    "every_eval_ever": ["pydantic", "jsonschema", "pyyaml", "requests", "rich", "huggingface-hub"],
}


def main() -> None:
    """Make the logs of the tools that were named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", nargs="*", choices=[*PACKAGES, []])
    parser.add_argument("--tools", type=Path, help="where environments are kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = (asked.tools or Path(temporary)).resolve()
        for tool in asked.tool or list(PACKAGES):
            make(tool, home / tool)


def make(tool: str, home: Path) -> None:
    """Make the logs of one tool anew."""
    target = DATA / tool
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(HERE)}
    script = str(HERE / f"with_{tool}.py")
    if tool == "promptfoo":
        command = [sys.executable, script, str(target), str(node_program(home))]
    elif tool == "every_eval_ever":
        written_by_us(target / "written")
        command = [str(environment(tool, home)), script, str(DATA), str(target)]
    else:
        command = [str(environment(tool, home)), script, str(target)]
    subprocess.run(command, env=offline, check=True)


def environment(tool: str, home: Path) -> Path:
    """Return the Python of the tool's environment, built where it is not there."""
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *PACKAGES[tool]], check=True)
        if tool == "every_eval_ever":
            alone = ["--no-deps", "--ignore-requires-python", "every-eval-ever==0.3.0"]
            subprocess.run([*pip, *alone], check=True)
    return python


def node_program(home: Path) -> Path:
    """Return promptfoo's program, installed where it is not there."""
    program = home / "node_modules" / ".bin" / "promptfoo"
    if not program.exists():
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--ignore-scripts", "promptfoo"], cwd=home, check=True)
    return program


def written_by_us(folder: Path) -> None:
    """Write evaluations as referee writes them, for the project's own program to check."""
    from referee.judging.scores.evaluate_scores import evaluate_scores
    from referee.report.every_eval_ever import write_every_eval_ever

    alpha = next((DATA / "lm_eval" / "steady__alpha").glob("samples_sums_choice_*"))
    for source, options in (
        (alpha, {"score": "acc", "cluster": "doc.subject"}),
        (DATA / "inspect" / "plain.json", {}),
    ):
        evaluation = evaluate_scores(str(source), **options)
        write_every_eval_ever(evaluation, folder, organization="referee", timestamp=1.0)


if __name__ == "__main__":
    main()
