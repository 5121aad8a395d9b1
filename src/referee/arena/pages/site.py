"""The site: all pages, added to the app that serves the API."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.arena.pages.organisers import creating, organise, running
from referee.arena.pages.page import problem_page
from referee.arena.pages.page_cache import PageCache
from referee.arena.pages.participants import account, benchmark, board, final, home, submit, team
from referee.arena.pages.request.headers import SecurityHeaders
from referee.arena.pages.showing.static import static_file
from referee.arena.problem import Problem

__all__ = ["PAGES", "add_pages"]

PAGES = (
    *home.PAGES,
    *account.PAGES,
    *benchmark.PAGES,
    *board.PAGES,
    *final.PAGES,
    *submit.PAGES,
    *team.PAGES,
    *organise.PAGES,
    *creating.PAGES,
    *running.PAGES,
)
"""All pages, in the order in which addresses are compared."""

_WORDS = {
    404: "there is no page at this address",
    405: "this address is not used in that way; open it from its page",
}
_FOR_PROGRAMS = ("/api/", "/healthz", "/metrics")


def add_pages(app: FastAPI) -> None:
    """Add every page, and the headers that all responses carry."""
    cache = PageCache()
    static = Route("/static/{tag}/{name}", static_file, methods=["GET"])
    # Most visits are of pages, so their addresses are compared first.
    app.router.routes[:0] = [static, *(page.route(cache) for page in PAGES)]
    _tell_people(app)
    app.add_middleware(SecurityHeaders)


def _tell_people(app: FastAPI) -> None:
    """Answer wrong addresses with a page, except below those for programs."""
    for_programs = app.exception_handlers[HTTPException]

    async def wrong_address(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        if request.url.path.startswith(_FOR_PROGRAMS):
            answer: Response = await for_programs(request, problem)  # type: ignore[misc]
            return answer
        status = problem.status_code
        worded = Problem(status, _WORDS.get(status, str(problem.detail)))
        response = await run_in_threadpool(problem_page, request, worded)
        for name, value in (problem.headers or {}).items():
            response.headers[name] = value
        return response

    app.add_exception_handler(HTTPException, wrong_address)
