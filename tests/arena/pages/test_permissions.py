"""Who may do what: every route, every role, one table. A route that is not in it fails.

Oracle: the table, written from the permissions and not from the code. Forms are sent empty unless
the table says otherwise, so 422 means "allowed, but nothing was filled in".
"""

import copy
import io
import re

import httpx
import pytest
from starlette.routing import Route

from referee.arena.accounts.account import Role, State
from referee.arena.accounts.accounts import add_account
from referee.arena.benchmark.creating import create_benchmark

from ..conftest import PASSWORD, House, Site, request_for, served

ROLES = ("visitor", "participant", "other team", "disabled", "other organiser", "organiser")

B, RUN, A = "/benchmarks/{slug}", "/organise/benchmarks/{slug}", "/api/v1"
EVERYBODY = "200 200 200 200 200 200"
PAGES = {
    ("GET", "/"): EVERYBODY,
    ("GET", "/about/statistics"): EVERYBODY,
    ("GET", "/static/{tag}/{name}"): EVERYBODY,
    ("GET", "/register"): EVERYBODY,
    ("POST", "/register"): "422 422 422 422 422 422",
    ("GET", "/sign-in"): EVERYBODY,
    ("POST", "/sign-in"): "401 401 401 401 401 401",
    ("GET", "/account"): "303 200 200 200 200 200",
    ("POST", "/account/password"): "401 422 422 422 422 422",
    ("POST", "/account/tokens"): "401 200 200 403 200 200",
    ("POST", "/account/tokens/{token}/revoke"): "401 303 404 404 404 404",
    ("GET", B): EVERYBODY,
    ("GET", f"{B}/board"): EVERYBODY,
    ("GET", f"{B}/board.csv"): EVERYBODY,
    ("GET", f"{B}/board.json"): EVERYBODY,
    ("GET", f"{B}/final"): "404 404 404 404 404 404",
    ("GET", f"{B}/submit"): "303 200 200 200 200 200",
    ("POST", f"{B}/submit"): "401 422 422 403 422 422",
    ("GET", f"{B}/submissions/{{id}}"): "303 200 404 404 404 404",
    ("GET", f"{B}/submissions/{{id}}/receipt.json"): "303 200 404 404 404 404",
    ("GET", f"{B}/team"): "303 200 200 200 200 200",
    ("POST", f"{B}/finals"): "401 422 422 403 422 422",
    ("GET", "/organise"): "303 403 403 403 200 200",
    ("GET", "/organise/accounts"): "303 403 403 403 200 200",
    ("POST", "/organise/accounts/approve"): "401 403 403 403 404 404",
    ("POST", "/organise/accounts/disable"): "401 403 403 403 404 404",
    ("POST", "/organise/accounts/link"): "401 403 403 403 404 404",
    ("POST", "/organise/accounts/reset"): "401 403 403 403 404 404",
    ("GET", "/organise/log"): "303 403 403 403 200 200",
    ("GET", "/organise/new"): "303 403 403 403 200 200",
    ("POST", "/organise/new"): "401 403 403 403 422 422",
    ("GET", "/organise/drafts/{draft}"): "303 403 403 403 404 200",
    ("POST", "/organise/drafts/{draft}/create"): "401 403 403 403 404 303",
    ("POST", "/organise/drafts/{draft}/discard"): "401 403 403 403 404 303",
    ("GET", RUN): "303 403 403 403 403 200",
    ("POST", f"{RUN}/freeze"): "401 403 403 403 403 303",
    ("POST", f"{RUN}/thaw"): "401 403 403 403 403 303",
    ("POST", f"{RUN}/extend"): "401 403 403 403 403 422",
    ("GET", f"{RUN}/finish"): "303 403 403 403 403 200",
    ("POST", f"{RUN}/finish"): "401 403 403 403 403 422",
    ("GET", f"{RUN}/export.zip"): "303 403 403 403 403 200",
}
API = {
    ("POST", f"{A}/accounts"): "422 422 422 422 422 422",
    ("GET", f"{A}/accounts"): "401 403 403 403 200 200",
    ("POST", f"{A}/accounts/{{name}}/approve"): "401 403 403 403 404 404",
    ("POST", f"{A}/accounts/{{name}}/disable"): "401 403 403 403 404 404",
    ("POST", f"{A}/accounts/{{name}}/link"): "401 403 403 403 404 404",
    ("POST", f"{A}/tokens"): "422 422 422 422 422 422",
    ("DELETE", f"{A}/tokens/{{token}}"): "401 204 404 403 404 404",
    ("GET", f"{A}/benchmarks"): EVERYBODY,
    ("GET", f"{A}{B}"): EVERYBODY,
    ("GET", f"{A}{B}/files/{{name}}"): "422 422 422 422 422 422",
    ("GET", f"{A}{B}/board"): EVERYBODY,
    ("GET", f"{A}{B}/notices"): EVERYBODY,
    ("POST", f"{A}{B}/freeze"): "401 403 403 403 403 200",
    ("POST", f"{A}{B}/thaw"): "401 403 403 403 403 200",
    ("POST", f"{A}{B}/extend"): "401 422 422 403 422 422",
    ("POST", f"{A}{B}/submissions"): "401 415 415 403 415 415",
    ("GET", f"{A}{B}/submissions"): "401 200 200 403 200 200",
    ("PUT", f"{A}{B}/finals"): "401 422 422 403 422 422",
    ("GET", f"{A}{B}/finals"): "401 200 200 403 200 200",
    ("GET", f"{A}/log"): "401 403 403 403 200 200",
    ("GET", f"{A}{B}/final"): "404 404 404 404 404 404",
    ("GET", f"{A}{B}/final/envelope"): "404 404 404 404 404 404",
    ("GET", f"{A}/key"): EVERYBODY,
    ("GET", f"{A}/openapi.json"): EVERYBODY,
    ("GET", "/healthz"): EVERYBODY,
    ("GET", "/metrics"): EVERYBODY,
}
SENT = {("POST", f"{A}/accounts/{{name}}/link"): {"json": {"to": "Nobody"}}}
"""What is sent where an empty request would hide who may ask."""
LAST = {
    ("POST", "/sign-out"): "303 303 303 303 303 303",
    ("POST", "/sign-out-everywhere"): "401 401 401 401 401 401",
    ("POST", f"{A}{B}/finish"): "401 403 403 403 403 200",
}
"""What would end the others' sessions or the benchmark; signed out by then."""
NOT_YOURS = "401 403 403 403 403"
FROZEN = {
    ("POST", f"{B}/submit"): f"{NOT_YOURS} 403",
    ("POST", f"{B}/finals"): "401 303 422 403 422 422",
    ("POST", f"{RUN}/freeze"): f"{NOT_YOURS} 303",
    ("POST", f"{RUN}/thaw"): f"{NOT_YOURS} -",
    ("POST", f"{RUN}/extend"): f"{NOT_YOURS} 303",
    ("POST", f"{RUN}/finish"): f"{NOT_YOURS} -",
    ("POST", f"{A}{B}/submissions"): f"{NOT_YOURS} 403",
    ("PUT", f"{A}{B}/finals"): "401 200 422 403 422 422",
    ("POST", f"{A}{B}/freeze"): f"{NOT_YOURS} 200",
    ("POST", f"{A}{B}/thaw"): f"{NOT_YOURS} -",
    ("POST", f"{A}{B}/extend"): f"{NOT_YOURS} 200",
    ("POST", f"{A}{B}/finish"): f"{NOT_YOURS} -",
}
"""While it is frozen, with requests that are filled in; a dash is not tried, as it would end it."""
NOT_OPEN = FROZEN | {
    (method, path): f"{NOT_YOURS} -"
    for method, path in FROZEN
    if path.endswith(("/freeze", "/extend"))
}
"""After the deadline; a dash would change the state, which is done at the end of the test."""
UPCOMING = NOT_OPEN | {
    ("GET", f"{B}/submissions/{{id}}"): "303 404 404 404 404 404",
    ("GET", f"{B}/submissions/{{id}}/receipt.json"): "303 404 404 404 404 404",
    ("POST", f"{B}/finals"): "401 422 422 403 422 422",
    ("PUT", f"{A}{B}/finals"): "401 422 422 403 422 422",
}
"""Before it opens nobody submits, so nobody has a final to choose."""
AFTER = {
    ("GET", f"{B}/final"): EVERYBODY,
    ("GET", f"{A}{B}/final"): EVERYBODY,
    ("GET", f"{A}{B}/final/envelope"): EVERYBODY,
    ("POST", f"{B}/submit"): f"{NOT_YOURS} 403",
    ("POST", f"{B}/finals"): "401 409 409 403 409 409",
    ("POST", f"{RUN}/freeze"): f"{NOT_YOURS} 409",
    ("POST", f"{RUN}/thaw"): f"{NOT_YOURS} 409",
    ("POST", f"{RUN}/extend"): f"{NOT_YOURS} 409",
    ("POST", f"{RUN}/finish"): f"{NOT_YOURS} 409",
    ("POST", f"{A}{B}/submissions"): f"{NOT_YOURS} 403",
    ("PUT", f"{A}{B}/finals"): "401 409 409 403 409 409",
    ("POST", f"{A}{B}/freeze"): f"{NOT_YOURS} 409",
    ("POST", f"{A}{B}/thaw"): f"{NOT_YOURS} 409",
    ("POST", f"{A}{B}/extend"): f"{NOT_YOURS} 409",
    ("POST", f"{A}{B}/finish"): f"{NOT_YOURS} 409",
}
"""What is different once the benchmark is finished; here, too, requests are filled in."""


