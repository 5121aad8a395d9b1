"""The questions every fixture log asks, and two models whose answers never change.

Nothing here is random: whether a model is right on a question in a run is decided by a hash, so
that the same logs come out each time (but for dates and ids that the tools invent).
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

SUBJECTS = ("addition", "subtraction", "multiplication", "division", "squares", "remainders")
ABILITY = {"alpha": 0.9, "beta": 0.1}


@dataclass(frozen=True)
class Question:
    """A question with its answer, four choices, a subject and how hard it is."""

    number: int
    subject: str
    text: str
    answer: str
    choices: tuple[str, ...]
    hardness: float

    @property
    def gold(self) -> int:
        """Which of the choices is right."""
        return self.choices.index(self.answer)


def questions() -> list[Question]:
    """Return thirty questions, five of each subject."""
    made = []
    for number in range(30):
        subject = SUBJECTS[number % len(SUBJECTS)]
        text, value = _arithmetic(subject, 12 + 3 * number, 2 + number % 7)
        wrong = [value + 1, value - 1, value + 10]
        place = number % 4
        choices = [str(w) for w in wrong]
        choices.insert(place, str(value))
        hardness = 0.8 * (SUBJECTS.index(subject) - 2.5) / 2.5 + share(f"hard {number}") - 0.5
        made.append(Question(number, subject, text, str(value), tuple(choices), hardness))
    return made


def _arithmetic(subject: str, a: int, b: int) -> tuple[str, int]:
    return {
        "addition": (f"What is {a} + {b}?", a + b),
        "subtraction": (f"What is {a} - {b}?", a - b),
        "multiplication": (f"What is {a} * {b}?", a * b),
        "division": (f"What is {a * b} / {b}?", a),
        "squares": (f"What is {a} squared?", a * a),
        "remainders": (f"What is the remainder of {a} divided by {b}?", a % b),
    }[subject]


def share(text: str) -> float:
    """Return a number between 0 and 1 that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64


def right(model: str, question: Question, run: int = 1) -> bool:
    """Return whether a model answers a question rightly in a run."""
    chance = 1 / (1 + math.exp(-2.5 * (ABILITY[model] - question.hardness)))
    return share(f"{model} {question.number} {run}") < chance


def answer(model: str, question: Question, run: int = 1) -> str:
    """Return what a model answers."""
    if right(model, question, run):
        return question.answer
    return question.choices[(question.gold + 1 + run % 3) % 4]
