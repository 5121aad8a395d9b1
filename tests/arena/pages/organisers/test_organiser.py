"""What an organiser does: create from files, approve, extend, freeze, finish, export."""

import io
import json
import re
import zipfile

import httpx
import pytest

from referee.arena.accounts.account import Role
from referee.arena.accounts.accounts import add_account
from referee.arena.arena import create_arena
from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.benchmark.truth import truth_of
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.submitting import submit

from ...conftest import (
    CANARY,
    PASSWORD,
    House,
    Person,
    Site,
    cheap_passwords,
    request_for,
    served,
    write_tables,
)

OTHER = {"cat": CANARY, CANARY: "cat"}

FIELDS = {
    "name": "From files",
    "target": "kind",
    "id_column": "id",
    "measure": "error",
    "public": "50%",
    "per_day": "5",
    "total": "50",
    "level": "0.95",
    "closes": "2026-04-01T12:00",
    "rules": "# Hello\n\n<img src=x onerror=alert(1)> **bold**",
}


@pytest.fixture(scope="module")
def organiser(house):
    return house.organiser()


def tables(house):
    folder = house.site.directory.parent
    return {
        role: (f"{role}.csv", (folder / f"{role}.csv").read_bytes()) for role in ("train", "test")
    }


def test_a_benchmark_is_shown_before_it_is_created(house, organiser):
    sent = organiser.post("/organise/new", FIELDS, files=tables(house))
    assert sent.status_code == 303, sent.text
    path = sent.headers["location"]
    page = organiser.get(path).text
    assert "What becomes public" in page
    assert "What stays secret" in page
    public = page[: page.index("What stays secret")]
    test_csv = re.search(r"test\.csv: 400 cases without</h3>(.*?)</pre>", public, re.S)[1]
    assert "id,x" in test_csv
    assert "kind" not in test_csv
    assert "<h3>Hello</h3>" in page
    assert "<img" not in page
    made = organiser.post(f"{path}/create")
    assert made.headers["location"] == "/organise/benchmarks/from-files"
    assert organiser.get(path).status_code == 404
    assert not any((house.site.directory / "secret" / "drafts").iterdir())
    assert "From files" in house.visitor().get("/").text


def test_a_draft_that_cannot_be_created_is_refused_with_the_form_filled_in(house, organiser):
    for change, told in {
        "target=no such column": "no such column",
        "per_day=many": "per_day must be a whole number",
        "closes=2020-01-01T00:00": "",
        "measure=nonsense": "nonsense",
        "name=Bad \u202e name": "U+202E",
        "public=150%": "public",
    }.items():
        name, value = change.split("=", 1)
        fields = FIELDS | {name: value, "opens": "2026-03-30T12:00"}
        answer = organiser.post("/organise/new", fields, files=tables(house))
        assert answer.status_code == 422, change
        assert told in answer.text
        assert str(house.site.directory) not in answer.text
        assert 'value="kind"' in answer.text or name == "target"
    lines = tables(house)["test"][1].decode().splitlines()
    lines[5] = lines[5].rsplit(",", 1)[0] + ",gnu"
    files = tables(house) | {"test": ("test.csv", "\n".join(lines).encode())}
    answer = organiser.post("/organise/new", FIELDS, files=files)
    assert answer.status_code == 422
    refused = re.search(r'role="alert".*?</p>', answer.text, re.S)[0]
    assert "test.csv" in refused
    assert "gnu" not in refused  # no message names a sealed label
    assert not any((house.site.directory / "secret" / "drafts").iterdir())


