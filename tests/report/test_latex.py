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
    text = result.to_latex()
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") >= 1


def test_no_special_character_is_left_bare(make):
    body = "\n".join(make("markup").to_latex().splitlines()[2:])
    body = re.sub(r"(?<!\\)&(?= )", "", body)  # column separators
    body = body.replace(r"$\times$", "").replace("$-$", "")
    for special in "%$#_&":
        assert not re.search(rf"(?<!\\){re.escape(special)}", body), special
    assert r"50\% \& \$5 \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}" in body


def test_every_row_has_as_many_cells_as_columns(make):
    text = make("cv").to_latex()
    for table in text.split(r"\begin{table}")[1:]:
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", table)[1]
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        assert all(len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1 for row in rows)


def compiled(body, folder, packages="booktabs,graphicx"):
    """Return what pdfTeX said; it stops at the first error."""
    assert shutil.which("pdflatex"), (
        "this test needs pdflatex with booktabs: apt-get install texlive-latex-recommended"
    )
    source = (
        f"\\documentclass{{article}}\\usepackage[T1]{{fontenc}}\\usepackage{{{packages}}}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    ran = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    said = ran.stdout.decode(errors="replace")
    assert ran.returncode == 0, said[-3000:]
    assert (folder / "paper.pdf").stat().st_size > 10_000
    return said


@pytest.mark.slow
def test_every_result_compiles(tmp_path):
    """Oracle: pdfTeX itself."""
    parts = [make(*names).to_latex() for make in KINDS.values() for names in NAMES.values()]
    compiled("\n\\clearpage\n".join(parts), tmp_path)


@pytest.mark.slow
def test_no_table_runs_off_the_page(tmp_path):
    """Oracle: pdfTeX, which tells of every box wider than the text."""
    parts = [make("the first model", "another").to_latex() for make in KINDS.values()]
    tables = re.findall(r"\\begin\{table\}.*?\\end\{table\}", "".join(parts), flags=re.DOTALL)
    assert len(tables) >= len(KINDS)
    head = "\n".join(parts[0].splitlines()[:2])
    said = compiled(head + "\n\\clearpage\n".join(tables), tmp_path)
    # Long words in cells of a table may still reach into the space between its columns.
    wide = [float(w) for w in re.findall(r"Overfull \\hbox \((.*?)pt too wide", said)]
    assert max(wide, default=0.0) < 10


@pytest.mark.slow
def test_compiles_without_graphicx(tmp_path):
    compiled(KINDS["ranking"]("a", "b").to_latex(), tmp_path, packages="booktabs")


def test_every_table_has_a_label_of_its_own(result):
    text = result.to_latex()
    labels = re.findall(r"\\caption\{.*\}\n\\label\{(tab:[a-z0-9-]+)\}", text)
    assert len(labels) == text.count(r"\begin{table}") == len(set(labels))
