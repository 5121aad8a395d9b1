"""Writes docs/reference.md from the catalogues: python docs/reference.py.

Nothing on that page is written by hand, so a method that is registered is documented by that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

from referee.checks import CHECKS
from referee.checks.scores import SCORE_CHECKS
from referee.cli.app import app
from referee.cli.terminal.catalogued import LISTED, LISTS, filled
from referee.intervals.catalogue import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
)
from referee.intervals.scores.catalogue import MEAN_INTERVALS
from referee.measures import MEASURES
from referee.resampling import SCHEMES
from referee.significance.catalogue import ADJUSTMENTS, COMPARISON_TESTS, DATASET_TESTS
from referee.significance.score_tests import SCORE_TESTS
from referee.vault.sealed.policies import CATALOGUE as POLICIES

PAGE = Path(__file__).parent / "reference.md"

_HEAD = """# Reference

Made by `python docs/reference.py` from the catalogues that the library itself reads; a test fails
when it is stale. The measured coverage and size of each method: [calibration](calibration.md).
"""
METHODS = (
    ("Intervals of a risk", "interval", RISK_INTERVALS),
    ("Intervals of an area under the ROC curve", "interval", AREA_INTERVALS),
    ("Intervals of a difference", "interval", DIFFERENCE_INTERVALS),
    ("Intervals that belong to a measure", "", MEASURE_INTERVALS),
    ("Intervals of a mean score", "interval", MEAN_INTERVALS),
    ("Tests of two models", "significance", COMPARISON_TESTS),
    ("Tests of two models by their scores", "significance", SCORE_TESTS),
    ("Tests over data sets", "significance", DATASET_TESTS),
    ("Adjustments for several pairs", "adjust", ADJUSTMENTS),
    ("Release policies of a sealed test set", "policy", POLICIES),
)
"""Every catalogue of methods: its title, the argument by which one is chosen, the catalogue."""
FINDINGS = (CHECKS, SCORE_CHECKS)
"""Every catalogue of checks."""


def page() -> str:
    """Return the page as Markdown."""
    parts = [_HEAD]
    for title, argument, catalogue in METHODS:
        parts.append(f"## {title}\n\n{_chosen(argument, catalogue)}{_methods(catalogue)}")
    parts.append(f"## Measures\n\n{_measures()}")
    parts.append(f"## Schemes\n\nBy `by=` or `--by`.\n\n{_schemes()}")
    parts.append(f"## Findings\n\nMore on each: [findings](findings.md).\n\n{_findings()}")
    parts.append(f"## Commands\n\n{_commands()}")
    return "\n".join(parts)


def _chosen(argument: str, catalogue: Any) -> str:
    if not argument:
        return "Not asked for by name.\n\n"
    order = ", ".join(f"`{name}`" for name in catalogue.automatic)
    several = len(catalogue.automatic) > 1
    auto = f' `"auto"` takes the first of {order} that suits.' if several else ""
    return f"By `{argument}=` or `--{argument}`.{auto}\n\n"


def _methods(catalogue: Any) -> str:
    rows = (
        (
            f"`{m.name}`",
            m.title,
            "; ".join(c.key for c in m.citations),
            "" if m.target is None else m.target.value,
            "; ".join(m.assumptions),
            m.flag,
        )
        for m in catalogue.values()
    )
    return _table(("name", "what it is", "reference", "target", "assumes", "mind"), rows)


def _measures() -> str:
    rows = (
        (
            f"`{m.name}`",
            m.title,
            "greater" if m.greater_is_better else "smaller",
            f"{m.low:g} to {m.high:g}",
            needs(m),
        )
        for m in MEASURES.values()
    )
    return _table(("name", "what it is", "better", "range", "needs"), rows)


def needs(measure: Any) -> str:
    """Return what a measure needs, in words."""
    wanted = {
        "the positive class": measure.positive,
        "probabilities": measure.probabilities,
        "scores": measure.scores and not measure.probabilities,
        "costs": measure.costs,
        "one model": measure.one_fit,
    }
    return ", ".join(name for name, needed in wanted.items() if needed) or "labels"


def _schemes() -> str:
    rows = ((f"`{s.name}`", s.title, "; ".join(s.assumptions)) for s in SCHEMES.values())
    return _table(("name", "what it is", "assumes"), rows)


def _findings() -> str:
    rows = (
        (f"[{c.name}](findings.md#{c.name})", c.title, " or ".join(s.value for s in c.severities))
        for checks in FINDINGS
        for c in checks.values()
    )
    return _table(("code", "title", "severity"), rows)


def _commands() -> str:
    return "\n".join(_command(name, command) for name, command in commands())


def commands() -> Iterator[tuple[str, Any]]:
    """Return every command with its whole name, as ("referee vault seal", command)."""
    yield from _leaves("referee", typer.main.get_command(app))


def _leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for called, child in children.items():
        yield from _leaves(f"{name} {called}", child)


def _command(name: str, command: Any) -> str:
    rows = [
        (
            ", ".join(f"`{o}`" for o in (*p.opts, *p.secondary_opts)),
            " ".join(filled(p.help).split()),
        )
        for p in command.params
        if getattr(p, "help", None) is not None and p.name != "help"
    ]
    summary = " ".join((command.help or "").split("\n\n")[0].split())
    return f"### {name}\n\n{summary}\n\n{_table(('option', 'what it does'), rows)}"


def _plain(text: str) -> str:
    return " ".join(filled(text).split())


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def listed() -> str:
    """Return what the help of the command line lists, as JSON."""
    return json.dumps({name: names() for name, names in LISTS.items()}, indent=1) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    LISTED.write_text(listed(), encoding="utf-8")
