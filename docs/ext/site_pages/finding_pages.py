"""A page for every finding: cause, example, remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from site_pages.catalogues import DOCS, one_page
from site_pages.finding_examples import sections, shown
from site_pages.markdown import contents, section, table

__all__ = ["finding_pages", "written"]

_SECTION = re.compile(r'<a id="(R\d{3})"></a>\n## R\d{3} (.*?)\n(.*?)(?=\n<a id=|\Z)', re.DOTALL)
_BESIDE = re.compile(r"\]\(([\w-]+\.md)")
_REMEDY = re.compile(r"(?<!\*)\*(?!\*)([^*]+)\*(?!\*)\s*\Z")


@cache
def written() -> dict[str, tuple[str, str]]:
    """Return (title, text) of each finding that docs/findings.md describes."""
    text = (DOCS / "findings.md").read_text(encoding="utf-8")
    text = _BESIDE.sub(r"](/\1", text)
    return {code: (title, body.strip()) for code, title, body in _SECTION.findall(text)}


def finding_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page."""
    checks = {c.name: c for catalogue in one_page().FINDINGS for c in catalogue.values()}
    codes = sorted({*checks, *written()})
    for code in codes:
        yield f"reference/findings/{code}.md", _page(code, checks.get(code))
    rows = (
        (f"[{code}]({code}.md)", _title(code, checks.get(code)), _severity(checks.get(code)))
        for code in codes
    )
    head = (
        "# Findings\n\nWarnings with stable codes; [how they act on a verdict](/findings.md).\n\n"
    )
    yield (
        "reference/findings/index.md",
        head + table(("code", "what it says", "severity"), rows) + contents(codes),
    )


def _title(code: str, check: Any) -> str:
    return check.title if check is not None else written()[code][0]


def _severity(check: Any) -> str:
    return "" if check is None else " or ".join(s.value for s in check.severities)


def _page(code: str, check: Any) -> str:
    told = written().get(code, ("", ""))[1]
    remedy = _REMEDY.search(told)
    cause = told[: remedy.start()].rstrip() if remedy else told
    advice = check.advice if check is not None else ""
    severity = f"Severity: {_severity(check)}.\n\n" if check is not None else ""
    dismissing = (
        f'Looked into, and no harm? `dismiss=["{code}"]` or `--dismiss {code}`; the report says so.'
        if "serious" in _severity(check)
        else ""
    )
    return (
        f"# {code}: {_title(code, check)}\n\n{severity}"
        + section("Cause", cause or getattr(check, "cause", ""))
        + section("Example", shown(code) if code in sections() else "")
        + section("Remedy", _both(remedy[1] if remedy else "", advice))
        + section("Dismissing it", dismissing)
    )


def _both(written_remedy: str, advice: str) -> str:
    """Return the remedy as written, and as a report says it where that is something else."""
    parts = dict.fromkeys(p.strip() for p in (written_remedy, f"{advice[:1].upper()}{advice[1:]}"))
    texts = [part for part in parts if part]
    if len(texts) < 2 or texts[0].rstrip(".") == texts[1].rstrip("."):
        return texts[0] if texts else ""
    return f"{texts[0]}\n\nA report says: {texts[1].rstrip('.')}."