def test_test_cases_are_drawn_from_one_table_if_there_is_no_other(house, organiser):
    """Without a header: columns are numbered, and a share of each class is set aside."""
    lines = tables(house)["train"][1].decode().splitlines()[1:]
    table = "\n".join(line.split(",", 1)[1] for line in lines).encode()  # x and kind
    fields = FIELDS | {"name": "One table", "target": "last", "id_column": "", "test_share": "40%"}
    sent = organiser.post("/organise/new", fields, files={"train": ("all.csv", table)})
    assert sent.status_code == 303, sent.text
    page = organiser.get(sent.headers["location"]).text
    assert "train.csv: 180 cases with labels" in page
    assert "test.csv: 120 cases without" in page
    test_csv = re.search(r"test\.csv: .*?</h3>(.*?)</pre>", page, re.S)[1]
    assert CANARY not in test_csv
    assert organiser.post(f"{sent.headers['location']}/create").status_code == 303
    for files, changes, told in (
        ({"train": ("all.csv", table)}, {"test_share": ""}, "which share of the first"),
        ({"train": ("all.csv", table)}, {"test_share": "a lot"}, "for example 30%"),
        ({"train": ("all.csv", table)}, {"test_share": "100%"}, "between 0 and 1"),
        (tables(house), {"test_share": "40%"}, "drop one"),
        ({"test": ("all.csv", table)}, {}, "no file of training cases"),
    ):
        refused = organiser.post("/organise/new", fields | changes, files=files)
        assert (refused.status_code, told in refused.text) == (422, True), changes
    assert not any((house.site.directory / "secret" / "drafts").iterdir())


def test_freeze_extend_and_what_participants_see_of_it(house, organiser):
    base = "/organise/benchmarks/from-files"
    assert organiser.post(f"{base}/extend", {"closes": "2026-03-02T12:00"}).status_code == 422
    assert organiser.post(f"{base}/extend", {"closes": "2026-05-01T12:00"}).status_code == 303
    assert organiser.post(f"{base}/freeze").status_code == 303
    page = house.visitor().get("/benchmarks/from-files").text
    assert "the deadline was moved from 2026-04-01T12:00:00.000Z to 2026-05-01T12:00" in page
    assert "frozen" in page
    participant = house.participant()
    refused = participant.submit("from-files", house.site.file(3))
    assert (refused.status_code, "frozen" in refused.text) == (403, True)
    assert organiser.post(f"{base}/thaw").status_code == 303
    assert participant.submit("from-files", house.site.file(3)).status_code == 303


def test_accounts_wait_are_approved_linked_reset_and_disabled(tmp_path):
    site = Site(tmp_path)
    directory = tmp_path / "second"
    with create_arena(
        directory, registration="approval", clock=site.clock, passwords=cheap_passwords()
    ) as arena:
        site.slug = create_benchmark(arena, request_for(tmp_path), seed=0)
        add_account(arena, "Olga", PASSWORD, role=Role.ORGANISER)
    site.directory = directory
    with served(site.app()) as address:
        house = House(site, address)
        person, olga = house.participant("Waiting"), house.organiser()
        assert person.submit(site.slug, site.file(10)).status_code == 403
        assert "waits for approval" in person.get("/").text
        assert "Waiting" in olga.get("/organise").text
        olga.post("/organise/accounts/approve", {"name": "Waiting"})
        assert person.submit(site.slug, site.file(10)).status_code == 303
        page = olga.post("/organise/accounts/reset", {"name": "Waiting"}).text
        new = re.search(r'<code class="secret">([^<]+)</code>', page)[1]
        assert person.get("/account").status_code == 303
        person.sign_in(new)
        assert olga.post("/organise/accounts/reset", {"name": "Olga"}).status_code == 403
        assert olga.post("/organise/accounts/disable", {"name": "Olga"}).status_code == 409
        olga.post("/organise/accounts/disable", {"name": "Waiting"})
        assert "was disabled" in person.get("/").text
        assert "approved" in olga.get("/organise/log").text
        for somebody in house.people:
            somebody.http.close()


