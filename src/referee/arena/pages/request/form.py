"""Form: what a page was sent, read with an eye on its size and on the clock."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from referee.arena.api.bodies import read_body
from referee.arena.problem import Problem

__all__ = ["Form", "UploadedFile", "read_form"]

_FIELDS, _FILES, _LONGEST = 200, 4, 200_000
"""How many fields and files a form may have, and how many bytes one field."""


@dataclass(frozen=True)
class UploadedFile:
    """A file that came with a form.

    Attributes
    ----------
    name : str
        What the browser calls it; only ever shown, never used as a path.
    content : bytes
        All of it.
    """

    name: str
    content: bytes


@dataclass(frozen=True)
class Form:
    """The fields and files of a form.

    Attributes
    ----------
    fields : mapping of str to list of str
        Values by name; a name may stand several times.
    files : mapping of str to UploadedFile
        Files that are not empty, by the name of their field.

    Examples
    --------
    >>> form = Form({"name": ["Ada"], "ids": ["a", "b"]})
    >>> form.text("name"), form.text("note"), form.texts("ids")
    ('Ada', '', ['a', 'b'])
    """

    fields: Mapping[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, UploadedFile] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a field; an absent one is empty."""
        return self.fields.get(name, [""])[0]

    def texts(self, name: str) -> list[str]:
        """Return all values of a field."""
        return list(self.fields.get(name, []))

    def kept(self, *names: str) -> dict[str, str]:
        """Return fields by name, to fill them in again."""
        return {name: self.text(name) for name in names}


async def read_form(request: Request, most: int, patience: float) -> Form:
    """Return the form that was sent; refuse what is too large, too slow or no form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    content = await read_body(request, most, patience)
    if kind == "multipart/form-data":
        return await _multipart(request, content)
    if kind == "application/x-www-form-urlencoded" or not content:
        return _urlencoded(content)
    raise Problem(415, f"a form was expected, got {kind[:60]!r}; programs use /api/v1")


def _urlencoded(content: bytes) -> Form:
    try:
        pairs = parse_qsl(
            content.decode("ascii"),
            keep_blank_values=True,
            max_num_fields=_FIELDS,
            errors="strict",
        )
    except ValueError:
        raise Problem(400, "the form cannot be read; send it again from its page") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return Form(fields)


async def _multipart(request: Request, content: bytes) -> Form:
    async def stream() -> AsyncGenerator[bytes, None]:
        yield content

    parser = MultiPartParser(
        request.headers,
        stream(),
        max_files=_FILES,
        max_fields=_FIELDS,
        max_part_size=_LONGEST,
    )
    try:
        parsed = await parser.parse()
    except (MultiPartException, KeyError, ValueError, AttributeError):
        raise Problem(400, "the form cannot be read; send it again from its page") from None
    fields: dict[str, list[str]] = {}
    files: dict[str, UploadedFile] = {}
    try:
        for name, value in parsed.multi_items():
            if isinstance(value, UploadFile):
                body = await value.read()
                if body or value.filename:
                    files[name] = UploadedFile((value.filename or "")[:200], body)
            else:
                fields.setdefault(name, []).append(value)
    finally:
        await parsed.close()
    return Form(fields, files)
