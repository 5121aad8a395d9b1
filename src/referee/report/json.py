"""A document as JSON."""

from __future__ import annotations

import json

from referee.report.document import Document

__all__ = ["to_json_text"]


def to_json_text(document: Document) -> str:
    """Return the content for machines, indented, without nan."""
    return json.dumps(document.data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
