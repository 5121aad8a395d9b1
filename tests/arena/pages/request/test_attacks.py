"""Attacks on sessions and forms; each must fail."""

import httpx
import pytest

from referee.arena.accounts.sessions import IDLE, LONGEST

from ...conftest import PASSWORD

COOKIE = "referee_session"


def test_a_planted_session_is_never_taken_over(house):
    person = house.visitor()
    person.http.cookies.set(COOKIE, "planted")
    assert person.get("/account").status_code == 303
    fields = {"name": "Fixed", "password": PASSWORD, "again": PASSWORD}
    answer = person.post("/register", fields)
    assert "planted" not in answer.headers["set-cookie"]
    planted = house.visitor()
    planted.http.cookies.set(COOKIE, "planted")
    assert planted.get("/account").status_code == 303


def test_signing_in_again_ends_the_session_before(house):
    person = house.participant("Rotated")
    before = person.http.cookies[COOKIE]
    person.sign_in()
    assert person.http.cookies[COOKIE] != before
    thief = house.visitor()
    thief.http.cookies.set(COOKIE, before)
    assert thief.get("/account").status_code == 303


def test_a_session_ends_when_idle_and_at_the_latest_after_two_weeks(house):
    clock, start = house.site.clock, house.site.clock.time
    try:
        person = house.participant("Idle")
        clock.time += IDLE
        clock.move(seconds=1)
        assert person.get("/account").status_code == 303
        person = house.participant("Busy")
        signed_in = clock.time
        while clock.time + IDLE / 2 < signed_in + LONGEST:
            clock.time += IDLE / 2
            assert person.get("/account").status_code == 200
        clock.time += IDLE / 2
        clock.move(seconds=1)
        assert person.get("/account").status_code == 303
    finally:
        clock.time = start


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "SELF"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {},
    ],
)
def test_forms_from_elsewhere_do_nothing(house, headers):
    person = house.participant()
    cookies = dict(person.http.cookies)
    sent = {name: value.replace("SELF", house.address) for name, value in headers.items()}
    answer = httpx.post(f"{house.address}/sign-out-everywhere", headers=sent, cookies=cookies)
    assert answer.status_code == 403
    assert person.get("/account").status_code == 200


def test_an_older_browser_is_known_by_its_origin(house):
    person = house.participant()
    headers = {"Origin": house.address}
    answer = httpx.post(
        f"{house.address}/sign-out", headers=headers, cookies=dict(person.http.cookies)
    )
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "path", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_the_way_back_leads_to_this_site_only(house, path):
    person = house.participant()
    fields = {"name": person.name, "password": PASSWORD, "next": path}
    assert person.post("/sign-in", fields).headers["location"] == "/"


def test_every_response_carries_the_headers(house):
    person = house.participant()
    paths = ["/", "/account", "/nothing", f"/benchmarks/{house.slug}/board.csv", "/api/v1/key"]
    for path in [*paths, "/static/x/site.js", "/sign-in"]:
        headers = person.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'"), path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"]
    assert person.get("/account").headers["cache-control"] == "no-store"
    assert person.get("/").headers["cache-control"] == "no-store"
