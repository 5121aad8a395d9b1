"""Outputs of promptfoo: the JSON file that ``promptfoo eval -o output.json`` writes.

A result is a test case answered by one provider to one prompt. Where an output has several prompts,
each pair of provider and prompt is a model. Test cases have no names, so a question is known
by its variables and assertions; ``--repeat`` makes runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import LogError
from referee.sources.logs.fields import MISSING, as_text, digest, field_column
from referee.sources.logs.log import Log, column
from referee.sources.logs.marks import mark
from referee.sources.logs.opening import Kind, Opened
from referee.sources.logs.wanted import Wanted

__all__ = ["claims_promptfoo", "read_promptfoo"]

_NEWEST = 3
_ERROR = 2
"""The failureReason of a result that has no answer; 1 is an assertion that did not hold."""

_HOMES = ("testCase.metadata", "testCase.vars", "testCase", "metadata", "vars")
_JUDGED = ("llm-rubric", "model-graded", "factuality", "g-eval", "answer-relevance", "context-")


def claims_promptfoo(opened: Opened) -> bool:
    """Return whether a file was written by promptfoo."""
    if opened.kind is not Kind.JSON or not opened.has("results", "config"):
        return False
    inner = opened.content["results"]
    return isinstance(inner, dict) and "results" in inner and "version" in inner


def read_promptfoo(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read an output: a log for each provider and prompt."""
    path, content = opened.path, opened.content
    version = content["results"].get("version")
    if not isinstance(version, int) or version != _NEWEST:
        newer = isinstance(version, int) and version > _NEWEST
        raise LogError(
            f"{path}, field 'results.version': {version!r} is "
            f"{'newer' if newer else 'older'} than {_NEWEST}, which this reader knows; "
            f"{'update referee' if newer else 'run the evaluation again with a newer promptfoo'}",
            at=str(path),
        )
    task = str((content.get("config") or {}).get("description") or Path(path).stem)
    if not wanted.takes(task):
        return []
    results = sorted(content["results"]["results"], key=lambda r: int(r.get("testIdx", 0)))
    metric = _metric(path, results, wanted)
    repeat = int((content.get("runtimeOptions") or {}).get("repeat") or 1)
    answerers: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for result in results:
        answerers.setdefault((_provider(result), int(result.get("promptIdx", 0))), []).append(
            result
        )
    several = len({_prompt_name(result) for result in results}) > 1
    return [
        _log(path, task, metric, answers, repeat, content, wanted, several)
        for answers in answerers.values()
    ]


def _log(
    path: str,
    task: str,
    metric: str,
    answers: Sequence[dict[str, Any]],
    repeat: int,
    content: Mapping[str, Any],
    wanted: Wanted,
    several: bool,
) -> Log:
    hashes = [_question(answer) for answer in answers]
    items, runs = _occurrences(hashes, repeat)
    scores = [
        mark(_value(answer, metric), f"{path}, test {answer.get('testIdx')}", metric, wanted.values)
        for answer in answers
    ]
    return Log(
        path=path,
        format="promptfoo",
        model=_provider(answers[0]),
        label=_label(answers[0]) if several else "",
        task=task,
        metric=metric,
        item=column(items),
        score=np.array(scores, dtype=np.float64),
        run=np.array(runs, dtype=np.intp),
        problem=column([_problem(a, s) for a, s in zip(answers, scores, strict=True)]),
        item_hash=column(hashes),
        prompt_hash=column([digest((a.get("prompt") or {}).get("raw")) for a in answers]),
        fields={f: field_column(answers, f, _HOMES, path) for f in wanted.fields},
        higher_is_better=True,
        judge=_judges(answers, content),
        settings={"prompt": _prompt_name(answers[0])},
        origin=str(Path(path).with_suffix("")),
        unit="test",
    )


def _metric(path: str, results: Sequence[Mapping[str, Any]], wanted: Wanted) -> str:
    """Return the score that is meant: promptfoo's own, pass or fail, or one of the named ones."""
    if wanted.score is None:
        return "score"
    named = dict.fromkeys(name for r in results for name in r.get("namedScores") or {})
    return wanted.choice(["score", "success", *named], "score", path)


def _value(answer: Mapping[str, Any], metric: str) -> Any:
    if answer.get("failureReason") == _ERROR:
        return MISSING
    if metric in ("score", "success"):
        return answer.get(metric, MISSING)
    return (answer.get("namedScores") or {}).get(metric, MISSING)


def _problem(answer: Mapping[str, Any], score: float) -> str:
    if not math.isnan(score):
        return ""
    if answer.get("failureReason") == _ERROR:
        return f"error: {str(answer.get('error') or 'no answer').splitlines()[0][:200]}"
    return "the test has no assertion of this name"


def _question(answer: Mapping[str, Any]) -> str:
    case = answer.get("testCase") or {}
    return digest(case.get("description"), case.get("vars"), case.get("assert"))


def _occurrences(hashes: Sequence[str], repeat: int) -> tuple[list[str], list[int]]:
    """Return an item and a run for each answer; a question asked more often is another item."""
    seen: dict[str, int] = {}
    items, runs = [], []
    for name in hashes:
        before = seen.get(name, 0)
        seen[name] = before + 1
        copy = before // repeat
        items.append(name[:12] if not copy else f"{name[:12]}#{copy + 1}")
        runs.append(before % repeat + 1)
    return items, runs


def _provider(answer: Mapping[str, Any]) -> str:
    provider = answer.get("provider") or {}
    if isinstance(provider, str):
        return provider
    return str(provider.get("label") or provider.get("id") or "model")


def _prompt_name(answer: Mapping[str, Any]) -> str:
    prompt = answer.get("prompt") or {}
    return str(prompt.get("label") or prompt.get("raw") or "")


def _label(answer: Mapping[str, Any]) -> str:
    """Return a name for a provider asked by one of several prompts."""
    prompt = " ".join(_prompt_name(answer).split())
    short = prompt if len(prompt) <= 40 else f"{prompt[:39]}…"
    return f"{_provider(answer)} [{short}]"


def _judges(answers: Sequence[Mapping[str, Any]], content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return who marked the answers where an assertion asks a model."""
    standard = ((content.get("config") or {}).get("defaultTest") or {}).get("options") or {}
    names: dict[str, None] = {}
    for answer in answers:
        case = answer.get("testCase") or {}
        for assertion in case.get("assert") or []:
            kind = str(assertion.get("type", "")).removeprefix("not-")
            if kind.startswith(_JUDGED):
                own = assertion.get("provider") or (case.get("options") or {}).get("provider")
                judge = own or standard.get("provider") or "promptfoo's default judge"
                names[as_text(judge) or ""] = None
    return tuple(names)
