"""Predictions that stay where they are: labels are counted, other columns are read."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Label
from referee.core.labels.labels import (
    as_labels,
    classes_of,
    encode,
    positive_class,
    refuse_many_classes,
)
from referee.core.predictions import Predictions
from referee.core.tally import Tally
from referee.errors import InputError, arg, named
from referee.fitting.engines import engine_named
from referee.fitting.progress import track
from referee.judging.scored_tally import ScoredTally
from referee.measures import LossMeasure, Measure, RankingMeasure
from referee.measures.formulas.ranking_sums import RankingSums
from referee.sources.joined_stream import JoinedStream
from referee.sources.ranked_stream import FETCHED, RankedStream
from referee.sources.stream import Stream

__all__ = [
    "MOST_READ",
    "coded_predictions",
    "counts_suffice",
    "joined_tallies",
    "known_positive",
    "read_columns",
    "scored_tally",
    "tallies",
    "tally_of",
]

MOST_READ = 5_000_000
"""Rows up to which scores are read into memory; beyond, they are gone through in passes."""


def tally_of(
    source: Any, truth: str, predicted: Any, labels: Any = None, backend: str | None = None
) -> Tally:
    """Return the counts of right answers against predictions of a table that is not read whole.

    Parameters
    ----------
    source : LazyFrame or path
        A file, a folder or a pattern of Parquet or CSV files.
    truth, predicted : str
        Columns of right answers and of predictions.
    labels : array-like, optional
        All classes, where some are absent from the right answers.
    backend : str, optional
        A cluster whose workers count the files, one by one; they must see the same paths.
    """
    return tallies(source, truth, {"": predicted}, labels, backend)[""]


def tallies(
    source: Any,
    truth: str,
    predicted: dict[str, Any],
    labels: Any = None,
    backend: str | None = None,
) -> dict[str, Tally]:
    """Return one tally a model, all of the same kinds of cases in the same order."""
    names = [truth, *(_name(column) for column in predicted.values())]
    if len(set(names)) < len(names):
        raise InputError(
            "right answers and predictions need columns of their own",
            concerning="y_pred",
            value=str(names),
        )
    return _counted(_kinds(Stream.of(source), names, backend), names, predicted, labels)


def _kinds(stream: Stream, names: Sequence[str], backend: str | None) -> list[tuple[Any, ...]]:
    """Return the kinds of cases; file by file where workers count them, or somebody watches."""
    if len(stream.files) < 2 or (backend is None and not sys.stderr.isatty()):
        return stream.kinds(names)
    stream.refuse_mixed_types()
    for name in names:
        stream.column(name)
    jobs = [(str(file), list(names)) for file in stream.files]
    counted = engine_named(backend).results(_kinds_of_file, jobs)
    times: dict[tuple[Any, ...], int] = {}
    for kinds in track(counted, len(jobs), "counting", unit="files"):
        for *kind, number in kinds:
            times[tuple(kind)] = times.get(tuple(kind), 0) + number
    return [(*kind, number) for kind, number in times.items()]


def _kinds_of_file(file: str, names: list[str]) -> list[tuple[Any, ...]]:
    return Stream.of(file).kinds(names)


def joined_tallies(
    sources: Mapping[str, Any], truth: str, predicted: Mapping[str, Any], on: str, labels: Any
) -> dict[str, Tally]:
    """Return one tally a model, of two tables that are joined by the ids of their cases.

    Parameters
    ----------
    sources : mapping of str to LazyFrame or path
        The table of each model.
    truth, on : str
        The columns of right answers, in one table or in both, and of ids.
    predicted : mapping of str to str
        Each model's column of predictions.
    """
    names = list(predicted)
    streams = tuple(Stream.of(sources[name]) for name in names)
    columns = tuple(_name(predicted[name]) for name in names)
    joined = JoinedStream((streams[0], streams[1]), (columns[0], columns[1]), truth, on)
    return _counted(joined.kinds(), [truth, *columns], dict(predicted), labels)


def _counted(
    kinds: Sequence[tuple[Any, ...]], names: Sequence[str], predicted: dict[str, Any], labels: Any
) -> dict[str, Tally]:
    answers = [_labels([kind[i] for kind in kinds], name) for i, name in enumerate(names)]
    classes = _classes(answers, labels)
    times = [kind[-1] for kind in kinds]
    for values, name in zip(answers, names, strict=True):
        _refuse_unknown(values, times, classes, name)
    codes = [encode(a, classes, f"column {n!r}") for a, n in zip(answers, names, strict=True)]
    return {
        model: Tally.of_kinds(classes, codes[0], codes[i + 1], times)
        for i, model in enumerate(predicted)
    }


def coded_predictions(
    source: Any, truth: str, predicted: Any, labels: Any = None, **others: Any
) -> Predictions:
    """Return predictions whose labels are read as numbers, four bytes a row, and other columns.

    Parameters
    ----------
    source, truth, predicted, labels
        As in `tally_of`.
    **others : str
        Columns of scores, groups, weights and times by the arguments of `Predictions.of_codes`.
    """
    stream = Stream.of(source)
    names = [truth, _name(predicted)]
    kinds = stream.kinds(names)
    tally = _counted(kinds, names, {"": predicted}, labels)[""]
    tables = (
        {kind[i]: int(code) for kind, code in zip(kinds, codes, strict=True)}
        for i, codes in enumerate((tally.truth, tally.predicted))
    )
    read = stream.coded(dict(zip(names, tables, strict=True)), [_name(c) for c in others.values()])
    return Predictions.of_codes(
        tally.classes,
        *(read.pop(name) for name in names),
        **{argument: read[name] for argument, name in others.items()},
    )


def scored_tally(
    source: Any, truth: str, predicted: Any, score: Any, labels: Any, pos_label: Any
) -> ScoredTally:
    """Return counts of labels, and the sums that measures of the scores need, without reading all.

    Parameters
    ----------
    source, truth, predicted, labels
        As in `tally_of`.
    score : str
        The column of scores of the positive class.
    pos_label : label or None
        The positive class, where it does not go without saying.
    """
    stream = Stream.of(source)
    names = [truth, _name(predicted), _name(score, "y_score")]
    kinds = stream.kinds(names[:2])
    tally = _counted(kinds, names[:2], {"": predicted}, labels)[""]
    positive = known_positive(tally.classes, pos_label)
    at = tally.classes.index(positive)
    raw = [kind[0] for kind, code in zip(kinds, tally.truth, strict=True) if code == at]
    hits = tuple(dict.fromkeys(raw))
    ranked = RankedStream(stream, truth, stream.column(names[2]), hits)
    low, high, losses = ranked.limits()
    sizes = tally.cell_counts.sum(axis=1)
    n_positive = int(sizes[at])
    ranges = track(
        ranked.falling(low, high), -(-tally.n // FETCHED), "ranking", unit="ranges of scores"
    )
    ranking = RankingSums.of(ranges, n_positive, tally.n - n_positive)
    held = {f.name: getattr(tally, f.name) for f in fields(tally)}
    # Of several classes one column of scores leaves the rest to nobody, so there is no loss of it.
    probabilities = low >= 0 and high <= 1 and len(tally.classes) == 2
    return ScoredTally(**held, ranking=ranking, losses=losses if probabilities else {})


def known_positive(classes: Sequence[Label], pos_label: Any) -> Label:
    """Return the positive class that scores speak of, or ask for it."""
    positive = positive_class(classes, pos_label)
    if positive is None:
        names = ", ".join(repr(c) for c in classes)
        raise InputError(
            "scores one class, and which is not known",
            argument="y_score",
            remedy=f"pass {named('pos_label')}, one of {names}",
        )
    return positive


def counts_suffice(measures: Sequence[Measure], *, scored: bool) -> bool:
    """Tell whether counts, and sums of scores, give these measures; others need every case."""
    return all(
        m.of_matrix is not None
        or (isinstance(m, LossMeasure) and (scored or not m.scores))
        or (scored and isinstance(m, RankingMeasure) and bool(m.column))
        for m in measures
    )


def read_columns(source: Any, **columns: Any) -> dict[str, Anything]:
    """Return columns of a table as arrays, by the arguments they were named for."""
    names = {argument: _name(c) for argument, c in columns.items() if c is not None}
    read = Stream.of(source).columns(list(dict.fromkeys(names.values())))
    return {argument: read[name] for argument, name in names.items()}


def _name(column: Any, argument: str = "y_pred") -> str:
    if not isinstance(column, str):
        raise InputError(
            "is read from a table here, so name its column",
            argument=argument,
            value=repr(type(column).__name__),
            remedy=f"for example {arg(argument, 'predicted')}",
        )
    return column


def _refuse_unknown(
    values: Anything, times: Sequence[int], classes: Sequence[Label], name: str
) -> None:
    """Name a label that is no class and how many rows have it; which ones is not known any more."""
    unknown = [value for value in values.tolist() if value not in classes]
    if not unknown:
        return
    # Of words among numbers the one that made them words tells more than the numbers do.
    spelled = {str(c) for c in classes}
    odd = next((value for value in unknown if str(value) not in spelled), unknown[0])
    rows = sum(t for value, t in zip(values.tolist(), times, strict=True) if value == odd)
    named_ones = ", ".join(repr(c) for c in classes)
    raise InputError(
        f"column {name!r} has the label {odd!r} in {rows} rows, which is not among the classes "
        f"{named_ones}",
        concerning="y_pred",
        remedy=f"correct it, or name all classes with {arg('labels')}",
    )


def _labels(values: Sequence[Any], name: str) -> Anything:
    return as_labels(np.asarray(values, dtype=object), f"column {name!r}")


def _classes(answers: Sequence[Anything], labels: Any) -> tuple[Label, ...]:
    classes = classes_of(answers[0] if labels is None else as_labels(labels, "labels"))
    if labels is None and len(classes) == 1:
        alike = [a for a in answers if a.dtype.kind == answers[0].dtype.kind]
        classes = classes_of(np.concatenate(alike))
    refuse_many_classes(classes, "y_true")
    if len(classes) < 2:
        raise InputError(
            f"holds one class only ({classes[0]!r})",
            argument="y_true",
            remedy=f"name all classes with {arg('labels')} if others are merely absent here",
        )
    return classes
