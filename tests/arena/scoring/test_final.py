"""The final board by hand: values, gaps, intervals, tests and ranks of answers that were laid out.

Oracles: counts that the test chose itself, scipy's exact binomial, statsmodels' Holm.
"""

import zipfile
from dataclasses import replace

import httpx
import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.benchmark.creating import create_benchmark, plan_benchmark
from referee.arena.benchmark.truth import truth_of
from referee.arena.client import Client
from referee.arena.exporting import export_arena
from referee.arena.scoring.board import board
from referee.arena.scoring.checking import check_arena
from referee.arena.scoring.finals import choose_finals
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.submitting import submit
from referee.errors import InputError
from referee.intervals.looks import Groups

from ..conftest import CANARY, Live, Site, request_for, served

OTHER = {"cat": CANARY, CANARY: "cat"}


def clopper_pearson(wrong, n, level):
    found = binomtest(wrong, n).proportion_ci(level, method="exact")
    return found.low, found.high


def file_with(site, wrong):
    """Return a file that errs in exactly these rows of test.csv."""
    off = set(wrong)
    rows = [
        f"{name},{OTHER[site.right[name]] if k in off else site.right[name]}"
        for k, name in enumerate(site.ids)
    ]
    return ("id,prediction\n" + "\n".join(rows) + "\n").encode()


def test_every_figure_of_the_final_board_by_hand(tmp_path):
    """200 public cases, baseline .5: steps of 9 cases (1.25 x 7.07, rounded up) from 100 down."""
    site = Site(tmp_path, baseline=0.5)
    with site.open() as arena:
        public = truth_of(arena, 1, site.slug, 1).public
        seen, hidden = np.flatnonzero(public).tolist(), np.flatnonzero(~public).tolist()
        assert (len(seen), len(hidden)) == (200, 200)
        # Wrong on the public half and on the private one; nobody errs where another does there.
        plan = {
            "Ada": [(60, hidden[40:90]), (5, hidden[0:2])],
            "Bob": [(40, hidden[2:16])],
            "Cyd": [(91, hidden[100:130])],
        }
        sent = {}
        for name, tries in plan.items():
            account, _ = site.team(arena, name)
            sent[name] = [
                submit(arena, account, site.slug, file_with(site, [*seen[:k], *private])).answer
                for k, private in tries
            ]
            choose_finals(arena, account, site.slug, [a["id"] for a in sent[name]])
        # 60 -> 4 steps, at most 64; 5 -> 10 steps, at most 10; 40 -> 46; 91 -> 91.
        values = {n: [a["released"]["value"] for a in answers] for n, answers in sent.items()}
        assert values == {"Ada": [0.32, 0.05], "Bob": [0.23], "Cyd": [0.455]}
        shown = [(e.team, e.value, e.looks, e.releases) for e in board(arena, site.slug).entries]
        assert shown == [("Ada", 0.05, 2, 2), ("Bob", 0.23, 1, 1), ("Cyd", 0.455, 1, 1)]
        final = finish(arena, None, site.slug)
        assert check_arena(arena).problems == ()
    ada, bob, cyd = final.entries
    assert [e.team for e in final.entries] == ["Ada", "Bob", "Cyd"]
    assert [e.value for e in final.entries] == pytest.approx([0.01, 0.07, 0.15])
    assert [e.gap for e in final.entries] == pytest.approx([0.01 - 0.05, 0.07 - 0.23, 0.15 - 0.455])
    for entry, wrong in ((ada, 2), (bob, 14), (cyd, 30)):
        assert entry.interval == pytest.approx(clopper_pearson(wrong, 200, 1 - 0.05 / 4))
    worse = ada.finals[0]
    assert (worse.value, worse.public) == pytest.approx((0.25, 0.32))
    # Rivals' finals: 2 and 50 of Ada, 14 of Bob, 30 of Cyd; five pairs, all errors in one only.
    pairs = {"Bob": (2, 14), "Cyd": (2, 30), "w Bob": (50, 14), "w Cyd": (50, 30), "BC": (14, 30)}
    raw = [binomtest(a, a + b).pvalue for a, b in pairs.values()]
    raised = dict(zip(pairs, multipletests(raw, method="holm")[1], strict=True))
    assert ada.p_leader is None
    assert (bob.p_leader, cyd.p_leader) == pytest.approx((raised["Bob"], raised["Cyd"]))
    assert max(raised["Bob"], raised["Cyd"], raised["BC"]) < 0.05
    places = [(e.rank, e.rank_low, e.rank_high, e.tier) for e in final.entries]
    assert places == [(1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)]


