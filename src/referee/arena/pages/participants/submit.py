"""The page from which files are sent, and the page of what was answered."""

from __future__ import annotations

import secrets
from hashlib import sha256

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.benchmark.upload import CSV, PARQUET
from referee.arena.pages.page import Page
from referee.arena.pages.request.form import UploadedFile
from referee.arena.pages.request.visitor import Visitor
from referee.arena.pages.showing.preview import preview_of
from referee.arena.problem import Problem
from referee.arena.scoring import submitting
from referee.arena.scoring.board import PROMISE
from referee.vault.sealed.ledger.canonical import canonical_bytes

__all__ = ["PAGES"]


def submit_form(visitor: Visitor) -> Response:
    """Show the form."""
    return _submitting(visitor, None)


def _submitting(
    visitor: Visitor, refused: Problem | None, file: UploadedFile | None = None
) -> Response:
    arena, account = visitor.arena, visitor.signed_in
    benchmark = read_benchmark(arena, visitor.path("slug"))
    response = visitor.show(
        "submit.html",
        200 if refused is None else refused.status,
        benchmark=benchmark,
        now=arena.now(),
        refused=refused,
        preview=None if file is None or refused is None else preview_of(file, refused),
        remaining=submitting.remaining_tries(arena, account, benchmark.slug),
        kept=visitor.form.kept("note"),
        key=secrets.token_urlsafe(16),
    )
    if refused is not None and refused.retry_after is not None:
        response.headers["Retry-After"] = str(refused.retry_after)
    return response


def submit(visitor: Visitor) -> Response:
    """Score the file and show the answer; a file that is refused is shown where it is wrong."""
    account, slug = visitor.signed_in, visitor.path("slug")
    file = visitor.form.files.get("file")
    try:
        account.require_active()
        if file is None:
            raise Problem(422, "no file was chosen; choose one with predictions")
        most = visitor.request.app.state.limits.most_bytes
        if len(file.content) > most:
            raise Problem(413, f"a file may have {most} bytes; send ids and predictions only")
        submission = submitting.submit(
            visitor.arena,
            account,
            slug,
            file.content,
            kind=_kind(file),
            note=visitor.form.text("note"),
            idempotency_key=_key(visitor.form.text("key"), file),
            received_at=visitor.received_at,
        )
    except Problem as refused:
        if refused.status == 404:
            raise
        return _submitting(visitor, refused, file)
    return visitor.go(f"/benchmarks/{slug}/submissions/{submission.id}")


def _kind(file: UploadedFile) -> str:
    """Tell the kind of a file by its first bytes; browsers differ in what they say of it."""
    return PARQUET if file.content[:4] == b"PAR1" else CSV


def _key(key: str, file: UploadedFile) -> str | None:
    """Return a key under which the same file from the same page is one submission.

    So a button pressed twice costs one try, and another file from the same page is another try.
    """
    if not key:
        return None
    return f"page-{sha256(key.encode() + sha256(file.content).digest()).hexdigest()}"


def submission_page(visitor: Visitor) -> Response:
    """Show a submission of one's own and its receipt."""
    arena, account, slug = visitor.arena, visitor.signed_in, visitor.path("slug")
    submission = submitting.submission(arena, account, slug, visitor.path("id"))
    return visitor.show(
        "submission.html",
        benchmark=read_benchmark(arena, slug),
        now=arena.now(),
        submission=submission,
        answer=submission.answer,
        promise=PROMISE,
    )


def receipt(visitor: Visitor) -> Response:
    """Return the receipt of a submission of one's own."""
    arena, account, slug = visitor.arena, visitor.signed_in, visitor.path("slug")
    submission = submitting.submission(arena, account, slug, visitor.path("id"))
    name = f"{slug}-{submission.id}-receipt.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(
        canonical_bytes(submission.answer), media_type="application/json", headers=headers
    )


PAGES = (
    Page("/benchmarks/{slug}/submit", submit_form),
    Page("/benchmarks/{slug}/submit", submit, "POST", files=1),
    Page("/benchmarks/{slug}/submissions/{id}", submission_page),
    Page("/benchmarks/{slug}/submissions/{id}/receipt.json", receipt),
)
