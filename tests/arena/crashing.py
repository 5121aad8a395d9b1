"""A served arena as a process of its own, a load on it, and what was acknowledged."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

SOURCES = str(Path(__file__).resolve().parents[2] / "src")


class Server:
    """`referee arena serve` in a process group of its own."""

    def __init__(self, site, *, workers=1, environment=None):
        command = [sys.executable, "-m", "referee", "arena", "serve", str(site.directory)]
        command += ["--port", "0", "--workers", str(workers)]
        if site.database is not None:
            command += ["--database", site.database]
        path = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the server)
        self.process = subprocess.Popen(
            command,
            stderr=self.said,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": path} | (environment or {}),
        )
        self.address = self._address()
        self._wait()

    def _address(self):
        """Wait until it says where it listens; what it says instead is the failure."""
        while True:
            ended = self.process.poll() is not None
            self.said.seek(0)
            text = self.said.read()
            found = re.search(r"on (http://\S+)", text)
            if found:
                return found[1]
            if ended:
                self.said.close()
                raise AssertionError(text)
            time.sleep(0.02)

    def _wait(self):
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.address}/healthz", timeout=5, verify=False).status_code == 200:
                    return
            time.sleep(0.02)
        raise AssertionError("the server did not come up")

    def kill(self):
        """End all its processes at once, as a fault of the machine would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.said.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(120)
        self.said.close()


class Load:
    """Teams that submit again and again; what was acknowledged is kept."""

    def __init__(self, site, tokens):
        self.site, self.tokens = site, tokens
        self.acknowledged, self.lost_answers = {}, []
        self._counter = 0
        self._lock = threading.Lock()

    def run(self, address, until, *, most=10_000):
        """Submit from every team until told to stop; whoever is not answered keeps the key."""

        def work(name, token):
            with httpx.Client(timeout=10, verify=False) as http:
                for _ in range(most):
                    if until.is_set():
                        return
                    if not self._submit(http, address, name, token):
                        return

        threads = [threading.Thread(target=work, args=item) for item in self.tokens.items()]
        for thread in threads:
            thread.start()
        return threads

    def wait_for_more(self, number):
        """Wait until that many more have been acknowledged."""
        wanted, deadline = len(self.acknowledged) + number, time.monotonic() + 120
        while len(self.acknowledged) < wanted and time.monotonic() < deadline:
            time.sleep(0.005)

    def _submit(self, http, address, name, token):
        with self._lock:
            self._counter += 1
            key = f"{name}-{self._counter}"
        content = self.site.file(self._counter % 150, self._counter)
        try:
            answer = self.post(http, address, token, key, content)
        except httpx.TransportError:
            self.lost_answers.append((name, key, content))
            return False
        if answer.status_code == 201:
            self.acknowledged[answer.json()["id"]] = answer.json()
        return answer.status_code in (201, 503)

    def post(self, http, address, token, key, content):
        return http.post(
            f"{address}/api/v1/benchmarks/{self.site.slug}/submissions",
            content=content,
            headers={
                "Authorization": f"Bearer {token}",
                "Content-Type": "text/csv",
                "Idempotency-Key": key,
            },
        )

    def patiently(self, http, address, token, key, content):
        """Post until there is an answer: a worker may be on its way back, too."""
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = self.post(http, address, token, key, content)
                if answer.status_code != 503:
                    return answer
            assert time.monotonic() < deadline, "the server did not come back"
            time.sleep(0.1)

    def send_again(self, address):
        """Send what was not answered once more, with the same keys."""
        with httpx.Client(timeout=30, verify=False) as http:
            for name, key, content in self.lost_answers:
                answer = self.patiently(http, address, self.tokens[name], key, content)
                assert answer.status_code == 201, answer.text
                self.acknowledged[answer.json()["id"]] = answer.json()
        self.lost_answers.clear()


def recorded(arena):
    """Return all recorded answers, and how often each key was counted."""
    from sqlalchemy import func, select

    from referee.arena.store import tables

    with arena.store.read() as connection:
        rows = connection.execute(
            select(tables.submissions.c.id, tables.submissions.c.answer)
        ).all()
        keys = connection.execute(select(func.count()).select_from(tables.replays)).scalar()
    return {row.id: json.loads(row.answer) for row in rows}, keys


def check_nothing_lost(site, load):
    """Every acknowledged answer is recorded as it was given, nothing twice, the chain whole."""
    from referee.arena.scoring.checking import check_arena

    with site.open_now() as arena:
        records, keys = recorded(arena)
        assert check_arena(arena).problems == ()
    missing = [name for name in load.acknowledged if name not in records]
    assert not missing, f"{len(missing)} acknowledged submissions were lost"
    assert all(records[name] == answer for name, answer in load.acknowledged.items())
    assert keys == len(records)  # each was sent with a key of its own, and counted once
    return len(records)
