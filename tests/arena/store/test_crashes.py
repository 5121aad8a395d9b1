"""Nothing lost: kill -9 under load, PostgreSQL stopped at once, several workers in a race."""

import threading
import time

import httpx
import numpy as np
import pytest

from referee.arena.app import create_app
from referee.arena.scoring.checking import check_arena
from referee.arena.serve import serving
from referee.errors import InputError

from ..conftest import PASSWORD, Live, Site, cheap_passwords, served
from ..crashing import Load, Server, check_nothing_lost


def busy_site(folder, database=None):
    site = Site(folder, database=database, per_day=100_000, total=1_000_000)
    with site.open_now() as arena:
        tokens = {f"Team {k}": site.team(arena, f"Team {k}")[1] for k in range(4)}
    return site, Load(site, tokens)


def here(site):
    """Serve in this process, by the machine's own clock: a start of a process is dear."""
    return served(create_app(site.directory, database=site.database, passwords=cheap_passwords()))


def killed(site, load, server_kills, rng):
    """Start, load, kill; as often as asked. The pauses differ, so the moments do."""
    for _ in range(server_kills):
        server = Server(site)
        with pytest.raises(InputError, match="has one writer"), site.open_now():
            pass
        until = threading.Event()
        load.send_again(server.address)
        threads = load.run(server.address, until)
        load.wait_for_more(6)
        time.sleep(float(rng.uniform(0.0, 0.1)))
        server.kill()
        until.set()
        for thread in threads:
            thread.join()
    with here(site) as address:
        load.send_again(address)


def test_kill_under_load_loses_nothing(tmp_path):
    site, load = busy_site(tmp_path)
    killed(site, load, 1, np.random.default_rng(0))
    assert check_nothing_lost(site, load) >= 5


@pytest.mark.slow
def test_fifty_kills_under_load_lose_nothing(tmp_path):
    site, load = busy_site(tmp_path)
    killed(site, load, 50, np.random.default_rng(1))
    print(f"50 x kill -9: {check_nothing_lost(site, load)} submissions recorded, 0 lost")


def stopped(load, address, postgres, rng):
    """Load, stop the database at once, start it again, and send what was not answered."""
    until = threading.Event()
    threads = load.run(address, until)
    load.wait_for_more(6)
    time.sleep(float(rng.uniform(0.0, 0.1)))
    postgres.stop("immediate")
    until.set()
    for thread in threads:
        thread.join()
    postgres.start()
    load.send_again(address)


def test_an_immediate_stop_of_postgresql_loses_nothing(tmp_path, postgres):
    site, load = busy_site(tmp_path, postgres.new_database(f"stop_{tmp_path.name}"))
    with here(site) as address:
        stopped(load, address, postgres, np.random.default_rng(0))
    assert check_nothing_lost(site, load) >= 5


@pytest.mark.slow
def test_twenty_immediate_stops_of_postgresql_lose_nothing(tmp_path, postgres):
    """Two workers; every other time they are killed, too."""
    site, load = busy_site(tmp_path, postgres.new_database(f"stops_{tmp_path.name}"))
    rng = np.random.default_rng(1)
    for _ in range(10):
        server = Server(site, workers=2)
        stopped(load, server.address, postgres, rng)
        stopped(load, server.address, postgres, rng)
        server.kill()
    print(f"20 x pg_ctl stop -m immediate: {check_nothing_lost(site, load)} recorded, 0 lost")


def test_while_the_database_is_away_the_site_says_so_and_comes_back(tmp_path, postgres):
    site = Site(tmp_path, database=postgres.new_database(f"away_{tmp_path.name}"))
    with served(site.app()) as address, httpx.Client(base_url=address, timeout=90) as http:
        live = Live(site, address)
        token = live.team("Ada")
        person = {"name": "Ada", "password": PASSWORD}
        origin = {"Sec-Fetch-Site": "same-origin"}
        assert http.post("/sign-in", data=person, headers=origin).status_code == 303
        board = f"/benchmarks/{site.slug}/board"
        assert http.get(board).status_code == 200
        postgres.stop("immediate")
        try:
            refused = live.submit(token, site.file(10), **{"Idempotency-Key": "one"})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
            assert "same Idempotency-Key" in refused.json()["detail"]
            assert http.get("/healthz").json()["status"] == "down"
            page = http.get(board)  # by somebody who is signed in
            assert (page.status_code, page.headers["retry-after"]) == (503, "5")
            assert page.headers["content-type"].startswith("text/html")
            assert "does not answer" in page.text
            assert http.get("/metrics").status_code == 503
        finally:
            postgres.start()
        made = live.submit(token, site.file(10), **{"Idempotency-Key": "one"})
        assert (made.status_code, made.json()["remaining"]["today"]) == (201, 4)
        assert http.get("/healthz").json()["status"] == "ok"
        assert "Ada" in http.get(board).text
        live.http.close()
    with site.open() as arena:
        assert check_arena(arena).problems == ()


def test_a_worker_that_starts_while_the_database_is_away_waits_for_it(
    tmp_path, postgres, monkeypatch
):
    """One that fails at its start would end the site; one that waited too long is replaced."""
    site = Site(tmp_path, database=postgres.new_database(f"wait_{tmp_path.name}"))
    held, arguments = [], (str(site.directory), site.database)
    postgres.stop("immediate")
    try:
        worker = threading.Thread(target=lambda: held.append(serving._opened(*arguments)))
        worker.start()
        monkeypatch.setattr(serving, "_PATIENCE", -1.0)
        with pytest.raises(SystemExit) as ended:
            serving._opened(*arguments)
        assert ended.value.code == 1  # 3 is what ends the site
        assert worker.is_alive()
    finally:
        postgres.start()
    worker.join(60)
    with held[0] as arena:
        assert check_arena(arena).problems == ()


def raced(site, token, addresses):
    """Let twenty threads submit at the same moment; return the statuses in order."""
    codes, content, gate = [], site.file(10), threading.Barrier(20)
    path = f"/api/v1/benchmarks/{site.slug}/submissions"
    for address in addresses:  # FastAPI prepares a route at its first request, and not in threads
        assert httpx.post(f"{address}{path}", timeout=60).status_code == 401

    def send(address):
        gate.wait()
        with httpx.Client(timeout=60, verify=False) as http:
            answer = http.post(
                f"{address}{path}",
                content=content,
                headers={"Authorization": f"Bearer {token}", "Content-Type": "text/csv"},
            )
            codes.append(answer.status_code)

    threads = [
        threading.Thread(target=send, args=(addresses[k % len(addresses)],)) for k in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(codes)


def racing_site(folder, postgres):
    site = Site(folder, database=postgres.new_database(f"race_{folder.name}"))
    with site.open_now() as arena:
        return site, site.team(arena, "Ada")[1]


def test_twenty_threads_on_three_servers_get_exactly_five_tries(tmp_path, postgres):
    """Three apps with connections of their own, as three workers have, and one database."""
    site, token = racing_site(tmp_path, postgres)
    with here(site) as one, here(site) as two, here(site) as three:
        assert raced(site, token, (one, two, three)) == [201] * 5 + [429] * 15


@pytest.mark.slow
def test_twenty_threads_on_three_workers_get_exactly_five_tries(tmp_path, postgres):
    site, token = racing_site(tmp_path, postgres)
    server = Server(site, workers=3)
    codes = raced(site, token, (server.address,))
    server.stop()
    assert codes == [201] * 5 + [429] * 15
