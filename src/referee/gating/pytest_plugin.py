"""The pytest plugin: a fixture `referee_gate`, and --referee-report DIR.

It is loaded by every run of pytest where referee is installed, so it imports nothing but pytest
until a test asks for the fixture.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from referee.gating.decision import Gate

_GATES: pytest.StashKey[list[tuple[str, str]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --referee-report."""
    group = parser.getgroup("referee")
    group.addoption(
        "--referee-report",
        metavar="DIR",
        default=None,
        help="write the report of every referee_gate into a folder of its own there",
    )


@pytest.fixture
def referee_gate(request: pytest.FixtureRequest) -> Callable[..., Gate]:
    """Hold a candidate against a baseline; the test fails unless the claim is shown.

    Call it as ``referee_gate(baseline, candidate, margin=0.01, ...)`` with the arguments of
    `referee.gate`. With ``undecided="pass"`` an undecided gate lets the test pass.
    """
    __tracebackhide__ = True

    def hold(baseline: Any, candidate: Any, **options: Any) -> Gate:
        __tracebackhide__ = True
        from referee.errors import RefereeError
        from referee.gating.gate import gate

        try:
            result = gate(baseline, candidate, **options)
        except RefereeError as problem:  # the message says what to mend, not where it was noticed
            raise problem.with_traceback(None) from None
        where = _written(request, result)
        kept = request.config.stash.setdefault(_GATES, [])
        kept.append((request.node.nodeid, result.line))
        if not result.passed:
            pytest.fail(_failure(result, where), pytrace=False)
        return result

    return hold


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List the gates, where there were any."""
    gates = config.stash.get(_GATES, [])
    if gates:
        terminalreporter.section("referee gates")
        for test, line in gates:
            terminalreporter.write_line(f"{test}: {line}")


def _written(request: pytest.FixtureRequest, result: Gate) -> Path | None:
    """Write the report where one was asked for; a second gate of a test gets a number."""
    asked = request.config.getoption("--referee-report")
    if asked is None:
        return None
    name = re.sub(r"[^\w.-]+", "-", request.node.nodeid).strip("-")
    folder, number = Path(asked) / name, 1
    seen = request.node.stash.setdefault(_FOLDERS, set())
    while folder in seen:
        number += 1
        folder = Path(asked) / f"{name}-{number}"
    seen.add(folder)
    return result.save(folder, force=True, figures=())


_FOLDERS: pytest.StashKey[set[Path]] = pytest.StashKey()


def _failure(result: Gate, where: Path | None) -> str:
    """Return what a failed test says: sentence, table, where the report is."""
    from referee.gating.describe_gate import gate_table
    from referee.report.document import Document, Section
    from referee.report.text.text import to_plain_text

    sections: tuple[Section, ...] = ()
    if result.compared is not None:
        sections = (Section("Both models", (gate_table([result]),)),)
    shown = Document(f"Gate: {result.name}", "", result.verdict, sections)
    lines = [to_plain_text(shown).rstrip(), ""]
    lines += [f"finding {finding}" for finding in result.findings]
    if where is None:
        lines.append("for a report: pytest --referee-report DIR")
    else:
        lines.append(f"report: {where / 'report.html'}")
    return "\n".join(lines)
