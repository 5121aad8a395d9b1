"""The page of a team: its submissions, its tries, its finals."""

from __future__ import annotations

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor
from referee.arena.pages.showing.paging import paged
from referee.arena.problem import Problem
from referee.arena.scoring import submitting
from referee.arena.scoring.finals import choose_finals, own_finals

__all__ = ["PAGES"]


def team(visitor: Visitor) -> Response:
    """Show one's own submissions; those of others are nobody's business."""
    done = "Your finals were noted." if visitor.asked("done") == "finals" else ""
    return _team(visitor, done=done)


def _team(visitor: Visitor, *, refused: Problem | None = None, done: str = "") -> Response:
    arena, account, number = visitor.arena, visitor.signed_in, visitor.version
    benchmark = read_benchmark(arena, visitor.path("slug"), number)
    chosen = own_finals(arena, account, benchmark.slug, number)
    if refused is not None:
        chosen = tuple(visitor.form.texts("ids"))
    every = submitting.own_submissions(arena, account, benchmark.slug, number)
    part = paged(every, visitor.asked("page"), version=number)
    # The form sends the whole choice, so what was chosen stands on every page.
    others = [
        submission
        for submission in every
        if submission.id in chosen and submission not in part.items
    ]
    return visitor.show(
        "team.html",
        200 if refused is None else refused.status,
        benchmark=benchmark,
        now=arena.now(),
        remaining=submitting.remaining_tries(arena, account, benchmark.slug),
        part=part,
        submissions=[*others, *part.items],
        finals=chosen,
        over=benchmark.state == "finished",
        refused=refused,
        done=done,
        version_query="" if number is None else f"?version={number}",
    )


def choose(visitor: Visitor) -> Response:
    """Choose the finals."""
    slug, number = visitor.path("slug"), visitor.version
    account = visitor.signed_in
    try:
        choose_finals(visitor.arena, account, slug, visitor.form.texts("ids"), number)
    except Problem as refused:
        if refused.status == 404:
            raise
        return _team(visitor, refused=refused)
    which = "" if number is None else f"&version={number}"
    return visitor.go(f"/benchmarks/{slug}/team?done=finals{which}")


PAGES = (
    Page("/benchmarks/{slug}/team", team),
    Page("/benchmarks/{slug}/finals", choose, "POST"),
)
