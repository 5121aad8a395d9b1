"""The ledger of a gate: every run on one line, each chained to the one before.

The first line fixes claim, margin, measure and level. A line holds what later decisions need: the
names of new cases (as hashes), what the candidate lost more than the baseline on each, the answer.
A line that was changed, added or taken out from between others breaks the chain, and the ledger is
refused. Lines cut off at the end leave a shorter ledger that is whole: version control keeps those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError
from referee.gating.question import GateQuestion
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical
from referee.vault.sealed.ledger.durable import replace_file

__all__ = ["Entry", "Ledger", "case_hash", "compact", "read_ledger"]

_KIND = "referee gate ledger"
_VERSION = 2
_SIGNS = {1.0: "+", 0.0: "0", -1.0: "-"}


def case_hash(name: str) -> str:
    """Return a case's name as 16 digits; cases are taken in the order of these.

    The order depends on nothing that the models said, so that a file sorted by class or by day
    does not mislead the bettor.

    Examples
    --------
    >>> case_hash("patient 7")
    '380e1c6279a5068f'
    """
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One run.

    Attributes
    ----------
    run : int
        Its number, from 1.
    time : str
        When it was made.
    version : str
        Which candidate it was, as the user calls it.
    look : bool
        Whether all its cases were known before.
    cases : tuple of str
        The hashes of its new cases, in the order they were taken.
    excess : str or tuple of float
        What the candidate lost more on each: "+", "-" and "0" for errors.
    n : int
        All cases of the run.
    answer : str
        "pass", "fail" or "undecided".
    figures : bool
        Whether more than the answer was shown.
    request : str
        The fingerprint of cases and answers: the same run again is no new look.
    content : str
        The fingerprint of right answers and the baseline's, whatever the cases are called.
    """

    run: int
    time: str
    version: str
    look: bool
    cases: tuple[str, ...]
    excess: str | tuple[float, ...]
    n: int
    answer: str
    figures: bool
    request: str
    content: str = ""

    @cached_property
    def values(self) -> Floats:
        """What the candidate lost more, in numbers."""
        if isinstance(self.excess, str):
            signs = {"+": 1.0, "0": 0.0, "-": -1.0}
            return np.array([signs[c] for c in self.excess])
        return np.array(self.excess, dtype=float)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """All runs of a gate so far.

    Attributes
    ----------
    settings : mapping
        Claim, margin, measure, level, the largest loss of a case, and how files were read
        (positive class, costs, direction of scores, task, filter); fixed by the first run.
    entries : tuple of Entry
        The runs, in their order.
    """

    path: Path
    settings: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()
    lines: tuple[bytes, ...] = field(default=(), repr=False)

    @cached_property
    def known(self) -> dict[str, int]:
        """Hash of each case that was ever used -> the run that used it first."""
        return {case: e.run for e in self.entries for case in e.cases}

    def stream(self, version: str) -> Floats:
        """Return what one version lost more than the baseline on its new cases, in their order.

        A run without a version is of a model of its own, so nothing came before it: a good model's
        evidence must not pass a bad one.
        """
        own = (e for e in self.entries if version and e.version == version)
        parts = [e.values for e in own if not e.look]
        return np.concatenate([np.zeros(0), *parts])

    def stream_number(self, version: str) -> int:
        """Return which of the streams of new cases the next run goes on with, or begins.

        Each version has one for all its new cases, each run without a version one of its own.
        """
        numbers: dict[str, int] = {}
        begun = 0
        for entry in self.entries:
            if entry.look or entry.version in numbers:
                continue
            begun += 1
            if entry.version:
                numbers[entry.version] = begun
        return numbers.get(version, begun + 1)

    @cached_property
    def shown(self) -> frozenset[int]:
        """The runs of whose cases more than the answer was shown.

        Figures are of all new cases of a version so far, so earlier runs of it are told with them.
        """
        shown = {e.run: e.version for e in self.entries if e.figures}
        return frozenset(
            e.run
            for e in self.entries
            if any(
                e.run == run or (e.version == v and v and e.run < run) for run, v in shown.items()
            )
        )

    @property
    def changes(self) -> int:
        """How many answers differed from the one before."""
        answers = ["undecided", *(e.answer for e in self.entries)]
        return sum(a != b for a, b in pairwise(answers))

    def renamed(self, content: str) -> Entry | None:
        """Return the run whose cases were the same but for their names, if there was one."""
        return next((e for e in self.entries if e.content == content), None)

    @property
    def looks(self) -> int:
        """How many runs were on cases that were known before."""
        return sum(e.look for e in self.entries)

    def again(self, request: str, version: str) -> Entry | None:
        """Return the run that asked exactly the same, if there was one."""
        same = (e for e in self.entries if e.request == request and e.version == version)
        return next(same, None)

    def appended(self, entry: Entry) -> Ledger:
        """Return the ledger with one run more."""
        lines = self.lines or (_chained(self._head, b""),)
        line = _chained({"entry": _plain(entry)}, lines[-1])
        return replace(self, entries=(*self.entries, entry), lines=(*lines, line))

    @property
    def _head(self) -> dict[str, Any]:
        return {"kind": _KIND, "version": _VERSION, "settings": dict(self.settings)}

    def write(self) -> None:
        """Put the ledger in the place of the old one, whole or not at all."""
        replace_file(self.path, b"".join(line + b"\n" for line in self.lines), mode=0o644)


