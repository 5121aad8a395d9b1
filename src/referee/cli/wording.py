"""Messages speak of arguments; on the command line they should speak of options."""

from __future__ import annotations

import re
import shlex
import sys

__all__ = ["command_line", "flags"]

_NAMES = {
    "by": "--by",
    "groups": "--groups",
    "time": "--time",
    "significance": "--significance",
    "measure": "--measure",
    "rope": "--rope",
    "y_scores": "--score",
    "y_preds": "--pred",
    "interval": "--interval",
    "pos_label": "--pos-label",
    "max_error": "--max-error",
    "max_fits": "--max-fits",
    "about": "--about",
    "level": "--level",
    "costs": "--costs",
    "stop_after": "--stop-after",
    "labels": "--label",
    "measures": "--measure",
    "sample_weight": "--weight",
    "test_share": "--test-share",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    "y_score": "--score",
    "y_true": "--truth",
    "y_pred": "--pred",
    "item": "--item",
    "model": "--model",
    "score": "--score",
    "run": "--run",
    "cluster": "--cluster",
    "weight": "--weight",
    "human": "--human",
    "models": "--only",
    "of": "--only",
    "k": "--k",
    "at_least": "--at-least",
    "at_most": "--at-most",
    "task": "--task",
    "filter": "--filter",
    "missing": "--missing",
    "same_model": "--same-model",
}
_WORDS = "|".join(_NAMES)
_UNMISTAKABLE = "|".join(name for name in _NAMES if "_" in name)


def flags(text: str, *, bare: bool = True) -> str:
    """Return the text with keyword arguments written as options.

    A name without "=" is taken for an argument where `bare`, as in messages; in reports it may be
    the name of a column or a model.

    Examples
    --------
    >>> flags("use by='loo'"), flags("pass groups= so that copies stay together")
    ('use --by loo', 'pass --groups so that copies stay together')
    >>> flags("pass header=False"), flags("level must lie between 0 and 1")
    ('pass --no-header', '--level must lie between 0 and 1')
    >>> flags("max_error must lie between 0 and 1"), flags("no column 'max_error'")
    ('--max-error must lie between 0 and 1', "no column 'max_error'")
    >>> flags("how y_pred does; pass measures=['auc']", bare=False)
    'how y_pred does; pass --measure auc'
    """
    text = text.replace("header=True", "--header").replace("header=False", "--no-header")
    text = text.replace("pass force=True", "use --force")
    text = text.replace("claim='non-inferior'", "--non-inferior")
    text = re.sub(r"\bvalues=\{'([^']*)': \.\.\.\}", r"--value '\1=NUMBER'", text)
    text = text.replace("values=", "--value").replace("limits=(lowest, highest)", "--limits")
    text = re.sub(r"\blimits=", "--limits", text)
    text = re.sub(r"\b(evaluate|compare)_scores\b", r"referee \1-scores", text)
    text = re.sub(r"^level\b", "--level", text)
    text = re.sub(r"^(null|permutations|labels)\b(?= must)", r"--\1", text)
    text = re.sub(r"\b(null|labels)='(labels|features|shuffled|sampled)'", r"--\1 \2", text)
    text = re.sub(r"^priors\b", "--prior", text)
    # Stratification has no option: what "auto" chooses is all a command line needs.
    text = text.replace("stratify='best effort'", "--by auto").replace("stratify=False", "--by loo")
    text = re.sub(r"\bfolds=(\d+)", r"--by \1", text)
    text = re.sub(rf"\b({_WORDS})=\['([^']*)'\]", lambda m: f"{_NAMES[m[1]]} {m[2]}", text)
    text = re.sub(rf"\b({_WORDS})='([^']*)'", lambda m: f"{_NAMES[m[1]]} {m[2]}", text)
    text = re.sub(rf"\b({_WORDS})=([\d.]*\d)", lambda m: f"{_NAMES[m[1]]} {m[2]}", text)
    text = re.sub(rf"\b({_WORDS})=", lambda m: _NAMES[m[1]], text)
    if not bare:
        return text
    return re.sub(rf"(?<!['\w./-])({_UNMISTAKABLE})(?!['\w./-])", lambda m: _NAMES[m[1]], text)


def command_line() -> str:
    """Return the command that is being run, as it can be typed again."""
    return shlex.join(["referee", *sys.argv[1:]])