def test_teams_with_the_same_private_value_share_a_rank_and_a_tier(tmp_path):
    site = Site(tmp_path, baseline=0.5)
    with site.open() as arena:
        hidden = np.flatnonzero(~truth_of(arena, 1, site.slug, 1).public).tolist()
        for name, private in (("Ada", hidden[:9]), ("Bob", hidden[9:18]), ("Cyd", hidden[:9])):
            submit(arena, site.team(arena, name)[0], site.slug, file_with(site, private))
        final = finish(arena, None, site.slug)
    assert {(e.rank, e.rank_low, e.rank_high, e.tier) for e in final.entries} == {(1, 1, 3, 1)}
    assert [e.p_leader for e in final.entries] == [None, 1.0, 1.0]


def test_a_benchmark_that_nobody_entered_can_be_finished(site):
    with site.open() as arena:
        final = finish(arena, None, site.slug)
        assert (final.entries, final.record["finals"], final.record["test"]) == ((), 0, None)
        assert check_arena(arena).problems == ()


def test_a_version_is_finished_and_its_board_stays_when_there_is_a_newer_one(tmp_path):
    site = Site(tmp_path)
    with site.open() as arena:
        _, token = site.team(arena, "Ada")
    app = site.app()
    with served(app) as address:
        live = Live(site, address)
        assert live.submit(token, site.file(20)).status_code == 201
        arena = app.state.arena
        create_benchmark(arena, request_for(tmp_path), version_of=site.slug, seed=2)
        path = f"/benchmarks/{site.slug}"
        assert live.call("GET", f"{path}/final?version=1").status_code == 404
        finish_path = f"{path}/finish?version=1"
        done = live.call("POST", finish_path, live.organiser).json()
        assert (done["version"], [e["team"] for e in done["entries"]]) == (1, ["Ada"])
        assert live.call("POST", finish_path, live.organiser).status_code == 409
        assert live.call("GET", f"{path}/final?version=1").json() == done
        assert live.call("GET", f"{path}/final/envelope?version=1").status_code == 200
        assert live.call("GET", f"{path}/final").status_code == 404  # the last is open
        for version, status in (("0", 422), ("9" * 30, 422), ("3", 404), ("x", 422)):
            answer = live.call("GET", f"{path}/final?version={version}")
            assert answer.status_code == status, version
        board_page = httpx.get(f"{address}{path}/board?version=1").text
        assert f'href="{path}/final?version=1"' in board_page
        page = httpx.get(f"{address}{path}/final?version=1").text
        assert f"/api/v1{path}/final/envelope?version=1" in page
        assert live.submit(token, site.file(10)).status_code == 201
        assert check_arena(arena).problems == ()
        export_arena(arena, tmp_path / "out.zip")
        live.http.close()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        labels = [name for name in archive.namelist() if name.endswith("labels.csv")]
    assert labels == [f"{site.slug}/v1/labels.csv"]


def grouped_site(folder, **changes):
    """Return a site, and a request for a benchmark whose cases come in groups of four."""
    site = Site(folder)
    for name in ("train", "test"):
        frame = pd.read_csv(folder / f"{name}.csv")
        frame["ward"] = [f"{name}{k // 4}" for k in range(len(frame))]
        frame.to_csv(folder / f"{name}.csv", index=False)
    return site, request_for(folder, name="Wards", groups="ward", **changes)


