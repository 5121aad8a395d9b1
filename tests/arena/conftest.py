"""A small arena, cheap passwords, a clock to turn, a server on a free port, and its visitors."""

import atexit
import contextlib
import itertools
import shutil
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import numpy as np
import pandas as pd
import pytest
import uvicorn
from argon2 import PasswordHasher

from referee.arena.accounts.account import Role
from referee.arena.accounts.accounts import add_account
from referee.arena.accounts.passwords import Passwords
from referee.arena.accounts.tokens import create_token
from referee.arena.app import Limits, create_app
from referee.arena.arena import create_arena, open_arena
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.benchmark.request import BenchmarkRequest
from referee.arena.serve.serving import _listener

PASSWORD = "correct horse battery"
CANARY = "zebrafish"
"""A class that only the tables name; it may be seen in train.csv, and never with a test id."""


def cheap_passwords():
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.time

    def move(self, **by):
        self.time += timedelta(**by)


def write_tables(folder, n_train=300, n_test=400, seed=0, classes=("cat", CANARY)):
    """Write train and test, and return the right answers by id."""
    rng = np.random.default_rng(seed)
    n = n_train + n_test
    code = rng.integers(0, len(classes), n)
    frame = pd.DataFrame(
        {
            "id": [f"c{k}" for k in rng.permutation(n)],
            "x": (rng.normal(size=n) + 1.5 * code).round(6),
            "kind": np.array(classes, dtype=object)[code],
        }
    )
    frame[:n_train].to_csv(folder / "train.csv", index=False)
    frame[n_train:].to_csv(folder / "test.csv", index=False)
    return dict(zip(frame["id"][n_train:], frame["kind"][n_train:], strict=True))


def request_for(folder, **changes):
    asked = {
        "name": "Two kinds",
        "train": folder / "train.csv",
        "test": folder / "test.csv",
        "target": "kind",
        "id_column": "id",
    }
    return BenchmarkRequest(**(asked | changes))


class Made:
    """Sites made once in this process: a test gets a copy, which costs a twentieth."""

    def __init__(self):
        self._folder, self._kept = None, {}

    def copy(self, folder, n_test, changes):
        """Put the directory of such a site into a folder; return what is known about it."""
        key = (n_test, *sorted(changes.items()))
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="referee-sites-")
            atexit.register(self._folder.cleanup)
        if key not in self._kept:
            place = Path(self._folder.name, str(len(self._kept)))
            place.mkdir()
            self._kept[key] = place, make_site(place, None, n_test, changes)
        place, known = self._kept[key]
        shutil.copytree(place, folder, dirs_exist_ok=True)
        return known


MADE = Made()


def make_site(folder, database, n_test, changes):
    """Make an arena with one benchmark; return right answers, address, organiser and ids."""
    right = write_tables(folder, n_test=n_test)
    with create_arena(
        folder / "arena",
        database=database,
        registration="open",
        clock=Clock(),
        passwords=cheap_passwords(),
    ) as arena:
        slug = create_benchmark(arena, request_for(folder, **changes), seed=0)
        organiser = add_account(arena, "Olga", PASSWORD, role=Role.ORGANISER)
        ids = list(pd.read_csv(arena.places.file(slug, 1, "test"))["id"])
    return right, slug, organiser, ids


class Site:
    """An arena with one benchmark, and what is known about it."""

    def __init__(self, folder, database=None, n_test=400, **changes):
        self.directory, self.database = folder / "arena", database
        self.clock = Clock()
        if database is None:
            known = MADE.copy(folder, n_test, changes)
        else:
            known = make_site(folder, database, n_test, changes)
        self.right, self.slug, self.organiser, ids = known
        self.ids = list(ids)

    def open(self, **settings):
        return open_arena(
            self.directory,
            database=self.database,
            clock=self.clock,
            passwords=cheap_passwords(),
            **settings,
        )

    def open_now(self):
        """Open it by the machine's own clock, as a server in another process does."""
        return open_arena(self.directory, database=self.database, passwords=cheap_passwords())

    def team(self, arena, name):
        account = add_account(arena, name, PASSWORD)
        return account, create_token(arena, account, "test").secret

    def file(self, wrong=0, seed=0):
        """Return a file with that many wrong answers."""
        rng = np.random.default_rng(seed)
        off = set(rng.choice(len(self.ids), wrong, replace=False).tolist())
        other = {"cat": CANARY, CANARY: "cat"}
        lines = [
            f"{name},{other[self.right[name]] if k in off else self.right[name]}"
            for k, name in enumerate(self.ids)
        ]
        return ("id,prediction\n" + "\n".join(lines) + "\n").encode()

    def app(self, **limits):
        return create_app(
            self.directory,
            database=self.database,
            clock=self.clock,
            passwords=cheap_passwords(),
            limits=Limits(**limits) if limits else None,
        )


