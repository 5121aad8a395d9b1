"""The GitHub action, the GitLab job and the pre-commit hook: their steps run here as scripts.

One run of the action and the hook start the command as a process of its own. Elsewhere a stand-in
for Python notes the words that the script passes on, and the command runs on them in this process.
"""

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

STAND_IN = """#!/bin/bash
if [ "$1" = -m ]; then
  printf '%s\\0' "${{@:3}}" > words
  mkdir -p referee-report
  echo '{{"outcome": "worse"}}' > referee-report/results.json
  exit {code}
fi
exec {python} -S "$@"
"""


def stand_in(folder, code=1):
    """Return a Python that notes the words of referee and exits as it would."""
    script = folder / "python"
    script.write_text(STAND_IN.format(python=shlex.quote(sys.executable), code=code))
    script.chmod(0o755)
    return script


def noted(folder):
    return (folder / "words").read_text().split("\0")[:-1]


def action_step(folder, python=sys.executable, **inputs):
    """Run the step of the composite action as GitHub does, its inputs put in by name."""
    action = yaml.safe_load((ROOT / "integrations" / "github" / "action.yml").read_text())
    given = {name: about.get("default", "") for name, about in action["inputs"].items()}
    given |= {name: str(value) for name, value in inputs.items()} | {"python": str(python)}
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


def test_the_step_of_the_action_with_arguments_on_several_lines(write):
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
    assert output == "outcome=shown\nexit-code=0\n"
    assert "the old one" in run.stdout
    assert (folder / "gate.xml").exists()
    assert (folder / "summary").read_text().startswith("## ")
    assert (folder / "referee-report" / "report.html").exists()


def test_a_worse_candidate_fails_the_step(referee, write):
    folder = write(worse=0.1)
    given = {"baseline": "old.csv", "candidate": "new.csv", "truth": "y", "ids": "id"}
    run, output = action_step(folder, stand_in(folder), **given, margin="0.01")
    assert (run.returncode, output) == (1, "outcome=worse\nexit-code=1\n"), run.stderr
    told = referee(*noted(folder))
    assert (told.code, told.out.split(":")[0]) == (1, "WORSE")


def test_an_error_of_the_action_and_hostile_inputs(referee, write):
    folder = write()
    hostile = {"candidate": "new.csv; touch hacked", "truth": "$(touch hacked)"}
    run, output = action_step(folder, stand_in(folder, 2), baseline="old.csv", **hostile)
    assert (run.returncode, output) == (2, "outcome=error\nexit-code=2\n"), run.stderr
    words = noted(folder)
    assert set(hostile.values()) <= set(words)
    assert referee(*words).code == 2
    assert not (folder / "hacked").exists()


def test_the_gitlab_job(referee, write):
    folder = write(better=0.3)
    stand_in(folder, 0)
    job = yaml.safe_load((ROOT / "integrations" / "gitlab" / "referee-gate.yml").read_text())
    job = job[".referee-gate"]
    variables = job["variables"] | {"REFEREE_BASELINE": "old.csv", "REFEREE_CANDIDATE": "new.csv"}
    (script,) = job["script"]
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-ec", script],
        cwd=folder,
        env={**ENVIRONMENT, **variables, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert referee(*noted(folder)).code == 0
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


@pytest.mark.parametrize(("given", "code"), [({}, 0), ({"undecided": "fail"}, 1)])
def test_the_action_leaves_the_policy_to_gates_toml(referee, write, given, code):
    folder = write(worse=0.01, n=400)
    (folder / "gates.toml").write_text(
        "baseline = 'old.csv'\ncandidate = 'new.csv'\ntruth = 'y'\non = 'id'\npred = 'pred'\n"
        "undecided = 'pass'\n[[gate]]\nmargin = 0.01\n"
    )
    action_step(folder, stand_in(folder), baseline="gates.toml", **given)
    told = referee(*noted(folder))
    assert (told.code, told.out.split(" ")[0]) == (code, "UNDECIDED"), told.err