def test_cases_in_groups_are_judged_by_the_groups(tmp_path):
    site, request = grouped_site(tmp_path)
    with site.open() as arena:
        slug = create_benchmark(arena, request, seed=0)
        definition, truth = read_benchmark(arena, slug).definition, truth_of(arena, 2, slug, 1)
        site.ids = list(definition.ids)
        account, _ = site.team(arena, "Ada")
        wrong = [*np.flatnonzero(truth.public)[:30], *np.flatnonzero(~truth.public)[:20]]
        told = submit(arena, account, slug, file_with(site, wrong)).answer["released"]
        grid = definition.grid
        cell = grid.cell(grid.rung(30))
        assert definition.groups == Groups(definition.n_public // 4, 4 / definition.n_public)
        by_groups = definition.groups.interval(grid, cell, 1, 0).interval
        assert told["interval"] == [by_groups.low, by_groups.high]
        by_cases = grid.interval(cell, 1, 0).interval
        assert by_groups.low < by_cases.low < by_cases.high < by_groups.high
        entry = finish(arena, None, slug).entries[0]
        assert check_arena(arena).problems == ()
    private = definition.n - definition.n_public
    assert entry.value == pytest.approx(20 / private)
    exact = clopper_pearson(20, private, 0.95)
    assert entry.interval[0] < exact[0] < exact[1] < entry.interval[1]


def test_a_step_of_grouped_cases_is_a_standard_error_of_groups(tmp_path):
    """48 or so public groups of four: 1.25 standard errors of as many cases, in whole cases."""
    _, request = grouped_site(tmp_path, baseline=0.5)
    definition = plan_benchmark(request, seed=0).definition
    error = np.sqrt(0.25 / (definition.n_public / 4))
    assert definition.grid.step == np.ceil(1.25 * error * definition.n_public)
    by_cases = plan_benchmark(replace(request, groups=None), seed=0).definition
    assert by_cases.grid.step < 0.6 * definition.grid.step
    with pytest.raises(InputError, match="in groups, which are worth"):
        plan_benchmark(replace(request, step=0.9 * error), seed=0)
    tpr = replace(request, measure="tpr", pos_label="cat")
    plan = plan_benchmark(tpr, seed=0)
    wards = plan.truth.groups[plan.truth.relevant(plan.definition.measure, public=True)]
    sizes = np.unique(wards, return_counts=True)[1]
    error = np.sqrt(0.25 * np.sum(sizes**2)) / sizes.sum()
    assert plan.definition.grid.step == np.ceil(1.25 * error * sizes.sum())


def test_an_area_of_grouped_cases_is_refused(tmp_path):
    site, request = grouped_site(tmp_path, measure="auc", pos_label="cat")
    with site.open() as arena, pytest.raises(InputError, match=r"groups \(ward\)"):
        create_benchmark(arena, request)


def test_an_earlier_version_keeps_its_board_its_submissions_and_its_finals(tmp_path):
    site = Site(tmp_path, closes="2026-06-01")
    with site.open() as arena:
        _, token = site.team(arena, "Ada")
    app = site.app()
    with served(app) as address:
        live = Live(site, address)
        sent = [live.submit(token, site.file(wrong)).json()["id"] for wrong in (40, 20, 1)]
        asked = request_for(tmp_path, closes="2026-06-01")
        create_benchmark(app.state.arena, asked, version_of=site.slug, seed=2)
        path = f"/benchmarks/{site.slug}"
        boards = {v: live.http.get(f"{path}/board{v}").json() for v in ("", "?version=1")}
        assert [(b["version"], b["teams"]) for b in boards.values()] == [(2, 0), (1, 1)]
        again = live.http.get(f"{path}/board?version=1")  # now from the cache
        assert again.json() == boards["?version=1"]
        first = Client(address, token)
        assert first.board(site.slug, 1) == boards["?version=1"]
        for version, status in (("0", 422), ("9" * 30, 422), ("3", 404), ("x", 422), ("", 422)):
            answer = live.http.get(f"{path}/board?version={version}")
            assert answer.status_code == status, version
            assert answer.headers["content-type"] == "application/problem+json"
        assert first.submissions(site.slug) == []
        assert [made["id"] for made in first.submissions(site.slug, 1)] == sent[::-1]
        refused = live.call("PUT", f"{path}/finals", token, json={"ids": sent[:1]})
        assert refused.status_code == 422
        assert f"to '{site.slug}', version 2" in refused.json()["detail"]
        assert first.choose_finals(site.slug, sent[:1], 1) == sent[:1]
        assert live.call("GET", f"{path}/finals?version=1", token).json() == {"ids": sent[:1]}
        assert live.call("GET", f"{path}/finals", token).json() == {"ids": []}
        for action in ("freeze", "thaw", "extend"):
            body = {"json": {"closes": "2026-07-01"}} if action == "extend" else {}
            missing = live.call("POST", f"{path}/{action}?version=3", live.organiser, **body)
            assert missing.status_code == 404
            done = live.call("POST", f"{path}/{action}?version=1", live.organiser, **body)
            assert done.json()["version"] == 1
            if action == "freeze":
                states = [live.http.get(f"{path}/board{v}").json()["state"] for v in boards]
                assert states == ["open", "frozen"]
        assert live.http.get(path).json()["closes_at"].startswith("2026-06-01")
        final = live.call("POST", f"{path}/finish?version=1", live.organiser).json()
        assert [made["id"] for made in final["entries"][0]["finals"]] == sent[:1]
        assert check_arena(app.state.arena).problems == ()
        live.http.close()
