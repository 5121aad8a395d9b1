"""Attacks on the labels over HTTP: what the answers can be used for, and what they cannot.

Oracles: labels drawn by a coin, so that whatever is submitted errs half of the time in truth; and
the same attack on a board that shows every score, where it does succeed.
"""

import json
import re
import socket

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.benchmark.truth import truth_of
from referee.arena.problem import Problem
from referee.arena.scoring.board import _standings, board_of
from referee.arena.scoring.checking import check_arena
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.submitting import submit
from referee.errors import InputError
from referee.study.attacks import CATALOGUE

from ..conftest import CANARY, PASSWORD, Live, Site, request_for, served

CLASSES = np.array(["cat", CANARY])


def coin_site(folder, n_test, **changes):
    """Return a site whose labels nothing predicts, with tries without end."""
    return Site(folder, n_test=n_test, per_day=10**6, total=10**6, **changes)


def file_of(site, signs):
    """Return the file of answers -1 and 1, one for each case."""
    cells = CLASSES[(np.asarray(signs) > 0).astype(int)]
    rows = [f"{name},{cell}" for name, cell in zip(site.ids, cells, strict=True)]
    return ("id,prediction\n" + "\n".join(rows) + "\n").encode()


def played(attack, n, looks, step, rng, ask):
    """Let an attack ask so often; return what it was shown."""
    moves = CATALOGUE[attack].moves(n, looks, step, rng)
    shown, trial = [], next(moves)
    for look in range(looks):
        shown.append(ask(trial))
        if look < looks - 1:
            try:
                trial = moves.send(shown[-1][0])
            except StopIteration:
                break
    return shown


def exact_board(site):
    """Return a board that shows every score on the public half, and an interval of one look."""
    with site.open() as arena:
        found = read_benchmark(arena, site.slug)
        truth = truth_of(arena, found.id, site.slug, 1)
    right = np.where(np.array([site.right[name] for name in site.ids]) == CANARY, 1, -1)
    public = right[truth.public]

    def ask(trial):
        error = float(np.mean(np.asarray(trial)[truth.public] != public))
        half = 1.96 * np.sqrt(0.25 / len(public))
        return error, [error - half, error + half]

    return ask, found.definition.grid


@pytest.mark.parametrize("attack", CATALOGUE)
def test_an_attack_that_beats_an_exact_board_learns_nothing_here(tmp_path, attack):
    _attacked(tmp_path, attack, cases=240, looks=50)


@pytest.mark.slow
@pytest.mark.parametrize("attack", CATALOGUE)
def test_an_attack_with_a_thousand_looks_learns_nothing_here(tmp_path, attack):
    _attacked(tmp_path, attack, cases=2000, looks=1000)


def _attacked(folder, attack, cases, looks):
    site = coin_site(folder, cases)
    exact, grid = exact_board(site)
    naive = played(attack, cases, looks, 0.0, np.random.default_rng(3), exact)
    assert min(high for _, (_, high) in naive) < 0.5, "the attack does not bite at all"
    with served(site.app()) as address:
        live = Live(site, address)
        token = live.team("Mallory")

        def ask(trial):
            told = live.submit(token, file_of(site, trial)).json()["released"]
            return (None, [0.0, 1.0]) if told is None else (told["value"], told["interval"])

        shown = played(attack, cases, looks, grid.n * grid.step, np.random.default_rng(3), ask)
        live.http.close()
    assert all(low <= 0.5 <= high for _, (low, high) in shown)
    best = min((value for value, _ in shown if value is not None), default=0.5)
    assert best > min(value for value, _ in naive)


def test_sybils_are_slowed_counted_and_gain_nothing_on_the_private_half(tmp_path):
    _sybils(tmp_path, accounts=25)


@pytest.mark.slow
def test_a_thousand_sybils_gain_nothing_on_the_private_half(tmp_path):
    _sybils(tmp_path, accounts=1000)


def _sybils(folder, accounts):
    """One look each, by answers of chance; then the vote of those that were told to be better."""
    site, rng = coin_site(folder, 240), np.random.default_rng(5)
    with served(site.app()) as address:
        live = Live(site, address)
        body = {"password": PASSWORD}
        codes = [
            live.http.post("/accounts", json=body | {"name": f"Puppet {k}"}).status_code
            for k in range(24)
        ]
        assert codes == [201] * 20 + [429] * 4
        live.http.close()
    votes = np.zeros(len(site.ids))
    with site.open() as arena:
        for k in range(accounts):
            account, _ = site.team(arena, f"Sybil {k}")
            guess = rng.choice([-1.0, 1.0], len(site.ids))
            made = submit(arena, account, site.slug, file_of(site, guess))
            votes += guess if made.improved else 0.0
        master, _ = site.team(arena, "Master")
        submit(arena, master, site.slug, file_of(site, np.where(votes == 0, 1, votes)))
        final = finish(arena, None, site.slug)
        assert final.record["looks"] == accounts + 1  # all of them stand on the board
        judged = [entry for entry in final.entries if entry.interval is not None]
        assert all(entry.interval[0] <= 0.5 <= entry.interval[1] for entry in judged)
        assert {entry.tier for entry in judged} <= {1}
        assert check_arena(arena).problems == ()


