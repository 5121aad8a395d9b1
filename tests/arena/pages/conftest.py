"""One served site for a module, and people who visit it."""

import itertools

import httpx
import pytest

from ..conftest import PASSWORD, Site, served

ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Person:
    """Somebody with a browser of their own: cookies are kept, redirects are not followed."""

    def __init__(self, address, name=None):
        self.name = name
        self.http = httpx.Client(base_url=address, timeout=30, headers=ORIGIN)

    def get(self, path, **more):
        return self.http.get(path, **more)

    def post(self, path, fields=None, **more):
        return self.http.post(path, data=fields or {}, **more)

    def sign_in(self, password=PASSWORD):
        answer = self.post("/sign-in", {"name": self.name, "password": password})
        assert answer.status_code == 303, answer.text
        return self

    def submit(self, slug, content, name="answers.csv", **fields):
        return self.http.post(
            f"/benchmarks/{slug}/submit",
            files={"file": (name, content, "text/csv")},
            data={"key": fields.pop("key", "k"), "note": "", **fields},
        )


class House:
    """A served site."""

    def __init__(self, site, address):
        self.site, self.address, self.slug = site, address, site.slug
        self.people = []
        self.names = (f"Team {k}" for k in itertools.count(1))

    def visitor(self):
        self.people.append(Person(self.address))
        return self.people[-1]

    def participant(self, name=None):
        person = self.visitor()
        person.name = name or next(self.names)
        fields = {"name": person.name, "password": PASSWORD, "again": PASSWORD}
        assert person.post("/register", fields).status_code == 303
        return person

    def organiser(self, name="Olga"):
        person = self.visitor()
        person.name = name
        return person.sign_in()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("house"), per_day=50)
    app = site.app()
    with served(app) as address:
        place = House(site, address)
        place.app = app
        yield place
        for person in place.people:
            person.http.close()
