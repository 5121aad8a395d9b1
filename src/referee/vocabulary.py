"""The words in which messages name arguments: those of whoever asked.

A Python user reads ``by='loo'`` and ``groups=``, somebody at the command line ``--by loo`` and
``--groups``. Messages get these words from `arg` and `named` when they are made, so never at
import; `speaking` says who asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

__all__ = [
    "FLAGS",
    "OPTIONS",
    "PYTHON",
    "VOCABULARIES",
    "Vocabulary",
    "arg",
    "in_these_words",
    "named",
    "speaking",
    "verb",
    "vocabulary",
    "worth_of",
]


@dataclass(frozen=True)
class Vocabulary:
    """How Python users write arguments, and how every vocabulary is asked.

    Attributes
    ----------
    name : str
        What a bundle calls it.
    """

    name: str

    def named(self, argument: str) -> str:
        """Return the name of an argument, as the subject of a sentence."""
        return _SHORT.get(argument, argument)

    def asked_for(self, argument: str) -> str:
        """Return an argument as one that is to be passed."""
        return f"{_SHORT.get(argument, argument)}="

    def written(self, argument: str, value: object) -> str:
        """Return an argument with its value."""
        return f"{_SHORT.get(argument, argument)}={value!r}"


_SHORT = {"inner_by": "by", "relabelling": "labels"}
"""Arguments of one name in Python that have an option for each function."""

FLAGS = {
    "a": "--a",
    "about": "--about",
    "adjust": "--adjust",
    "at_least": "--at-least",
    "at_most": "--at-most",
    "b": "--b",
    "baseline": "--baseline",
    "by": "--by",
    "cases": "--cases",
    "claim": "--claim",
    "closes": "--closes",
    "cluster": "--cluster",
    "confidence": "--confidence",
    "control": "--control",
    "costs": "--costs",
    "database": "--database",
    "decimals": "--decimals",
    "discordance": "--discordance",
    "dismiss": "--dismiss",
    "error": "--error",
    "failures": "--failures",
    "figures": "--figures",
    "filter": "--filter",
    "force": "--force",
    "groups": "--groups",
    "have": "--have",
    "header": "--header",
    "human": "--human",
    "ids": "--id",
    "inner_by": "--inner-folds",
    "interval": "--interval",
    "item": "--item",
    "k": "--k",
    "key": "--key",
    "kind": "--kind",
    "labels": "--label",
    "labels_file": "--labels",
    "level": "--level",
    "limits": "--limits",
    "looks": "--looks",
    "margin": "--margin",
    "max_error": "--max-error",
    "max_fits": "--max-fits",
    "measure": "--measure",
    "measures": "--measure",
    "missing": "--missing",
    "model": "--model",
    "models": "--only",
    "most": "--most",
    "n": "--n",
    "n_jobs": "--jobs",
    "backend": "--cluster",
    "checkpoint": "--checkpoint",
    "name": "--name",
    "non_inferior": "--non-inferior",
    "null": "--null",
    "of": "--only",
    "on": "--on",
    "opening": "--opening",
    "opens": "--opens",
    "out": "--out",
    "passphrase": "--passphrase-file",
    "per_day": "--per-day",
    "permutations": "--permutations",
    "policy": "--policy",
    "port": "--port",
    "pos_label": "--pos-label",
    "power": "--power",
    "pred": "--pred",
    "priors": "--prior",
    "public": "--public",
    "public_key": "--public-key",
    "random_state": "--seed",
    "registration": "--registration",
    "relabelling": "--labels",
    "repetitions": "--repetitions",
    "repeats": "--repeats",
    "rope": "--rope",
    "rounds": "--rounds",
    "run": "--run",
    "same_model": "--same-model",
    "sample_weight": "--weight",
    "weights_in_fit": "--weights-in-fit",
    "say": "--say",
    "score": "--score",
    "scores": "--score",
    "separator": "--separator",
    "sequential": "--sequential",
    "significance": "--significance",
    "step": "--step",
    "stop_after": "--stop-after",
    "task": "--task",
    "test": "--test",
    "test_share": "--test-share",
    "time": "--time",
    "together": "--together",
    "total": "--total",
    "truth": "--truth",
    "undecided": "--undecided",
    "values": "--value",
    "vault": "--vault",
    "vault_key": "--vault-key",
    "version": "--version",
    "weight": "--weight",
    "workers": "--workers",
    "y_pred": "--pred",
    "y_preds": "--pred",
    "y_score": "--score",
    "y_scores": "--score",
    "y_true": "--truth",
}
"""From arguments to the options that stand for them, of one command or another."""

_WHOLE = {
    ("drop_copies", True): "--drop-copies",
    ("paired", False): "--unpaired",
    ("sequential", True): "--sequential",
    ("force", True): "--force",
    ("greater_is_better", False): "--smaller-is-better",
    ("greater_is_better", True): "--greater-is-better",
    ("header", False): "--no-header",
    ("header", True): "--header",
    # Stratification has no option: what "auto" chooses is all a command line needs.
    ("stratify", "best effort"): "--by auto",
    ("stratify", False): "--by loo",
}
"""Options that stand for an argument together with its value."""


@dataclass(frozen=True)
class _Options(Vocabulary):
    """How arguments are written on the command line; those without an option, as in Python."""

    def named(self, argument: str) -> str:
        return FLAGS.get(argument, argument)

    def asked_for(self, argument: str) -> str:
        return FLAGS.get(argument) or super().asked_for(argument)

    def written(self, argument: str, value: object) -> str:
        flag = "--by" if argument == "folds" else FLAGS.get(argument)
        try:
            whole = _WHOLE.get((argument, value))
        except TypeError:  # a list
            whole = None
        if whole is not None:
            return whole
        if flag is None:
            return super().written(argument, value)
        values = value if isinstance(value, (list, tuple)) else (value,)
        return " ".join([flag, *map(_word, values)])


def _word(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


PYTHON = Vocabulary("python")
OPTIONS: Vocabulary = _Options("options")
VOCABULARIES = {v.name: v for v in (PYTHON, OPTIONS)}
"""Every vocabulary, by the name a bundle calls it."""

_SPOKEN: ContextVar[Vocabulary] = ContextVar("vocabulary", default=PYTHON)


def vocabulary() -> Vocabulary:
    """Return the vocabulary that is spoken here."""
    return _SPOKEN.get()


@contextmanager
def speaking(words: Vocabulary) -> Iterator[None]:
    """Name arguments in other words for a while.

    Examples
    --------
    >>> with speaking(OPTIONS):
    ...     named("level"), arg("by", "loo"), arg("measures", ["auc"]), arg("groups")
    ('--level', '--by loo', '--measure auc', '--groups')
    """
    token = _SPOKEN.set(words)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


_NOTHING = object()


def arg(argument: str, value: object = _NOTHING) -> str:
    """Return an argument with its value, or as one to be passed, as the user would write it.

    Examples
    --------
    >>> arg("by", "loo"), arg("max_fits", 10), arg("groups")
    ("by='loo'", 'max_fits=10', 'groups=')
    """
    words = _SPOKEN.get()
    return words.asked_for(argument) if value is _NOTHING else words.written(argument, value)


def named(argument: str) -> str:
    """Return the name of an argument, as the user knows it.

    Examples
    --------
    >>> named("pos_label")
    'pos_label'
    """
    return _SPOKEN.get().named(argument)


def verb(function: str) -> str:
    """Return a function's name as the user calls it.

    Examples
    --------
    >>> verb("evaluate_scores")
    'evaluate_scores'
    """
    return f"referee {function.replace('_', '-')}" if _SPOKEN.get() is OPTIONS else function


def worth_of(word: object) -> str:
    """Return how a word is given a worth among scores.

    Examples
    --------
    >>> worth_of("maybe")
    "values={'maybe': ...}"
    """
    if _SPOKEN.get() is OPTIONS:
        return f"--value '{word}=NUMBER'"
    return f"values={{{word!r}: ...}}"


@dataclass(frozen=True)
class _Spoken:
    """A function that speaks a vocabulary wherever it is called."""

    function: Callable[..., Any]
    words: Vocabulary

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        with speaking(self.words):
            return self.function(*arguments, **options)


def in_these_words(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function for a worker: threads and processes do not know what is spoken here.

    Examples
    --------
    >>> with speaking(OPTIONS):
    ...     elsewhere = in_these_words(named)
    >>> named("level"), elsewhere("level")
    ('level', '--level')
    """
    return _Spoken(function, _SPOKEN.get())