def test_finish_wants_a_confirmation_and_shows_a_board_that_verifies(house, organiser, tmp_path):
    teams = {name: house.participant(name) for name in ("Best", "Middle", "Worst")}
    for (name, team), wrong in zip(teams.items(), (10, 40, 190), strict=True):
        sent = team.submit(house.slug, house.site.file(wrong, wrong))
        assert sent.status_code == 303, (name, sent.text)
    base = f"/organise/benchmarks/{house.slug}"
    export = zipfile.ZipFile(io.BytesIO(organiser.get(f"{base}/export.zip").content))
    assert not any(name.endswith("labels.csv") for name in export.namelist())
    assert "This cannot be undone" in organiser.get(f"{base}/finish").text
    assert organiser.post(f"{base}/finish", {"address": "something"}).status_code == 422
    done = organiser.post(f"{base}/finish", {"address": house.slug})
    assert done.headers["location"] == f"/benchmarks/{house.slug}/final"
    visitor = house.visitor()
    page = visitor.get(f"/benchmarks/{house.slug}/final").text
    record = visitor.get(f"/api/v1/benchmarks/{house.slug}/final").json()
    assert f"{record['entries'][0]['value']:.4f}" in page
    assert page.index("Best") < page.index("Middle")
    assert "Tier 1" in page
    assert verified(page, visitor, house.slug, tmp_path) == record
    export = zipfile.ZipFile(io.BytesIO(organiser.get(f"{base}/export.zip").content))
    assert CANARY in export.read(f"{house.slug}/v1/labels.csv").decode()
    logged = [json.loads(line) for line in export.read("log.jsonl").decode().splitlines()]
    assert {json.loads(entry["content"])["benchmark"] for entry in logged} == {house.slug}


def verified(page, visitor, slug, folder):
    """Run the code that the page shows."""
    envelope = visitor.get(f"/api/v1/benchmarks/{slug}/final/envelope").content
    (folder / f"{slug}-final.dsse.json").write_bytes(envelope)
    code = re.search(r'aria-label="Python code"><code>(.*?)</code>', page, re.S)[1]
    code = code.replace("&#34;", '"').replace('Path("', f'Path("{folder}/')
    space = {}
    exec(compile(code, "page", "exec"), space)
    return space["board"]


def test_a_final_board_without_a_team_has_no_table_and_verifies(house, tmp_path):
    write_tables(tmp_path)
    slug = create_benchmark(house.app.state.arena, request_for(tmp_path, name="Empty"), seed=0)
    finish(house.app.state.arena, None, slug)
    visitor = house.visitor()
    page = visitor.get(f"/benchmarks/{slug}/final").text
    assert "No team had a submission to be judged." in page
    assert "<table" not in page
    assert "0 finals" not in page
    assert verified(page, visitor, slug, tmp_path)["entries"] == []


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        ((3,), "First is the only team that was judged."),
        ((3, 3), "2 teams share the best value on the private half."),
        ((3, 3, 5), "2 teams share the best value on the private half; 1 other team could not"),
        ((3, 5), "First did best on the private half; 1 other team could not be told apart"),
    ],
)
def test_the_final_page_says_who_did_best(tmp_path, errors, said):
    site = Site(tmp_path)
    with site.open() as arena:
        hidden = [str(site.ids[k]) for k in (~truth_of(arena, 1, site.slug, 1).public).nonzero()[0]]
        for name, wrong in zip(("First", "Second", "Third"), errors, strict=False):
            off = hidden[:wrong]
            rows = [f"{i},{OTHER[site.right[i]] if i in off else site.right[i]}" for i in site.ids]
            content = ("id,prediction\n" + "\n".join(rows) + "\n").encode()
            submit(arena, site.team(arena, name)[0], site.slug, content)
        finish(arena, None, site.slug)
    with served(site.app()) as address:
        page = httpx.get(f"{address}/benchmarks/{site.slug}/final").text
    assert said in page
    n = len(errors)
    assert f"hold for {'the one final' if n == 1 else f'all {n} finals at once'}." in page
    assert f"{n} look{'' if n == 1 else 's'} at the public half before" in page


def test_pages_write_the_name_of_a_measure_as_it_is_written(tmp_path):
    site = Site(tmp_path, measure="auc", pos_label="cat")
    with site.open() as arena:
        account, _ = site.team(arena, "First")
        rows = [f"{name},{int(site.right[name] == 'cat')}" for name in site.ids]
        head = f"id,{read_benchmark(arena, site.slug).definition.score_columns[0]}\n"
        made = submit(arena, account, site.slug, (head + "\n".join(rows) + "\n").encode())
        finish(arena, None, site.slug)
    with served(site.app()) as address:
        person = Person(address, "First").sign_in()
        base = f"/benchmarks/{site.slug}"
        for path in ("/", f"{base}/board", f"{base}/final", f"{base}/submissions/{made.id}"):
            assert "Area under ROC" in person.get(path).text, path
        person.http.close()