@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_scores_of_single_cases_cannot_be_read_off_areas_and_losses(tmp_path, measure):
    """With exact areas or losses the answer to one changed case tells its label. Here: none."""
    site = coin_site(tmp_path, 200, measure=measure, pos_label="cat")
    rng = np.random.default_rng(0)
    right = np.array([site.right[name] == "cat" for name in site.ids])
    scores = np.clip(0.25 + 0.5 * right + rng.normal(scale=0.1, size=200), 0, 1).round(3)

    def content(values):
        rows = [f"{name},{value}" for name, value in zip(site.ids, values, strict=True)]
        return ("id,score\n" + "\n".join(rows) + "\n").encode()

    with served(site.app()) as address:
        live = Live(site, address)
        token = live.team("Mallory")
        first = live.submit(token, content(scores)).json()
        assert first["improved"], first
        told = set()
        for case in range(12):
            for value in (0.0, 1.0):
                probe = scores.copy()
                probe[case] = value
                answer = live.submit(token, content(probe)).json()
                told.add(json.dumps([answer["improved"], answer["released"]]))
        live.http.close()
    assert told == {json.dumps([False, None])}
    with site.open() as arena:
        final = finish(arena, None, site.slug).entries[0]
        private = ~truth_of(arena, 1, site.slug, 1).public
        exact = _exact(measure, right[private], scores[private])
        assert final.value == pytest.approx(exact, abs=1e-12)
        assert check_arena(arena).problems == ()


def _exact(measure, right, scores):
    """Oracle: scikit-learn's area and loss."""
    score = roc_auc_score if measure == "auc" else brier_score_loss
    return score(right, scores)


def test_a_measure_without_bounds_cannot_be_served(tmp_path):
    """One huge loss of a logarithm would tell a label; such a measure is refused at the start."""
    site = Site(tmp_path)
    with site.open() as arena, pytest.raises((InputError, Problem), match="measure"):
        create_benchmark(arena, request_for(tmp_path, name="Logs", measure="log_loss"))


