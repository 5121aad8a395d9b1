"""Entries of the log in words: who did what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.arena.scoring.organising import LogEntry

__all__ = ["words_of"]

_OWNER = "whoever owns the server"


def words_of(entry: LogEntry, names: Mapping[int, str]) -> str:
    """Say what an entry records; one of an unknown kind is named by it.

    Parameters
    ----------
    entry : LogEntry
        From the log.
    names : mapping of int to str
        Account -> its name.

    Examples
    --------
    >>> content = {"benchmark": "wine", "version": 1, "by": "Olga", "closes_at": "2027"}
    >>> words_of(LogEntry(7, "2026", "extended", content, "ab"), {})
    'Olga moved the deadline of wine to 2027'
    >>> chosen = {"benchmark": "wine", "account": 3}
    >>> words_of(LogEntry(8, "2026", "finals", chosen, "ab"), {3: "Ada"})
    'Ada chose finals in wine'
    """
    content = entry.content
    who = names.get(content.get("account", 0), "somebody")
    by = content.get("by") or _OWNER
    slug = content.get("benchmark", "")
    sentences = {
        "account": lambda: f"{content['name']} registered ({content['role']}, {content['state']})",
        "approved": lambda: f"{by} approved {who}",
        "disabled": lambda: f"{by} disabled {who}",
        "linked": lambda: f"{by} let {who} share the tries of {_team(content, names)}",
        "password": lambda: f"{who} got a new password",
        "benchmark": lambda: f"{by} created {slug}, version {content['version']}",
        "frozen": lambda: f"{by} froze {slug}",
        "thawed": lambda: f"{by} opened {slug} again",
        "extended": lambda: f"{by} moved the deadline of {slug} to {content['closes_at']}",
        "finished": lambda: f"{by} finished {slug}, version {content['version']}",
        "finals": lambda: f"{who} chose finals in {slug}",
        "submission": lambda: f"{who} submitted to {slug}: {_answer(content)}",
    }
    return sentences[entry.kind]() if entry.kind in sentences else entry.kind


def _team(content: Mapping[str, Any], names: Mapping[int, str]) -> str:
    return names.get(content.get("team", 0), "somebody")


def _answer(content: Mapping[str, Any]) -> str:
    released = content["released"]
    return "not improved" if released is None else f"released {released['value']:.4f}"
