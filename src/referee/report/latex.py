"""A document as LaTeX: a booktabs table and the sentence, ready for a paper."""

from __future__ import annotations

from referee.report.document import Document, Table

__all__ = ["to_latex_text"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "×": r"$\times$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "…": r"\ldots{}",
}


def to_latex_text(document: Document) -> str:
    """Return every table of the document in booktabs style, after the verdict."""
    tables = [b for s in document.sections for b in s.blocks if isinstance(b, Table)]
    parts = ["% needs \\usepackage{booktabs}", _safe(document.verdict.sentence)]
    return "\n\n".join([*parts, *(_table(t) for t in tables)]) + "\n"


def _table(table: Table) -> str:
    align = "".join("r" if c.numeric else "l" for c in table.columns)
    head = " & ".join(_safe(c.title) for c in table.columns)
    rows = [" & ".join(_safe(cell) for cell in row) + r" \\" for row in table.rows]
    lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", head + r" \\", r"\midrule"]
    return "\n".join([*lines, *rows, r"\bottomrule", r"\end{tabular}"])


def _safe(text: str) -> str:
    return "".join(_ESCAPES.get(c, c) for c in text)
