"""Problem: why the arena refuses something, with the HTTP status that says so.

Problems are told to participants, so nothing in them may depend on a secret label.
"""

from __future__ import annotations

from referee.errors import RefereeError

__all__ = ["Problem"]

TITLES = {
    400: "The request is malformed",
    401: "Sign in first",
    403: "Not allowed",
    404: "There is no such thing",
    408: "The upload took too long",
    409: "This contradicts what is recorded",
    411: "The length of the body is missing",
    413: "The file is too large",
    415: "This kind of file is not read",
    422: "Something in it is wrong",
    429: "Too many tries",
    500: "It did not work",
    507: "The disk is full",
    503: "The arena cannot answer now",
}
"""Status -> what it says in a few words."""


class Problem(RefereeError):
    """A refusal, told to whoever asked.

    Parameters
    ----------
    status : int
        The HTTP status.
    detail : str
        What is wrong, with the value and a remedy.
    line : int or None
        The line of an uploaded file that is at fault, counted as an editor counts.
    column : str or None
        The column that is at fault.
    retry_after : int or None
        After how many seconds it is worth trying again.

    Examples
    --------
    >>> problem = Problem(422, "'maybe' is none of the classes", line=3, column="prediction")
    >>> problem.record()
    {'type': 'about:blank', 'title': 'Something in it is wrong', 'status': 422, \
'detail': "'maybe' is none of the classes", 'line': 3, 'column': 'prediction'}
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        line: int | None = None,
        column: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.line, self.column, self.retry_after = line, column, retry_after

    @property
    def title(self) -> str:
        """The status in a few words."""
        return TITLES.get(self.status, "It did not work")

    def record(self) -> dict[str, object]:
        """Return the problem as RFC 9457 has it."""
        place = {"line": self.line, "column": self.column}
        return {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **{name: value for name, value in place.items() if value is not None},
        }
