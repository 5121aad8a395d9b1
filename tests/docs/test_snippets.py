"""The snippets of the pages run, and print what the pages say; commands shown are understood."""

import ast
import contextlib
import doctest
import io
import re
import shlex
import tokenize
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import pytest
import typer

from referee.cli.app import app

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)

PAGES = (
    "bundles",
    "comparing",
    "displays",
    "neighbours",
    "overview",
    "permutation",
    "study",
    "svm",
    "tuning",
    "../README",
)
"""Pages with plain snippets; those of prompts are doctested."""

ELSEWHERE = {
    "arena": "tests/arena/test_life.py",
    "certificates": "tests/vault/certificate/test_docs.py",
    "ci": "tests/docs/test_ci.py",
    "kernels": "tests/kernels/test_docs.py",
    "logs": "tests/sources/logs/test_docs.py",
    "multilabel": "tests/docs/test_multilabel_page.py",
    "regression": "tests/docs/test_regression_page.py",
    "scores": "tests/docs/test_scores_page.py",
    "sequential": "tests/docs/test_sequential.py",
    "vault": "tests/vault/sealed/test_docs.py",
}
"""Pages whose snippets another test executes."""

IRIS = """
import referee
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
X, y = load_iris(return_X_y=True)
model = GaussianNB()
"""
CANCER = """
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import scale
X, y = load_breast_cancer(return_X_y=True)
X = scale(X)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
models = {"naive Bayes": GaussianNB(), "logistic regression": LogisticRegression()}
digits = load_digits()
"""
ANSWERS = """
import referee
import scipy
truth = [0, 1] * 100
predictions = {"a": truth[:190] + [1, 0] * 5, "b": truth[:170] + [1, 0] * 15}
"""
LEFT_TO_THE_READER = {
    "bundles": IRIS,
    "comparing": ANSWERS,
    "displays": CANCER,
    "neighbours": IRIS,
    "overview": f"{CANCER}{ANSWERS}a, b = predictions.values()",
    "permutation": IRIS,
    "tuning": IRIS,
}
"""What a page takes as given: a model, data."""

SLOW = {
    ("neighbours", 2),
    ("neighbours", 3),
    ("neighbours", 4),
    ("neighbours", 5),
    ("overview", 0),
    ("overview", 1),
    ("overview", 4),
    ("study", 1),
    ("study", 2),
    ("study", 3),
    ("study", 5),
    ("tuning", 0),
}
"""Snippets, by page and number among its Python snippets, that train many models."""

UNDERSTOOD = [f"docs/{page}.md" for page in ("bundles", "comparing", "study")]
UNDERSTOOD += ["README.md", "docs/overview.md"]
"""Pages whose command lines are read."""


@dataclass(frozen=True)
class Snippet:
    """A fenced block of a page."""

    page: str
    language: str
    text: str
    after: str


def snippets(page, language):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return [
        Snippet(page, b[1], b[2], text[b.end() :]) for b in FENCE.finditer(text) if b[1] == language
    ]


def stated(code):
    """Comments that state a number, or how an output begins, by the line they stand on."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    comments = {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}
    return {
        line: c
        for line, c in comments.items()
        if re.match(r"[-−]?[\d.]+\d", c) or c.endswith("...")
    }


def execute(code, names):
    """Run a snippet; return all it printed, having held each stated number against it."""
    said, everything = stated(code), ""
    for statement in ast.parse(code).body:
        printed, value = io.StringIO(), None
        with contextlib.redirect_stdout(printed):
            if isinstance(statement, ast.Expr):
                value = eval(ast.unparse(statement), names)
            else:
                exec(ast.unparse(statement), names)
        everything += printed.getvalue()
        if statement.end_lineno in said:
            shown = printed.getvalue().strip() or repr(value)
            shown = shown.removeprefix("'") if isinstance(value, str) else shown
            assert shown.startswith(said[statement.end_lineno].removesuffix("...").strip())
    return everything


def doctested(code):
    """Tell lines of a prompt, which are doctest's to check."""
    return code.lstrip().startswith(">>>")


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with mpl.rc_context({"backend": "agg"}):
        yield tmp_path


def shown_output(after):
    """Return the output that stands directly below a snippet: quoted, or in a block of its own."""
    below = re.match(r"\s*\n((?:> .*\n)+)", after) or re.match(
        r"\s*```\n(.*?)```", after, re.DOTALL
    )
    return below[1].replace("> ", "") if below else ""


def run_page(page, *, slow):
    """Run the snippets of a page in order; return the names they leave."""
    names = {}
    exec(LEFT_TO_THE_READER.get(page, ""), names)
    for number, snippet in enumerate(snippets(page, "python")):
        if doctested(snippet.text) or (not slow and (page, number) in SLOW):
            continue
        printed, shown = execute(snippet.text, names), shown_output(snippet.after)
        if shown and printed:
            assert printed.split() == shown.split(), f"docs/{page}.md, snippet {number}"
    return names


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("page", PAGES)
def test_the_snippets_of_a_page_run_and_print_what_it_says(page, somewhere):
    names = run_page(page, slow=False)
    if page == "svm":
        ends = {f"{names[n].solutions_[0].objective:.5f}" for n in ("smo", "scda")}
        said = (ROOT / "docs" / "svm.md").read_text(encoding="utf-8")
        assert all(f"at {end}. The objective" in said for end in ends)
        X, y = names["X"], names["y"]
        tight = [names[n].set_params(tol=1e-6).fit(X, y).solutions_[0] for n in ("smo", "scda")]
        closer = {f"{solution.objective:.9f}" for solution in tight}
        assert all(f"All end at {end} with a tolerance of 1e-6" in said for end in closer)


def test_every_page_with_python_is_executed_by_some_test():
    """Pages in folders are executed by test_site.py, all of them."""
    with_python = {
        page.stem
        for page in (ROOT / "docs").glob("*.md")
        if re.search(r"^```(python|pycon)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert with_python - {*PAGES, "shortcuts"} == {*ELSEWHERE}
    for page, test in ELSEWHERE.items():
        assert f"{page}.md" in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("page", sorted({page for page, _ in SLOW}))
def test_snippets_that_train_much_print_what_the_page_says(page, somewhere):
    run_page(page, slow=True)


def test_prompts_print_what_the_page_on_shortcuts_says():
    failed, tried = doctest.testfile(str(ROOT / "docs" / "shortcuts.md"), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def command_lines(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = "\n".join(b[2] for b in FENCE.finditer(text)).splitlines()
    shown = [line.removeprefix("$ ").strip() for line in lines]
    return [line for line in shown if line.startswith("referee ")]


@pytest.mark.parametrize("page", UNDERSTOOD)
def test_the_command_lines_of_a_page_are_understood(page, somewhere):
    assert command_lines(page)
    for line in command_lines(page):
        words = shlex.split(line, comments=True)[1:]
        for word in words:
            if word.endswith((".csv", ".zip")) or word == "TABLE":
                Path(word).write_text("x,y\n1,2\n")
        command, context = typer.main.get_command(app), None
        while hasattr(command, "resolve_command"):
            context = command.make_context(command.name, [words[0]], parent=context)
            name, command, _ = command.resolve_command(context, words[:1])
            words = words[1:]
        with command.make_context(name, words, parent=context):
            pass
