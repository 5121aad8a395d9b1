"""Guesses: passwords are tried a few times a minute, by account, by address and by both.

An attacker with many addresses is held up by the count of the account. It does not hold up its
owner: a browser in which somebody has signed in before is counted for itself (`known_browser`), and
so is an address from which the password was right.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from ipaddress import ip_address, ip_network

from referee.arena.problem import Problem
from referee.vault.sealed.keys.key import Key

__all__ = ["Guesses", "known_browser", "new_browser"]

_FORGOTTEN = 10_000


class Guesses:
    """Counts of tries in the last minute; one a process.

    Parameters
    ----------
    what : str
        What is counted, for the message.
    pairs : int
        How many a minute one address may try for one account.
    addresses : int
        How many a minute one address may try in all.
    accounts : int or None
        How many a minute all unknown addresses together may try for one account.
    clock : callable
        Seconds that only grow.

    Examples
    --------
    >>> guesses = Guesses(pairs=1, addresses=5, accounts=2, clock=lambda: 0.0)
    >>> guesses.attempt("ada", "192.0.2.1")
    >>> guesses.attempt("ada", "192.0.2.1")
    Traceback (most recent call last):
    ...
    referee.arena.problem.Problem: too many wrong passwords; wait 60 seconds
    >>> guesses.attempt("ada", "192.0.2.2")
    >>> guesses.attempt("ada", "192.0.2.3")
    Traceback (most recent call last):
    ...
    referee.arena.problem.Problem: too many wrong passwords; wait 60 seconds
    >>> guesses.attempt("ada", "192.0.2.3", browser="one that ada has used")
    """

    def __init__(
        self,
        *,
        what: str = "wrong passwords",
        pairs: int = 10,
        addresses: int = 60,
        accounts: int | None = 30,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = {"pair": pairs, "browser": pairs, "address": addresses, "account": accounts}
        self._what, self._clock = what, clock
        self._counts: dict[tuple[str, ...], list[float]] = {}
        self._known: dict[tuple[str, str], None] = {}
        self._lock = threading.Lock()

    def attempt(self, account: str, address: str, *, browser: str | None = None) -> None:
        """Count a try before it is made, so that many at once are not more; refuse one too many."""
        now, place = self._clock(), _place(address)
        with self._lock:
            keys = self._keys(account, place, browser)
            recent = {key: [t for t in self._counts.get(key, ()) if now - t < 60] for key in keys}
            for key, times in recent.items():
                limit = self._limits[key[0]]
                if limit is not None and len(times) >= limit:
                    wait = max(1, round(60 - (now - times[0])))
                    raise Problem(
                        429, f"too many {self._what}; wait {wait} seconds", retry_after=wait
                    )
            self._make_room(now)
            self._counts |= {key: [*times, now] for key, times in recent.items()}

    def succeeded(self, account: str, address: str, *, browser: str | None = None) -> None:
        """Take back the count of a try that was right, and remember where it came from."""
        place = _place(address)
        with self._lock:
            for key in self._keys(account, place, browser):
                if self._counts.get(key):
                    self._counts[key].pop()
            self._counts.pop(("pair", account, place), None)
            self._known[account, place] = None
            while len(self._known) > _FORGOTTEN:
                del self._known[next(iter(self._known))]

    def _keys(self, account: str, place: str, browser: str | None) -> list[tuple[str, ...]]:
        if browser is not None:
            return [("browser", account, browser)]
        keys: list[tuple[str, ...]] = [("pair", account, place), ("address", place)]
        return keys if (account, place) in self._known else [*keys, ("account", account)]

    def _make_room(self, now: float) -> None:
        if len(self._counts) > _FORGOTTEN:
            self._counts = {k: t for k, t in self._counts.items() if t and now - t[-1] < 60}


def _place(address: str) -> str:
    """Return what one subscriber has: an address, of IPv6 a whole network of them."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    return address if number.version == 4 else str(ip_network((number, 64), strict=False))


def new_browser(key: Key, account: str) -> str:
    """Return what a browser keeps to be known again for an account; it opens nothing."""
    name = secrets.token_urlsafe(12)
    return f"{name}.{_code(key, account, name)}"


def known_browser(key: Key, account: str, kept: str | None) -> str | None:
    """Return the name of a browser in which that account has signed in before; None otherwise."""
    name, _, code = (kept or "").partition(".")
    right = hmac.compare_digest(code.encode(errors="replace"), _code(key, account, name).encode())
    return name if right else None


def _code(key: Key, account: str, name: str) -> str:
    return key.mac(f"browser\n{account}\n{name}".encode(errors="replace")).hex()[:32]
