"""The life of a benchmark over HTTP: register, submit, board, finals, finish, check, export."""

import hashlib
import json
import shutil
import sqlite3
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.arena.arena import open_arena
from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.exporting import backup_arena, export_arena
from referee.arena.scoring.checking import check_arena
from referee.arena.scoring.finals import choose_finals
from referee.arena.scoring.submitting import submit
from referee.vault.certificate.signing.envelope import opened_envelope
from referee.vault.certificate.signing.signing_key import PublicKey
from referee.vault.sealed.ledger.canonical import canonical_text

from .conftest import CANARY, Site, cheap_passwords


def test_a_season_from_registration_to_the_signed_final_board(live, tmp_path):
    site = live.site
    tokens = {name: live.team(name) for name in ("Ada", "Bob", "Cyd")}
    answers = {
        name: [live.submit(tokens[name], site.file(wrong, seed)).json() for wrong, seed in tries]
        for name, tries in {
            "Ada": [(100, 1), (20, 2)],
            "Bob": [(90, 3), (95, 4)],
            "Cyd": [(200, 5)],
        }.items()
    }
    assert [a["improved"] for a in answers["Ada"]] == [True, True]
    assert answers["Bob"][1]["released"] is None
    assert answers["Ada"][1]["remaining"] == {"today": 3, "total": 98}
    board = live.call("GET", f"/benchmarks/{site.slug}/board").json()
    assert [e["team"] for e in board["entries"]][:2] == ["Ada", "Bob"]
    assert board["entries"][0]["bucket"] == "leader"
    assert board["looks"] == 5
    last = board["entries"][-1]
    assert (last["team"], last["value"], last["rank"], last["tier"]) == ("Cyd", None, None, None)

    chosen = [answers["Bob"][0]["id"]]
    put = live.call("PUT", f"/benchmarks/{site.slug}/finals", tokens["Bob"], json={"ids": chosen})
    assert put.json() == {"ids": chosen}
    assert live.call("POST", f"/benchmarks/{site.slug}/finish", tokens["Ada"]).status_code == 403
    final = live.call("POST", f"/benchmarks/{site.slug}/finish", live.organiser).json()
    assert [e["team"] for e in final["entries"]] == ["Ada", "Bob", "Cyd"]
    first, second, third = final["entries"]
    assert (first["tier"], second["tier"], third["tier"]) == (1, 2, None)
    assert (first["rank_low"], first["rank_high"], second["rank_low"]) == (1, 1, 2)
    assert second["p_leader"] < 1e-4
    assert len(first["finals"]) == 2
    again = live.call("POST", f"/benchmarks/{site.slug}/finish", live.organiser)
    assert again.status_code == 409
    assert live.submit(tokens["Ada"], site.file(1)).status_code == 403

    key = PublicKey(live.call("GET", "/key").json()["key"])
    envelope = live.call("GET", f"/benchmarks/{site.slug}/final/envelope").content
    assert opened_envelope(envelope, key)["predicate"] == final


def test_the_receipt_is_signed_and_names_the_file(live):
    answer = live.submit(live.team("Ada"), live.site.file(10)).json()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(live.call("GET", "/key").json()["key"]))
    receipt = answer["receipt"]
    key.verify(bytes.fromhex(receipt["signature"]), bytes.fromhex(receipt["chain"]))
    assert json.loads(receipt["entry"])["sha256"] == answer["sha256"]


