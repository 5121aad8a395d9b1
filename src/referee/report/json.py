"""A document as JSON, and the schema it keeps to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from referee.report.document import Document
from referee.report.record import SCHEMA

__all__ = ["json_text", "results_schema", "to_json_text"]

_ACTING = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def to_json_text(document: Document) -> str:
    """Return the content for machines, indented, without nan; floats are read back exactly."""
    return json_text(document.data)


def json_text(data: Mapping[str, Any]) -> str:
    """Return a record as JSON.

    Examples
    --------
    >>> print(json_text({"n": 3}), end="")
    {
     "n": 3
    }
    """
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
    # What acts on a terminal, or is half a character, means the same as a code.
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def results_schema() -> str:
    """Return the JSON schema (draft 2020-12) of results.json.

    Examples
    --------
    >>> json.loads(results_schema())["$id"]
    'urn:referee:results:1'
    """
    place = files("referee.report") / "schema" / f"referee-results-{SCHEMA}.json"
    return place.read_text(encoding="utf-8")
