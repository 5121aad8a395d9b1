"""Run as a program: children that spend looks, killed or racing.

Jobs come as JSON on standard input, ``[[job, vault, key, ...], ...]``; for each, what its children
were told goes to standard output, as a line of JSON. Importing everything takes long beside a look,
so all jobs share one program, and children are forked from it.

``kill`` kills children at random moments of `score`; ``at`` lets a child kill itself at one moment;
``race`` lets many score at once, ``race without lock`` with SQLite's own locks alone.
"""

import contextlib
import json
import os
import random
import signal
import sys
import time

from referee import Vault
from referee.errors import RefereeError
from referee.vault.sealed.ledger import books, head, ledger


def child(job, before=lambda: None):
    """Fork; the child does the job and writes its result into a pipe."""
    reader, writer = os.pipe()
    number = os.fork()
    if number == 0:
        os.close(reader)
        before()
        os.write(writer, json.dumps(job()).encode())
        os._exit(0)
    os.close(writer)
    return number, reader


def told(reader):
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    return json.loads(text) if text else None


def scored(place, key, at):
    vault = Vault(place, key=key)
    look = vault.score((vault.test_inputs["x0"] > at).astype(int), name=f"threshold {at:.3f}")
    return {"look": look.looks, "released": look.released}


def kill(place, key, times, seed):
    rng = random.Random(seed)
    start = time.perf_counter()
    number, reader = child(lambda: scored(place, key, 3.0))
    answers = [told(reader)]
    os.waitpid(number, 0)
    long = time.perf_counter() - start
    for _ in range(times):
        at = rng.uniform(-3, 5)
        number, reader = child(lambda at=at: scored(place, key, at))
        time.sleep(rng.uniform(0, 1.2 * long))
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)
        answers.append(told(reader))
    return answers


def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)


def at(place, key, stage):
    number, reader = child(lambda: scored(place, key, 1.0), before=lambda: at_stage(stage))
    os.waitpid(number, 0)
    return told(reader)


def at_stage(stage):
    """Make this process die at one moment of its next look."""
    commit = ledger.Ledger.append
    write, replace = books.write_head, head.replace_file
    calls = {"append": 0, "head": 0}

    def append(self, *arguments):
        calls["append"] += 1
        entry = commit(self, *arguments)
        if stage == f"inside transaction {calls['append']}":
            die()
        return entry

    def write_head(*arguments):
        calls["head"] += 1
        if stage == f"before head {calls['head']}":
            die()
        write(*arguments)
        if stage == f"after head {calls['head']}":
            die()

    def replace_file(path, content):
        if stage == f"inside head {calls['head']}":
            path.with_name(f"{path.name}.new").write_bytes(content[:10])
            die()
        replace(path, content)

    ledger.Ledger.append = append
    books.write_head = write_head
    head.replace_file = replace_file


def race(place, key, children, before=lambda: None):
    gate, opener = os.pipe()

    def wait():
        os.close(opener)
        before()
        os.read(gate, 1)

    def job():
        try:
            return scored(place, key, 1.0)
        except RefereeError as refusal:
            return {"refused": str(refusal)}

    started = [child(job, before=wait) for _ in range(children)]
    os.close(opener)
    answers = [told(reader) for _, reader in started]
    for number, _ in started:
        os.waitpid(number, 0)
    os.close(gate)
    return answers


def unlocked():
    books.alone = lambda path: contextlib.nullcontext()


JOBS = {
    "kill": kill,
    "at": at,
    "race": race,
    "race without lock": lambda *arguments: race(*arguments, before=unlocked),
}

if __name__ == "__main__":
    for name, *arguments in json.load(sys.stdin):
        print(json.dumps(JOBS[name](*arguments)), flush=True)