def test_check_is_green_and_export_holds_no_label_before_the_end(site, tmp_path):
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        from referee.arena.scoring.finishing import finish

        for wrong in (150, 60, 10):
            submit(arena, account, site.slug, site.file(wrong, wrong))
        assert check_arena(arena).problems == ()
        export_arena(arena, tmp_path / "before.zip")
        finish(arena, None, site.slug)
        assert check_arena(arena).problems == ()
        export_arena(arena, tmp_path / "after.zip")
        backup_arena(arena, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "before.zip") as archive:
        names = archive.namelist()
        assert not any("label" in name or "key" in name.split("-")[0] for name in names)
        own = ("train.csv", "example.csv")  # labels of training cases, and a constant answer
        others = [n for n in names if "/submissions/" not in n and not n.endswith(own)]
        # The class itself is public; no file joins it to the id of a test case.
        lines = b"\n".join(archive.read(n) for n in others).decode().splitlines()
        assert not any(CANARY in line and line.split(",")[0] in site.right for line in lines)
    with zipfile.ZipFile(tmp_path / "after.zip") as archive:
        rows = archive.read(f"{site.slug}/v1/labels.csv").decode().splitlines()[1:]
        assert {r.split(",")[0]: r.split(",")[1] for r in rows} == site.right
        opening = json.loads(archive.read(f"{site.slug}/v1/opening.json"))
        definition = json.loads(archive.read(f"{site.slug}/v1/definition.json"))
        assert recommitted(opening["salt"], rows) == definition["commitment"]
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        modes = {i.filename: (i.external_attr >> 16) & 0o777 for i in archive.infolist()}
        archive.extractall(tmp_path / "restored")  # which does not set modes; unzip does
    closed = {n: m for n, m in modes.items() if n == "arena.sqlite" or n.startswith("secret")}
    assert {"arena.sqlite", "secret/", "secret/labels/", "secret/key"} <= {*closed}
    assert all(mode == (0o700 if name.endswith("/") else 0o600) for name, mode in closed.items())
    for name in closed:
        (tmp_path / "restored" / name).chmod(0o755 if name.endswith("/") else 0o644)
    with open_arena(tmp_path / "restored", read_only=True) as restored:
        assert check_arena(restored).problems == ()
    found = {name: (tmp_path / "restored" / name).stat().st_mode & 0o777 for name in closed}
    assert found == closed