def read_ledger(
    path: str | Path,
    question: GateQuestion,
    measure: str | None,
    bound: float | None,
    asked: Mapping[str, Any] | None = None,
) -> Ledger:
    """Return the ledger of a file, or a new one; one that was begun otherwise is refused.

    `measure`, `bound` and `asked` (how the files were read) are None where there are no cases to
    tell them from.
    """
    settings = {
        "claim": question.claim,
        "margin": question.margin,
        "level": question.level,
        "measure": measure,
        "bound": None if bound is None else float(bound),
        **(asked or {}),
    }
    place = Path(path)
    if not place.exists():
        return Ledger(path=place, settings=settings)
    held, entries, lines = _read(place)
    untold = [name for name in ("measure", "bound") if settings[name] is None]
    settings |= {name: held.get(name) for name in untold}
    if asked is None:
        settings = {**held, **settings}
    names = dict.fromkeys([*settings, *held])
    odd = [name for name in names if held.get(name) != settings.get(name)]
    if odd:
        name = odd[0]
        raise InputError(
            f"{path} was begun with {name} {held.get(name)}, and this run has "
            f"{settings.get(name)}; a ledger answers one question",
            remedy="ask the same, or name a new file",
        )
    return Ledger(path=place, settings=settings, entries=entries, lines=lines)


def _read(path: Path) -> tuple[dict[str, Any], tuple[Entry, ...], tuple[bytes, ...]]:
    try:
        lines = file_bytes(path).splitlines()
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror})",
            at=str(path),
        ) from None
    before, entries, settings = b"", [], None
    for number, line in enumerate(lines, start=1):
        try:
            held = read_canonical(line)
            chain = held.pop("chain")
            if chain != _link(held, before):
                raise ValueError
            if settings is None:
                _check_kind(path, held)
                settings = dict(held["settings"])
            else:
                entries.append(_entry(held["entry"], len(entries) + 1))
        except _OtherVersion:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}, line {number} is not what referee wrote there: the ledger is corrupt and "
                "was left as it is",
                remedy="take it back from version control, or begin a new one with new cases",
            ) from None
        before = line
    if settings is None:
        raise InputError(
            f"{path} is empty, and no ledger of referee",
            remedy="remove it, or name another file",
        )
    return settings, tuple(entries), tuple(lines)


class _OtherVersion(InputError):
    """A ledger of another version of this program."""


def _check_kind(path: Path, held: dict[str, Any]) -> None:
    if held["kind"] != _KIND:
        raise ValueError
    if held["version"] != _VERSION:
        raise _OtherVersion(
            f"{path} is a ledger of version {held['version']}, and this referee keeps version "
            f"{_VERSION}, which shares the error otherwise",
            remedy="begin a new one with new cases",
        )


def _entry(held: dict[str, Any], number: int) -> Entry:
    excess = held["excess"]
    entry = Entry(
        **{
            **held,
            "cases": tuple(held["cases"]),
            "excess": excess if isinstance(excess, str) else tuple(excess),
        }
    )
    if entry.run != number or len(entry.cases) != len(entry.excess):
        raise ValueError
    return entry


def _plain(entry: Entry) -> dict[str, Any]:
    held = asdict(entry)
    held["cases"] = list(entry.cases)
    held["excess"] = entry.excess if isinstance(entry.excess, str) else list(entry.excess)
    return held


def compact(values: Floats) -> str | tuple[float, ...]:
    """Return numbers as signs where they are -1, 0 and 1."""
    listed = values.tolist()
    if all(v in _SIGNS for v in listed):
        return "".join(_SIGNS[v] for v in listed)
    return tuple(listed)


def _link(held: dict[str, Any], before: bytes) -> str:
    return hashlib.sha256(canonical_bytes(held) + b"\0" + before).hexdigest()


def _chained(held: dict[str, Any], before: bytes) -> bytes:
    return canonical_bytes({**held, "chain": _link(held, before)})
