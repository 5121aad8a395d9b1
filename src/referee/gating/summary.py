"""A gate as a few lines of Markdown, for the summary page of a CI job."""

from __future__ import annotations

from referee.core.results import Outcome
from referee.gating.decision import Gate
from referee.gating.describe_gate import gate_table
from referee.gating.family import GateFamily
from referee.report.document import Document, Section
from referee.report.markdown import to_markdown_text

__all__ = ["to_summary"]

_MARKS = {Outcome.PASS: "✅", Outcome.FAIL: "❌", Outcome.UNDECIDED: "❔"}


def to_summary(result: Gate | GateFamily) -> str:
    """Return a heading, the sentence, a table of both models and the findings."""
    gates = result.gates if isinstance(result, GateFamily) else (result,)
    p_values = result.p_values if isinstance(result, GateFamily) else None
    sections = [Section("Both models", (gate_table(gates, p_values),))]
    if isinstance(result, Gate) and result.compared is None:
        sections = []  # figures are withheld
    from referee.report.describe import describe

    sections += [s for s in describe(result).sections if s.title == "Findings"]
    document = Document(
        title=f"{_MARKS[result.outcome]} Gate: {result.name}",
        subtitle="",
        verdict=result.verdict,
        sections=tuple(sections),
    )
    lines = to_markdown_text(document).splitlines()
    text = "\n".join(
        line for line, above in zip(lines, ["", *lines], strict=False) if line or above
    )
    return f"#{text}\n\n"
