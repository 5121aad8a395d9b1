"""Wanted: which task, score, filter and fields are to be read from a log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from referee.core.arguments import check_text
from referee.core.showing.counting import few_quoted
from referee.errors import InputError, LogError, arg, nearest

__all__ = ["Wanted", "first_of"]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a user asks of a log.

    Attributes
    ----------
    task : tuple of str
        Names of tasks, or patterns such as ``mmlu_*``; empty means every task.
    score : str or None
        The name of the score; None where the log has only one. Of several names, parted by a bar
        as in ``acc|exact_match``, the first that a log has.
    filter : str or None
        The filter (lm-evaluation-harness) or perturbation (HELM) whose scores are meant.
    fields : tuple of str
        Dotted paths of the fields to read besides.
    run : str or None
        The field that tells runs apart, where the format has none of its own.
    values : mapping of str to float
        What words among the scores are worth, besides those the tool defines.
    seen : dict of str
        The tasks that were met while reading, for the message where none was the one asked for.

    Examples
    --------
    >>> Wanted(task=("mmlu_*",)).takes("mmlu_law"), Wanted().takes("gsm8k")
    (True, True)
    >>> Wanted(score="acc").choice(["acc", "acc_norm"], "score", "samples.jsonl")
    'acc'
    >>> Wanted().choice(["acc", "acc_norm"], "score", "samples.jsonl")
    Traceback (most recent call last):
    ...
    referee.errors.LogError: samples.jsonl has several scores: 'acc', 'acc_norm'; choose one with
    score=
    """

    task: tuple[str, ...] = ()
    score: str | None = None
    filter: str | None = None
    fields: tuple[str, ...] = ()
    run: str | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    seen: dict[str, None] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, asked in (("score", self.score), ("filter", self.filter)):
            if asked is not None:
                check_text(name, asked, example="acc|exact_match" if name == "score" else "none")
        for word, worth in self.values.items():
            if isinstance(worth, bool) or not isinstance(worth, (int, float)) or worth != worth:
                raise InputError(
                    f"values[{word!r}] must be a number, got {worth!r}", concerning="values"
                )

    def takes(self, task: str, *others: str) -> bool:
        """Return whether a task is among those asked for, by its name or by another one."""
        self.seen[task] = None
        return not self.task or any(
            name == pattern or fnmatchcase(name, pattern)
            for pattern in self.task
            for name in (task, *others)
        )

    def choice(self, names: Iterable[str], what: str, place: str) -> str:
        """Return the one score or filter that is meant.

        Parameters
        ----------
        names : iterable of str
            What the log has, each once.
        what : "score" or "filter"
            Which of the two is chosen.
        place : str
            The file, for messages.
        """
        known = list(names)
        asked = self.score if what == "score" else self.filter
        if asked is None:
            if len(known) == 1:
                return known[0]
            if not known:
                raise LogError(
                    f"{place} has no {what}",
                    at=place,
                    remedy="check that the evaluation was scored",
                )
            raise LogError(
                f"{place} has several {what}s: {few_quoted(known, most=20)}",
                at=place,
                remedy=f"choose one with {arg(what)}",
            )
        chosen = first_of(asked, known)
        if chosen is None:
            raise LogError(
                f"{place} has no {what} {asked!r}",
                at=place,
                remedy=nearest(asked, known),
            )
        return chosen


def first_of(asked: str, names: Iterable[str]) -> str | None:
    """Return the name that is asked for, or the first of several that are parted by a bar.

    Examples
    --------
    >>> first_of("acc|exact_match", ["exact_match", "f1"]), first_of("acc", ["f1"])
    ('exact_match', None)
    """
    known = list(names)
    return next((name for name in (asked, *asked.split("|")) if name in known), None)
