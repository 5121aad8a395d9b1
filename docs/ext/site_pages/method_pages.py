"""A page for every method: what it is, assumes and refuses, and how it was tried."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from referee.core import Target
from referee.study import calibrated
from site_pages.catalogues import DOCS, one_page, slug
from site_pages.markdown import bullets, contents, facts_list, section, table
from site_pages.refusals import refusals

__all__ = ["ABOUT", "method_pages"]

ABOUT = {
    Target.FIXED: "these models, as they are, on new cases",
    Target.CONDITIONAL: "the model trained on all the cases given, on new cases (C)",
    Target.EXPECTED: "models that the learner makes from samples of this size, on average (E)",
}
"""What each target means, in words."""


def method_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page."""
    overview = []
    for title, argument, catalogue in one_page().METHODS:
        folder = f"reference/methods/{slug(title)}"
        for method in catalogue.values():
            yield f"{folder}/{method.name}.md", _page(method, title, argument, catalogue)
        yield f"{folder}/index.md", _list(title, argument, catalogue)
        overview.append(f"{slug(title)}/index")
    yield "reference/methods/index.md", _HEAD + contents(overview, hidden=False, depth=2)


_HEAD = """# Methods

Every interval, test, adjustment and release policy: what it is, what it assumes, where it is
refused, and how often it was right where the truth is known. What `"auto"` takes stands at the
head of each list.

"""


def _list(title: str, argument: str, catalogue: Any) -> str:
    rows = (
        (
            f"[{m.name}]({m.name}.md)",
            m.title,
            m.target.value if m.target else "",
            "⚠" if m.flag else "",
        )
        for m in catalogue.values()
    )
    listed = table(("name", "what it is", "target", "mind"), rows)
    return f"# {title}\n\n{_chosen(argument, catalogue)}\n\n{listed}\n" + contents(catalogue)


def _chosen(argument: str, catalogue: Any) -> str:
    if not argument:
        return "They belong to a measure and are not asked for by name."
    order = ", ".join(f"[`{name}`]({name}.md)" for name in catalogue.automatic)
    auto = f' `"auto"` takes the first of {order} that suits.' if catalogue.automatic else ""
    return f"Chosen by `{argument}=` in Python and `--{argument}` on the command line.{auto}"


def _page(method: Any, title: str, argument: str, catalogue: Any) -> str:
    facts = [
        ("chosen by", f'`{argument}="{method.name}"`' if argument else "not asked for by name"),
        ("also called", ", ".join(f"`{a}`" for a in method.aliases)),
        ("kind", f"[{title}](index.md)"),
        ("speaks about", _about(method)),
        ("by itself", _automatic(method, catalogue)),
    ]
    flag = (
        f":::{{warning}}\n{method.flag[:1].upper()}{method.flag[1:]}.\n:::\n\n"
        if method.flag
        else ""
    )
    works = (f"**{c.key}**: {c.work}" for c in method.citations)
    return (
        f"# {method.name}\n\n{method.title[:1].upper()}{method.title[1:]}.\n\n{flag}"
        + facts_list(facts)
        + section("Formula", method.formula and f"{method.formula.strip()}\n")
        + section("Assumes", bullets(_assumed(method, catalogue)))
        + section("Refused where", bullets(refusals(method)))
        + section("How often it was right", _tried(method, catalogue))
        + section("References", bullets(works))
    )


_ALONE = ("serial", "known")
"""Intervals that need no independent cases."""


def _assumed(method: Any, catalogue: Any) -> tuple[str, ...]:
    """Return what must hold: of intervals also that cases, or groups, are independent."""
    if catalogue.noun != "interval" or method.name in _ALONE:
        return tuple(method.assumptions)
    drawn = "cases, or the groups that are named, are independent draws of what the model will meet"
    return (drawn, *method.assumptions)


def _about(method: Any) -> str:
    if method.target is None:
        return "what was asked for"
    return f"{method.target.value}: {ABOUT.get(method.target, '')}".rstrip(": ")


def _automatic(method: Any, catalogue: Any) -> str:
    if method.name not in catalogue.automatic:
        return "only where it is asked for" if catalogue.automatic else ""
    return f'number {catalogue.automatic.index(method.name) + 1} of those that `"auto"` tries'


def _tried(method: Any, catalogue: Any) -> str:
    # Some names are both an interval's and a test's.
    quantity = {"interval": "coverage", "test": "size"}.get(catalogue.noun, "")
    records = list(_records(method.name, quantity))
    if not records:
        return f"{method.measured}\n" if method.measured else ""
    rows = (
        (
            r.by,
            r.target,
            f"{r.mean:.3f} ± {r.error:.3f}" if r.repetitions else f"{r.mean:.3f}",
            f"{r.worst:.3f} ± {r.worst_error:.3f}" if r.repetitions else f"{r.worst:.3f}",
            r.worst_cell,
            r.how,
        )
        for r in records
    )
    head = ("plan", "held against", "mean", "at worst", "where", "how")
    nominal = f"Nominal {quantity} is {'.95' if quantity == 'coverage' else '.05'}. "
    return f"{nominal}{_cell_by_cell(method.name)}\n\n{table(head, rows)}"


def _records(name: str, quantity: str) -> Iterator[Any]:
    """Return what the calibration table says, one record for each plan and target."""
    for target, by in itertools.product(Target, _plans()):
        record = calibrated(name, target=target.value, quantity=quantity, by=by)
        if record is not None:
            yield record


@cache
def _plans() -> tuple[str, ...]:
    """Return the plans that the calibration table knows, in its order."""
    rows = vars(sys.modules[calibrated.__module__])["_rows"]()
    return tuple(dict.fromkeys(row["by"] for row in rows))


@cache
def _tried_sections() -> frozenset[str]:
    text = (DOCS / "calibration.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^## (\S+)$", text, re.MULTILINE))


def _cell_by_cell(name: str) -> str:
    if name not in _tried_sections():
        return "All trials: [calibration](/calibration.md)."
    return f"Cell by cell: [calibration](/calibration.md#{name})."