def raw_submission(live, token, content):
    head = (
        f"POST /api/v1/benchmarks/{live.site.slug}/submissions HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: text/csv\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    host, port = live.address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    connection.sendall(head.encode() + content[:-1])
    return connection


def answer_of(connection):
    """Return a whole answer, which may come in parts."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head)[1])
    while len(body) < length:
        body += connection.recv(65536)
    return head + body


def test_the_last_byte_decides_at_the_deadline(tmp_path):
    site = Site(tmp_path, opens="2026-03-01", closes="2026-03-01T12:00:10Z")
    with served(site.app()) as address:
        live = Live(site, address)
        token, content = live.team("Ada"), site.file(10)
        with raw_submission(live, token, content) as early:
            site.clock.move(seconds=9, milliseconds=999)
            early.sendall(content[-1:])
            answer = answer_of(early)
        assert answer.startswith(b"HTTP/1.1 201"), answer
        assert b"2026-03-01T12:00:09.999Z" in answer
        with raw_submission(live, token, site.file(5)) as late:
            site.clock.move(milliseconds=1)
            late.sendall(site.file(5)[-1:])
            refusal = answer_of(late)
        assert refusal.startswith(b"HTTP/1.1 403"), refusal
        assert b"the last byte of the file came on 2026-03-01T12:00:10.000Z" in refusal
        assert live.call("GET", f"/benchmarks/{site.slug}/board").json()["looks"] == 1
        live.http.close()


def odd_files(site):
    """Return name -> file, status and words of the answer."""
    good = site.file(10)
    lines = good.decode().splitlines()

    def second(cell):
        name = lines[1].split(",")[0]
        return "\n".join([lines[0], f"{name},{cell}", *lines[2:]]).encode()

    none = "none of the classes"
    return {
        "empty": (b"", 422, "empty"),
        "NUL": (second("c\0t"), 422, "NUL"),
        "UTF-16": (good.decode().encode("utf-16"), 422, "UTF-16"),
        "CR only": (good.replace(b"\n", b"\r"), 422, "CR alone"),
        "Latin-1": (second("c").replace(b",c\n", b",c\xe9\n"), 422, "not UTF-8"),
        "gzip bytes": (b"\x1f\x8b\x08\x00" + bytes(60), 422, ""),
        "ragged": (second("cat,more"), 422, "3 cells"),
        "unicode digit": (second("\u0661"), 422, none),
        "plus": (second("+1"), 422, none),
        "hexadecimal": (second("0x1"), 422, none),
        "underscore": (second("1_0"), 422, none),
        "huge": (second("9" * 5000), 422, none),
        "NaN": (second("NaN"), 422, none),
        "infinite": (second("inf"), 422, none),
        "formula": (second("=1+1"), 422, none),
        "twice": (good + lines[1].encode() + b"\n", 422, "stood in line"),
        "short": ("\n".join(lines[:50]).encode(), 422, "have no prediction"),
        "unknown id": (good + b"nobody,cat\n", 422, "no id of test.csv"),
        "another table": (b"a,b\n1,2\n", 422, "no column 'id'"),
    }


def test_odd_files_are_refused_over_http_cost_nothing_and_tell_nothing(live, caplog):
    caplog.set_level("DEBUG")
    token, site = live.team("Ada"), live.site
    for name, (content, status, words) in odd_files(site).items():
        answer = live.submit(token, content)
        assert answer.status_code == status, (name, answer.text)
        assert words in answer.json()["detail"], (name, answer.text)
        assert "Traceback" not in answer.text
    with_bom = live.submit(token, b"\xef\xbb\xbf" + site.file(10))
    assert with_bom.json()["remaining"] == {"today": 4, "total": 99}
    # No id of a test case stands in the log, so no label can be told by it.
    assert not [name for name in site.ids if f"{name}," in caplog.text]


def test_a_parquet_bomb_is_refused_over_http_by_its_footer(live, monkeypatch):
    import io
    import time

    import polars as pl

    stream = io.BytesIO()
    bomb = pl.DataFrame({"id": pl.repeat(0, 200_000_000, eager=True, dtype=pl.Int8)})
    bomb.write_parquet(stream, compression="zstd")
    content = stream.getvalue()
    assert len(content) < 2_000_000
    token, start = live.team("Ada"), time.process_time()
    answer = live.submit(token, content, "application/vnd.apache.parquet")
    assert answer.status_code == 422
    assert "200000000 rows" in answer.json()["detail"]
    assert time.process_time() - start < 1.0


def test_names_of_submissions_and_tokens_cannot_be_found_by_trying(live):
    """What belongs to another and what does not exist get the same answer."""
    ada, bob = live.team("Ada"), live.team("Bob")
    mine = live.submit(ada, live.site.file(10)).json()["id"]
    assert len(mine) == 24
    path = f"/benchmarks/{live.site.slug}/finals"
    answers = [
        live.call("PUT", path, bob, json={"ids": [name]}).json()["detail"].replace(name, "ID")
        for name in (mine, "0" * 24)
    ]
    assert answers[0] == answers[1]
    made = live.http.post("/tokens", json={"name": "Ada", "password": PASSWORD, "label": "x"})
    tried = [made.json()["id"], "0" * 16]
    ended = [live.call("DELETE", f"/tokens/{name}", bob) for name in tried]
    assert {(answer.status_code, answer.content) for answer in ended} == {(404, ended[0].content)}
    guessed = [
        live.call("GET", f"/benchmarks/{live.site.slug}/submissions", secret)
        for secret in (ada[:-1] + ("A" if ada[-1] != "A" else "B"), "x", "A" * 43)
    ]
    assert {(answer.status_code, answer.content) for answer in guessed} == {
        (401, guessed[0].content)
    }


@pytest.mark.slow
def test_the_time_of_an_answer_does_not_tell_how_much_was_right(tmp_path):
    """300 files without a release: the rank correlation of time and right answers is noise."""
    import time

    from scipy.stats import spearmanr

    site, rng = coin_site(tmp_path, 4000), np.random.default_rng(0)
    right = np.where(np.array([site.right[name] for name in site.ids]) == CANARY, 1, -1)
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        submit(arena, account, site.slug, file_of(site, right))  # nothing beats this by a step
        shares, times = rng.uniform(0, 1, 300), []
        for share in shares:
            content = file_of(site, np.where(rng.random(len(right)) < share, right, -right))
            start = time.process_time()
            assert not submit(arena, account, site.slug, content).improved
            times.append(time.process_time() - start)
    found = spearmanr(shares, times)
    print(f"time against share of right answers: rank correlation {found.statistic:.3f}")
    assert found.pvalue > 0.001


def test_ranks_share_the_error_among_all_teams_that_looked(tmp_path):
    """Two teams just apart by themselves are not when a crowd without a release looked, too."""
    site = Site(tmp_path)
    with site.open() as arena:
        for name, wrong in (("Ada", 20), ("Bob", 100), ("Hopeless", 390)):
            submit(arena, site.team(arena, name)[0], site.slug, site.file(wrong, wrong))
        found = read_benchmark(arena, site.slug)
        with arena.store.read() as connection:
            rows = _standings(connection, found)
        now = arena.now()
    *ranked, silent = sorted(rows, key=lambda row: -row.rung)
    assert silent.rung == 0

    def ranks(crowd):
        first, second = board_of(found, [*ranked, *[silent] * crowd], now).entries[:2]
        assert first.bucket == "leader"
        return first.rank_high, second.rank_low, second.bucket

    assert ranks(1) == (1, 2, "clearly worse")
    assert ranks(100_000) == (2, 1, "probably worse")
