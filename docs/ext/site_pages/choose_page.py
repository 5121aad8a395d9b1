"""The page that leads from what one has to the command and the method, as `referee choose` does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from referee.planning.advice import Advice, advise
from referee.planning.questions import QUESTIONS
from site_pages.markdown import bullets, section, table

__all__ = ["choose_page"]

_HEAD = """# Which method?

`referee choose` asks at most six questions on a terminal and answers with the command, the method
and the reason. Answers can be given as options: `referee choose --have predictions --say better`.
Questions and ways stand below; both are read from the code that answers.

"""


def choose_page() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of the page."""
    questions = "".join(
        f"**{question.text}** (`--{question.name}`)\n\n"
        + bullets(f"`{name}`: {text}" for name, text in question.known.items())
        + "\n"
        for question in QUESTIONS.values()
    )
    ways = table(("you have", "you want to say", "command", "method", "why"), _ways())
    ways += "Where questions were not answered here, the first answer was taken.\n"
    yield "reference/choose.md", _HEAD + section("Questions", questions) + section("Ways", ways)


def _ways() -> Iterator[tuple[str, ...]]:
    have, say = QUESTIONS["have"], QUESTIONS["say"]
    for first, second in itertools.product(have.known, say.known):
        if second in say.choices({"have": first}):
            yield _row(advise(have=first, say=second), have.known[first], say.known[second])


def _row(advice: Advice, *said: str) -> tuple[str, ...]:
    methods = ", ".join(method.name for method in advice.methods)
    return (*said, f"`{advice.command}`", methods, advice.reason)
