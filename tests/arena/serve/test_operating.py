"""Operating: a real process behind a proxy, its log, its end, and a backup that is restored."""

import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile

import httpx
import pytest
import uvicorn

from referee.arena.arena import open_arena
from referee.arena.exporting import backup_arena
from referee.arena.scoring.board import board
from referee.arena.scoring.checking import check_arena
from referee.arena.serve.serving import Serving, serve

from ..conftest import PASSWORD, Site

ORIGIN = {"Sec-Fetch-Site": "same-origin"}
BEHIND = ORIGIN | {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("served"), closes="2100-01-01")
    command = [sys.executable, "-m", "referee", "arena", "serve", str(site.directory)]
    command += ["--port", "0", "--log", "--trusted-proxy", "127.0.0.1"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    first = running.stderr.readline()
    site.address = re.search(r"http://\S+", first)[0]
    site.lines = []
    reader = threading.Thread(target=lambda: site.lines.extend(running.stderr), daemon=True)
    reader.start()
    while True:
        try:
            httpx.get(f"{site.address}/healthz")
            break
        except httpx.ConnectError:
            time.sleep(0.1)
    yield site, running
    if running.poll() is None:
        running.kill()
    running.wait()
    reader.join(5)
    running.stderr.close()


def test_behind_a_proxy_cookies_are_secure_and_requests_are_logged_by_number(process):
    site, _ = process
    fields = {"name": "Proxied", "password": PASSWORD, "again": PASSWORD}
    answer = httpx.post(f"{site.address}/register", data=fields, headers=BEHIND)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-referee_session=")
    assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert answer.headers["strict-transport-security"]
    number = answer.headers["x-request-id"]
    deadline = time.monotonic() + 10
    while not any(number in line for line in site.lines) and time.monotonic() < deadline:
        time.sleep(0.05)
    line = next(json.loads(line) for line in site.lines if number in line)
    assert (line["method"], line["path"], line["status"]) == ("POST", "/register", 303)
    assert line["address"] == "203.0.113.9"
    assert not any(PASSWORD in line for line in site.lines)
    page = httpx.get(f"{site.address}/metrics").text
    assert 'referee_requests_total{method="POST",status="303"}' in page


@pytest.mark.parametrize("trusted", [None, "192.0.2.1"])
def test_nobody_but_a_trusted_proxy_is_believed(tmp_path, monkeypatch, trusted):
    """The same headers, sent by somebody else: no TLS, and the address is where they come from."""
    servers, addresses = [], queue.SimpleQueue()

    class Kept(uvicorn.Server):
        def __init__(self, *given):
            super().__init__(*given)
            servers.append(self)

    monkeypatch.setattr(uvicorn, "Server", Kept)
    site = Site(tmp_path)
    serving = Serving(directory=site.directory, port=0, trusted_proxy=trusted)
    thread = threading.Thread(target=serve, args=(serving,), kwargs={"ready": addresses.put})
    thread.start()
    address = addresses.get(timeout=60)
    answer = httpx.get(f"{address}/", headers=BEHIND, timeout=60)
    fields = {"name": "Olga", "password": "not it, not it"}
    codes = [
        httpx.post(
            f"{address}/sign-in",
            data=fields,
            headers=ORIGIN | {"X-Forwarded-For": f"203.0.113.{k}"},
        ).status_code
        for k in range(11)
    ]
    servers[0].should_exit = True
    thread.join(60)
    assert "strict-transport-security" not in answer.headers
    assert codes == [401] * 10 + [429]  # one address, whatever it calls itself


def test_a_submission_in_flight_is_finished_before_the_process_ends(process, tmp_path):
    site, running = process
    body = {"name": "Proxied", "password": PASSWORD, "label": "x"}
    token = httpx.post(f"{site.address}/api/v1/tokens", json=body).json()["token"]
    content = site.file(10)
    host, port = site.address.removeprefix("http://").split(":")
    head = (
        f"POST /api/v1/benchmarks/{site.slug}/submissions HTTP/1.1\r\nHost: {host}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: text/csv\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(head.encode() + content[:100])
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        connection.sendall(content[100:])
        assert connection.recv(100).startswith(b"HTTP/1.1 201")
    assert running.wait(30) in (0, -signal.SIGTERM)
    with site.open() as arena:
        assert check_arena(arena).problems == ()
        backup_arena(arena, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        archive.extractall(tmp_path / "restored")
    with open_arena(tmp_path / "restored") as arena:
        assert check_arena(arena).problems == ()
        assert board(arena, site.slug).looks == 1
