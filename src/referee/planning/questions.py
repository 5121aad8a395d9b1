"""The six questions that lead to a method, and which answers go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.errors import named

__all__ = ["QUESTIONS", "Question"]


@dataclass(frozen=True)
class Question:
    """One question with its choices.

    Attributes
    ----------
    name : str
        The name of the answer, as an argument and as an option.
    text : str
        The question.
    known : mapping of str to str
        The choices, and what each means.
    only : mapping of (str, str) to tuple of str
        Where an earlier question was answered in this way, the only choices that are left; none
        where the question does not matter then.
    """

    name: str
    text: str
    known: Mapping[str, str]
    only: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def choices(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Return the choices that the answers so far leave."""
        left = dict(self.known)
        for said, kept in self.only.items():
            if said in answers.items():
                left = {name: text for name, text in left.items() if name in kept}
        return left

    def matters(self, answers: Mapping[str, str]) -> bool:
        """Tell whether the question is worth asking after these answers."""
        return len(self.choices(answers)) > 1

    def clash(self, answer: str, answers: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the earlier answer that this one contradicts; None where there is none."""
        for said, kept in self.only.items():
            if said in answers.items() and answer not in kept:
                return said
        return None

    def possible(self, answers: Mapping[str, str]) -> str:
        """Return which answers go with the earlier ones, in words."""
        left = list(self.choices(answers))
        if not left:
            return f"{named(self.name)} does not matter"
        if len(left) == 1:
            return f"{named(self.name)} can only be {left[0]}"
        return f"{named(self.name)} can be {', '.join(left[:-1])} or {left[-1]}"


_ALL = (
    Question(
        "have",
        "What do you have?",
        {
            "model": "a model (or several) and a table to train and test it on",
            "predictions": "predictions of fixed models on test cases",
            "scores": "one number per item: answers marked, losses, evaluation logs",
            "datasets": "one score of each model on each of several data sets",
            "published": "a published table of percentages",
            "nothing": "nothing yet: I am planning",
        },
    ),
    Question(
        "say",
        "What do you want to be able to say?",
        {
            "good": "how good one model is",
            "better": "one model is better than another",
            "no-worse": "a model is not worse than another by more than a margin",
            "same": "two models do not differ by more than a margin",
            "rank": "an order of several models",
            "structure": "the model found something, it was not chance",
        },
        {
            ("have", "predictions"): ("good", "better", "no-worse", "same", "rank"),
            ("have", "scores"): ("good", "better", "no-worse", "same", "rank"),
            ("have", "datasets"): ("better", "rank"),
            ("have", "published"): ("better",),
            ("have", "nothing"): ("better",),
        },
    ),
    Question(
        "kind",
        "What is predicted, and how is it judged?",
        {
            "classes": "classes, or right and wrong: the share of errors",
            "ranking": "scores that order cases: the area under the ROC curve",
            "numbers": "numbers: how far off they are on average",
        },
        {
            ("have", "scores"): ("classes", "numbers"),
            ("have", "datasets"): (),
            ("have", "published"): (),
            ("have", "nothing"): (),
            ("say", "structure"): ("classes", "numbers"),
        },
    ),
    Question(
        "together",
        "Do cases belong together?",
        {
            "no": "no, each is independent of the others",
            "groups": "yes, in groups: patients, documents, subjects",
            "time": "they are ordered in time",
        },
        {
            ("have", "predictions"): ("no", "groups"),
            ("have", "scores"): ("no", "groups"),
            ("say", "structure"): ("no", "groups"),
            ("have", "datasets"): (),
            ("have", "published"): (),
            ("have", "nothing"): (),
        },
    ),
    Question(
        "cases",
        "Were the models tested on the same cases?",
        {"same": "yes, on the same cases", "different": "no, each on its own"},
        {
            ("have", "model"): ("same",),
            ("have", "datasets"): (),
            ("have", "published"): (),
            ("have", "nothing"): (),
            ("say", "good"): (),
            ("say", "rank"): ("same",),
            ("say", "no-worse"): ("same",),
            ("together", "groups"): ("same",),
        },
    ),
    Question(
        "looks",
        "How often will these cases be looked at?",
        {
            "once": "once, at the end",
            "growing": "again and again while new cases come in",
            "again": "again and again at the same secret test set",
        },
        {
            ("have", "model"): ("once",),
            ("have", "scores"): ("once",),
            ("have", "datasets"): (),
            ("have", "published"): (),
            ("have", "nothing"): (),
            ("say", "rank"): ("once",),
            ("kind", "ranking"): ("once", "again"),
            ("kind", "numbers"): ("once",),
            ("together", "groups"): ("once", "again"),
            ("together", "time"): ("once",),
            ("cases", "different"): ("once",),
        },
    ),
)

QUESTIONS = {question.name: question for question in _ALL}
"""Name -> question, in the order in which they are asked."""
