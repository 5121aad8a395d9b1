"""Help that lists what the catalogues hold, read only when somebody asks for help.

An option whose help says ``{intervals}`` lists the intervals there are, those of other packages
included. Importing the catalogues takes a while, so what they hold in a plain installation stands
in ``listed.json`` (written by ``python docs/reference.py``; a test fails when it is stale). They
are read where other packages offer methods, or where they were imported already.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from referee.errors import InputError

__all__ = ["LISTED", "LISTS", "CataloguedCommand", "filled"]


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def _by_kind(methods: Iterable[tuple[str, str]]) -> str:
    names: dict[str, list[str]] = {}
    for kind, name in methods:
        names.setdefault(kind, []).append(name)
    return "auto; " + "; ".join(f"{kind}: {', '.join(of)}" for kind, of in names.items())


def _intervals() -> str:
    from referee.intervals import AREA_INTERVALS, RISK_INTERVALS

    return f"auto, {_listed(RISK_INTERVALS)}; for the AUC {_listed(AREA_INTERVALS)}"


def _difference_intervals() -> str:
    from referee.intervals import DIFFERENCE_INTERVALS

    return _by_kind((m.cases, m.name) for m in DIFFERENCE_INTERVALS.values())


def _tests() -> str:
    from referee.significance.catalogue import COMPARISON_TESTS

    return _by_kind((t.setting.value, t.name) for t in COMPARISON_TESTS.values())


def _dataset_tests() -> str:
    from referee.significance.catalogue import DATASET_TESTS
    from referee.significance.datasets.dataset_test import Role

    for_what = {Role.PAIR: "two models", Role.ALL: "all", Role.AFTER: "which differ"}
    tests = [t for t in DATASET_TESTS.values() if t.role in for_what]
    return _by_kind((for_what[t.role], t.name) for t in tests)


def _mean_intervals() -> str:
    from referee.intervals import MEAN_INTERVALS

    return f"auto, {_listed(MEAN_INTERVALS)}"


def _score_tests() -> str:
    from referee.significance.score_tests import SCORE_TESTS

    tests = SCORE_TESTS.values()
    return _by_kind(("shared items" if t.paired else "items of their own", t.name) for t in tests)


def _policies() -> str:
    from referee.vault.sealed.policies import CATALOGUE

    return "; ".join(f"{name} ({p.summary or p.title})" for name, p in CATALOGUE.items())


def _adjustments() -> str:
    from referee.significance.catalogue import ADJUSTMENTS

    return _listed(ADJUSTMENTS)


def _measures() -> str:
    from referee.measures import MEASURES

    return _listed(MEASURES)


def _schemes() -> str:
    from referee.resampling import SCHEMES

    return f"auto, {', '.join(SCHEMES)}, a number of folds, or 10x10"


def _checks() -> str:
    from referee.checks import CHECKS

    return "; ".join(f"{code} {check.title}" for code, check in CHECKS.items())


def _models() -> str:
    from referee.learners import CATALOGUE

    return f"{', '.join(CATALOGUE)}, or package.module:Class(name=value, ...)"


LISTS: dict[str, Callable[[], str]] = {
    "adjustments": _adjustments,
    "checks": _checks,
    "dataset_tests": _dataset_tests,
    "difference_intervals": _difference_intervals,
    "intervals": _intervals,
    "mean_intervals": _mean_intervals,
    "measures": _measures,
    "models": _models,
    "policies": _policies,
    "schemes": _schemes,
    "score_tests": _score_tests,
    "tests": _tests,
}
"""What may stand between braces in the help of an option."""

LISTED = Path(__file__).with_name("listed.json")
"""What the catalogues hold in a plain installation."""


def _plain() -> dict[str, str] | None:
    """Return the lists of a plain installation; None where they may be longer."""
    # Imported here, for every command imports this file and few ask for help.
    import json
    from importlib.metadata import entry_points

    imported = any(f"referee.{package}" in sys.modules for package in ("intervals", "measures"))
    if imported or entry_points(group="referee.methods") or not LISTED.exists():
        return None
    return dict(json.loads(LISTED.read_text(encoding="utf-8")))


_MARK = re.compile(r"\{(" + "|".join(LISTS) + r")\}")


def filled(text: str) -> str:
    """Return the text with its marks replaced by the names of the catalogues.

    Examples
    --------
    >>> filled("Interval of a difference: {difference_intervals}.")
    'Interval of a difference: auto; same cases: exact-paired, bonett-price, tango,
    newcombe-paired, wald-paired; same cases in groups: bonett-price-clustered; different cases:
    exact-unpaired, newcombe-unpaired,
    wald-unpaired.'
    """
    plain = _plain()
    return _MARK.sub(lambda match: LISTS[match[1]]() if plain is None else plain[match[1]], text)


_ONCE = ("target", "truth")


class CataloguedCommand(TyperCommand):
    """A command whose help is filled from the catalogues, and that takes one target."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; of two targets the last would be taken without a word."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in order:
            once = parameter.name in _ONCE and not getattr(parameter, "multiple", False)
            if once and order.count(parameter) > 1:
                raise InputError(
                    f"{parameter.opts[0]} was given {order.count(parameter)} times, and one column "
                    "is judged at a time; labels of one case are named by a pattern, as 'topic_*'",
                    concerning=parameter.name or "",
                )
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with all names that can be given."""
        written = [p for p in self.params if getattr(p, "help", None)]
        marked = [p.help for p in written]  # type: ignore[attr-defined]
        try:
            for parameter, text in zip(written, marked, strict=True):
                parameter.help = filled(text)  # type: ignore[attr-defined]
            super().format_help(ctx, formatter)
        finally:  # the catalogues may hold other names when help is asked for again
            for parameter, text in zip(written, marked, strict=True):
                parameter.help = text  # type: ignore[attr-defined]
