"""R051: models were not asked in the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["DIFFERENT_PROMPTS", "check"]

_OWN = "chat template"
"""The one setting that belongs to the model: each is asked in the words it was trained on."""


def check(scores: Scores) -> Finding | None:
    """Report few-shot examples, prompts and other settings that differ between two logs."""
    for first, second in _pairs(scores.logs):
        difference = _settings(first, second) or _prompts(first, second)
        if difference:
            one_model = first.model == second.model
            return DIFFERENT_PROMPTS.finding(
                severity=Severity.NOTE if one_model else Severity.WARNING,
                message=(
                    f"{difference} ({first.path} and {second.path}); a difference in scores is "
                    + ("one of the ways of asking." if one_model else "not of the models alone.")
                ),
                remedy=(
                    "Right if the ways of asking are what you compare."
                    if one_model
                    else "Ask both models in the same way, or say what is compared."
                ),
            )
    return None


def _pairs(logs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Give each log with the first one of the same task and tool, from another model."""
    first: dict[tuple[str, str], Any] = {}
    for log in logs:
        other = first.setdefault((log.format, log.task), log)
        if other.name != log.name:
            yield other, log


def _settings(first: Any, second: Any) -> str:
    one = {**first.settings, "filter": first.filter}
    two = {**second.settings, "filter": second.filter}
    differing = [name for name in one if name != _OWN and one[name] != two.get(name, one[name])]
    return "; ".join(
        f"{name}: {_short(one[name])} for {first.name}, {_short(two[name])} for {second.name}"
        for name in differing[:3]
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _prompts(first: Any, second: Any) -> str:
    """Compare the hashes of prompts to the same questions."""
    if first.prompt_hash is None or second.prompt_hash is None:
        return ""
    if first.settings.get(_OWN) != second.settings.get(_OWN):
        return ""
    asked = dict(zip(_keys(first), first.prompt_hash.tolist(), strict=True))
    given = dict(zip(_keys(second), second.prompt_hash.tolist(), strict=True))
    shared = [(asked[key], own) for key, own in given.items() if key in asked]
    known = [(a, b) for a, b in shared if a is not None and b is not None]
    other = sum(a != b for a, b in known)
    if not other:
        return ""
    return f"{other} of {len(known)} prompts differ between {first.name} and {second.name}"


def _keys(log: Any) -> list[tuple[str, int]]:
    return list(zip(log.item.tolist(), log.run.tolist(), strict=True))


DIFFERENT_PROMPTS = ScoreCheck(
    "R051",
    title="asked in different ways",
    compute=check,
    cause="Few-shot examples, prompts or settings differ between logs; a note for one model.",
    remedy="Ask both models in the same way, or say what is compared.",
    severities=(Severity.WARNING, Severity.NOTE),
)
