"""A gate as JUnit XML, which CI servers show among the tests."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from referee.core.results import Outcome
from referee.gating.decision import Gate
from referee.gating.family import GateFamily
from referee.report.legible import one_line

__all__ = ["to_junit"]


def to_junit(result: Gate | GateFamily) -> str:
    """Return the XML: a test case for each gate.

    Undecided is a failure or a success by its policy, and otherwise a skipped test.
    """
    gates = result.gates if isinstance(result, GateFamily) else (result,)
    suite = ET.Element("testsuite", name="referee gate", tests=str(len(gates)), errors="0")
    kinds = [_case(suite, gate) for gate in gates]
    for kind, plural in (("failure", "failures"), ("skipped", "skipped")):
        suite.set(plural, str(kinds.count(kind)))
    ET.indent(suite)
    text: str = ET.tostring(suite, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _case(suite: ET.Element, gate: Gate) -> str:
    case = ET.SubElement(
        suite, "testcase", classname=f"referee.{gate.measure}", name=one_line(gate.label)
    )
    line = one_line(gate.line)
    kind = "" if gate.passed else "failure"
    if gate.outcome is Outcome.UNDECIDED and gate.question.undecided == "report":
        kind = "skipped"
    if kind:
        ET.SubElement(case, kind, message=line)
    else:
        ET.SubElement(case, "system-out").text = line
    return kind
