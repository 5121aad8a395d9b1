"""The HTTP API: problems, tokens, permissions, files, limits of uploads, what never gets out."""

import asyncio
import contextlib
import gzip
import json
import socket
import threading
import time

import httpx
import pytest

from referee.arena.client import Client
from referee.arena.problem import Problem

from ..conftest import CANARY, PASSWORD, Live, Site, served


def is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    record = answer.json()
    assert record["status"] == status
    assert record["detail"]
    return record


def test_tokens_are_shown_once_stored_as_hashes_and_can_be_ended(live):
    token = live.team("Ada")
    made = live.http.post("/tokens", json={"name": "Ada", "password": PASSWORD, "label": "two"})
    second = made.json()
    assert len(second["token"]) == 43
    database = (live.site.directory / "arena.sqlite").read_bytes()
    assert second["token"].encode() not in database
    path = f"/tokens/{second['id']}"
    assert live.call("DELETE", path, live.team("Bob")).status_code == 404
    assert live.call("DELETE", path, token).status_code == 204
    slug = live.site.slug
    is_problem(live.call("GET", f"/benchmarks/{slug}/submissions", second["token"]), 401)


@pytest.mark.parametrize(
    "header", [None, "Bearer", "Bearer x", "Basic abc", "Bearer " + "A" * 43, "Bearer é"]
)
def test_guessed_tokens(live, header):
    headers = {} if header is None else {"Authorization": header.encode("latin-1", "replace")}
    answer = live.http.get(f"/benchmarks/{live.site.slug}/submissions", headers=headers)
    is_problem(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


def test_wrong_name_and_wrong_password_get_the_same_answer_until_too_many(live):
    live.team("Ada")
    bodies = [{"name": n, "password": "x" * 12, "label": ""} for n in ("Ada", "Nobody")]
    answers = [live.http.post("/tokens", json=body) for body in bodies]
    assert answers[0].content == answers[1].content
    codes = [live.http.post("/tokens", json=bodies[0]).status_code for _ in range(12)]
    assert codes[:9] == [401] * 9
    assert codes[-1] == 429


def test_names_that_look_alike_or_act_are_refused(live):
    live.team("Ada Lovelace")
    for name in ("ada lovelace", "Аda_Lovelace", "Ada Love1ace", "ÀDA LOVELACE"):
        answer = live.http.post("/accounts", json={"name": name, "password": PASSWORD})
        is_problem(answer, 409)
    for name in ("a", "x" * 41, "a\u202eb", "<b>x</b>", "a\nb\x00"):
        answer = live.http.post("/accounts", json={"name": name, "password": PASSWORD})
        is_problem(answer, 422)
    short = live.http.post("/accounts", json={"name": "Bob", "password": "short"})
    is_problem(short, 422)


def test_accounts_wait_for_approval_and_can_be_disabled(tmp_path):
    from referee.arena.store.tables import settings

    site = Site(tmp_path)
    with site.open() as arena:
        arena.store.write(
            lambda c: c.execute(
                settings.update().where(settings.c.name == "registration").values(value="approval")
            )
        )
    with served(site.app()) as address:
        live = Live(site, address)
        account = live.http.post("/accounts", json={"name": "Ada", "password": PASSWORD}).json()
        assert account["state"] == "pending"
        body = {"name": "Ada", "password": PASSWORD, "label": ""}
        assert "approve" in is_problem(live.http.post("/tokens", json=body), 403)["detail"]
        live.call("POST", "/accounts/Ada/approve", live.organiser)
        token = live.token("Ada")
        is_problem(live.call("POST", "/accounts/Ada/approve", token), 403)
        assert live.submit(token, site.file(5)).status_code == 201
        live.call("POST", "/accounts/Ada/disable", live.organiser)
        is_problem(live.submit(token, site.file(4)), 403)
        is_problem(live.call("POST", "/accounts/nobody/disable", live.organiser), 404)
        live.http.close()


def test_submissions_of_others_do_not_exist(live):
    mine = live.submit(live.team("Ada"), live.site.file(10)).json()["id"]
    other = live.team("Bob")
    path = f"/benchmarks/{live.site.slug}"
    assert live.call("GET", f"{path}/submissions", other).json() == []
    is_problem(live.call("PUT", f"{path}/finals", other, json={"ids": [mine]}), 422)
    is_problem(live.call("PUT", f"{path}/finals", other, json={"ids": ["0" * 24]}), 422)


def test_files_have_etags_and_ranges(live):
    path = f"/benchmarks/{live.site.slug}/files/test"
    whole = live.http.get(path)
    assert whole.text.startswith("id,x\n")
    part = live.http.get(path, headers={"Range": "bytes=0-3"})
    assert (part.status_code, part.text) == (206, "id,x")
    again = live.http.get(path, headers={"If-None-Match": whole.headers["etag"]})
    assert again.status_code == 304
    for name in ("labels", "..%2f..%2fsecret%2fkey", "test.csv"):
        assert live.http.get(f"/benchmarks/{live.site.slug}/files/{name}").status_code in (404, 422)


def test_a_bad_file_costs_no_try_and_names_its_line(live):
    token = live.team("Ada")
    for _ in range(7):
        record = is_problem(live.submit(token, b"id,prediction\nnobody,cat\n"), 422)
        assert (record["line"], record["column"]) == (2, "id")
    assert live.submit(token, live.site.file(5)).json()["remaining"]["today"] == 4


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("application/json", {}),
        ("text/plain", {}),
        ("", {}),
        ("text/csv", {"Content-Encoding": "gzip"}),
    ],
)
def test_other_kinds_of_files_are_refused(live, kind, more):
    is_problem(live.submit(live.team("Ada"), gzip.compress(b"0" * 10**6), kind, **more), 415)


