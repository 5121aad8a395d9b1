"""Every public name, method, finding, command and option has a page; written pages run."""

import ast
import contextlib
import doctest
import importlib
import inspect
import io
import pkgutil
import re
import shlex
import sys
from pathlib import Path

import pytest

import referee
from referee.checks.check import Check
from referee.cli import main
from referee.core.method import Catalogue, Method
from referee.measures import Measure
from referee.planning.advice import advise
from referee.planning.questions import QUESTIONS
from referee.resampling import SCHEMES
from referee.resampling.scheme import NamedScheme
from referee.sources.logs import LogFormat
from referee.study import calibrated

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "ext"))

from site_pages import api_pages, command_pages, finding_pages  # noqa: E402
from site_pages.all_pages import all_pages, write_pages  # noqa: E402
from site_pages.finding_examples import filled, sections  # noqa: E402
from site_pages.links_of_pages import OUTSIDE, rewritten  # noqa: E402
from site_pages.links_of_site import broken_links  # noqa: E402

WRITTEN = ("get-started", "tutorials", "howto", "explanation")
"""Folders of pages written for the site."""


@pytest.fixture(scope="module")
def pages():
    return dict(all_pages())


@pytest.fixture(scope="module")
def catalogues():
    """Every catalogue that any module of the package holds."""
    for module in pkgutil.walk_packages(referee.__path__, "referee."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    modules = [m for name, m in sys.modules.items() if name.startswith("referee.")]
    known = {id(v): v for m in modules for v in vars(m).values() if isinstance(v, Catalogue)}
    return list(known.values())


def titles(pages, folder):
    """Return the headings of the pages of a folder."""
    under = [text for path, text in pages.items() if path.startswith(f"reference/{folder}/")]
    return {text.splitlines()[0].removeprefix("# ") for text in under}


def test_every_method_of_every_catalogue_has_a_page(pages, catalogues):
    assert len(catalogues) > 10
    documented = titles(pages, "methods") | titles(pages, "measures") | titles(pages, "schemes")
    for catalogue in catalogues:
        if issubclass(catalogue.kind, LogFormat):  # docs/logs.md has them in one table
            text = (DOCS / "logs.md").read_text(encoding="utf-8")
            assert [m.name for m in catalogue.values() if m.name not in text] == []
        elif not issubclass(catalogue.kind, Check):
            assert {m.name for m in catalogue.values()} <= documented
            for method in catalogue.values():
                assert isinstance(method, Method)


def test_a_page_on_a_method_says_all_that_the_object_knows(pages, catalogues):
    for catalogue in catalogues:
        if issubclass(catalogue.kind, (Check, LogFormat)):
            continue
        for method in catalogue.values():
            texts = [t for p, t in pages.items() if p.endswith(f"/{method.name}.md")]
            said = (method.title[1:], method.flag[1:], *method.assumptions)
            said += tuple(c.work for c in method.citations)
            whole = [" ".join(t.split()) for t in texts]
            missing = [s for s in said if not any(" ".join(s.split()) in t for t in whole)]
            assert missing == []


def test_every_finding_has_a_page_with_cause_and_remedy(pages, catalogues):
    codes = {c for cat in catalogues if issubclass(cat.kind, Check) for c in cat}
    assert codes <= {*finding_pages.written()}, "describe it in docs/findings.md"
    for code in codes:
        text = pages[f"reference/findings/{code}.md"]
        assert "## Cause\n" in text
        assert "## Remedy\n" in text


def test_every_command_has_a_page_with_every_option(pages):
    commands = dict(command_pages.commands())
    assert len(commands) > 15
    for name, command in commands.items():
        text = pages[f"reference/commands/{name.removeprefix('referee ').replace(' ', '-')}.md"]
        for option in command_pages.options(command):
            if option.name != "help":
                assert option.help, f"{name} {option.opts[0]} has no help"
                assert all(f"`{opt}`" in text for opt in option.opts)


def stub_names(folder):
    tree = ast.parse((folder / "__init__.pyi").read_text(encoding="utf-8"))
    nodes = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module]
    return {alias.asname or alias.name for node in nodes for alias in node.names}


