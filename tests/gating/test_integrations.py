"""The GitHub action, the GitLab job and the pre-commit hook: their steps run here as scripts."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def action_step(folder, **inputs):
    """Run the step of the composite action as GitHub does, its inputs put in by name."""
    action = yaml.safe_load((ROOT / "integrations" / "github" / "action.yml").read_text())
    given = {name: about.get("default", "") for name, about in action["inputs"].items()}
    given |= {name: str(value) for name, value in inputs.items()} | {"python": sys.executable}
    step = next(s for s in action["runs"]["steps"] if s["id"] == "gate")
    # Inputs reach the script by its environment only, so that none can run commands.
    assert "${{" not in step["run"]
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
        for name, value in step["env"].items()
    }
    (folder / "output").write_text("")
    (folder / "summary").write_text("")
    run = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            **ENVIRONMENT,
            **environment,
            "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        },
    )
    return run, (folder / "output").read_text()


@pytest.mark.parametrize(("options", "code"), [({"better": 0.3}, 0), ({"worse": 0.1}, 1)])
def test_the_steps_of_the_action(write, options, code):
    folder = write(**options)
    run, output = action_step(
        folder, baseline="old.csv", candidate="new.csv", truth="y", ids="id", margin="0.01"
    )
    assert run.returncode == code, run.stderr
    assert f"outcome={'shown' if code == 0 else 'worse'}\nexit-code={code}\n" == output
    assert (folder / "summary").read_text().startswith("## ")
    assert (folder / "referee-report" / "report.html").exists()


def test_an_error_of_the_action_and_hostile_inputs(write):
    folder = write()
    run, output = action_step(
        folder, baseline="old.csv", candidate="new.csv; touch hacked", truth="$(touch hacked)"
    )
    assert run.returncode == 2
    assert "exit-code=2" in output
    assert not (folder / "hacked").exists()


def test_the_gitlab_job(write):
    folder = write(better=0.3)
    job = yaml.safe_load((ROOT / "integrations" / "gitlab" / "referee-gate.yml").read_text())
    job = job[".referee-gate"]
    variables = job["variables"] | {"REFEREE_BASELINE": "old.csv", "REFEREE_CANDIDATE": "new.csv"}
    (script,) = job["script"]
    run = subprocess.run(
        ["bash", "-ec", script.replace("python -m", f"{shlex.quote(sys.executable)} -m")],
        cwd=folder,
        env={**ENVIRONMENT, **variables},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert (folder / job["artifacts"]["reports"]["junit"]).exists()
    assert all((folder / path).exists() for path in job["artifacts"]["paths"])


def test_the_pre_commit_hook(write):
    """pre-commit runs the hook's entry; installed by the system, so that nothing is downloaded."""
    folder = write(worse=0.1)
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    entry = hook["entry"].replace("referee", f"{sys.executable} -m referee", 1)
    arguments = ["old.csv", "new.csv", "--truth", "y", "--on", "id", "--margin", "0.01"]
    local = {**hook, "entry": entry, "language": "system", "args": arguments}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git = {**ENVIRONMENT, "PRE_COMMIT_HOME": str(folder / ".cache")}
    git |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (["git", "init", "-q"], ["git", "add", ".pre-commit-config.yaml"]):
        subprocess.run(command, cwd=folder, env=git, check=True)
    run = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=folder,
        env=git,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "WORSE: new is worse than old" in run.stdout


def test_arguments_of_the_action_on_several_lines(write):
    folder = write(better=0.3)
    (folder / "old.csv").rename(folder / "the old.csv")
    run, output = action_step(
        folder,
        baseline="the old.csv",
        candidate="new.csv",
        truth="y",
        ids="id",
        arguments="--margin 0.01\n--name 'the old one'\n--name new\n--junit gate.xml\n",
    )
    assert run.returncode == 0, run.stderr
    assert "exit-code=0" in output
    assert "the old one" in run.stdout
    assert (folder / "gate.xml").exists()


def test_the_action_leaves_the_policy_to_gates_toml(write):
    folder = write(worse=0.01, n=400)
    (folder / "gates.toml").write_text(
        "baseline = 'old.csv'\ncandidate = 'new.csv'\ntruth = 'y'\non = 'id'\npred = 'pred'\n"
        "undecided = 'pass'\n[[gate]]\nmargin = 0.01\n"
    )
    run, output = action_step(folder, baseline="gates.toml")
    assert (run.returncode, output) == (0, "outcome=undecided\nexit-code=0\n"), run.stderr
    run, output = action_step(folder, baseline="gates.toml", undecided="fail")
    assert (run.returncode, output) == (1, "outcome=undecided\nexit-code=1\n"), run.stderr