def test_a_file_that_is_too_large_is_refused_in_mid_stream(site):
    with served(site.app(most_bytes=100_000)) as address:
        live = Live(site, address)
        token = live.team("Ada")
        is_problem(live.submit(token, b"x" * 100_001), 413)
        chunked = head(live, token, 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        # The last chunk never comes, and the answer does all the same.
        chunks = (b"2710\r\n" + b"x" * 10_000 + b"\r\n") * 11
        assert b" 413 " in raw(address, chunked + chunks)
        assert live.submit(token, site.file(5)).status_code == 201
        live.http.close()


def test_on_a_full_disk_nothing_is_taken_in_and_the_site_still_serves(site):
    with site.open() as arena:
        _, token = site.team(arena, "Ada")
    submissions, kind = f"/benchmarks/{site.slug}/submissions", {"Content-Type": "text/csv"}
    for room, status in ((10**18, 507), (0, 201)):
        with (
            served(site.app(room=room)) as address,
            httpx.Client(base_url=f"{address}/api/v1", timeout=30) as http,
        ):
            headers = {"Authorization": f"Bearer {token}"}
            sent = http.post(submissions, content=site.file(10), headers=headers | kind)
            assert sent.status_code == status, sent.text
            if status == 507:
                assert "no try was counted" in is_problem(sent, 507)["detail"]
                assert sent.headers["retry-after"] == "60"
            else:
                assert sent.json()["remaining"] == {"today": 4, "total": 99}
            for path in ("/", f"/benchmarks/{site.slug}/board", "/healthz"):
                assert httpx.get(f"{address}{path}").status_code == 200
            assert http.get(submissions, headers=headers).status_code == 200


def raw(address, request, wait=0.0, more=b""):
    """Send bytes as they are and return the first line of the answer."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(request)
        if wait:
            time.sleep(wait)
        if more:
            connection.sendall(more)
        try:
            return connection.recv(65536)
        except ConnectionResetError:
            return b""


def head(live, token, length):
    return (
        f"POST /api/v1/benchmarks/{live.site.slug}/submissions HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: text/csv\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def test_slow_uploads_cut_connections_and_lying_lengths(site):
    with served(site.app(patience=0.5, most_bytes=10**6)) as address:
        live = Live(site, address)
        token = live.team("Ada")
        assert b" 408 " in raw(address, head(live, token, 100) + b"id,prediction\n")
        assert b" 413 " in raw(address, head(live, token, 10**12))
        content = site.file(5)
        # Fewer bytes than promised, then silence; more bytes than promised.
        raw(address, head(live, token, len(content) + 50) + content, wait=0.7)
        assert b" 422 " in raw(address, head(live, token, 30) + content)
        assert live.submit(token, content).json()["remaining"]["total"] == 99
        live.http.close()


def test_a_replay_after_a_cut_connection_returns_the_first_answer(live):
    token, content = live.team("Ada"), live.site.file(5)
    request = head(live, token, len(content)).replace(
        b"Host: x\r\n", b"Host: x\r\nIdempotency-Key: once\r\n"
    )
    host, port = live.address.removeprefix("http://").split(":")
    client = Client(live.address, token)
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(request + content)
        deadline = time.monotonic() + 20
        while not client.submissions(live.site.slug) and time.monotonic() < deadline:
            time.sleep(0.02)
    # The connection is gone, and nobody has read the answer.
    answer = live.submit(token, content, **{"Idempotency-Key": "once"})
    assert answer.headers["idempotency-replayed"] == "true"
    assert client.submissions(live.site.slug) == [answer.json()]


def test_a_key_has_one_to_two_hundred_characters(live):
    token = live.team("Ada")
    for key, status in (("", 422), ("k" * 201, 422), ("k" * 200, 201)):
        assert (
            live.submit(token, live.site.file(5), **{"Idempotency-Key": key}).status_code == status
        )


def test_the_busiest_routes_are_described_as_they_answer(live):
    """They go past FastAPI, which describes them: every method, status and field is as it says."""
    token, path = live.team("Ada"), f"/benchmarks/{live.site.slug}"
    spec = live.http.get("/openapi.json").json()
    described = spec["paths"]["/api/v1/benchmarks/{slug}/submissions"]
    assert set(described) == {"get", "post"}
    made = live.submit(token, live.site.file(5))
    fields = spec["components"]["schemas"]["SubmissionRecord"]["properties"]
    assert set(made.json()) == set(fields)
    assert len(live.call("GET", f"{path}/submissions", token).json()) == 1
    fields = spec["components"]["schemas"]["BoardRecord"]["properties"]
    assert set(live.call("GET", f"{path}/board").json()) == set(fields)
    is_problem(live.call("PUT", f"{path}/submissions", token), 405)
    is_problem(live.call("POST", f"{path}/board"), 405)
    is_problem(live.call("GET", "/benchmarks/nothing/board"), 404)
    is_problem(live.http.post(f"{path}/submissions", content=b"x"), 401)


def test_the_client_does_what_the_api_does(live, tmp_path):
    client = Client(live.address)
    client.register("Ada", PASSWORD)
    client.sign_in("Ada", PASSWORD)
    slug = client.benchmarks()[0]["slug"]
    assert client.benchmark(slug)["n_test"] == 400
    example = client.download(slug, "example", tmp_path / "example.csv")
    assert client.submit(slug, example)["improved"] is False
    answer = client.submit(slug, live.site.file(10), note="second")
    assert client.board(slug)["entries"][0]["value"] == answer["released"]["value"]
    assert client.choose_finals(slug, [answer["id"]]) == [answer["id"]]
    with pytest.raises(Problem, match="none of the classes"):
        client.submit(slug, live.site.file(10).replace(b"cat", b"dog", 1))


def test_organisers_freeze_thaw_extend_and_everybody_sees_it(tmp_path):
    site = Site(tmp_path, opens="2026-03-01", closes="2026-03-02")
    with served(site.app()) as address:
        live = Live(site, address)
        token, path = live.team("Ada"), f"/benchmarks/{site.slug}"
        is_problem(live.call("POST", f"{path}/freeze", token), 403)
        assert live.call("POST", f"{path}/freeze", live.organiser).json()["state"] == "frozen"
        is_problem(live.submit(token, site.file(5)), 403)
        assert live.call("POST", f"{path}/thaw", live.organiser).json()["state"] == "open"
        earlier = {"closes": "2026-03-01T23:00Z"}
        is_problem(live.call("POST", f"{path}/extend", live.organiser, json=earlier), 422)
        site.clock.move(days=2)
        assert live.call("GET", path).json()["state"] == "closed"
        later = {"closes": "2026-03-09"}
        assert live.call("POST", f"{path}/extend", live.organiser, json=later).status_code == 200
        assert live.submit(token, site.file(5)).status_code == 201
        kinds = [n["kind"] for n in live.call("GET", f"{path}/notices").json()]
        assert kinds == ["benchmark", "frozen", "thawed", "extended"]
        log = live.call("GET", "/log?most=1000", live.organiser).json()
        assert [entry["number"] for entry in log] == list(range(1, len(log) + 1))
        is_problem(live.call("GET", "/log", token), 403)
        live.http.close()


def test_health_and_metrics(live):
    base = live.address
    health = httpx.get(f"{base}/healthz").json()
    assert health["status"] == "ok"
    assert health["database"].startswith("SQLite")
    live.submit(live.team("Ada"), live.site.file(5))
    text = httpx.get(f"{base}/metrics").text
    assert "referee_submissions_total 1" in text
    assert 'referee_requests_total{method="POST",status="201"}' in text


def test_errors_are_problems_and_say_nothing_secret(live, monkeypatch, caplog):
    from referee.arena.benchmark.truth import Truth

    def broken(self, *_, **__):
        raise RuntimeError(f"labels: {self.labels.texts}")

    monkeypatch.setattr(Truth, "loss", broken)
    token = live.team("Ada")
    answer = live.submit(token, live.site.file(5))
    assert answer.status_code == 500
    assert CANARY not in answer.text + caplog.text
    monkeypatch.undo()
    assert live.submit(token, live.site.file(5)).json()["remaining"]["today"] == 4
    is_problem(live.http.get("/nothing"), 404)
    is_problem(live.http.delete("/benchmarks"), 405)
    kind = {"Content-Type": "application/json"}
    is_problem(live.http.post("/accounts", content=b"{", headers=kind), 400)


def test_no_answer_joins_a_test_id_to_its_label(live):
    """Every GET route, with the board and the own submissions, before the end."""
    token = live.team("Ada")
    live.submit(token, live.site.file(40))
    spec = live.http.get("/openapi.json").json()
    assert spec["openapi"].startswith("3.1")
    for path, verbs in spec["paths"].items():
        if "get" not in verbs or "/files/" in path:
            continue
        answer = live.call(
            "GET", path.removeprefix("/api/v1").replace("{slug}", live.site.slug), token
        )
        assert answer.status_code in (200, 403, 404)
        assert not [name for name in live.site.ids if f'"{name}"' in answer.text]


def test_a_graceful_stop_finishes_what_is_in_flight(site):
    results = []

    def send(address, token, k):
        with contextlib.suppress(httpx.TransportError), httpx.Client(timeout=30) as http:
            results.append(
                http.post(
                    f"{address}/api/v1/benchmarks/{site.slug}/submissions",
                    content=site.file(5, k),
                    headers={"Authorization": f"Bearer {token}", "Content-Type": "text/csv"},
                ).status_code
            )

    with site.open() as arena:
        tokens = [site.team(arena, f"Team {k}")[1] for k in range(8)]
    with served(site.app()) as address:
        threads = [
            threading.Thread(target=send, args=(address, token, k))
            for k, token in enumerate(tokens)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    from referee.arena.scoring.board import board

    with site.open() as arena:
        assert board(arena, site.slug).looks == results.count(201)


def test_boards_are_cached_until_something_changes(live):
    path = f"/benchmarks/{live.site.slug}/board"
    first = live.http.get(path)
    tag = first.headers["etag"]
    assert live.http.get(path, headers={"If-None-Match": tag}).status_code == 304
    live.submit(live.team("Ada"), live.site.file(10))
    second = live.http.get(path, headers={"If-None-Match": tag})
    assert second.status_code == 200
    assert json.loads(second.content)["looks"] == 1


def test_many_connections_at_once_are_all_answered(live):
    async def everybody():
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(limits=limits, timeout=60) as http:
            asked = [http.get(f"{live.address}/api/v1/benchmarks") for _ in range(200)]
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    assert set(asyncio.run(everybody())) == {200}
