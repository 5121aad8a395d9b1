"""A command that has no steps to count says on a terminal that it works."""

import re


def test_a_command_without_steps_says_that_it_works(on_a_terminal):
    slow = """
import sys, time
from referee.cli import app
from referee.cli.terminal import pulse
pulse._FIRST = pulse._EVERY = 0.05
sys.argv = ["referee", "evaluate"]
with app._pulse():
    time.sleep(0.3)
print("done")
"""
    shown = on_a_terminal(slow)
    assert "evaluate is at work, 0 s" in shown
    assert re.search(r"\x1b\[Kdone", shown)


def test_nothing_is_shown_while_somebody_is_asked(on_a_terminal):
    asking = """
import sys, time
from referee.cli import app
from referee.cli.terminal import pulse
pulse._FIRST = pulse._EVERY = 0.02
sys.argv = ["referee", "vault", "seal"]
with app._pulse():
    with pulse.paused():
        print("<", flush=True)
        time.sleep(0.2)
        print(">", flush=True)
    time.sleep(0.2)
"""
    shown = on_a_terminal(asking)
    assert "at work" not in shown.split("<")[1].split(">")[0]
    assert "vault is at work" in shown.split(">")[1]