def test_every_public_name_has_a_page_and_a_docstring(pages):
    names = api_pages.public_names()
    offered = {
        id(getattr(importlib.import_module(p), n.rpartition(".")[2])) for n, p in names.items()
    }
    for name in stub_names(Path(referee.__file__).parent):
        assert id(getattr(referee, name)) in offered
    undocumented = []
    for name, package in names.items():
        short = name.rpartition(".")[2]
        assert f"reference/api/{package}/{short}.rst" in pages
        value = getattr(importlib.import_module(package), short)
        if inspect.isclass(value) or inspect.isroutine(value):
            undocumented += [name] if not (value.__doc__ or "").strip() else []
    assert undocumented == []


@pytest.mark.parametrize("module", ["catalogues", "docstrings", "links_of_pages", "refusals"])
def test_examples_of_the_generator(module):
    failed, tried = doctest.testmod(importlib.import_module(f"site_pages.{module}"))
    assert (failed, tried > 0) == (0, True)


def test_pages_are_written_once_and_removed_with_their_names(tmp_path, monkeypatch):
    texts = {"reference/a.md": "# a\n", "reference/old/b.md": "# b\n"}
    monkeypatch.setattr("site_pages.all_pages.all_pages", lambda: iter(texts.items()))
    write_pages(tmp_path)
    before = (tmp_path / "reference/a.md").stat().st_mtime_ns
    del texts["reference/old/b.md"]
    write_pages(tmp_path)
    assert (tmp_path / "reference/a.md").stat().st_mtime_ns == before
    assert not (tmp_path / "reference/old").exists()


def test_every_method_has_a_formula(catalogues, pages):
    """But for schemes, which say who trains and who tests. The build draws each."""
    for method in methods_of(catalogues):
        shown = [text for path, text in pages.items() if path.endswith(f"/{method.name}.md")]
        assert any(method.formula.strip() in text for text in shown), method.name
        displayed = re.findall(r"^\$\$\n.+?\n\$\$$", method.formula, re.DOTALL | re.MULTILINE)
        assert displayed, f"{method.name} has no formula"


def test_every_page_on_a_method_says_what_it_assumes_and_how_often_it_was_right(catalogues, pages):
    for method in methods_of(catalogues):
        if not isinstance(method, Measure):
            shown = [
                t for p, t in pages.items() if re.match(rf"\S+/methods/\S+/{method.name}.md", p)
            ]
            for text in shown:
                assert "## Assumes" in text, method.name
                assert "## How often it was right" in text, method.name
                assert "## References" in text or method.name in UNPUBLISHED


UNPUBLISHED = (
    "calibrated-t",
    "known",
    "paired-t",
    "shrunken-t",
    "stratified-joint",
    "wald-paired",
)


def methods_of(catalogues):
    """Return every interval, test, adjustment, policy and measure."""
    others = (Check, LogFormat, NamedScheme)
    kinds = [c for c in catalogues if not issubclass(c.kind, others)]
    return [m for c in kinds for m in c.values() if m.name != "known"]


def test_every_finding_has_an_example_with_its_mend_and_a_picture(catalogues):
    """That the mend mends is checked by `mended`, whenever the gallery runs an example."""
    codes = {c for cat in catalogues if issubclass(cat.kind, Check) for c in cat}
    for code in codes | {*finding_pages.written()}:
        part = sections()[code]
        assert f'mended("{code}", mistake, mend' in part.code.replace("mended(\n    ", "mended(")
        assert re.search(r"^mend = ", part.code, re.M)
        assert part.code.endswith(")")


def test_a_page_on_a_finding_says_what_its_example_printed(tmp_path):
    (tmp_path / "plot_a.rst").write_text(
        " .. code-block::\n\n    R001 x: y\n    z\n\n\n\n    R002\n"
    )
    page = "a\n<!-- printed by plot_a, R001 -->\nb"
    assert filled(page, tmp_path) == "a\n> R001 x: y\n> z\nb"
    with pytest.raises(ValueError, match="no message of R009"):
        filled("<!-- printed by plot_a, R009 -->", tmp_path)