def recommitted(salt, rows):
    """Compute the commitment as docs/arena.md tells anyone to, without referee."""

    def dumped(thing):
        return json.dumps(thing, separators=(",", ":"), ensure_ascii=False)

    cells = [row.split(",") for row in rows]
    pairs = [[name, dumped([label, half])] for name, label, half in cells]
    return hashlib.sha256(bytes.fromhex(salt) + dumped(pairs).encode()).hexdigest()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A site with two submissions and a chosen final, in which all is well."""
    site = Site(tmp_path_factory.mktemp("filled"))
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        first = submit(arena, account, site.slug, site.file(10), idempotency_key="one")
        submit(arena, account, site.slug, site.file(300))
        choose_finals(arena, account, site.slug, [first.id])
        assert check_arena(arena).problems == ()
    return site


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE standings SET rung = rung + 1",
        "UPDATE tries SET total = total - 1",
        "UPDATE versions SET looks = looks + 1",
        "DROP TRIGGER log_no_update; UPDATE log SET content = replace(content, 'two-kinds', 'x')",
        "DROP TRIGGER log_no_delete; DELETE FROM log WHERE number = (SELECT max(number) FROM log)",
        "DROP TRIGGER submissions_no_update; UPDATE submissions SET note = 'other'",
        "DROP TRIGGER predictions_no_update; UPDATE predictions SET content = zeroblob(401)",
        "DROP TRIGGER submissions_no_delete; DELETE FROM submissions",
        "DROP TRIGGER submissions_no_update; UPDATE submissions SET rung = NULL",
        "UPDATE standings SET release_look = 2",
        "UPDATE standings SET improved_at = '2026-02-28T12:00:00.000Z'",
        "UPDATE tries SET today = 0",
        "UPDATE tries SET day = '2026-02-28'",
        "UPDATE versions SET closes_at = '2026-04-01T00:00:00.000Z'",
        "UPDATE versions SET opens_at = '2026-02-01T00:00:00.000Z'",
        "UPDATE versions SET per_day = 6",
        "UPDATE versions SET state = 'frozen'",
        "UPDATE versions SET rules = 'anything goes'",
        "DELETE FROM finals",
        "UPDATE finals SET submission = (SELECT id FROM submissions WHERE rung IS NULL)",
        "UPDATE accounts SET team = 1",
        "UPDATE accounts SET role = 'organiser'",
        "UPDATE accounts SET state = 'pending'",
        "UPDATE replays SET sha256 = 'x'",
        "UPDATE replays SET account = 1",
        "INSERT INTO accounts SELECT 99, 'x', 'x', 'x', 'organiser', 'active', 99, '2026' ",
    ],
)
def test_check_finds_every_change(filled, tmp_path, change):
    copy = tmp_path / "arena"
    shutil.copytree(filled.directory, copy)
    with sqlite3.connect(copy / "arena.sqlite") as connection:
        connection.executescript(change)
    connection.close()
    with open_arena(copy, clock=filled.clock, passwords=cheap_passwords()) as arena:
        assert check_arena(arena).problems


@pytest.mark.parametrize("kind", ["changed", "signed anew"])
def test_check_judges_the_finals_again(site, kind):
    """A final board that was changed, and one that the holder of the key has signed again."""
    from referee.arena.scoring.finishing import _signed, finish
    from referee.arena.store.tables import results

    with site.open() as arena:
        for name, wrong in (("Ada", 20), ("Bob", 90)):
            submit(arena, site.team(arena, name)[0], site.slug, site.file(wrong, wrong))
        record = finish(arena, None, site.slug).record
        assert check_arena(arena).problems == ()
        record["entries"].reverse()
        values = {"content": canonical_text(record)}
        if kind == "signed anew":
            values["envelope"] = _signed(arena, read_benchmark(arena, site.slug), record)
        arena.store.write(lambda c: c.execute(results.update().values(**values)))
        problems = check_arena(arena).problems
    assert any("not the one in the log" in problem for problem in problems)
    assert any("judged again" in problem for problem in problems)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("referee.arena.scoring.quota._left", "told other tries left"),
        ("referee.arena.scoring.submitting._current", "another team than its account's"),
        ("referee.arena.scoring.submitting.released_record", "answered otherwise"),
        ("referee.arena.scoring.submitting.use_try", "had no try left"),
    ],
)
def test_check_finds_what_a_site_with_a_fault_has_signed(site, monkeypatch, broken, words):
    """The chain, the receipts and the tables agree; what they say is not what should have been."""
    from dataclasses import replace

    from referee.arena.scoring.quota import Remaining

    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        wrong = {
            "_left": lambda *_: Remaining(today=4, total=98),
            "_current": lambda *_: replace(account, team=1),
            "released_record": lambda *_: None,
            "use_try": lambda *_: Remaining(today=0, total=95),
        }
        for k in range(5 if "use_try" in broken else 0):
            submit(arena, account, site.slug, site.file(10, k))
        monkeypatch.setattr(broken, wrong[broken.rsplit(".", 1)[1]])
        monkeypatch.setattr("referee.arena.scoring.submitting._refuse_without_tries", lambda *_: 0)
        made = submit(arena, account, site.slug, site.file(5))
        monkeypatch.undo()
        problems = check_arena(arena).problems
    assert any(words in problem and made.id in problem for problem in problems), problems


def test_check_finds_a_submission_that_came_too_late(site):
    """By the log the benchmark had closed: the entry is whole, and says what was not allowed."""
    with site.open() as arena:
        account, _ = site.team(arena, "Ada")
        late = submit(arena, account, site.slug, site.file(10))
        arena.store.write(
            lambda c: arena.record(
                c,
                arena.now(),
                "frozen",
                {"benchmark": site.slug, "version": 1, "by": None},
            )
        )
        assert any("state is 'open'" in problem for problem in check_arena(arena).problems)
        submit(arena, account, site.slug, site.file(12))
        problems = check_arena(arena).problems
    assert sum("taken while the benchmark was frozen" in problem for problem in problems) == 1
    assert not any(late.id in problem for problem in problems)
