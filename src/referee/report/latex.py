"""A document as LaTeX: the sentence and its booktabs tables, ready for a paper.

It compiles with any engine. Letters that pdfTeX does not know are set where the engine can (XeTeX,
LuaTeX) and given by their number where it cannot.
"""

from __future__ import annotations

import re
import unicodedata

from referee.report.document import Document, Matrix, Table
from referee.report.legible import legible
from referee.report.text.text_pictures import as_table

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
    "—": "---",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "²": r"$^2$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "…": r"\ldots{}",
    "'": "'",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # a row that begins with a bracket would be taken for an option of the last
    "]": "{]}",
    "\u00a0": "~",
}
_HEAD = (
    r"""% needs \usepackage{booktabs,graphicx} and, with pdfTeX, \usepackage[T1]{fontenc}
\providecommand{\refereeletters}[2]{\ifdefined\Umathchar #1\else [#2]\fi}"""
    r"\providecommand{\resizebox}[3]{#3}"
)
_WITHIN = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{"
"""Tables wider than the column they stand in are set smaller; without graphicx as they are."""
_FOREIGN = re.compile("[^\x00-\x7f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e]+")
_WIDEST = 40
"""Columns with longer cells are set as paragraphs."""


def to_latex_text(document: Document) -> str:
    """Return the verdict and every table of the document in booktabs style."""
    document = legible(document)
    parts = [
        (section.title, table)
        for section in document.sections
        if not section.detail
        for table in map(_as_table, section.blocks)
        if table is not None
    ]
    labels = _labels([title for title, _ in parts])
    tables = [_table(title, t, label) for (title, t), label in zip(parts, labels, strict=True)]
    return "\n\n".join([_HEAD, _safe(document.verdict.sentence), *tables]) + "\n"


def _as_table(block: object) -> Table | None:
    if isinstance(block, Matrix):
        return as_table(block)
    return block if isinstance(block, Table) else None


def _labels(titles: list[str]) -> list[str]:
    """Return what each table is referred to by: its title, numbered where that comes again.

    Examples
    --------
    >>> _labels(["Measures", "Confusion matrix", "Measures"])
    ['tab:measures', 'tab:confusion-matrix', 'tab:measures-2']
    """
    labels: list[str] = []
    for title in titles:
        label = "tab:" + (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "table")
        again = sum(1 for t in titles[: len(labels)] if t == title)
        labels.append(f"{label}-{again + 1}" if again else label)
    return labels


def _table(title: str, table: Table, label: str) -> str:
    align = "".join(_column(table, number) for number in range(len(table.columns)))
    head = " & ".join(_safe(c.title) for c in table.columns)
    rows = [" & ".join(_safe(cell) for cell in row) + r" \\" for row in table.rows]
    caption = _safe(f"{title}. {table.caption}".strip())
    lines = [
        r"\begin{table}[htbp]",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"{_WITHIN}\begin{{tabular}}{{{align}}}",
        r"\toprule",
        head + r" \\",
        r"\midrule",
    ]
    return "\n".join([*lines, *rows, r"\bottomrule", r"\end{tabular}}", r"\end{table}"])


def _column(table: Table, number: int) -> str:
    if table.columns[number].numeric:
        return "r"
    longest = max((len(row[number]) for row in table.rows), default=0)
    return r"p{0.3\linewidth}" if longest > _WIDEST else "l"


def _safe(text: str) -> str:
    # Two hyphens would be taken for a dash.
    parts = re.split("(?<=-)(?=-)", text)
    return "{}".join(_FOREIGN.sub(_letters, _escaped(part)) for part in parts)


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(c, c) for c in text)


def _letters(run: re.Match[str]) -> str:
    r"""Return letters that not every engine sets, and their numbers.

    Examples
    --------
    >>> _safe("café"), _safe("שם"), _safe("👩‍👧")
    ('café', '\\refereeletters{שם}{U+05E9 U+05DD}', '\\refereeletters{👩‍👧}{U+1F469 U+1F467}')
    """
    shown = [c for c in run[0] if unicodedata.category(c) not in ("Cf", "Mn")]
    return rf"\refereeletters{{{run[0]}}}{{{' '.join(f'U+{ord(c):04X}' for c in shown)}}}"