@pytest.fixture(scope="module")
def city(tmp_path_factory):
    folder = tmp_path_factory.mktemp("city")
    site = Site(folder)
    with site.open() as arena:
        site.slug = create_benchmark(
            arena,
            request_for(folder, name="Owned", closes="2027-01-01"),
            organiser=site.organiser,
            seed=0,
        )
        otto = add_account(arena, "Otto", PASSWORD, role=Role.ORGANISER)
        create_benchmark(arena, request_for(folder, name="Other"), organiser=otto, seed=1)
        for name, times in {
            "Upcoming": {"opens": "2026-04-01", "closes": "2026-05-01"},
            "Closed": {"closes": "2026-03-01T13:00"},
        }.items():
            asked = request_for(folder, name=name, **times)
            create_benchmark(arena, asked, organiser=site.organiser, seed=0)
    app = site.app()
    with served(app) as address:
        house = City(House(site, address), app, folder)
        yield house
        for person in house.people.values():
            person.http.close()


class City:
    """A person of every role, and things that belong to one of them."""

    def __init__(self, house, app, folder):
        self.house, self.app, self.folder = house, app, folder
        self.slug = house.slug
        names = dict(zip(ROLES[1:4], ("Paula", "Quinn", "Dora"), strict=True))
        self.people = {"visitor": house.visitor()}
        self.people |= {role: house.participant(name) for role, name in names.items()}
        self.people["other organiser"] = house.organiser("Otto")
        self.people["organiser"] = house.organiser("Olga")
        self.tokens = {role: self._token(p) for role, p in self.people.items() if p.name}
        sent = self.people["participant"].submit(house.slug, house.site.file(20))
        self.submission = sent.headers["location"].rsplit("/", 1)[1]
        organiser = self.people["organiser"]
        self.people["pending"] = self._pending()
        done = organiser.post("/organise/accounts/disable", {"name": "Dora"})
        assert done.status_code == 303, done.text

    def _pending(self):
        """Somebody whom nobody has approved yet; the site is open, so it is arranged."""
        arena = self.app.state.arena
        add_account(arena, "Wanda", PASSWORD, state=State.PENDING)
        person = self.house.visitor()
        person.name = "Wanda"
        return person.sign_in()

    def at(self, slug):
        """Return the same people in front of another benchmark."""
        other = copy.copy(self)
        other.slug = slug
        sent = self.people["participant"].submit(slug, self.house.site.file(20), key=slug)
        if sent.status_code == 303:
            other.submission = sent.headers["location"].rsplit("/", 1)[1]
        return other

    def _token(self, person):
        body = {"name": person.name, "password": PASSWORD, "label": "matrix"}
        return httpx.post(f"{self.house.address}/api/v1/tokens", json=body).json()["token"]

    def path(self, pattern):
        parts = {"slug": self.slug, "id": self.submission, "name": "nobody", "tag": "x"}
        if "{token}" in pattern:
            parts["token"] = self._own_token()
        if "{draft}" in pattern:
            parts["draft"] = self._draft()
        if pattern.startswith("/static"):
            parts["name"] = "site.css"
        return pattern.format(**parts)

    def _own_token(self):
        body = {"name": "Paula", "password": PASSWORD, "label": "to be revoked"}
        return httpx.post(f"{self.house.address}/api/v1/tokens", json=body).json()["id"]

    def _draft(self):
        files = {
            role: (f"{role}.csv", io.BytesIO((self.folder / f"{role}.csv").read_bytes()))
            for role in ("train", "test")
        }
        fields = {"name": "Drafted", "target": "kind", "id_column": "id", "measure": "error"}
        fields |= {"public": "50%", "per_day": "5", "total": "50", "level": "0.95"}
        sent = self.people["organiser"].post("/organise/new", fields, files=files)
        assert sent.status_code == 303, sent.text
        return sent.headers["location"].rsplit("/", 1)[1]

    def ask(self, role, method, pattern, **body):
        person = self.people[role]
        headers = body.pop("headers", {})
        body = body or SENT.get((method, pattern), {})
        if pattern.startswith("/api/") and role in self.tokens:
            headers = headers | {"Authorization": f"Bearer {self.tokens[role]}"}
        answer = person.http.request(method, self.path(pattern), headers=headers, **body)
        return answer.status_code

    def filled(self, pattern):
        """Return what a request would bring if all were well."""
        content = self.house.site.file(10)
        later = "2029-01-01" if pattern.startswith(A) else "2028-01-01"
        if pattern == f"{A}{B}/submissions":
            return {"content": content, "headers": {"Content-Type": "text/csv"}}
        if pattern.startswith(A):
            wanted = {"finals": {"ids": [self.submission]}, "extend": {"closes": later}}
            return {"json": wanted.get(pattern.rsplit("/", 1)[1])}
        if pattern == f"{B}/submit":
            return {"files": {"file": ("answers.csv", content, "text/csv")}}
        fields = {"ids": self.submission, "closes": later, "address": self.slug}
        return {"data": fields}


