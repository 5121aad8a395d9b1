"""Small vaults for the tests, and what can be done to them."""

import sqlite3
from contextlib import closing
from hashlib import sha256

import numpy as np

from referee.vault.sealed import Vault

TRIGGERS = ("no_change", "no_removal", "no_gap")


def data(n=40, seed=0):
    """Return inputs and labels of two classes that one threshold tells apart fairly well."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 1)) + 2 * y[:, None], y


def make(folder, n=40, **options):
    X, y = data(n)
    settings = {
        "test": 0.5,
        "policy": "ladder",
        "baseline": 0.5,
        "random_state": 0,
        "key": folder / "key",
    } | options
    return Vault.seal(X, y, out=folder / "vault", **settings)


def by_threshold(vault, at=1.0):
    return (vault.test_inputs["x0"] > at).astype(int)


def forge(path, *statements):
    """Change a ledger as somebody with a database program would, triggers out of the way."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        kept = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'"))
        for name in kept:
            connection.execute(f"DROP TRIGGER {name}")
        for statement, *values in statements:
            connection.execute(statement, *values)
        for name in TRIGGERS:
            connection.execute(kept[name])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def rows(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute("SELECT * FROM entries ORDER BY number").fetchall()


def link(before, number, time, kind, content):
    """Return the hash of an entry, as docs/vault.md says; written without referee."""
    return sha256(before + f"{number}\n{time}\n{kind}\n{content}\n".encode()).digest()
