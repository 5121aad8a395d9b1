"""Advice: from what one has and what one wants to say to the command, the method and the reason.

The methods are not written down here: a situation like the one described is put before the same
catalogues that ``"auto"`` asks, so that the advice cannot differ from what is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from referee.core.dataset import Dataset
from referee.core.method import Method
from referee.core.results import Target
from referee.core.scores.scores import ItemScores
from referee.core.situation import Situation
from referee.errors import InputError, named, nearest
from referee.intervals.catalogue import AREA_INTERVALS, DIFFERENCE_INTERVALS, RISK_INTERVALS
from referee.intervals.scores.catalogue import MEAN_INTERVALS
from referee.measures import MEASURES
from referee.planning.questions import QUESTIONS, Question
from referee.resampling.choice import scheme_for, scheme_to_compare
from referee.significance.catalogue import COMPARISON_TESTS, DATASET_TESTS
from referee.significance.comparison_test import ComparisonSituation
from referee.significance.score_tests import SCORE_TESTS, ScoreSituation

__all__ = ["Advice", "advise", "open_questions"]

_CASES = 400
"""Cases of the made-up table a plan is asked for; what ``"auto"`` takes up to 2000."""


@dataclass(frozen=True)
class Advice:
    """What to do.

    Attributes
    ----------
    answers : mapping of str to str
        What was said, by question.
    command : str
        The command line.
    python : str
        The same in Python.
    methods : tuple of Method
        What ``"auto"`` takes there: the scheme's interval, the test, the interval of a difference.
    reason : str
        Why this way.
    page : str
        Where it is explained, relative to the documentation.
    """

    answers: Mapping[str, str]
    command: str
    python: str
    methods: tuple[Method, ...]
    reason: str
    page: str

    @property
    def sentence(self) -> str:
        """The methods and why, in words."""
        by = " and ".join(m.cited for m in self.methods)
        return f"{self.reason} Method: {by}." if by else self.reason

    def __str__(self) -> str:
        lines = ["Command", f"  {self.command}", "Python", f"  {self.python}"]
        lines += ["Method"] if self.methods else []
        for method in self.methods:
            lines.append(f"  {method.name}: {method.cited}")
            lines += [f"    assumes: {a}" for a in method.assumptions]
        return "\n".join([*lines, "Why", f"  {self.reason}", f"More: docs/{self.page}"])


def open_questions(answers: Mapping[str, str]) -> list[Question]:
    """Return the questions that these answers leave open, in the order in which they are asked."""
    return [q for q in QUESTIONS.values() if q.name not in answers and q.matters(answers)]


def advise(**answers: str) -> Advice:
    """Return the command, the method and the reason for what one has and wants to say.

    Parameters
    ----------
    **answers : str
        `have`, `say`, `kind`, `together`, `cases` and `looks`, as far as they matter; of a
        question that is not answered the first choice is taken that goes with what was said.

    Raises
    ------
    InputError
        For an unknown choice, and for answers that do not go together, naming both.

    Examples
    --------
    >>> advice = advise(have="predictions", say="better", cases="same")
    >>> [m.name for m in advice.methods][0]
    'mcnemar-exact'
    >>> advise(have="model", say="good").methods[0].name
    'effective-jeffreys'
    >>> advise(looks="growing").answers["have"]
    'predictions'
    """
    said = _checked(answers)
    while (left := open_questions(said)) != []:
        said[left[0].name] = _taken(left[0], said, answers)
    way = _WAYS[_way(said)]
    command, python = (_completed(text, said) for text in (way.command, way.python))
    methods = tuple(_methods(said))
    return Advice(MappingProxyType(said), command, python, methods, _reason(way, said), way.page)


def _checked(answers: Mapping[str, str]) -> dict[str, str]:
    said: dict[str, str] = {}
    for name in answers:
        if name not in QUESTIONS:
            raise InputError(f"question {name!r} is unknown", remedy=nearest(name, list(QUESTIONS)))
    for question in QUESTIONS.values():
        answer = answers.get(question.name)
        if answer is None:
            continue
        if answer not in question.known:
            choices = ", ".join(question.known)
            raise InputError(
                f"must be one of {choices}", argument=question.name, value=repr(answer)
            )
        if (clash := question.clash(answer, said)) is not None:
            other, value = clash
            raise InputError(
                f"{named(question.name)} {answer} and {named(other)} {value} contradict each other",
                remedy=f"leave one of them out; with {named(other)} {value}, "
                f"{question.possible(said)}",
            )
        said[question.name] = answer
    return said


def _taken(question: Question, said: Mapping[str, str], answers: Mapping[str, str]) -> str:
    """Return the first choice of a question that goes with every answer that was given."""
    clashes = []
    for choice in question.choices(said):
        trial = {**said, question.name: choice}
        clashes.append({n for n, a in answers.items() if QUESTIONS[n].clash(a, trial) is not None})
        if not clashes[-1]:
            return choice
    sizes = range(1, len(answers) + 1)
    few = (names for size in sizes for names in combinations(answers, size))
    blamed = next(names for names in few if all(clash & {*names} for clash in clashes))
    raise InputError(
        f"{' and '.join(f'{named(name)} {answers[name]}' for name in blamed)} contradict each "
        f"other: no answer to {named(question.name)} goes with both",
        remedy="leave one of them out",
    )


@dataclass(frozen=True)
class _Way:
    command: str
    python: str
    reason: str
    page: str


_WAYS = {
    "evaluate": _Way(
        "referee evaluate TABLE.csv --target COLUMN --model NAME{options}",
        "referee.evaluate(model, X, y{arguments})",
        "A model has to be judged on cases it was not trained on.",
        "tutorials/index.md",
    ),
    "compare": _Way(
        "referee compare TABLE.csv --target COLUMN --model FIRST --model SECOND{options}",
        'referee.compare({{"first": first, "second": second}}, X, y{arguments})',
        "Training sets overlap, so folds are not independent experiments.",
        "comparing.md",
    ),
    "permutation": _Way(
        "referee permutation-test TABLE.csv --target COLUMN --model NAME{options}",
        "referee.permutation_test(model, X, y{arguments})",
        "Would the model do as well on labels without a relation to the features? Retrained on "
        "shuffled labels, it shows what chance can do.",
        "permutation.md",
    ),
    "evaluate-predictions": _Way(
        "referee evaluate-predictions ANSWERS.csv --truth COLUMN --pred COLUMN{options}",
        "referee.evaluate_predictions(y_true, y_pred{arguments})",
        "The predictions are fixed: only which cases were tested is left to chance.",
        "methods.md",
    ),
    "compare-predictions": _Way(
        "referee compare-predictions NEW.csv OLD.csv --truth COLUMN --on ID{options}",
        'referee.compare_predictions(y_true, {{"new": new, "old": old}}{arguments})',
        "The predictions are fixed: only which cases were tested is left to chance.",
        "comparing.md",
    ),
    "gate": _Way(
        "referee gate BASELINE.csv CANDIDATE.csv --truth COLUMN --margin 0.01{options}",
        "referee.gate(baseline, candidate, margin=0.01{arguments})",
        "Not worse is shown by an interval that ends before the margin; that no difference was "
        "found shows nothing.",
        "ci.md",
    ),
    "evaluate-scores": _Way(
        "referee evaluate-scores SCORES.csv --only MODEL{options}",
        'referee.evaluate_scores(table, of="model"{arguments})',
        "One number per item: the mean, and how far another draw of items would move it.",
        "scores.md",
    ),
    "compare-scores": _Way(
        "referee compare-scores NEW.eval OLD.eval{options}",
        "referee.compare_scores(table{arguments})",
        "Both models answered the same items, so they are compared item by item.",
        "scores.md",
    ),
    "board": _Way(
        "referee board SCORES.csv{options}",
        "referee.board(table{arguments})",
        "A rank is an estimate as well: models that cannot be told apart share a tier.",
        "scores.md",
    ),
    "compare-datasets": _Way(
        "referee compare-datasets SCORES.csv",
        'referee.compare_datasets(scores={{"a": [...], "b": [...]}})',
        "Data sets are the cases here: a model wins by doing better on most of them.",
        "comparing.md",
    ),
    "audit-table": _Way(
        "referee audit-table --n 900 99.00 99.50",
        'referee.audit_table(["99.00", "99.50"], n=900)',
        "From rates and n alone: which counts are possible, and what the best case could show.",
        "comparing.md",
    ),
    "sample-size": _Way(
        "referee sample-size --a 0.90 --b 0.92",
        "referee.sample_size(a=0.90, b=0.92)",
        "Before any data: how many cases the claim takes.",
        "comparing.md",
    ),
    "vault": _Way(
        "referee vault seal TABLE.csv --target COLUMN --policy ladder --out VAULT",
        'referee.Vault.seal(X, y, policy="ladder", out="VAULT")',
        "A test set that is asked again and again is learned by whoever asks. Looks are counted, "
        "and the interval holds however the answers were used.",
        "vault.md",
    ),
}


def _way(said: Mapping[str, str]) -> str:
    """Return the verb."""
    have, say = said["have"], said.get("say")
    if said.get("looks") == "again":
        return "vault"
    alone = {"datasets": "compare-datasets", "published": "audit-table", "nothing": "sample-size"}
    if have in alone:
        return alone[have]
    if say == "no-worse" and have != "model":
        return "gate"
    if have == "scores":
        return {"good": "evaluate-scores", "rank": "board"}.get(str(say), "compare-scores")
    if say == "structure":
        return "permutation"
    verb = "evaluate" if say == "good" else "compare"
    return verb if have == "model" else f"{verb}-predictions"


_ADDED = {
    ("say", "no-worse"): (" --claim non-inferior --rope 0.01", ', claim="non-inferior", rope=0.01'),
    ("say", "same"): (" --claim equivalent --rope 0.01", ', claim="equivalent", rope=0.01'),
    ("kind", "ranking"): (" --measure auc", ', measure="auc"'),
    ("together", "groups"): (" --groups COLUMN", ", groups=groups"),
    ("together", "time"): (" --time COLUMN", ", time=time"),
    ("looks", "growing"): (" --sequential", ", sequential=True"),
}
"""What an answer adds to the command and to the call."""


def _completed(text: str, said: Mapping[str, str]) -> str:
    options, arguments = "", ""
    for question, answer in said.items():
        option, argument = _ADDED.get((question, answer), ("", ""))
        option, argument = _in_the_words_of(text, said, option, argument)
        options, arguments = options + option, arguments + argument
    if said["have"] == "scores":
        text = text.replace(" --truth COLUMN", "")
    if said.get("cases") == "different" and "compare-predictions" in text:
        options = options + " --unpaired"
        text = text.replace(" --on ID", "")
    return text.format(options=options, arguments=arguments)


def _in_the_words_of(
    text: str, said: Mapping[str, str], option: str, argument: str
) -> tuple[str, str]:
    """Return option and argument as this verb has them; empty where it says so by itself."""
    if "gate" in text and "claim" in option:
        return "", ""
    if "evaluate" in text and "measure" in option:
        # One model is judged by a claim about the measure.
        return ' --claim "auc >= 0.8"', ', claim="auc >= 0.8"'
    if said["have"] == "scores" and "groups" in option:
        return " --cluster COLUMN", ', cluster="column"'
    if "gate" in text and "sequential" in option:
        return " --sequential STATE", ', sequential="STATE"'
    return option, argument


def _reason(way: _Way, said: Mapping[str, str]) -> str:
    reasons = [way.reason]
    if said.get("together") == "groups":
        reasons.append("Cases of one group move together in splits, intervals and tests.")
    if said.get("together") == "time":
        reasons.append("Models are trained on the past only.")
    if said.get("looks") == "growing":
        reasons.append("The answer holds whenever one looks or stops.")
    if said.get("say") == "rank" and said["have"] != "scores":
        reasons.append("Pairs are many, so p-values are raised by Holm's method.")
    return " ".join(reasons)


def _methods(said: Mapping[str, str]) -> list[Method]:
    way = _way(said)
    if way in ("permutation", "audit-table", "sample-size", "vault"):
        return []
    if way == "compare-datasets":
        return [DATASET_TESTS["wilcoxon" if said["say"] != "rank" else "iman-davenport"]]
    if said["have"] == "scores":
        return _of_scores(said)
    if said["have"] == "model":
        return _of_learners(said)
    return _of_predictions(said)


def _of_scores(said: Mapping[str, str]) -> list[Method]:
    clustered = said.get("together") == "groups"
    items = _items(said, clustered=clustered)
    if said["say"] == "good":
        return [MEAN_INTERVALS.choose(items)]
    situation = ScoreSituation(
        paired=said.get("cases") != "different",
        binary=said.get("kind") == "classes" and not clustered,
        clustered=clustered,
    )
    return [SCORE_TESTS.choose(situation)]


def _items(said: Mapping[str, str], *, clustered: bool) -> ItemScores:
    """Return scores of the kind described: right or wrong, or numbers without limits."""
    right = said.get("kind") == "classes"
    values = np.tile([0.0, 1.0], 20) if right else np.linspace(-3.0, 9.0, 40)
    low, high = (0.0, 1.0) if right else (-np.inf, np.inf)
    cluster = np.repeat(np.arange(10), 4) if clustered else None
    return ItemScores(values=values, cluster=cluster, low=low, high=high)


def _of_learners(said: Mapping[str, str]) -> list[Method]:
    data = _table(said)
    if said["say"] == "good":
        plan = scheme_for("auto", data).scheme.plan(data)
        situation = Situation.of_plan(plan, data, target=Target.CONDITIONAL)
        return [_interval(said, situation)]
    halvings = 0 if said.get("kind") == "ranking" else 40
    plan = scheme_to_compare("auto", data, halvings=halvings).scheme.plan(data)
    return [COMPARISON_TESTS.choose(ComparisonSituation.of_plan(plan, data, **_asked(said)))]


def _of_predictions(said: Mapping[str, str]) -> list[Method]:
    described: dict[str, Any] = {
        "n": _CASES,
        "smallest_test": _CASES,
        "grouped": said.get("together") == "groups",
        "zero_one": said.get("kind") != "numbers",
    }
    if said["say"] == "good":
        return [_interval(said, Situation(target=Target.FIXED, **described))]
    situation = ComparisonSituation(
        paired=said.get("cases") != "different", **described, **_asked(said)
    )
    test = COMPARISON_TESTS.choose(situation)
    if said.get("kind") != "classes" or situation.sequential:
        return [test]
    interval = DIFFERENCE_INTERVALS.choose(situation)
    # A margin is judged by its own test; the test of no difference would be the wrong one.
    return [interval] if said["say"] in ("same", "no-worse") else [test, interval]


def _interval(said: Mapping[str, str], situation: Situation) -> Method:
    if said.get("kind") == "ranking":
        return AREA_INTERVALS[AREA_INTERVALS.automatic[0]]
    return RISK_INTERVALS.choose(situation)


def _asked(said: Mapping[str, str]) -> dict[str, Any]:
    asked: dict[str, Any] = {"sequential": said.get("looks") == "growing"}
    if said.get("kind") == "ranking":
        asked["measure"] = MEASURES["auc"]
    return asked


def _table(said: Mapping[str, str]) -> Dataset:
    """Return a table of the kind described; its values do not matter, only its shape."""
    numeric = said.get("kind") == "numbers"
    rows = np.arange(_CASES)
    return Dataset.of(
        rows[:, None] * 1.0,
        rows * 1.0 if numeric else rows % 2,
        groups=rows // 4 if said.get("together") == "groups" else None,
        time=rows if said.get("together") == "time" else None,
        numeric=numeric,
    )
