"""LaTeX: balanced, and every special character of a name escaped."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from results import KINDS, NAMES


def test_braces_and_environments_balance(result):
    text = result.latex()
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") >= 1


def test_no_special_character_is_left_bare(make):
    body = "\n".join(make("markup").latex().splitlines()[2:])
    body = re.sub(r"(?<!\\)&(?= )", "", body)  # column separators
    body = body.replace(r"$\times$", "")
    for special in "%$#_&":
        assert not re.search(rf"(?<!\\){re.escape(special)}", body), special
    assert r"50\% \& \$5 \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}" in body


def test_every_row_has_as_many_cells_as_columns(make):
    text = make("cv").latex()
    for table in text.split(r"\begin{table}")[1:]:
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", table)[1]
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        assert all(len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1 for row in rows)


@pytest.mark.slow
def test_every_result_compiles(tmp_path):
    """Oracle: pdfTeX itself, which stops at the first error."""
    assert shutil.which("pdflatex"), (
        "this test needs pdflatex with booktabs: apt-get install texlive-latex-recommended"
    )
    parts = [make(*names).latex() for make in KINDS.values() for names in NAMES.values()]
    body = "\n\\clearpage\n".join(parts)
    source = (
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    ran = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout.decode(errors="replace")[-3000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
