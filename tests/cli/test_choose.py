"""referee choose: asks on a terminal, takes flags elsewhere, names contradictions."""

import json
import os
import pty
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "referee", "choose"]


def run(*arguments, **kwargs):
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        **kwargs,
    )


def test_flags_lead_to_a_command_and_what_was_not_said_is_named():
    done = run("--have", "predictions", "--say", "better")
    assert done.returncode == 0
    assert "referee compare-predictions NEW.csv OLD.csv" in done.stdout
    assert "mcnemar-exact" in done.stdout
    assert "not said, so taken: --cases same" in done.stderr


def test_json_can_be_read():
    answer = json.loads(run("--have", "scores", "--say", "rank", "--json").stdout)
    assert answer["command"].startswith("referee board")
    assert answer["answers"]["have"] == "scores"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--have", "published", "--together", "groups"), "--together groups and --have published"),
        (("--have", "pie"), "--have must be one of model, predictions"),
        (("--say", "structure", "--looks", "growing"), "no answer to --have goes with both"),
    ],
)
def test_contradictory_flags_are_named(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_on_a_terminal_it_asks():
    controller, terminal = pty.openpty()
    done = subprocess.Popen(
        COMMAND, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    os.write(controller, b"2\nbetter\nnonsense\n1\n\n1\n1\n")
    printed, errors = done.communicate(timeout=120)
    os.close(controller)
    os.close(terminal)
    assert done.returncode == 0, errors
    assert "What do you have?" in printed
    assert "Please answer with a number" in printed
    assert "referee compare-predictions" in printed
