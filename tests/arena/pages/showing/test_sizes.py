"""Pages stay small however many teams there are, and what goes wrong is told without a trace."""

import re

import pytest

from referee.arena.accounts.accounts import add_account
from referee.arena.pages.participants import home
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.submitting import submit

from ...conftest import PASSWORD, House, Site, served

TEAMS = 104
MOST = 150_000


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """A finished benchmark of many teams, one of which submitted more than fits on a page."""
    site = Site(tmp_path_factory.mktemp("crowd"), n_test=40, per_day=200, total=200)
    with site.open() as arena:
        accounts = [add_account(arena, f"Team {k:03}", PASSWORD) for k in range(TEAMS)]
        for k, account in enumerate(accounts):
            submit(arena, account, site.slug, site.file(k % 20, k), note="n" * 200)
        for k in range(TEAMS):
            submit(arena, accounts[0], site.slug, site.file(k % 20, k + 1000), note="n" * 200)
        finish(arena, None, site.slug)
    app = site.app()
    with served(app) as address:
        house = House(site, address)
        house.app = app
        yield house
        for person in house.people:
            person.http.close()


def pages_of(person, path):
    """Return the texts of all pages of a list, and assert that each is small."""
    texts = [person.get(path).text]
    texts += [
        person.get(path + link).text for link in re.findall(r'<a href="(\?page=\d+)"', texts[0])
    ]
    assert all(len(text.encode()) < MOST for text in texts), path
    return texts


@pytest.mark.parametrize("path", ["/benchmarks/{slug}/final", "/organise/accounts"])
def test_every_team_stands_on_one_page_of_a_long_list(crowd, path):
    texts = pages_of(crowd.organiser(), path.format(slug=crowd.slug))
    assert len(texts) == 2
    tables = [text.partition("Paired tests")[0] for text in texts]
    teams = [team for text in tables for team in re.findall(r'<th scope="row">(Team \d+)', text)]
    assert sorted(teams) == [f"Team {k:03}" for k in range(TEAMS)]


def test_a_long_list_of_submissions_keeps_the_finals_on_every_page(crowd):
    person = crowd.visitor()
    person.name = "Team 000"
    texts = pages_of(person.sign_in(), f"/benchmarks/{crowd.slug}/team")
    ids = [set(re.findall(r'name="ids" value="(\w+)"', text)) for text in texts]
    marked = [set(re.findall(r'value="(\w+)"[^>]* checked', text)) for text in texts]
    assert len(ids[0] | ids[1]) == TEAMS + 1
    assert marked[0] == marked[1] == ids[0] & ids[1] != set()


@pytest.mark.parametrize(
    "path", ["/benchmarks/{slug}/board", "/organise/benchmarks/{slug}", "/organise/log"]
)
def test_other_long_pages_stay_small(crowd, path):
    pages_of(crowd.organiser(), path.format(slug=crowd.slug))


def test_the_log_is_read_backwards_to_its_first_entry(crowd):
    person, path, numbers = crowd.organiser(), "/organise/log", []
    while path:
        text = person.get(path).text
        numbers += [int(n) for n in re.findall(r'<th scope="row" class="num">(\d+)</th>', text)]
        earlier = re.search(r'<a href="(\?to=\d+)">Earlier', text)
        path = earlier and f"/organise/log{earlier[1]}"
    assert numbers == list(range(numbers[0], 0, -1))


def test_what_breaks_is_told_by_its_number_and_without_a_trace(crowd, monkeypatch):
    def broken(_):
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(home, "benchmarks", broken)
    answer = crowd.visitor().get("/?anew")
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] in answer.text
    assert "secret of the server" not in answer.text
    assert "Traceback" not in answer.text


def test_downloads_have_fixed_types_and_are_never_shown_as_pages(crowd):
    slug, person = crowd.slug, crowd.organiser()
    for path, kind in {
        f"/benchmarks/{slug}/board.csv": "text/csv; charset=utf-8",
        f"/benchmarks/{slug}/board.json": "application/json",
        f"/organise/benchmarks/{slug}/export.zip": "application/zip",
        f"/api/v1/benchmarks/{slug}/files/train": "text/csv; charset=utf-8",
    }.items():
        headers = person.get(path).headers
        assert headers["content-type"] == kind
        assert headers["content-disposition"].startswith("attachment")
        assert headers["x-content-type-options"] == "nosniff"
