"""Sealing: from cases to a directory with train.csv, test.csv, sealed labels and a new ledger."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from referee import __version__
from referee.core.arrays import Codes, Rows
from referee.core.randomness import Seed, child
from referee.errors import InputError, arg
from referee.vault.sealed.cases.case_ids import ids_as_read, overflowing, repeated
from referee.vault.sealed.cases.cases import Cases
from referee.vault.sealed.cases.splitting import sealed_rows
from referee.vault.sealed.files import LEDGER, SEALED, TEST, TRAIN, csv_bytes
from referee.vault.sealed.keys.key import Key, create_key_file, new_secret
from referee.vault.sealed.keys.key_place import KeyPlace
from referee.vault.sealed.keys.passphrase import Stretching
from referee.vault.sealed.labels.header import Header, class_digest
from referee.vault.sealed.labels.sealed_file import seal_bytes
from referee.vault.sealed.labels.secret_labels import SecretLabels
from referee.vault.sealed.ledger.durable import create_file, sync_directory, writing
from referee.vault.sealed.ledger.entry import now
from referee.vault.sealed.ledger.head import Head, create_head
from referee.vault.sealed.ledger.ledger import file_digest, open_ledger
from referee.vault.sealed.request import SealRequest

__all__ = ["Split", "check_new_directory", "seal_cases", "split_cases", "table_bytes"]


def check_new_directory(out: Path, place: KeyPlace) -> None:
    """Refuse a directory that exists, and a key that would lie in it, before any work is done."""
    if os.path.lexists(out):
        raise InputError(f"{out} exists already", remedy=f"name a new directory with {arg('out')}")
    if place.file is None:
        return
    if os.path.lexists(place.file):
        raise InputError(
            f"{place.file} exists already; every vault has a key of its own, so name a new "
            f"file with {arg('key')}",
            concerning="key",
            at=str(place.file),
        )
    if Path(os.path.abspath(out)) in Path(os.path.abspath(place.file)).parents:
        raise InputError(
            f"the key {place.file} would lie in the vault itself",
            remedy="keep it elsewhere, best with somebody else",
        )


def seal_cases(
    cases: Cases,
    out: Path,
    *,
    share: float | None,
    request: SealRequest,
    place: KeyPlace,
    seed: Seed,
) -> Header:
    """Split the cases, seal the labels of one part, and write everything or nothing.

    Parameters
    ----------
    cases : Cases
        What is to be sealed.
    out : Path
        The new directory.
    share : float or None
        The share to seal; None where the cases say which.
    request : SealRequest
        What the vault will answer.
    place : KeyPlace
        Where the key goes.
    seed : int
        Who is sealed, and the order of test.csv, follow from it.
    """
    check_new_directory(out, place)
    split = split_cases(cases, share, request, seed)
    rows = {TRAIN: split.train, TEST: split.test}
    files = {name: table_bytes(cases, split, name) for name in rows}
    labels = SecretLabels.new(split.classes, split.codes[split.test])
    passphrase = place.passphrase() if callable(place.passphrase) else place.passphrase
    stretching = None if passphrase is None else Stretching.new()
    vault = os.urandom(16).hex()
    secret = new_secret() if stretching is None else stretching.secret(str(passphrase))
    key = Key(secret, vault)
    header = _header(cases, split, request, labels, key, files, stretching)
    sealed = seal_bytes(header.record(), labels.to_bytes(), key.labels)
    _write(out, {**files, SEALED: sealed}, header, key, place)
    return header


@dataclass(frozen=True, eq=False)
class Split:
    """Who trains and who is sealed; `codes` are positions in `classes`, of all cases."""

    classes: list[str]
    codes: Codes
    train: Rows
    test: Rows
    ids: list[str]


def split_cases(cases: Cases, share: float | None, request: SealRequest, seed: Seed) -> Split:
    """Return who trains and who is sealed, or say what is wrong with labels, groups or ids."""
    n = len(cases.labels)
    public = cases.labels if cases.n_train is None else cases.labels[: cases.n_train]
    classes = _sorted({*public, *request.labels})
    if len(classes) < 2:
        raise InputError(
            f"{cases.place([0])}: column {cases.target!r} holds one class only; nothing can "
            "be judged with one class, so name another column, or the classes with "
            f"{arg('labels')}",
            concerning="labels",
            at=cases.place([0]),
        )
    _refuse_unreadable(cases, classes)
    positions = {name: code for code, name in enumerate(classes)}
    unknown = [row for row, label in enumerate(cases.labels) if label not in positions]
    if unknown:
        # The class itself is not named: that the secret cases have it is a secret.
        raise InputError(
            f"{cases.place(unknown)}, column {cases.target!r}: a class that no training case has",
            remedy=(
                f"name all classes that may occur with {arg('labels')}, or leave these cases out"
            ),
        )
    codes = np.array([positions[label] for label in cases.labels], dtype=np.intp)
    if cases.n_train is not None:
        chosen = np.arange(n) >= cases.n_train
        _refuse_torn_groups(cases, chosen)
    else:
        assert share is not None
        chosen = sealed_rows(codes, share, cases.groups, seed, cases.place)
    # In another order than the table's: one sorted by class would show the labels.
    test = np.random.default_rng(child(seed, 1)).permutation(np.flatnonzero(chosen))
    return Split(classes, codes, np.flatnonzero(~chosen), test, _ids(cases, test))


def _refuse_unreadable(cases: Cases, classes: list[str]) -> None:
    """Refuse labels that one who reads train.csv would see otherwise, as 01 or NA."""
    seen = ids_as_read(classes)
    odd = {name for name, read in zip(classes, seen, strict=True) if name != read}
    rows = [row for row, label in enumerate(cases.labels) if label in odd]
    if rows:
        raise InputError(
            f"{cases.place(rows)}, column {cases.target!r}: a label that would be read as "
            "another, or as missing, from train.csv",
            remedy="write labels as words, or as whole numbers without leading zeros",
        )


def _sorted(classes: set[str]) -> list[str]:
    try:
        return sorted(classes, key=int)
    except ValueError:
        return sorted(classes)


def _refuse_torn_groups(cases: Cases, chosen: np.ndarray) -> None:
    if cases.groups is None:
        return
    both = np.intersect1d(cases.groups[chosen], cases.groups[~chosen])
    if both.size:
        rows = np.flatnonzero(cases.groups == both[0]).tolist()
        raise InputError(
            f"{cases.place(rows)}: one group has cases in both files ({both.size} groups "
            "do); a model trained on a group knows it, so move each group to one side",
            at=cases.place(rows),
        )


def _ids(cases: Cases, test: Rows) -> list[str]:
    """Return the ids of the sealed cases, as one who reads test.csv sees them."""
    if cases.ids is None:
        return [str(number) for number in range(1, len(test) + 1)]
    infinite = overflowing(cases.ids)
    if infinite:
        raise InputError(
            f"{cases.place(infinite)}, column {cases.id_column!r}: {cases.ids[infinite[0]]!r} "
            "would be read as a number that is not finite",
            remedy="put a letter before each id",
        )
    ids = ids_as_read([cases.ids[row] for row in test])
    missing = [int(test[at]) for at, name in enumerate(ids) if name is None]
    if missing:
        raise InputError(
            f"{cases.place(sorted(missing))}, column {cases.id_column!r}: the id is "
            "missing; every sealed case needs one",
            at=cases.place(sorted(missing)),
        )
    names = [str(name) for name in ids]
    twice = repeated(names)
    if twice:
        rows = sorted(int(test[at]) for at in twice)
        raise InputError(
            f"{cases.place(rows)}, column {cases.id_column!r}: the id {names[twice[0]]!r} "
            f"stands {len(twice)} times; every case needs an id of its own",
            at=cases.place(rows),
        )
    return names


def table_bytes(cases: Cases, split: Split, name: str) -> bytes:
    """Return train.csv with labels, or test.csv without."""
    columns = dict(cases.columns)
    if name == TRAIN:
        columns[cases.target] = cases.labels
        return csv_bytes(list(columns), _rows(list(columns.values()), split.train))
    own = columns.pop(cases.id_column, None)
    ids = split.ids if own is None else [own[row] for row in split.test]
    inputs = _rows(list(columns.values()), split.test)
    rows = [[name, *row] for name, row in zip(ids, inputs, strict=True)]
    return csv_bytes([cases.id_column, *columns], rows)


def _rows(columns: Sequence[Sequence[str]], rows: Rows) -> list[list[str]]:
    return [[cells[row] for cells in columns] for row in rows.tolist()]


def _header(
    cases: Cases,
    split: Split,
    request: SealRequest,
    labels: SecretLabels,
    key: Key,
    files: dict[str, bytes],
    stretching: Stretching | None,
) -> Header:
    sizes = np.bincount(labels.codes, minlength=len(split.classes)).tolist()
    terms = request.terms(split.classes, split.codes[split.train], sizes)
    salt = os.urandom(16).hex()
    return Header(
        vault=key.vault,
        created=now(),
        referee=__version__,
        ids=tuple(split.ids),
        id_column=cases.id_column,
        target=cases.target,
        class_salt=salt,
        classes=tuple(class_digest(salt, name) for name in split.classes),
        sizes=tuple(sizes) if terms.measure.by_class else None,
        measure=terms.measure,
        grid=terms.grid,
        policy=terms.policy,
        level=request.level,
        baseline=terms.baseline,
        grouped=cases.groups is not None,
        commitment=labels.commitment(split.ids),
        files={name: sha256(content).hexdigest() for name, content in files.items()},
        key_check=key.check,
        stretching=stretching,
    )


def _write(out: Path, files: dict[str, bytes], header: Header, key: Key, place: KeyPlace) -> None:
    """Write directory, key and head; whatever goes wrong, none of them stays."""
    written: list[Path] = []
    with writing(out):
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        work = out.absolute().parent / f".referee-{os.urandom(8).hex()}"
        work.mkdir()
    try:
        for name, content in files.items():
            create_file(work / name, content)
        head = _begin_ledger(work / LEDGER, header, sha256(files[SEALED]).digest(), key)
        if header.stretching is None:
            create_key_file(place.key_file(key.vault), key)
            written.append(place.key_file(key.vault))
        create_head(place.head_file(key.vault), head, key)
        written.append(place.head_file(key.vault))
        with writing(out):
            os.rename(work, out)
            sync_directory(out.absolute().parent)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        for path in written:
            path.unlink(missing_ok=True)
        raise


def _begin_ledger(path: Path, header: Header, sealed: bytes, key: Key) -> Head:
    content = {
        "commitment": header.commitment,
        "sealed": sealed.hex(),
        "state": {"looks": 0, "releases": 0, "rung": 0},
        "vault": header.vault,
    }
    with open_ledger(path, new=True) as ledger:
        with ledger.writing():
            first = ledger.begin(content, sealed, key)
        ledger.settle()
    return Head.of(first, file_digest(path))