def test_every_route_is_in_the_table(city):
    assert routes_of(city.app.routes) == {*PAGES, *API, *LAST}


def in_state(different):
    """Return what each route of a benchmark answers in a state: as ever, but for what differs."""
    every = {**PAGES, **API, **LAST}
    assert {*different} <= {*every}
    changing = {key for key in every if "{slug}" in key[1] and key[0] != "GET"}
    assert changing <= {*different}, "a route that changes something is not in the table"
    return {key: row for key, row in (every | different).items() if "{slug}" in key[1]}


def wrong_answers(city, table, *, filled, roles=ROLES):
    wrong = []
    for (method, pattern), expected in table.items():
        body = city.filled(pattern) if filled and method != "GET" else {}
        for role, status in zip(roles, expected.split(), strict=True):
            got = None if status == "-" else city.ask(role, method, pattern, **dict(body))
            if got is not None and got != int(status):
                wrong.append(f"{method} {pattern} as {role}: {got}, not {status}")
    return wrong


def test_while_it_is_frozen_nobody_submits_and_finals_can_be_chosen(city):
    city.ask("organiser", "POST", f"{A}{B}/freeze")
    assert wrong_answers(city, in_state(FROZEN), filled=True) == []
    assert city.ask("organiser", "POST", f"{A}{B}/thaw") == 200