@contextlib.contextmanager
def served(app):
    """Run an app on a free port, in a thread; yield its address."""
    listener = _listener("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


class Live:
    """A served site with a few accounts."""

    def __init__(self, site, address):
        self.site, self.address = site, address
        # Certificates, which cost more to load than a request, are not asked for on http.
        self.http = httpx.Client(base_url=f"{address}/api/v1", timeout=30, verify=False)
        self.organiser = self.token("Olga")

    def token(self, name):
        body = {"name": name, "password": PASSWORD, "label": "test"}
        return self.http.post("/tokens", json=body).json()["token"]

    def team(self, name):
        self.http.post("/accounts", json={"name": name, "password": PASSWORD})
        return self.token(name)

    def submit(self, token, content, kind="text/csv", **headers):
        return self.http.post(
            f"/benchmarks/{self.site.slug}/submissions",
            content=content,
            headers={"Authorization": f"Bearer {token}", "Content-Type": kind} | headers,
        )

    def call(self, method, path, token=None, **more):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.http.request(method, path, headers=headers, **more)


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


@pytest.fixture
def live(site):
    with served(site.app()) as address:
        made = Live(site, address)
        yield made
        made.http.close()


@pytest.fixture
def arena(site):
    with site.open() as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server for all tests of a process."""
    from .postgres import cluster

    # Not below pytest's own folder, which only its owner may enter.
    with tempfile.TemporaryDirectory(prefix="referee-postgres-") as folder, cluster(folder) as it:
        yield it


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request, tmp_path):
    """A site on SQLite, and one on PostgreSQL."""
    if request.param == "sqlite":
        return Site(tmp_path)
    server = request.getfixturevalue("postgres")
    return Site(tmp_path, database=server.new_database(f"arena_{tmp_path.name}"))


ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Person:
    """Somebody with a browser of their own: cookies are kept, redirects are not followed."""

    def __init__(self, address, name=None):
        self.name = name
        self.http = httpx.Client(base_url=address, timeout=30, headers=ORIGIN)

    def get(self, path, **more):
        return self.http.get(path, **more)

    def post(self, path, fields=None, **more):
        return self.http.post(path, data=fields or {}, **more)

    def sign_in(self, password=PASSWORD):
        answer = self.post("/sign-in", {"name": self.name, "password": password})
        assert answer.status_code == 303, answer.text
        return self

    def submit(self, slug, content, name="answers.csv", **fields):
        return self.http.post(
            f"/benchmarks/{slug}/submit",
            files={"file": (name, content, "text/csv")},
            data={"key": fields.pop("key", "k"), "note": "", **fields},
        )


class House:
    """A served site."""

    def __init__(self, site, address):
        self.site, self.address, self.slug = site, address, site.slug
        self.people = []
        self.names = (f"Team {k}" for k in itertools.count(1))

    def visitor(self):
        self.people.append(Person(self.address))
        return self.people[-1]

    def participant(self, name=None):
        person = self.visitor()
        person.name = name or next(self.names)
        fields = {"name": person.name, "password": PASSWORD, "again": PASSWORD}
        assert person.post("/register", fields).status_code == 303
        return person

    def organiser(self, name="Olga"):
        person = self.visitor()
        person.name = name
        return person.sign_in()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("house"), per_day=50)
    app = site.app()
    with served(app) as address:
        place = House(site, address)
        place.app = app
        yield place
        for person in place.people:
            person.http.close()
