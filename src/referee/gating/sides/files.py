"""From files, or frames, to baseline and candidate side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.core.scores.score_columns import Roles
from referee.core.scores.score_table import scores_of
from referee.core.scores.scores import Scores
from referee.errors import EmptyTable, InputError, LogError, TableError, arg, named
from referee.gating.sides.baseline import Baseline, is_baseline, read_baseline
from referee.gating.sides.prediction_sides import PredictionSides, task_of_measure
from referee.gating.sides.score_sides import ScoreSides
from referee.sources.logs.catalogue import expanded, format_of
from referee.sources.logs.opening import open_log
from referee.sources.logs.score_source import read_scores_source
from referee.sources.predictions import (
    Note,
    PredictionColumns,
    named_predictions,
    prediction_table,
)
from referee.sources.scores import joined
from referee.sources.tables import Header, Source, Table

__all__ = ["ScoreOptions", "frame_table", "read_sides", "silent"]


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """How score tables and logs are read; the fields are those of `read_scores_source`."""

    item: str | None = None
    model: str | None = None
    score: str | None = None
    run: str | None = None
    cluster: str | None = None
    weight: str | None = None
    task: Any = None
    filter: str | None = None
    missing: str = "auto"
    values: Mapping[Any, float] = field(default_factory=dict)
    limits: Any = "auto"
    greater_is_better: bool | None = None

    @property
    def chosen(self) -> dict[str, str]:
        """What was chosen of what the files hold, by name; empty where nothing was."""
        given = {
            "score column": self.score,
            "task": self.task,
            "filter": self.filter,
            "missing": None if self.missing == "auto" else self.missing,
            "values": dict(self.values) or None,
        }
        return {name: str(value) for name, value in given.items() if value is not None}


def silent(_: str) -> None:
    """Say nothing."""


def read_sides(
    files: Sequence[Any],
    columns: PredictionColumns | None,
    *,
    scores: ScoreOptions | None = None,
    measure: Any = "error",
    options: Mapping[str, Any] | None = None,
    labels: Sequence[str] = (),
    names: Sequence[str] = (),
    header: Header = "auto",
    note: Note = silent,
) -> PredictionSides | ScoreSides:
    """Read a baseline and a candidate: predictions where a column of the truth was named.

    One file with a column for each model serves as well, the baseline first, and so does a third
    one with the truth.
    """
    _refuse_absent(files)
    if columns is not None:
        return _predictions(files, columns, measure, options, labels, names, header, note)
    return _scores(files, scores or ScoreOptions(), names, header)


def _predictions(
    files: Sequence[Any],
    columns: PredictionColumns,
    measure: Any,
    options: Mapping[str, Any] | None,
    labels: Sequence[str],
    names: Sequence[str],
    header: Header,
    note: Note,
) -> PredictionSides:
    kept = _baseline(files[0])
    if kept is None and str(files[0]).endswith(".json"):
        raise InputError(
            f"the baseline, {files[0]}: this is no baseline that referee wrote, or its beginning "
            "was damaged, and tables of predictions are no .json",
            remedy="save it anew with referee baseline save",
        )
    if kept is not None and kept.kind != "predictions":
        raise InputError(
            f"{kept.path} holds scores, not predictions",
            concerning="truth",
            at=str(kept.path),
            remedy=f"leave out {named('truth')}",
        )
    if kept is not None and "id" in kept.columns and columns.on is None:
        columns = PredictionColumns(**{**vars(columns), "on": "id"})
    tables = _tables(files, columns, header, note)
    if kept is not None and not names and len(files) == 2:
        called = PurePath(_title(files[1])).stem
        names = (kept.name if kept.name != called else "baseline", called)
    try:
        given = named_predictions(
            tables,
            _with_kept(columns, kept),
            names=names,
            labels=labels,
            task=task_of_measure(measure),
            note=note,
        )
    except InputError as problem:
        if kept is None:
            raise
        raise InputError(
            f"{problem} (the baseline was saved from cases with the fingerprint {kept.cases}; if "
            "the data have changed on purpose, save it anew with referee baseline save)"
        ) from None
    if len(given.names) != 2:
        raise InputError(
            f"a gate holds one candidate against one baseline, got {len(given.names)} "
            f"models ({', '.join(given.names)})",
            concerning="pred",
            remedy=f"name two columns with {named('pred')}",
        )
    return PredictionSides(
        names=(given.names[0], given.names[1]),
        truth=given.truth,
        answers=given.answers,
        scores=given.scores,
        labels=given.classes or None,  # quantities have none
        groups=given.groups,
        ids=given.ids,
        measure_asked=measure,
        options=options,
        columns=given.column,
    )


def _with_kept(columns: PredictionColumns, kept: Baseline | None) -> PredictionColumns:
    """Return the columns with those of a kept baseline, which are called pred and score."""
    if kept is None:
        return columns
    pred, score = columns.pred, columns.score
    return PredictionColumns(
        **{
            **vars(columns),
            "pred": ("pred", pred[-1]) if pred else (),
            "score": ("score", score[-1]) if score else (),
        }
    )


def _baseline(file: Any) -> Baseline | None:
    if isinstance(file, Baseline):
        return file
    return read_baseline(file) if is_baseline(file) else None


def frame_table(frame: Any, name: str) -> Table:
    """Return a data frame as a table that is called as its model is."""
    values = {str(c): _plain_column(frame[c]) for c in frame.columns}
    return Table(values, (Source(name, range(len(frame)), unit="row"),))


def _plain_column(column: Any) -> Anything:
    values = np.asarray(column)
    if values.dtype.kind in "iuf":
        return values.astype(float)
    texts = [None if v is None or v != v else str(v) for v in values.tolist()]
    return np.array(texts, dtype=object)


def _refuse_absent(files: Sequence[Any]) -> None:
    """Name the side whose file is not there, before anything is said of what is in the other."""
    for side, file in zip(("baseline", "candidate", "truth"), files, strict=False):
        if not isinstance(file, (str, os.PathLike, Baseline, Table)):
            raise InputError(
                f"the {side} is a {type(file).__name__}, and the other side comes with columns",
                remedy="give both as files or data frames, or both as arrays",
            )
        if isinstance(file, (str, os.PathLike)) and not os.path.exists(file):
            place = PurePath(os.fspath(file))
            there = sorted(os.listdir(place.parent)) if os.path.isdir(place.parent) else []
            close = get_close_matches(place.name, there, n=1)
            raise TableError(
                f"the {side}, {file}: there is no such file",
                remedy=f"did you mean {close[0]!r}?" if close else "check the name and the folder",
            )


def _tables(
    files: Sequence[Any], columns: PredictionColumns, header: Header, note: Note
) -> list[Table]:
    """Return the tables of all files; where some have no row, all must have none."""
    tables, empty = [], []
    for file in files:
        kept = _baseline(file)
        try:
            if isinstance(file, Table):
                tables.append(file)
            elif kept is not None:
                tables.append(kept.table(columns.truth, columns.on))
            else:
                tables.append(prediction_table(file, header=header, note=note))
        except EmptyTable as problem:
            empty.append(problem)
    if empty and tables:
        raise InputError(
            f"{empty[0]} ({tables[0].path} has {tables[0].n_rows}, and both sides of a gate are "
            "about the same cases)"
        )
    if empty:
        raise empty[0]
    return tables


def _scores(
    files: Sequence[Any], options: ScoreOptions, names: Sequence[str], header: Header
) -> ScoreSides:
    kept = _baseline(files[0])
    if kept is not None and kept.kind != "scores":
        raise InputError(
            f"{kept.path} holds predictions, so the right answers are needed",
            concerning="truth",
            at=str(kept.path),
            remedy=f"name their column with {named('truth')}",
        )
    if kept is None:
        try:
            scores = _read(files, options, header)
            scores, pair = _two(scores, files, names)
        except (EmptyTable, LogError):
            raise
        except InputError as problem:
            raise _no_scores(files, options, problem) from None
        sides = ScoreSides(scores=scores, names=pair, read_by=options.chosen)
        if options.missing != "leave-out":
            _refuse_lacking(sides)
        return sides
    new = _read(files[1:], options, header)
    (candidate,) = new.models if len(new.models) == 1 else (_one(new, files[1:]),)
    name = kept.name if kept.name != candidate else "baseline"
    both = joined(
        [kept.scores(name), new],
        [str(f) for f in files[:2]],
        greater_is_better=kept.settings["greater_is_better"],
        limits=kept.settings["limits"] and tuple(kept.settings["limits"]),
        name=kept.settings["name"],
    )
    _refuse_other_items(kept, both, (name, candidate), files)
    return ScoreSides(scores=both, names=(name, candidate), read_by=options.chosen)


def _refuse_lacking(sides: ScoreSides) -> None:
    """Refuse a candidate without scores of some items: it might lack the hard ones."""
    baseline, candidate = sides.names
    values = sides.scores.means[:, sides.scores.position(baseline)]
    lacking = int(np.isfinite(values).sum()) - sides.n
    if lacking:
        raise InputError(
            f"{candidate} has no score for {lacking} of the items of {baseline}, and "
            "leaving those out may flatter it",
            concerning="missing",
            remedy=f"score it on all, count them as the worst score ({arg('missing', 'worst')}, of "
            f"logs), or pass {arg('missing', 'leave-out')}",
        )


def _refuse_other_items(
    kept: Baseline, both: Scores, names: tuple[str, str], files: Sequence[Any]
) -> None:
    shared = len(both.shared(*names))
    if shared < both.n_items:
        raise InputError(
            f"{kept.path} and {files[1]} share {shared} of {both.n_items} items; the "
            f"baseline was saved from items with the fingerprint {kept.cases}",
            at=str(kept.path),
            remedy="score the candidate on those, or save the baseline anew with referee baseline "
            "save",
        )


def _title(file: Any) -> str:
    return file.path if isinstance(file, Table) else PurePath(os.fspath(file)).name


def _read(files: Sequence[Any], options: ScoreOptions, header: Header) -> Scores:
    if all(isinstance(f, Table) for f in files):
        return _of_frames(files, options)
    paths = [os.fspath(f) for f in files]
    if options.missing in _GATES_OWN and not any(_is_log(path) for path in expanded(paths)):
        options = replace(options, missing="auto")
    return read_scores_source(paths, header=header, **vars(options))


_GATES_OWN = ("leave-out", "refuse")
"""What may be said of missing scores of tables, too: a gate heeds it itself."""


def _is_log(path: str) -> bool:
    opened = open_log(path)
    return opened is not None and format_of(opened) is not None


def _of_frames(tables: Sequence[Table], options: ScoreOptions) -> Scores:
    """Return the scores of a frame for each model."""
    roles = Roles(
        **{name: getattr(options, name) for name in ("item", "model", "score", "run")},
        **{name: getattr(options, name) for name in ("cluster", "weight")},
        values=dict(options.values),
    )
    parts = [
        scores_of(dict(t.values), roles, place=t.place, one_model=t.path, limits=None)
        for t in tables
    ]
    return joined(
        parts,
        [t.path for t in tables],
        greater_is_better=options.greater_is_better is not False,
        limits=options.limits,
    )


def _no_scores(files: Sequence[Any], options: ScoreOptions, problem: InputError) -> InputError:
    """Say what was looked for where nobody said whether files hold predictions or scores."""
    if any((options.item, options.model, options.score, options.cluster)):
        return problem
    titles = " and ".join(_title(f) for f in files)
    what = str(problem).split(";")[0]
    return InputError(
        f"{titles} cannot be read as scores: {what}. Without {named('truth')} files are taken as "
        "evaluation logs, or as tables with a column 'score' for each 'item', or with one column "
        "of numbers for each model",
        remedy=f"predictions: name the column of the right answers with {arg('truth')}; scores: "
        f"name their column with {arg('score')}",
    )


def _two(
    scores: Scores, files: Sequence[Any], names: Sequence[str]
) -> tuple[Scores, tuple[str, str]]:
    """Return the scores and what baseline and candidate are called in them.

    Names choose two of several models; where there are two, any names are given to them.
    """
    if len(names) == 2 == len(scores.models) and not set(names) & set(scores.models):
        scores = replace(scores, models=tuple(names))
    chosen = tuple(names) or scores.models
    if len(chosen) != 2:
        _one(scores.select(list(chosen)), files)
    return scores, (chosen[0], chosen[1])


def _one(scores: Scores, files: Sequence[Any]) -> str:
    titles, models = ", ".join(_title(f) for f in files), ", ".join(scores.models[:6])
    raise InputError(
        f"a gate holds one candidate against one baseline; {titles} has "
        f"{len(scores.models)} models ({models})",
        concerning="name",
        remedy=f"name two with {named('name')}",
    )
