"""A document as JSON, and the schema it keeps to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from referee.report.document import Document
from referee.report.record import SCHEMA

__all__ = ["json_text", "results_schema", "to_json_text"]


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
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def results_schema() -> str:
    """Return the JSON schema (draft 2020-12) of results.json.

    Examples
    --------
    >>> json.loads(results_schema())["$id"]
    'urn:referee:results:1'
    """
    place = files("referee.report") / "schema" / f"referee-results-{SCHEMA}.json"
    return place.read_text(encoding="utf-8")
