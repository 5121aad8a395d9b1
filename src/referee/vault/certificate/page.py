"""The certificate as a page: one sheet of paper, made from what is signed and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from referee.core.showing.numbers import level_text, p_text, percent
from referee.vault.certificate.protocol.plan import plan_of

__all__ = ["MOST_ROWS", "certificate_page", "rule_text"]

MOST_ROWS = 10
"""More rows would not fit on the sheet; the statement has them all."""


def certificate_page(predicate: Mapping[str, Any]) -> bytes:
    """Return the page; every text in it is escaped."""
    results = predicate["results"]
    order = {"FAIL": 0, "UNDECIDED": 1, "PASS": 2}
    shown = sorted(results, key=lambda r: order[r["outcome"]])[:MOST_ROWS]
    shown = [r for r in results if r in shown]
    text: str = _template().render(
        p=predicate,
        rows=[_row(r) for r in shown],
        overall=[_row(r) for r in predicate["overall"]],
        several=len({r["part"] for r in results}) > 1,
        hidden=len(results) - len(shown),
        plan=plan_of(predicate["plan"]).text,
        rule=rule_text(predicate),
        level=level_text(predicate["level"]),
        alpha=percent(1 - predicate["level"]),
    )
    return (text + "\n").encode()


def rule_text(predicate: Mapping[str, Any]) -> str:
    """Say how strata and parts were put together."""
    several = len(predicate["results"]) > 1
    level = level_text(predicate["level"])
    if not several:
        return f"One test, at {level}."
    if predicate["rule"] == "single":
        return (
            f"Every stratum is a claim of its own: tests of PASS are adjusted by Holm over the "
            f"strata, tests of FAIL by Holm over all tests, so that all are right together with "
            f"{level} confidence. Bounds hold together."
        )
    return (
        f"Everything must hold (an intersection-union test): each test of PASS has the full level, "
        f"{level}; tests of FAIL are adjusted by Holm. Each bound holds for itself."
    )


def _row(result: Mapping[str, Any]) -> dict[str, str]:
    share = len(result["counts"]) == 1
    write = percent if share else _points
    counts = str(result["counts"][0])
    if not share:
        counts = f"+{result['counts'][1]} / −{result['counts'][2]}"
    return {
        "part": result["part"],
        "stratum": result["stratum"],
        "n": str(result["n"]),
        "counts": counts,
        "value": "–" if result["value"] is None else write(result["value"]),
        "bound": write(result["bound"]),
        "interval": f"{write(result['low'])} to {write(result['high'])}",
        "p": p_text(result.get("p_pass_adjusted", result["p_pass"])),
        "outcome": result.get("outcome", ""),
        "note": result["note"],
    }


def _points(value: float) -> str:
    return f"{100 * value:+.2f} pts"


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader

    loader = PackageLoader("referee.vault.certificate")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.get_template("certificate.html")