@pytest.mark.parametrize(
    "page",
    [p for folder in WRITTEN for p in sorted((DOCS / folder).glob("*.md"))],
    ids=lambda p: p.stem,
)
def test_a_written_page_does_what_it_shows(page, tmp_path, monkeypatch):
    tutorial = page.parent.name == "tutorials"
    if tutorial:  # files are written, and commands are run as well
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.setenv("COLUMNS", "96")
    names = {}
    for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "pycon":
            names = run_session(block, names)
        elif tutorial and kind == "toml":
            Path("protocol.toml").write_text(block, encoding="utf-8")
        elif tutorial:
            run_commands(block)


BLOCK = re.compile(r"^```(pycon|console|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run_session(block, names):
    """Run a block of Python; return the names it leaves."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    example = doctest.DocTestParser().get_doctest(block, names, "a block", None, 0)
    runner.run(example, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0
    return example.globs


def run_commands(block):
    """Run each `referee` command of a block, and hold what it prints against what stands there."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    for line, wanted in zip(parts[::2], parts[1::2], strict=True):
        if not line.startswith("referee "):
            continue
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = exit_code_of(shlex.split(line))
        shown = err.getvalue() if code == 2 else out.getvalue()
        shown += f"\n[exit {code}]\n" if code else ""
        assert doctest.OutputChecker().check_output(wanted, shown, FLAGS), shown


def exit_code_of(words):
    """Run the command line in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as caught:
            main()
    return caught.value.code or 0


def test_every_written_page_is_listed(pages):
    listed = "".join(
        p.read_text(encoding="utf-8") for p in DOCS.glob("*/index.md") if p.parent.name in WRITTEN
    )
    listed += pages["reference/index.md"]
    for page in DOCS.glob("*.md"):
        assert page.stem == "index" or re.search(rf"\.\./{page.stem}\b", listed), page.name
    for page in (p for folder in WRITTEN for p in (DOCS / folder).glob("*.md")):
        assert page.stem == "index" or f"\n{page.stem}\n" in listed, page.name


def test_links_of_the_repository_lead_to_pages_of_the_site(pages):
    for outside, page in OUTSIDE.items():
        assert (ROOT / outside).exists()
        assert rewritten(f"[x](../{outside})", "cli") == f"[x](/{page})"
        assert page in pages or (DOCS / page).exists()
    assert rewritten("[x](findings.md#R002)", "cli") == "[x](/reference/findings/R002.md)"


def test_broken_links_and_what_is_loaded_from_elsewhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html">x</a><a href="b.html#y">x</a><a href="https://x.org">x</a>'
        '<a href="c.html">x</a><a href="b.html#z">x</a><img src="https://x.org/x.png">'
    )
    (tmp_path / "b.html").write_text('<p id="y">y</p>')
    broken = ["a.html: b.html#z", "a.html: c.html", "a.html: https://x.org/x.png"]
    assert broken_links(tmp_path) == broken


def test_the_page_on_choosing_has_every_question_and_way(pages):
    text = pages["reference/choose.md"]
    for question in QUESTIONS.values():
        assert all(f"`{name}`: {meaning}" in text for name, meaning in question.known.items())
    assert f"`{advise(have='predictions', say='better').command}`" in text
    assert "mcnemar-exact" in text


def test_the_picture_of_the_first_page_shows_what_the_calibration_table_says():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    for name, by in (
        ("effective-jeffreys", "10x10"),
        ("nested-cv", "nested-cv"),
        ("cv-clt", "10-fold"),
    ):
        record = calibrated(name, target="conditional", quantity="coverage", by=by)
        told = f" {record.mean:.3f}".replace("0.", ".")
        assert told in text, f"draw it again: python docs/images/held.py ({name}{told})"


def test_schemes_and_measures_have_lists(pages):
    assert all(f"[{name}]({name}.md)" in pages["reference/schemes/index.md"] for name in SCHEMES)
    assert "[auc](auc.md)" in pages["reference/measures/index.md"]
    assert issubclass(Measure, Method)
