"""Which test sets were used before: a hidden file beside the baseline.

A rerun of the same candidate is no new use, by whatever measure or claim. A second candidate on the
same cases is a finding, unless a ledger counts it; what a ledger counted is a use for whoever comes
without one. Arrays have no folder and are not counted.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from referee.core.results import Finding, Severity
from referee.core.showing.numbers import level_text
from referee.errors import InputError, arg
from referee.gating.question import GateQuestion
from referee.gating.sides.compared import Sides
from referee.report.files import write_text
from referee.vault.sealed.ledger.lock import alone

__all__ = ["CODE", "NAME", "check_record", "count_run", "finding_of_reuse"]

NAME = ".referee-runs.json"
"""The file, in the folder of the baseline."""

CODE = "R030"
_MOST = 1000


def finding_of_reuse(folder: Path, sides: Sides, question: GateQuestion) -> Finding | None:
    """Count the run, and return a finding where other candidates met the same cases before."""
    used = count_run(folder, sides)
    if used < 2:
        return None
    chance = 1 - question.level**used
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="test set used before",
        message=f"{used} different candidates were held against these {sides.n} cases, each with "
        f"{level_text(question.level)} certainty of its own; if all were worse by the margin, the "
        f"chance that one passes may be up to {level_text(round(chance, 2))}.",
        remedy=f"Count the runs with {arg('sequential', 'gate.ledger')}, or bring new cases.",
    )


def count_run(folder: Path, sides: Sides) -> int:
    """Count the run, and return how many candidates met these cases, this one included."""
    key, own = sides.use
    with _locked(folder):
        held = check_record(folder)
        candidates = held.pop(key, [])
        if own in candidates:
            return _different(candidates)
        candidates = [*candidates, own][-_MOST:]
        kept = dict([*held.items(), (key, candidates)][-_MOST:])  # the latest test sets
        with contextlib.suppress(OSError, ValueError):  # a folder that only may be read
            write_text(folder / NAME, json.dumps(kept, indent=1) + "\n")
        return _different(candidates)


def _different(candidates: list[str]) -> int:
    """Return how many candidates there are; answers without scores are no other one.

    Examples
    --------
    >>> _different(["a", "a s", "b"]), _different(["a s", "a t"])
    (2, 2)
    """
    answers = {answer.split(" ")[0] for answer in candidates}
    scored = {answer for answer in candidates if " " in answer}
    return len(scored) + len(answers - {answer.split(" ")[0] for answer in scored})


def check_record(folder: Path) -> dict[str, list[str]]:
    """Return what was counted so far; a file that nobody can read is refused and left as it is."""
    path = folder / NAME
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(values, list) for values in held.values()):
            raise TypeError
        return {str(k): [str(v) for v in values] for k, values in held.items()}
    except OSError:
        return {}
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise InputError(
            f"{path} counts how often test sets were used, and is not what referee wrote there",
            remedy="take it back from version control, or remove it and say that the count is lost",
        ) from None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out meanwhile; the file is replaced, so its folder is locked."""
    if sys.platform == "win32" or not folder.is_dir():
        yield
        return
    with alone(folder.absolute()):
        yield
