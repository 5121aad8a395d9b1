"""Problems as RFC 9457 has them, for whatever goes wrong."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from referee.arena.problem import Problem
from referee.errors import RefereeError

__all__ = ["add_problem_handlers", "place_of", "problem_response", "responses"]

KIND = "application/problem+json"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "line": {"type": "integer"},
        "column": {"type": "string"},
    },
}


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route may answer besides success, for the OpenAPI document."""
    from referee.arena.problem import TITLES

    every = (*statuses, 400, 503)
    return {
        status: {"description": TITLES[status], "content": {KIND: {"schema": SCHEMA}}}
        for status in sorted(set(every))
    }


def problem_response(problem: Problem) -> Response:
    """Return the response that tells a problem."""
    headers = {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        headers["Retry-After"] = str(problem.retry_after)
    return JSONResponse(problem.record(), problem.status, headers, media_type=KIND)


def add_problem_handlers(app: FastAPI) -> None:
    """Let every error of the app be told as a problem."""

    @app.exception_handler(Problem)
    async def answered(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, Problem)
        return problem_response(problem)

    @app.exception_handler(RefereeError)
    async def refused(_: Request, problem: Exception) -> Response:
        return problem_response(Problem(422, str(problem)))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, RequestValidationError)
        first = problem.errors()[0]
        if first.get("type") == "json_invalid":
            return problem_response(Problem(400, "the body is no JSON"))
        where = ".".join(str(part) for part in first.get("loc", ())[1:]) or "the body"
        return problem_response(Problem(422, f"{where}: {first.get('msg', 'wrong')}"))

    @app.exception_handler(HTTPException)
    async def standard(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        answer = problem_response(Problem(problem.status_code, str(problem.detail)))
        for name, value in (problem.headers or {}).items():
            answer.headers[name] = value
        return answer


def place_of(problem: BaseException) -> str:
    """Name the innermost line of our own that an exception came through."""
    import traceback

    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if "referee" in frame.filename] or list(frames)
    return f"{own[-1].filename}:{own[-1].lineno}" if own else "?"
