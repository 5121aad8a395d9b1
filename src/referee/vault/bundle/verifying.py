"""verify_bundle: is a bundle whole, and do its numbers follow from its predictions?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from os import PathLike
from typing import Any

from referee.errors import InputError, RefereeError
from referee.report import to_json
from referee.sources.regular_file import read_bytes
from referee.vault.bundle.agreement import Agreement, Value, compare_records
from referee.vault.bundle.bundle import REQUEST, Bundle
from referee.vault.bundle.container import MOST_BYTES, Container
from referee.vault.bundle.contradiction import Contradiction
from referee.vault.bundle.environment import here
from referee.vault.bundle.manifest import MANIFEST, Manifest, sha256
from referee.vault.bundle.tables import PREDICTIONS, SCORES
from referee.vault.bundle.verification import INTACT, FileCheck, Verification
from referee.vocabulary import VOCABULARIES, speaking

__all__ = ["TOLERANCE", "read_bundle", "verify_bundle"]

TOLERANCE = 1e-9
"""Relative difference granted where versions or machine differ from those of the bundle."""

_ARCHIVE = "the archive"
_UNFIT = (TypeError, ValueError, AttributeError, IndexError)


def verify_bundle(data: bytes, container: Container, path: str | PathLike[str]) -> Verification:
    """Check a bundle that was read and unpacked; see `referee.verify`."""
    files = _integrity(container, str(path))
    verification = Verification(path=str(path), sha256=sha256(data), files=files)
    if verification.changed:
        return verification
    try:
        return _recomputed(verification, container.files)
    except Contradiction as problem:
        return Verification(
            path=str(path),
            sha256=verification.sha256,
            files=tuple(
                FileCheck(f.name, problem.why, f.size, f.sha256) if f.name == problem.file else f
                for f in _with_file(files, problem.file)
            ),
        )


def read_bundle(path: str | PathLike[str]) -> bytes:
    """Read an archive of a size that can be one."""
    return read_bytes(os.fspath(path), most=MOST_BYTES, error=InputError)


def _integrity(container: Container, path: str) -> tuple[FileCheck, ...]:
    """Hold every file against the manifest, and the archive against its files."""
    files = container.files
    if MANIFEST not in files:
        raise InputError(
            f"{path} is no evidence bundle of referee: it holds no {MANIFEST}",
            at=str(path),
        )
    own = files[MANIFEST]
    if MANIFEST in container.damaged:
        return (FileCheck(MANIFEST, "changed (its checksum is wrong)", len(own), sha256(own)),)
    manifest = Manifest.read(own, path)
    if manifest.content != own:
        return (FileCheck(MANIFEST, "changed", len(own), sha256(own)),)
    checks = [_checked(name, files.get(name), wanted) for name, wanted in manifest.files.items()]
    checks.append(FileCheck(MANIFEST, INTACT, len(own), sha256(own)))
    checks += [
        FileCheck(name, "not in the manifest: it was added", len(files[name]), sha256(files[name]))
        for name in files
        if name not in manifest.files and name != MANIFEST
    ]
    checks += [FileCheck(name, "is there twice") for name in container.twice]
    if not container.canonical and all(c.intact for c in checks):
        state = "changed around the files (a date, a comment, an order, something appended)"
        checks.append(FileCheck(_ARCHIVE, state))
    return tuple(checks)


def _checked(name: str, content: bytes | None, wanted: tuple[int, str]) -> FileCheck:
    if content is None:
        return FileCheck(name, "missing")
    measured = (len(content), sha256(content))
    return FileCheck(name, INTACT if measured == wanted else "changed", *measured)


def _with_file(files: tuple[FileCheck, ...], name: str) -> tuple[FileCheck, ...]:
    known = any(f.name == name for f in files)
    return files if known else (*files, FileCheck(name, INTACT))


def _recomputed(verification: Verification, files: Mapping[str, bytes]) -> Verification:
    bundle = Bundle.read(files)
    changes = bundle.environment.changes(here())
    tolerance = TOLERANCE if changes else 0.0
    verdict = bundle.stated.get("verdict")
    return Verification(
        path=verification.path,
        sha256=verification.sha256,
        files=verification.files,
        values=_values_in_its_words(bundle, tolerance),
        kind=bundle.kind.name,
        claim=str(verdict.get("sentence", "")) if isinstance(verdict, dict) else "",
        rows=len(bundle.tables[SCORES if SCORES in bundle.tables else PREDICTIONS]),
        tolerance=tolerance,
        changes=changes,
        command=bundle.command,
    )


def _values_in_its_words(bundle: Bundle, tolerance: float) -> tuple[Value, ...]:
    """Conclude the result as it was asked for: in Python, or on the command line."""
    with speaking(VOCABULARIES[bundle.words]):
        return _values(bundle, tolerance)


def _values(bundle: Bundle, tolerance: float) -> tuple[Value, ...]:
    """Conclude the result anew and hold it against the stated one."""
    from polars.exceptions import PolarsError

    try:
        result = bundle.kind.concluded(bundle.tables, bundle.asked)
    except Contradiction:
        raise
    except KeyError as lacking:
        raise Contradiction(REQUEST, f"it needs {lacking}, which is not there") from None
    except (RefereeError, PolarsError, *_UNFIT) as problem:
        raise Contradiction(REQUEST, f"nothing can be concluded from it ({problem})") from None
    record = json.loads(to_json(result))
    if "provenance" in record:
        record["provenance"]["versions"] = dict(bundle.environment.versions)
    values = compare_records(
        bundle.stated,
        record,
        tolerance=tolerance,
        untold={**bundle.kind.untold, **bundle.kind.taken_over(result)},
    )
    if all(v.agreement is not Agreement.DIFFERS for v in values):
        _refuse_unused(bundle, result)
    return values


def _refuse_unused(bundle: Bundle, result: Any) -> None:
    """Refuse evidence that has more in it than the result was concluded from."""
    used = bundle.kind.tables(result)
    for name, table in bundle.tables.items():
        if name not in used:
            raise Contradiction(name, "it is no part of this kind of result")
        if not table.equals(used[name]):
            raise Contradiction(name, "it holds more than was used, or in another order")
    if bundle.kind.request(result) != bundle.asked:
        raise Contradiction(REQUEST, "it is not what the evidence was judged by")
