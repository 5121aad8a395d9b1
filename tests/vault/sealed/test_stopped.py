"""A process killed at any moment of `score` gets no free look and loses none; races have a winner.

The children are forked from a program that has imported everything (`stopped_processes.py`), so
that a random moment is one of `score` and not of an import.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from vaults import by_threshold, make

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

STAGES = {
    "inside transaction 1": (0, False),
    "before head 1": (1, False),
    "inside head 1": (1, False),
    "after head 1": (1, False),
    "inside transaction 2": (1, False),
    "before head 2": (1, True),
    "inside head 2": (1, True),
    "after head 2": (1, True),
    "before head 3": (1, True),
    "after head 3": (1, True),
}
"""Moment -> how many looks stand in the ledger afterwards, and whether the last has an answer."""


def run(*jobs):
    program = Path(__file__).with_name("stopped_processes.py")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, program],
        input=json.dumps([list(map(plain, job)) for job in jobs]),
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def plain(value):
    return str(value) if isinstance(value, Path) else value


@pytest.fixture(scope="module")
def stories(tmp_path_factory):
    """Do everything at once: vaults by name, with what the processes were told."""
    vaults, jobs = {}, []

    def plan(name, *job, spent=(), **options):
        vault = make(tmp_path_factory.mktemp("vault"), n=400, **options)
        for at in spent:
            vault.score(by_threshold(vault, at))
        vaults[name] = vault
        jobs.append((job[0], vault.directory, vault.key_file, *job[1:]))

    plan("killed", "kill", 8, 0)
    for stage in STAGES:
        plan(stage, "at", stage)
    plan("only look", "race", 20, policy="once")
    plan("last look", "race", 20, looks=3, spent=(3.0, 2.0))
    plan("no lock", "race without lock", 20, policy="once")
    return dict(zip(vaults, zip(vaults.values(), run(*jobs), strict=True), strict=True))


def check_books(vault, told):
    """Hold what the processes were told against what stands in the ledger."""
    check = vault.check()
    assert check.verdict.shown, check.problems
    looks = {look.number: look for look in vault.status().looks}
    assert list(looks) == list(range(1, len(looks) + 1))
    answers = [answer for answer in told if answer is not None]
    for answer in answers:  # no free look: whoever was told something paid for it
        assert looks[answer["look"]].answered
        assert looks[answer["look"]].released == answer["released"]
    assert len({answer["look"] for answer in answers}) == len(answers)
    for look in looks.values():  # no lost look: one without an answer is named
        if not look.answered:
            assert look.number in check.unanswered
            assert f"{look.number}" in check.verdict.sentence
    return looks


def check_goes_on(vault, looks):
    assert vault.score(by_threshold(vault)).looks == looks + 1
    assert vault.check().verdict.shown


def test_eight_kills_at_random_moments(stories):
    vault, told = stories["killed"]
    assert len(told) == 9
    check_goes_on(vault, len(check_books(vault, told)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fifty_kills_at_random_moments(tmp_path, seed):
    vault = make(tmp_path, n=400)
    (told,) = run(("kill", vault.directory, vault.key_file, 50, seed))
    assert len(told) == 51
    # The moments are spread: some before the look was written, some after it was answered.
    assert any(answer is None for answer in told)
    assert any(answer is not None for answer in told[1:])
    check_goes_on(vault, len(check_books(vault, told)))


@pytest.mark.parametrize("stage", STAGES)
def test_killed_at_every_stage_of_a_look(stories, stage):
    vault, told = stories[stage]
    assert told is None  # nobody is told before all is written
    looks = check_books(vault, [])
    spent, answered = STAGES[stage]
    assert len(looks) == spent
    assert all(look.answered is answered for look in looks.values())
    check_goes_on(vault, spent)
    left = {p.name for p in vault.key_file.parent.iterdir()}
    assert left == {"key", "key.head", "vault"}  # nothing half-written stays


@pytest.mark.parametrize("name", ["only look", "last look"])
def test_twenty_processes_race_for_the_last_look(stories, name):
    vault, told = stories[name]
    winners = [answer for answer in told if "look" in answer]
    refused = [answer["refused"] for answer in told if "refused" in answer]
    assert (len(winners), len(refused)) == (1, 19)
    assert all("seal a new" in text for text in refused)
    check_books(vault, winners)


def test_without_the_lock_sqlite_alone_still_has_one_winner(stories):
    """On a file system that does not keep locks BEGIN IMMEDIATE decides."""
    vault, told = stories["no lock"]
    assert sum("look" in answer for answer in told if answer) == 1
    assert len(vault.status().looks) == 1
