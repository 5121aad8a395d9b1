"""Page: a route, what answers it, and how whatever goes wrong is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.arena.api.problems import place_of
from referee.arena.pages.page_cache import PageCache
from referee.arena.pages.request.form import read_form
from referee.arena.pages.request.origin import SAFE, require_same_origin
from referee.arena.pages.request.visitor import SignInFirst, Visitor
from referee.arena.problem import Problem
from referee.errors import RefereeError

__all__ = ["Page", "problem_page"]

_LOG = logging.getLogger("referee.arena")

Handler = Callable[[Visitor], Response]


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Attributes
    ----------
    path : str
        Its address, as Starlette writes them.
    handler : callable
        Gets a `Visitor` and returns a response.
    method : str
        GET for what is looked at, POST for what changes something.
    shared : bool
        Whether everybody who is not signed in sees the same, so that it may be kept.
    files : int
        How many files a form may bring.
    """

    path: str
    handler: Handler
    method: str = "GET"
    shared: bool = False
    files: int = 0

    def route(self, cache: PageCache) -> Route:
        """Return the route that answers with this page."""

        async def endpoint(request: Request) -> Response:
            try:
                return await self._answer(request, cache)
            except Problem as problem:
                return await run_in_threadpool(problem_page, request, problem)
            except RefereeError as problem:
                return await run_in_threadpool(problem_page, request, Problem(422, str(problem)))
            except Exception as problem:
                # Its message may hold what nobody is to know; the log gets its kind and place only.
                _LOG.error(
                    "%s %s: %s at %s",
                    request.method,
                    request.url.path,
                    type(problem).__name__,
                    place_of(problem),
                )
                wrong = Problem(500, "something went wrong here; it was logged")
                return await run_in_threadpool(problem_page, request, wrong)

        return Route(self.path, _named(endpoint, self), methods=[self.method])

    async def _answer(self, request: Request, cache: PageCache) -> Response:
        require_same_origin(request)
        arena = request.app.state.arena
        if self.shared:
            kept = await cache.answer(request, arena)
            if kept is not None:
                return kept
        form = None
        if request.method not in SAFE:
            limits = request.app.state.limits
            most = 100_000 + max(self.files, 1) * limits.most_bytes if self.files else 300_000
            form = await read_form(request, most, limits.patience)
        visitor = Visitor(request, arena, form)
        return await run_in_threadpool(self._shown, visitor, cache)

    def _shown(self, visitor: Visitor, cache: PageCache) -> Response:
        if not self.shared:
            return self.handler(visitor)
        return cache.keep(visitor, self.handler)


def _named(
    endpoint: Callable[[Request], Awaitable[Response]], page: Page
) -> Callable[[Request], Awaitable[Response]]:
    endpoint.__name__ = page.handler.__name__
    return endpoint


def problem_page(request: Request, problem: Problem) -> Response:
    """Return the page that says what is wrong and what to do."""
    visitor = Visitor(request, request.app.state.arena)
    if problem.status == 503:
        visitor.account = None  # who it is stands in the database, which does not answer
    if isinstance(problem, SignInFirst) and request.method in SAFE:
        return visitor.go(visitor.sign_in_path)
    number = getattr(request.state, "number", "")
    response = visitor.show("problem.html", problem.status, problem=problem, number=number)
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response
