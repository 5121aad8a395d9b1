"""referee choose: which command and which method, from at most six questions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.screen import note, say
from referee.errors import InputError

if TYPE_CHECKING:
    from referee.planning.advice import Advice
    from referee.planning.questions import Question

__all__ = ["choose"]

_TRIES = 3


def choose(
    have: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            help="What there is: model, predictions, scores, datasets, published or nothing."
        ),
    ] = None,
    say_: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--say", help="What is to be said: good, better, no-worse, same, rank or structure."
        ),
    ] = None,
    kind: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="What is predicted: classes, ranking or numbers."),
    ] = None,
    together: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Whether cases belong together: no, groups or time."),
    ] = None,
    cases: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Whether models were tested on the same cases: same or different."),
    ] = None,
    looks: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="How often the cases are looked at: once, growing or again."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Find the command and the method for what you have and want to say.

    On a terminal it asks what the options do not answer, at most six questions; elsewhere the first
    choice that goes with the options is taken, and said.
    """
    from referee.planning.advice import advise, open_questions

    given = {"have": have, "say": say_, "kind": kind, "together": together}
    given |= {"cases": cases, "looks": looks}
    answers = {name: answer for name, answer in given.items() if answer is not None}
    advise(**answers)  # contradictions are named before anything is asked
    if sys.stdin is not None and sys.stdin.isatty() and not json:
        while (left := open_questions(answers)) != []:
            answers[left[0].name] = _asked(left[0], answers)
    advice = advise(**answers)
    for name, answer in advice.answers.items():
        if name not in answers:
            note(f"not said, so taken: --{name} {answer}")
    say(_as_json(advice) if json else str(advice))


def _asked(question: Question, answers: dict[str, str]) -> str:
    """Ask until the answer is one of the choices, by number or name."""
    choices = question.choices(answers)
    say(f"\n{question.text}")
    for number, (name, text) in enumerate(choices.items(), start=1):
        say(f"  {number}  {text}  ({name})")
    names = list(choices)
    for _ in range(_TRIES):
        say("> ", end="")
        line = sys.stdin.readline()
        answer = line.strip() or names[0]
        if not line:
            break
        if answer in names:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        say(f"Please answer with a number from 1 to {len(names)}, or a name.")
    raise InputError(
        "no answer", argument=question.name, remedy=f"pass --{question.name} {'|'.join(names)}"
    )


def _as_json(advice: Advice) -> str:
    from json import dumps

    return dumps(
        {
            "answers": dict(advice.answers),
            "command": advice.command,
            "python": advice.python,
            "methods": [{"name": m.name, "title": m.title} for m in advice.methods],
            "reason": advice.reason,
            "page": advice.page,
        },
        indent=2,
    )
