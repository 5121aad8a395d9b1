"""A page for every measure and every resampling scheme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.measures import MEASURES
from referee.resampling import SCHEMES
from site_pages.catalogues import one_page
from site_pages.markdown import bullets, contents, facts_list, section, table

__all__ = ["measure_pages", "scheme_pages"]


def measure_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page on a measure."""
    for measure in MEASURES.values():
        yield f"reference/measures/{measure.name}.md", _measure(measure)
    rows = (
        (f"[{m.name}]({m.name}.md)", m.title, _better(m), one_page().needs(m))
        for m in MEASURES.values()
    )
    listed = table(("name", "what it is", "better", "needs"), rows)
    head = (
        "# Measures\n\nChosen by `measures=[...]` in Python and `--measure` on the command line; a "
        "function of your own serves as well.\n\n"
    )
    yield "reference/measures/index.md", head + listed + contents(MEASURES)


def _better(measure: Any) -> str:
    if measure.greater_is_better is None:
        return "not said"
    return "greater" if measure.greater_is_better else "smaller"


def _measure(measure: Any) -> str:
    facts = [
        ("chosen by", f'`measures=["{measure.name}"]`, `--measure {measure.name}`'),
        ("also called", ", ".join(f"`{a}`" for a in measure.aliases)),
        ("better is", _better(measure)),
        ("range", f"{measure.low:g} to {measure.high:g}"),
        ("needs", one_page().needs(measure)),
        ("undefined", measure.undefined),
        ("changes with the classes' shares", "yes" if measure.of_shares else "no"),
    ]
    works = (f"**{c.key}**: {c.work}" for c in measure.citations)
    return (
        f"# {measure.name}\n\n{measure.title[:1].upper()}{measure.title[1:]}.\n\n"
        + facts_list(facts)
        + section("Formula", measure.formula)
        + section("Mind", measure.flag)
        + section("Assumes", bullets(measure.assumptions))
        + section("References", bullets(works))
    )


def scheme_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page on a scheme."""
    for scheme in SCHEMES.values():
        yield f"reference/schemes/{scheme.name}.md", _scheme(scheme)
    rows = (
        (f"[{s.name}]({s.name}.md)", s.title, "; ".join(s.assumptions)) for s in SCHEMES.values()
    )
    head = (
        "# Schemes\n\nWho trains and who tests: `by=` in Python, `--by` on the command line. "
        'A number of folds, `"10x10"` or any scikit-learn splitter serve as well.\n\n'
    )
    yield (
        "reference/schemes/index.md",
        head + table(("name", "what it is", "assumes"), rows) + contents(SCHEMES),
    )


def _scheme(scheme: Any) -> str:
    defaults = scheme.make()
    settings = (
        (f"`{name}`", f"`{value!r}`") for name, value in vars(defaults).items() if name[:1] != "_"
    )
    works = (f"**{c.key}**: {c.work}" for c in scheme.citations)
    about = (type(defaults).__doc__ or "").strip().split("\n\n")[0]
    return (
        f"# {scheme.name}\n\n{scheme.title[:1].upper()}{scheme.title[1:]}. {about}\n\n"
        f'Chosen by `by="{scheme.name}"` or `--by {scheme.name}`.\n\n'
        + section("Defaults", table(("setting", "value"), settings))
        + section("Assumes", bullets(scheme.assumptions))
        + section("Mind", scheme.flag)
        + section("References", bullets(works))
    )
