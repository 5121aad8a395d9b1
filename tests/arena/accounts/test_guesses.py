"""Attacks on passwords: guesses are slowed down, and answers tell nothing of accounts."""

import statistics
import threading
import time

import pytest
from argon2 import extract_parameters
from argon2.profiles import get_default_parameters

from referee.arena.accounts.accounts import add_account, sign_in
from referee.arena.accounts.guesses import Guesses, new_browser
from referee.arena.accounts.passwords import Passwords
from referee.arena.arena import open_arena
from referee.arena.problem import Problem

from ..conftest import PASSWORD, Site


def test_stuffing_is_slowed_down_and_the_owner_gets_in(house):
    owner = house.participant("Stuffed")
    thief = house.visitor()
    statuses = [
        thief.post("/sign-in", {"name": "Stuffed", "password": f"guess {k}"}).status_code
        for k in range(14)
    ]
    assert statuses == [401] * 10 + [429] * 4
    right = {"name": "Stuffed", "password": PASSWORD}
    assert thief.post("/sign-in", right).status_code == 429
    # The same address, and a browser that has signed in before: it is counted for itself.
    owner.post("/sign-out")
    assert owner.post("/sign-in", right).status_code == 303
    # What makes it known opens nothing, holds for one account, and is slowed down itself.
    copied = house.visitor()
    copied.http.cookies.set("referee_browser", owner.http.cookies["referee_browser"])
    assert copied.get("/account").status_code == 303
    wrong = [
        copied.post("/sign-in", {"name": "Stuffed", "password": "guess"}).status_code
        for _ in range(12)
    ]
    assert wrong == [401] * 10 + [429] * 2


def test_an_account_is_guessed_slowly_from_all_addresses_together(house):
    arena = house.app.state.arena
    house.participant("Botnet")

    def guess(address, password="not it, not it", browser=None):
        try:
            sign_in(arena, "Botnet", password, address=address, browser=browser)
        except Problem as problem:
            return problem.status
        return 200

    known = new_browser(arena.key, "botnet")
    assert guess("203.0.113.250", PASSWORD) == 200
    codes = [guess(f"198.51.100.{k}") for k in range(40)]
    assert codes == [401] * 30 + [429] * 10
    assert guess("198.51.100.99", PASSWORD) == 429  # it may be the thief's first right guess
    assert guess("198.51.100.99", PASSWORD, known) == 200  # the owner, on the way
    assert guess("203.0.113.250", PASSWORD) == 200  # and where they have been before
    assert guess("198.51.100.98", PASSWORD, new_browser(arena.key, "another")) == 429
    assert [guess(f"2001:db8::{k}") for k in range(3)] == [429] * 3


def test_guesses_at_the_same_moment_are_counted_before_they_are_made(house):
    arena, codes, gate = house.app.state.arena, [], threading.Barrier(30)

    def guess():
        gate.wait()
        try:
            sign_in(arena, "Nobody at all", "not it, not it", address="198.51.100.200")
        except Problem as problem:
            codes.append(problem.status)

    threads = [threading.Thread(target=guess) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [401] * 10 + [429] * 20


def sign_in_times(folder, tries):
    """Return what a wrong password and an unknown name cost, at argon2's own settings."""
    site, without_end = Site(folder), 10**9
    with open_arena(site.directory, clock=site.clock) as arena:
        add_account(arena, "Ada", PASSWORD)
        arena.guesses = Guesses(pairs=without_end, addresses=without_end, accounts=None)
        spent = {"Ada": [], "Nobody": []}
        for _ in range(tries):
            for name, times in spent.items():
                start = time.process_time()
                with pytest.raises(Problem, match="the name or the password is wrong"):
                    sign_in(arena, name, "not it, not it", address="198.51.100.7")
                times.append(time.process_time() - start)
    return spent


@pytest.mark.slow
def test_an_unknown_name_and_a_wrong_password_take_one_time(tmp_path):
    """Over 200 tries of each the medians differ by less than a twentieth."""
    spent = sign_in_times(tmp_path, 200)
    low, high = sorted(statistics.median(times) for times in spent.values())
    print(f"sign-in, 200 tries each: medians {1000 * low:.2f} and {1000 * high:.2f} ms of CPU")
    assert high <= 1.05 * low


@pytest.mark.parametrize("name", ["Ada", "Nobody"])
def test_an_unknown_name_costs_the_same_hash_as_a_wrong_password(tmp_path, monkeypatch, name):
    """Argon2 is asked once for either, with the same settings: so the times cannot differ."""
    site = Site(tmp_path)
    with site.open() as arena:
        add_account(arena, "Ada", PASSWORD)
        asked, hasher = [], arena.passwords._hasher

        class Counted:
            def verify(self, stored, password):
                asked.append((extract_parameters(stored), password))
                return hasher.verify(stored, password)

        monkeypatch.setattr(arena.passwords, "_hasher", Counted())
        with pytest.raises(Problem, match="the name or the password is wrong"):
            sign_in(arena, name, "not it, not it", address="198.51.100.7")
        own = extract_parameters(hasher.hash(PASSWORD))
    assert asked == [(own, "not it, not it")]


def test_passwords_are_hashed_as_argon2_recommends():
    stored = Passwords().hashed(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert extract_parameters(stored) == get_default_parameters()


def test_the_answers_to_both_are_the_same_but_for_the_name(house):
    house.participant("Existing")
    visitor = house.visitor()
    pages = [
        visitor.post("/sign-in", {"name": name, "password": "not the password"})
        for name in ("Existing", "Missing1")
    ]
    assert pages[0].status_code == pages[1].status_code == 401
    assert pages[0].text.replace("Existing", "Missing1") == pages[1].text
