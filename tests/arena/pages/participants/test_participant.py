"""What a participant sees: account, submit, team, board. Oracle: the API's answers."""

import html
import json
import re

import httpx
import numpy as np
import pandas as pd
import pytest

from referee.arena.benchmark.creating import create_benchmark

from ...conftest import CANARY, PASSWORD, request_for, write_tables


def test_registering_signs_in_and_the_first_page_says_so(house):
    person = house.participant("Ada")
    assert "Ada" in person.get("/").text
    assert person.post("/sign-out").headers["location"] == "/"
    assert "Sign in" in person.get("/").text


def test_a_refused_form_comes_back_filled_in(house):
    person = house.visitor()
    fields = {"name": "Bob <b>", "password": PASSWORD, "again": PASSWORD}
    answer = person.post("/register", fields)
    assert answer.status_code == 422
    assert 'value="Bob &lt;b&gt;"' in answer.text
    assert "U+003C" in answer.text
    assert PASSWORD not in answer.text
    fields = {"name": "Bob", "password": PASSWORD, "again": PASSWORD + "!"}
    assert "the two passwords differ" in person.post("/register", fields).text


def test_a_submission_is_answered_at_once_with_what_the_api_says(house):
    person = house.participant()
    sent = person.submit(house.slug, house.site.file(60, 1), note="first try")
    assert sent.status_code == 303
    page = person.get(sent.headers["location"]).text
    receipt = person.get(f"{sent.headers['location']}/receipt.json").json()
    assert "IMPROVED" in page
    assert receipt["receipt"]["signature"] in page
    assert f"Error {receipt['released']['value']:.4f} or better, 95 % interval" in page
    assert "first try" in page
    board = httpx.get(f"{house.address}/api/v1/benchmarks/{house.slug}/board").json()
    mine = next(e for e in board["entries"] if e["team"] == person.name)
    assert mine["value"] == receipt["released"]["value"]
    assert person.name in house.visitor().get(f"/benchmarks/{house.slug}/board").text


def test_a_button_pressed_twice_costs_one_try_and_another_file_another(house):
    person = house.participant()
    first = person.submit(house.slug, house.site.file(70, 1), key="same")
    again = person.submit(house.slug, house.site.file(70, 1), key="same")
    other = person.submit(house.slug, house.site.file(20, 2), key="same")
    assert first.headers["location"] == again.headers["location"] != other.headers["location"]
    page = person.get(f"/benchmarks/{house.slug}/team").text
    assert "<b>48</b> of 50 tries left today" in page


def test_a_wrong_line_is_shown_where_it_is_and_costs_no_try(house):
    person = house.participant()
    lines = house.site.file(10).decode().splitlines()
    lines[7] = lines[7].split(",")[0] + ",cow<script>"
    answer = person.submit(house.slug, "\n".join(lines).encode(), note="keep me")
    assert answer.status_code == 422
    assert "line 8" in answer.text
    row = re.search(r'<tr class="wrong">.*?</tr>', answer.text, re.S)[0]
    assert '<code class="cell-wrong">cow&lt;script&gt;</code>' in row
    assert 'value="keep me"' in answer.text
    assert "<b>50</b> of 50 tries left today" in answer.text
    assert "no file was chosen" in person.post(f"/benchmarks/{house.slug}/submit").text


def test_finals_are_chosen_and_too_many_are_refused(house):
    person = house.participant()
    ids = []
    for wrong in (150, 100, 50):
        sent = person.submit(house.slug, house.site.file(wrong, wrong))
        ids.append(sent.headers["location"].rsplit("/", 1)[1])
    path = f"/benchmarks/{house.slug}/finals"
    assert person.post(path, {"ids": ids[:1]}).status_code == 303
    page = person.get(f"/benchmarks/{house.slug}/team?done=finals").text
    marked = re.findall(r'value="(\w+)"[^>]* checked', page)
    assert marked == ids[:1]
    refused = person.post(path, {"ids": ids})
    assert refused.status_code == 422
    assert "choose one or 2" in refused.text


def test_tokens_are_shown_once_and_end_when_revoked(house):
    person = house.participant()
    page = person.post("/account/tokens", {"label": "laptop"}).text
    token = re.search(r'<code class="secret">([^<]+)</code>', page)[1]
    headers = {"Authorization": f"Bearer {token}"}
    address = f"{house.address}/api/v1/benchmarks/{house.slug}/submissions"
    assert httpx.get(address, headers=headers).status_code == 200
    page = person.get("/account").text
    assert token not in page
    revoke = re.search(r'action="(/account/tokens/\w+/revoke)"', page)[1]
    assert person.post(revoke).status_code == 303
    assert httpx.get(address, headers=headers).status_code == 401


