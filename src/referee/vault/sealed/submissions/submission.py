"""A submission: predictions for the sealed cases, checked before any label is decrypted.

Nothing here knows a label, so no message can depend on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes, Floats, Rows
from referee.core.labels.labels import is_missing
from referee.errors import InputError, arg
from referee.vault.sealed.cases.case_ids import few, repeated
from referee.vault.sealed.cases.known_cases import KnownCases
from referee.vault.sealed.labels.secret_labels import label_text

__all__ = ["Offered", "Submission", "checked_submission"]


@dataclass(frozen=True, eq=False)
class Submission:
    """Predictions in the order of the sealed cases.

    Attributes
    ----------
    answers : array of int or None
        Positions in the classes.
    scores : array of float or None
        One number a case for an area; one a case and class for the Brier score.
    """

    answers: Codes | None
    scores: Floats | None

    @property
    def digest(self) -> str:
        """SHA-256 of the predictions, by which the ledger knows them again."""
        hashed = sha256(b"referee submission 1\n")
        if self.answers is not None:
            hashed.update(b"answers\n" + self.answers.astype(">u4").tobytes())
        if self.scores is not None:
            hashed.update(b"scores\n" + np.ascontiguousarray(self.scores, ">f8").tobytes())
        return hashed.hexdigest()


@dataclass(frozen=True, eq=False)
class Offered:
    """Predictions as they were given, with the names that messages should use.

    Attributes
    ----------
    ids : list of str or None
        The case of each row; None where rows stand in the order of test.csv.
    answers : sequence or None
        A label for each row.
    scores : mapping of str to array
        Columns of numbers.
    place : callable
        From row numbers to words, as "answers.csv, line 3".
    source, id_column, answer_column : str
        What messages call the whole, its ids and its answers.
    """

    ids: list[str] | None
    answers: Sequence[Any] | None
    scores: dict[str, Floats]
    place: Callable[[Sequence[int]], str]
    source: str
    id_column: str = "id"
    answer_column: str = "prediction"


def checked_submission(offered: Offered, header: KnownCases) -> Submission:
    """Return the predictions in the order of the sealed cases, or say what is wrong and where."""
    rows = _order(offered, header)
    if not header.measure.scored:
        return Submission(_codes(offered, header)[rows], None)
    return Submission(None, _scores(offered, header)[rows])


def _order(offered: Offered, header: KnownCases) -> Rows:
    """Return the row of each sealed case."""
    if offered.ids is None:
        return _as_they_stand(offered, header)
    twice = repeated(offered.ids)
    if twice:
        raise InputError(
            f"{offered.place(twice)}, column {offered.id_column!r}: the id "
            f"{offered.ids[twice[0]]!r} stands {len(twice)} times",
            remedy="keep one prediction for each case",
        )
    unknown = [row for row, name in enumerate(offered.ids) if name not in header.positions]
    if unknown:
        raise InputError(
            f"{offered.place(unknown)}, column {offered.id_column!r}: "
            f"{few([offered.ids[row] for row in unknown])} "
            f"{('is no id' if len(unknown) == 1 else 'are no ids')} of {header.cases_file}",
            remedy="predict its cases, and no others",
        )
    here = set(offered.ids)
    missing = [name for name in header.ids if name not in here]
    if missing:
        raise InputError(
            f"{offered.source}, column {offered.id_column!r}: {len(missing)} of the {header.n} "
            f"cases of {header.cases_file} have no prediction ({few(missing)})",
            remedy="predict them all",
        )
    rows = np.empty(header.n, dtype=np.intp)
    rows[[header.positions[name] for name in offered.ids]] = np.arange(header.n)
    return rows


def _as_they_stand(offered: Offered, header: KnownCases) -> Rows:
    columns = [*offered.scores.values(), *([] if offered.answers is None else [offered.answers])]
    for column in columns:
        if len(column) != header.n:
            raise InputError(
                f"{offered.source} must hold one prediction for each of the {header.n} cases of "
                f"{header.cases_file}, in their order",
                value=str(len(column)),
                remedy="or give ids with them",
            )
    return np.arange(header.n)


def _codes(offered: Offered, header: KnownCases) -> Codes:
    if offered.answers is None:
        raise InputError(
            f"{offered.source} has no predictions; measure {header.measure.name!r} needs a label "
            "for each case",
            concerning="y_pred",
            at=offered.source,
        )
    values = list(offered.answers)
    codes: dict[Any, int | None] = {}
    for value in dict.fromkeys(values):
        codes[value] = None if is_missing(value) else header.class_code(label_text(value))
    coded = [codes[value] for value in values]
    wrong = [row for row, code in enumerate(coded) if code is None]
    if wrong:
        _refuse_answer(offered, header, wrong)
    return np.array(coded, dtype=np.intp)


def _refuse_answer(offered: Offered, header: KnownCases, wrong: list[int]) -> None:
    assert offered.answers is not None
    value = offered.answers[wrong[0]]
    what = "is missing" if is_missing(value) else f"{str(value)!r} is none of"
    rest = (
        "; every case needs an answer"
        if is_missing(value)
        else f" the {len(header.classes)} classes of {header.classes_place}; correct it"
    )
    raise InputError(
        f"{offered.place(wrong)}, column {offered.answer_column!r}: "
        f"{'the answer ' if is_missing(value) else ''}{what}{rest}",
        at=offered.place(wrong),
    )


def _scores(offered: Offered, header: KnownCases) -> Floats:
    columns = _score_columns(offered, header)
    for name, column in columns:
        bad = np.flatnonzero(~np.isfinite(column))
        if bad.size:
            raise InputError(
                f"{offered.place(bad.tolist())}, column {name!r}: {column[bad[0]]} is not a "
                "finite number; every case needs a score",
                at=offered.place(bad.tolist()),
            )
    if header.measure.is_area:
        return columns[0][1]
    return _probabilities(offered, header, columns)


def _score_columns(offered: Offered, header: KnownCases) -> list[tuple[str, Floats]]:
    """Return the column of the positive class, or one for each class in their order."""
    names = list(offered.scores)
    if header.measure.one_score:
        if len(names) != 1:
            raise InputError(
                f"{offered.source} must have one column of scores of the positive class for "
                f"measure {header.measure.name!r}",
                value=str(len(names)),
                remedy=f"name it with {arg('scores')}",
            )
        return [(names[0], offered.scores[names[0]])]
    coded = ((header.class_code(name.removeprefix("score ")), name) for name in names)
    by_class = {code: name for code, name in coded if code is not None}
    if not len(by_class) == len(names) == header.measure.classes:
        raise InputError(
            f"{offered.source} must have a column of probabilities for each of the "
            f"{header.measure.classes} classes, named like it; got {few(names) or 'none'}",
            concerning="scores",
            at=offered.source,
        )
    return [(by_class[code], offered.scores[by_class[code]]) for code in sorted(by_class)]


def _probabilities(
    offered: Offered, header: KnownCases, columns: list[tuple[str, Floats]]
) -> Floats:
    for name, column in columns:
        bad = np.flatnonzero((column < 0) | (column > 1))
        if bad.size:
            raise InputError(
                f"{offered.place(bad.tolist())}, column {name!r}: {column[bad[0]]:g} is no "
                "probability",
                remedy="give numbers between 0 and 1",
            )
    if len(columns) == 1:
        p = columns[0][1]
        return np.column_stack([p, 1 - p] if header.measure.positive == 0 else [1 - p, p])
    matrix: Anything = np.column_stack([column for _, column in columns])
    off = np.flatnonzero(np.abs(matrix.sum(axis=1) - 1) > 1e-3)
    if off.size:
        raise InputError(
            f"{offered.place(off.tolist())}: the probabilities sum to "
            f"{matrix[off[0]].sum():g}; those of a case must sum to 1",
            at=offered.place(off.tolist()),
        )
    return matrix