def test_before_it_opens_nobody_submits(city):
    assert wrong_answers(city.at("upcoming"), in_state(UPCOMING), filled=True) == []


def test_after_the_deadline_nobody_submits_unless_its_organiser_moves_it(city):
    closed, clock = city.at("closed"), city.house.site.clock
    start = clock.time
    try:
        clock.move(hours=1)
        assert wrong_answers(closed, in_state(NOT_OPEN), filled=True) == []
        extend = f"{RUN}/extend"
        assert closed.ask("organiser", "POST", extend, **closed.filled(extend)) == 303
        assert (
            closed.ask("participant", "POST", f"{B}/submit", **closed.filled(f"{B}/submit")) == 303
        )
    finally:
        clock.time = start


def test_an_account_that_waits_may_do_what_a_disabled_one_may(city):
    waiting = {key: row.split()[ROLES.index("disabled")] for key, row in PAGES.items()}
    assert wrong_answers(city, waiting, filled=False, roles=("pending",)) == []


def routes_of(routes, prefix=""):
    """Return method and path of every route, those of included routers too."""
    found = set()
    for route in routes:
        if isinstance(route, Route):
            found |= {(method, prefix + route.path) for method in route.methods - {"HEAD"}}
        else:  # a router that FastAPI keeps as a whole
            inside = route.original_router.routes
            found |= routes_of(inside, prefix + route.include_context.prefix)
    return found


@pytest.mark.parametrize("table", [PAGES, API, LAST], ids=["pages", "api", "last"])
def test_every_role_gets_what_the_table_says(city, table):
    assert wrong_answers(city, table, filled=False) == []


def test_no_method_but_those_of_the_table_is_answered(city):
    known = {*PAGES, *API, *LAST}
    visitor = city.people["visitor"].http
    for pattern in {pattern for _, pattern in known}:
        for method in ("GET", "POST", "PUT"):
            if (method, pattern) not in known:
                status = visitor.request(method, re.sub(r"{\w+}", "x", pattern)).status_code
                assert status == 405, (method, pattern)


def test_what_belongs_to_another_organiser_cannot_get_a_new_version(city):
    other = city.house.organiser("Otto")
    files = {
        role: (f"{role}.csv", (city.folder / f"{role}.csv").read_bytes())
        for role in ("train", "test")
    }
    fields = {"name": "Mine", "target": "kind", "id_column": "id", "measure": "error"}
    fields |= {"public": "50%", "per_day": "5", "total": "50", "level": "0.95"}
    fields["version_of"] = city.house.slug
    sent = other.post("/organise/new", fields, files=files)
    made = other.post(f"{sent.headers['location']}/create")
    assert made.status_code == 403
    other.http.close()


def test_after_the_end_everybody_reads_and_nobody_changes(city):
    """Has to stand last: it finishes the benchmark, if the table above has not done so."""
    for person in city.people.values():
        if person.name:
            person.sign_in()
    city.ask("organiser", "POST", f"{A}{B}/finish")
    assert wrong_answers(city, in_state(AFTER), filled=True) == []