def test_a_new_password_ends_the_other_sessions(house):
    person = house.participant()
    elsewhere = house.visitor()
    elsewhere.name = person.name
    elsewhere.sign_in()
    fields = {"old": "not the password", "new": PASSWORD * 2, "again": PASSWORD * 2}
    assert person.post("/account/password", fields).status_code == 422
    fields["old"] = PASSWORD
    assert person.post("/account/password", fields).status_code == 303
    assert person.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 303
    elsewhere.sign_in(PASSWORD * 2)
    assert person.post("/sign-out-everywhere").status_code == 303
    assert elsewhere.get("/account").status_code == 303


def test_the_board_sorts_and_downloads_without_a_formula(house):
    house.participant("-1 team").submit(house.slug, house.site.file(30, 9))
    visitor = house.visitor()
    page = visitor.get(f"/benchmarks/{house.slug}/board?sort=team&order=down").text
    teams = re.findall(r'<th scope="row">([^<]+)</th>', page)
    assert teams == sorted(teams, key=str.casefold, reverse=True)
    assert 'aria-sort="descending"' in page
    table = visitor.get(f"/benchmarks/{house.slug}/board.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert ",'-1 team," in table.text
    record = json.loads(visitor.get(f"/benchmarks/{house.slug}/board.json").content)
    assert record["entries"][0]["team"] in page


def test_a_kept_page_is_new_as_soon_as_something_changed(house):
    visitor = house.visitor()
    path = f"/benchmarks/{house.slug}/board"
    first = visitor.get(path)
    kept = visitor.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert kept.status_code == 304
    house.participant("Latecomer").submit(house.slug, house.site.file(40, 5))
    again = visitor.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 200
    assert "Latecomer" in again.text


@pytest.mark.parametrize(
    ("classes", "changes"),
    [
        (("cat", CANARY), {}),
        (("9", "10"), {"measure": "auc", "pos_label": "9"}),
        (("ant", "bee", "cow"), {"measure": "brier"}),
    ],
)
def test_the_sample_code_of_a_benchmark_makes_a_file_that_improves(
    house, tmp_path, monkeypatch, classes, changes
):
    """Texts among the inputs, classes that sort otherwise as numbers, a column for each class."""
    monkeypatch.chdir(tmp_path)
    write_tables(tmp_path, n_test=300, classes=classes)
    for name in ("train", "test"):
        frame = pd.read_csv(f"{name}.csv", dtype=str)
        frame["size"] = np.where(frame["x"].astype(float) > 0.75, "large", "small")
        frame.to_csv(f"{name}.csv", index=False)
    request = request_for(tmp_path, name=f"Sample {len(classes)} {len(changes)}", **changes)
    slug = create_benchmark(house.app.state.arena, request, seed=0)
    person = house.participant()
    page = person.get(f"/benchmarks/{slug}").text
    code = re.search(r'aria-label="Python code"><code>(.*?)</code>', page, re.S)[1]
    exec(compile(html.unescape(code), "page", "exec"), {})
    sent = person.submit(slug, (tmp_path / "answers.csv").read_bytes())
    assert sent.status_code == 303, sent.text
    assert "IMPROVED" in person.get(sent.headers["location"]).text


def test_wrong_addresses_get_a_page_and_programs_a_problem(house):
    visitor = house.visitor()
    page = visitor.get("/benchmarks/nothing")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Back to the benchmarks" in visitor.get("/no/such/page").text
    assert visitor.post("/about/statistics").status_code == 405
    problem = visitor.get("/api/v1/nothing")
    assert problem.headers["content-type"] == "application/problem+json"
    assert visitor.get(f"/benchmarks/{house.slug}/board?version=9").status_code == 404


def test_no_page_joins_a_label_to_a_case(house):
    person = house.participant()
    person.submit(house.slug, house.site.file(0))
    for path in ("", "/board", "/submit", "/team"):
        text = person.get(f"/benchmarks/{house.slug}{path}").text
        lines = [line for line in text.splitlines() if CANARY in line]
        assert not any(re.search(rf"\b{name}\b", line) for line in lines for name in house.site.ids)


def test_a_team_still_chooses_its_finals_of_an_earlier_version(house, tmp_path):
    write_tables(tmp_path)
    asked = request_for(tmp_path, name="Twice")
    arena = house.app.state.arena
    slug = create_benchmark(arena, asked, seed=0)
    person = house.participant()
    example = house.visitor().get(f"/api/v1/benchmarks/{slug}/files/example").content
    name = person.submit(slug, example).headers["location"].rsplit("/", 1)[1]
    create_benchmark(arena, asked, version_of=slug, seed=1)
    page = person.get(f"/benchmarks/{slug}/team").text
    assert name not in page
    assert 'href="?version=1"' in page
    old = person.get(f"/benchmarks/{slug}/team?version=1").text
    assert name in old
    assert "tries left" not in old
    action = re.search(r'<form method="post" action="([^"]*finals[^"]*)"', old)[1]
    sent = person.post(action, {"ids": [name]})
    assert sent.status_code == 303
    noted = person.get(sent.headers["location"]).text
    assert "Your finals were noted." in noted
    assert re.search(rf'value="{name}"[^>]* checked', noted)
    assert person.get(f"/benchmarks/{slug}/team?version=3").status_code == 404
