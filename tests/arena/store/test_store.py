"""The store: quotas under races, replays, a full disk; on SQLite and PostgreSQL."""

import shutil
import sqlite3
import threading

import pytest
from sqlalchemy import text

from referee.arena.accounts.accounts import link
from referee.arena.arena import open_arena
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.problem import Problem
from referee.arena.scoring.board import board
from referee.arena.scoring.checking import check_arena
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.quota import Remaining
from referee.arena.scoring.submitting import (
    own_submissions,
    remaining_tries,
    submission,
    submit,
)
from referee.arena.store.store import refuse_old_sqlite
from referee.errors import InputError

from ..conftest import cheap_passwords, request_for


def at_once(works):
    """Run functions at the same moment and return what each returned or raised."""
    gate, results = threading.Barrier(len(works)), [None] * len(works)

    def run(k, work):
        gate.wait()
        try:
            results[k] = work()
        except Exception as problem:
            results[k] = problem

    threads = [threading.Thread(target=run, args=(k, w)) for k, w in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_twenty_at_once_get_exactly_five_tries(either):
    with either.open() as arena:
        account, _ = either.team(arena, "Ada")
        content = either.file(10)
        results = at_once([lambda: submit(arena, account, either.slug, content)] * 20)
        recorded = [r for r in results if not isinstance(r, Exception)]
        refused = [r for r in results if isinstance(r, Problem)]
        assert (len(recorded), len(refused)) == (5, 15)
        assert {r.status for r in refused} == {429}
        assert len(own_submissions(arena, account, either.slug)) == 5
        assert sorted(r.answer["remaining"]["today"] for r in recorded) == [0, 1, 2, 3, 4]
        assert remaining_tries(arena, account, either.slug).total == 95
        assert check_arena(arena).problems == ()


def test_a_new_day_has_new_tries_until_the_total_is_used(either):
    with either.open() as arena:
        account, _ = either.team(arena, "Ada")
        for _day in range(20):
            for _ in range(5):
                submit(arena, account, either.slug, either.file(5))
            with pytest.raises(Problem, match="tries"):
                submit(arena, account, either.slug, either.file(5))
            either.clock.move(days=1)
        with pytest.raises(Problem, match="all 100 tries"):
            submit(arena, account, either.slug, either.file(5))
        assert board(arena, either.slug).looks == 100


def test_linked_accounts_share_their_tries(site):
    with site.open() as arena:
        ada, _ = site.team(arena, "Ada")
        bob, _ = site.team(arena, "Bob")
        bob = link(arena, None, "Bob", "Ada")
        for account in (ada, bob, ada, bob, ada):
            submit(arena, account, site.slug, site.file(5))
        with pytest.raises(Problem, match="all 5 tries"):
            submit(arena, bob, site.slug, site.file(5))
        assert check_arena(arena).problems == ()


def test_tries_used_before_linking_count_for_the_team(either):
    with either.open() as arena:
        ada, _ = either.team(arena, "Ada")
        bob, _ = either.team(arena, "Bob")
        submit(arena, bob, either.slug, either.file(5))
        either.clock.move(days=1)
        for account in (ada, bob, bob):
            submit(arena, account, either.slug, either.file(5))
        for _ in range(2):  # said twice it counts once
            bob = link(arena, None, "Bob", "Ada")
            assert remaining_tries(arena, ada, either.slug) == Remaining(today=2, total=96)
            assert check_arena(arena).problems == ()
        for account in (ada, bob):
            submit(arena, account, either.slug, either.file(5))
        with pytest.raises(Problem, match="all 5 tries"):
            submit(arena, ada, either.slug, either.file(5))
        carl, _ = either.team(arena, "Carl")
        carl = link(arena, None, "Carl", "Ada")  # brings nothing along
        assert remaining_tries(arena, carl, either.slug) == Remaining(today=0, total=94)
        newcomer, _ = either.team(arena, "Dora")
        bob = link(arena, None, "Bob", "Dora")  # who had no try counted, and the old team keeps all
        assert remaining_tries(arena, newcomer, either.slug) == Remaining(today=2, total=96)
        assert remaining_tries(arena, ada, either.slug) == Remaining(today=0, total=94)
        assert check_arena(arena).problems == ()


def test_a_replay_returns_the_first_answer_and_costs_nothing(either):
    with either.open() as arena:
        account, _ = either.team(arena, "Ada")
        content = either.file(10)
        results = at_once(
            [lambda: submit(arena, account, either.slug, content, idempotency_key="one")] * 8
        )
        assert len({r.id for r in results}) == 1
        assert sum(not r.replayed for r in results) == 1
        assert all(r.answer == results[0].answer for r in results)
        with pytest.raises(Problem, match="another file"):
            submit(arena, account, either.slug, either.file(9), idempotency_key="one")
        bob, _ = either.team(arena, "Bob")
        own = submit(arena, bob, either.slug, content, idempotency_key="one")
        assert own.id != results[0].id
        assert remaining_tries(arena, account, either.slug).today == 4


def test_records_can_neither_be_changed_nor_removed(either):
    with either.open() as arena:
        account, _ = either.team(arena, "Ada")
        submit(arena, account, either.slug, either.file(10))
        for statement in (
            "UPDATE submissions SET note = 'x'",
            "DELETE FROM submissions",
            "UPDATE log SET content = 'x'",
            "DELETE FROM log",
            "DELETE FROM predictions",
        ):
            with pytest.raises(Exception, match="only grows"):
                arena.store.write(lambda c, s=statement: c.execute(text(s)))
        assert check_arena(arena).problems == ()


def test_the_deadline_is_the_last_byte_by_the_servers_clock(site):
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        arena.store.write(
            lambda c: c.execute(text("UPDATE versions SET closes_at = '2026-03-01T12:00:01.000Z'"))
        )
        arrived = "2026-03-01T12:00:00.999Z"
        site.clock.move(seconds=30)  # the transaction comes later than the last byte
        made = submit(arena, account, site.slug, site.file(10), received_at=arrived)
        assert made.received_at == arrived
        with pytest.raises(Problem, match="closed on"):
            submit(arena, account, site.slug, site.file(1), received_at="2026-03-01T12:00:01.000Z")


def test_tries_around_midnight_count_for_the_day_on_which_they_came(either):
    """What came before midnight may be recorded after what came later; no day has a sixth."""
    with either.open() as arena:
        account, _ = either.team(arena, "Ada")
        before, after = "2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z"

        def send(time):
            return submit(arena, account, either.slug, either.file(5), received_at=time)

        for time in (before, before, before, before, after, before):
            send(time)
        with pytest.raises(Problem, match="tries of 2026-03-01"):
            send(before)
        assert [send(after).answer["remaining"]["today"] for _ in range(4)] == [3, 2, 1, 0]
        with pytest.raises(Problem, match="tries of 2026-03-02"):
            send(after)
        assert check_arena(arena).problems == ()


def test_a_key_belongs_to_one_file_of_one_benchmark_and_outlives_a_new_version(site):
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        content, folder = site.file(10), site.directory.parent
        first = submit(arena, account, site.slug, content, idempotency_key="one")
        other = create_benchmark(arena, request_for(folder, name="Other"), seed=1)
        with pytest.raises(Problem, match="another benchmark"):
            submit(arena, account, other, content, idempotency_key="one")
        create_benchmark(arena, request_for(folder), version_of=site.slug, seed=2)
        again = submit(arena, account, site.slug, content, idempotency_key="one")
        assert again.replayed
        assert again.answer == first.answer
        assert submission(arena, account, site.slug, first.id).answer == first.answer
        assert own_submissions(arena, account, site.slug) == ()
        assert submit(arena, account, site.slug, content, idempotency_key="two").id != first.id
        assert check_arena(arena).problems == ()


def test_a_refused_job_leaves_the_others_of_its_commit_alone(site):
    with site.open() as arena:
        teams = [site.team(arena, f"Team {k}")[0] for k in range(6)]
        good, bad = site.file(10), b"id,prediction\nnobody,cat\n"
        works = [
            lambda a=account, c=content: submit(arena, a, site.slug, c)
            for account in teams
            for content in (good, bad)
        ]
        results = at_once(works)
        assert sum(isinstance(r, Problem) for r in results) == 6
        assert board(arena, site.slug).looks == 6
        assert check_arena(arena).problems == ()


def test_two_writers_on_one_file_are_refused(site):
    with site.open(), pytest.raises(InputError, match="has one writer"), site.open():
        pass
    with site.open(), site.open(read_only=True) as reader:
        assert check_arena(reader).problems == ()


def test_old_sqlite_has_one_writer(monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    with pytest.raises(InputError, match=r"3\.51\.3"):
        refuse_old_sqlite(2)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    refuse_old_sqlite(2)


def test_a_full_disk_is_told_and_survived(site, monkeypatch):
    """First by what is free, then by a database that may not grow."""
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        usage = shutil.disk_usage(site.directory)._replace(free=1000)
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "disk_usage", lambda _: usage)
            with pytest.raises(Problem) as caught:
                submit(arena, account, site.slug, site.file(10))
            assert caught.value.status == 507
        pages = arena.store.write(lambda c: c.execute(text("PRAGMA page_count")).scalar())
        arena.store.write(lambda c: c.execute(text(f"PRAGMA max_page_count = {pages}")))
        refused = None
        for wrong in range(4):
            try:
                submit(arena, account, site.slug, site.file(wrong), idempotency_key=f"k{wrong}")
            except Problem as problem:
                refused = problem
                break
        assert refused is not None
        assert refused.status == 507
        assert board(arena, site.slug).looks == wrong
        arena.store.write(lambda c: c.execute(text("PRAGMA max_page_count = 1000000")))
        made = submit(arena, account, site.slug, site.file(wrong), idempotency_key=f"k{wrong}")
        assert not made.replayed
        assert check_arena(arena).problems == ()


def test_the_final_board_is_the_same_on_both_databases(either):
    with either.open() as arena:
        for k, name in enumerate(("Ada", "Bob")):
            account, _ = either.team(arena, name)
            submit(arena, account, either.slug, either.file(30 + 60 * k, seed=k))
        final = finish(arena, None, either.slug)
        assert [(e.team, e.tier, e.rank) for e in final.entries] == [("Ada", 1, 1), ("Bob", 2, 2)]
        assert check_arena(arena).problems == ()


def test_a_database_of_another_arena_is_refused(site, tmp_path, postgres):
    address = postgres.new_database(f"other_{tmp_path.name}")
    other = tmp_path / "other"
    other.mkdir()
    from ..conftest import Site

    Site(other, database=address)
    with (
        pytest.raises(InputError, match="another arena"),
        open_arena(site.directory, database=address, passwords=cheap_passwords()),
    ):
        pass
