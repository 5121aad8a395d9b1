"""Creating a benchmark from files: send them, see what becomes public and what secret, confirm."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import benchmarks
from referee.arena.benchmark.creating import BenchmarkPlan
from referee.arena.benchmark.drafts import (
    create_from_draft,
    discard_draft,
    draft,
    keep_draft,
    plan_draft,
)
from referee.arena.benchmark.request import slug_of
from referee.arena.pages.page import Page
from referee.arena.pages.request.form import Form
from referee.arena.pages.request.visitor import Visitor
from referee.arena.problem import Problem
from referee.errors import RefereeError
from referee.vault.sealed.sealed_measure import SEALED_MEASURES

__all__ = ["PAGES"]

_TEXTS = ("target", "id_column", "groups", "opens", "closes", "pos_label")
_FIELDS = ("name", *_TEXTS, "measure", "public", "baseline", "per_day", "total", "level")
_ALL = (*_FIELDS, "rules", "cost_positive", "cost_negative", "version_of", "test_share")
_USUAL = {"measure": "error", "public": "50%", "per_day": "5", "total": "100", "level": "0.95"}
_LINES, _LONGEST = 6, 160
"""Lines of a file that are shown, and characters of a line."""


def new_form(visitor: Visitor) -> Response:
    """Show the form."""
    return _creating(visitor, None)


def _creating(visitor: Visitor, refused: Problem | None) -> Response:
    organiser = visitor.organiser
    kept = visitor.form.kept(*_ALL) if visitor.form.fields else dict.fromkeys(_ALL, "") | _USUAL
    own = [b for b in benchmarks(visitor.arena) if b.organiser in (None, organiser.id)]
    return visitor.show(
        "new.html",
        200 if refused is None else refused.status,
        refused=refused,
        kept=kept,
        measures=SEALED_MEASURES,
        benchmarks=own,
    )


def send(visitor: Visitor) -> Response:
    """Keep the files as a draft and show it, or say what is wrong with them."""
    organiser, form = visitor.organiser, visitor.form
    try:
        tables, drawn = _tables(form)
        version_of = form.text("version_of") or None
        request = _request(form) | drawn
        kept = keep_draft(visitor.arena, organiser, request, tables, version_of=version_of)
    except Problem as refused:
        return _creating(visitor, refused)
    except RefereeError as refused:
        return _creating(visitor, Problem(422, str(refused)))
    return visitor.go(f"/organise/drafts/{kept.id}")


def _tables(form: Form) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the files, and the share of test cases if there is one file only."""
    tables = {
        role: form.files[role].content
        for role in ("train", "test")
        if role in form.files and form.files[role].content
    }
    if "train" not in tables:
        raise Problem(422, "no file of training cases was chosen; choose the files again")
    share = form.text("test_share").strip()
    if "test" in tables and share:
        raise Problem(422, "there is a file of test cases and a share to draw, too; drop one")
    if "test" not in tables and not share:
        raise Problem(
            422,
            "no file of test cases was chosen; choose one, or say which share of the first "
            "table to draw (for example 30%)",
        )
    return tables, {"test": share} if share else {}


def _request(form: Form) -> dict[str, Any]:
    asked: dict[str, Any] = {name: form.text(name).strip() or None for name in _TEXTS}
    asked["target"] = form.text("target").strip()
    costs = [form.text(name).strip() for name in ("cost_positive", "cost_negative")]
    return asked | {
        "name": " ".join(form.text("name").split()),
        "measure": form.text("measure"),
        "public": form.text("public").strip(),
        "baseline": _baseline(form.text("baseline").strip()),
        "per_day": _whole(form, "per_day"),
        "total": _whole(form, "total"),
        "level": _number(form.text("level"), "level"),
        "rules": form.text("rules").replace("\r\n", "\n"),
        "costs": tuple(_number(cost, "costs") for cost in costs) if any(costs) else None,
    }


def _whole(form: Form, name: str) -> int:
    text = form.text(name).strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Problem(422, f"{name} must be a whole number, got {text[:40]!r}")
    return int(text)


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Problem(422, f"{name} must be a number, got {text[:40]!r}") from None


def _baseline(text: str) -> str | float | None:
    if text in ("", "majority"):
        return text or None
    return _number(text, "baseline")


def draft_page(visitor: Visitor) -> Response:
    """Show what would become public, and what secret."""
    kept = draft(visitor.arena, visitor.organiser, visitor.path("draft"))
    return _drafted(visitor, kept.id, None)


def _drafted(visitor: Visitor, name: str, refused: Problem | None) -> Response:
    kept = draft(visitor.arena, visitor.organiser, name)
    plan = plan_draft(visitor.arena, kept)
    return visitor.show(
        "draft.html",
        200 if refused is None else refused.status,
        refused=refused,
        draft=kept,
        request=kept.request,
        slug=kept.version_of or slug_of(kept.request.name),
        definition=plan.definition,
        n_train=plan.files["train"].count(b"\n") - 1,
        files={role: _first_lines(content) for role, content in plan.files.items()},
        halves=_halves(plan),
        step=abs(plan.definition.grid.value(1) - plan.definition.grid.value(0)),
    )


def _first_lines(content: bytes) -> list[str]:
    lines = content[: _LINES * 4 * _LONGEST].decode(errors="replace").splitlines()
    return [line if len(line) <= _LONGEST else line[:_LONGEST] + " …" for line in lines[:_LINES]]


def _halves(plan: BenchmarkPlan) -> list[tuple[str, int, int]]:
    """Return how many cases of each class are in each half; the organiser brought the labels."""
    texts, public = plan.truth.labels.texts, plan.truth.public.tolist()
    counts = Counter(zip(texts, public, strict=True))
    return [(name, counts[name, True], counts[name, False]) for name in plan.definition.classes]


def create(visitor: Visitor) -> Response:
    """Make the benchmark as it was shown."""
    name = visitor.path("draft")
    organiser = visitor.organiser
    try:
        slug = create_from_draft(visitor.arena, organiser, name)
    except Problem as refused:
        if refused.status == 404:
            raise
        return _drafted(visitor, name, refused)
    return visitor.go(f"/organise/benchmarks/{slug}")


def discard(visitor: Visitor) -> Response:
    """Forget the files."""
    discard_draft(visitor.arena, visitor.organiser, visitor.path("draft"))
    return visitor.go("/organise")


PAGES = (
    Page("/organise/new", new_form),
    Page("/organise/new", send, "POST", files=2),
    Page("/organise/drafts/{draft}", draft_page),
    Page("/organise/drafts/{draft}/create", create, "POST"),
    Page("/organise/drafts/{draft}/discard", discard, "POST"),
)
