"""LaTeX: balanced, and every special character of a name escaped."""

import re


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
