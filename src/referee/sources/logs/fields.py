"""Fields: values inside a log's nested records, named by dotted paths such as ``doc.subject``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes
from referee.errors import LogError, nearest
from referee.sources.logs.log import column

__all__ = [
    "MISSING",
    "as_text",
    "digest",
    "field_column",
    "known_fields",
    "look_up",
    "no_field",
    "run_numbers",
]

MISSING: Any = object()
"""What `look_up` gives where there is no such field; null is a value of its own."""


def look_up(record: Any, path: str, homes: Sequence[str] = ()) -> Any:
    """Return the value at a dotted path, or `MISSING`.

    Parameters
    ----------
    record : mapping
        A sample as the log has it.
    path : str
        Names joined by dots; numbers count the entries of a list from 0. A name may itself
        contain dots.
    homes : sequence of str
        Where to look when the record has no such path: the parts of a sample that hold its data.

    Examples
    --------
    >>> sample = {"doc": {"subject": "law", "tags": ["a", "b"]}}
    >>> look_up(sample, "doc.subject"), look_up(sample, "doc.tags.1")
    ('law', 'b')
    >>> look_up(sample, "subject", homes=["doc"])
    'law'
    """
    for start in ("", *homes):
        value = _step(record, f"{start}.{path}" if start else path)
        if value is not MISSING:
            return value
    return MISSING


def _step(record: Any, path: str) -> Any:
    if isinstance(record, Mapping):
        if path in record:
            return record[path]
        # The longest name first: a key "a.b" comes before the key "b" of "a".
        parts = path.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            head = ".".join(parts[:cut])
            if head in record:
                value = _step(record[head], ".".join(parts[cut:]))
                if value is not MISSING:
                    return value
    elif isinstance(record, list):
        head, _, rest = path.partition(".")
        if head.isdigit() and int(head) < len(record):
            return _step(record[int(head)], rest) if rest else record[int(head)]
    return MISSING


def as_text(value: Any) -> str | None:
    """Return a field's value as text, or None where there is none.

    Examples
    --------
    >>> as_text("law"), as_text(3), as_text(True), as_text(["a"]), as_text(None)
    ('law', '3', 'true', '["a"]', None)
    """
    if value is None or value is MISSING or value != value:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def field_column(
    records: Iterable[Mapping[str, Any]], path: str, homes: Sequence[str], place: str
) -> Anything:
    """Return a field of every record as text, or say that no record has it."""
    records = list(records)
    values = [look_up(record, path, homes) for record in records]
    if records and all(value is MISSING for value in values):
        raise LogError(no_field(place, path, records[0]))
    return column([as_text(value) for value in values])


def no_field(place: str, path: str, record: Mapping[str, Any]) -> str:
    """Say that no sample has a field, and which comes nearest, by its last name at least.

    Examples
    --------
    >>> no_field("a.jsonl", "subjct", {"doc": {"subject": "law"}, "target": "A"})
    "a.jsonl has no field 'subjct'; did you mean 'doc.subject'?"
    """
    known = known_fields(record)
    ends = {name.rpartition(".")[2]: name for name in reversed(known)}
    close = get_close_matches(path.rpartition(".")[2], ends, n=1, cutoff=0.75)
    if close:
        return f"{place} has no field {path!r}; did you mean {ends[close[0]]!r}?"
    return f"{place} has no field {path!r}{nearest(path, known)}"


def known_fields(record: Mapping[str, Any], depth: int = 3) -> list[str]:
    """Return the paths of a record's single values.

    Examples
    --------
    >>> known_fields({"doc": {"subject": "law", "id": 3}, "target": "A"})
    ['doc.subject', 'doc.id', 'target']
    """
    return list(_leaves(record, "", depth))


def _leaves(record: Mapping[str, Any], prefix: str, depth: int) -> Iterator[str]:
    for name, value in record.items():
        if isinstance(value, Mapping) and depth > 1:
            yield from _leaves(value, f"{prefix}{name}.", depth - 1)
        elif not isinstance(value, (Mapping, list)):
            yield f"{prefix}{name}"


def run_numbers(values: Sequence[str | None]) -> Codes:
    """Return runs counted from 1 in the order in which their names first appear.

    Examples
    --------
    >>> run_numbers(["seed 7", "seed 8", "seed 7"]).tolist()
    [1, 2, 1]
    """
    order = {value: number for number, value in enumerate(dict.fromkeys(values), 1)}
    return np.array([order[value] for value in values], dtype=np.intp)


def digest(*parts: Any) -> str:
    """Return a hash by which a question or a prompt is recognised again.

    Examples
    --------
    >>> digest("What is 1 + 1?", ["2"]) == digest("What is 1 + 1?", ["2"])
    True
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
