"""A baseline in the repository: a small text file that knows what it was made of.

It holds each case's name, right answer and prediction (or each item's scores), a fingerprint of
the cases and one of the whole content. A file that was changed by hand, or is held against other
cases, is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from referee.core.fingerprint import fingerprint
from referee.core.machine.plain_file import file_text
from referee.core.scores.scores import Scores
from referee.errors import InputError
from referee.report.files import write_text
from referee.sources.tables import Source, Table

__all__ = ["Baseline", "is_baseline", "read_baseline"]

_KIND = "referee baseline"
_VERSION = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Baseline:
    """What a model answered, kept to hold later ones against it.

    Attributes
    ----------
    name : str
        How the model is called.
    columns : mapping of str to list
        ``id`` (where cases have names), ``truth``, ``pred`` and ``score`` of predictions; ``item``,
        ``score``, ``run``, ``cluster``, ``weight`` of scores.
    settings : mapping
        Of scores: their name, direction and limits.
    cases : str
        The fingerprint of the cases.
    path : str
        Where it was read from.

    Examples
    --------
    >>> kept = Baseline.of_predictions(["a", "b"], ["yes", "no"], ["yes", "yes"], name="old")
    >>> kept.n, kept.kind, kept.cases == kept.cases
    (2, 'predictions', True)
    """

    name: str
    columns: dict[str, list[Any]]
    settings: dict[str, Any]
    cases: str
    path: str = ""

    @classmethod
    def of_predictions(
        cls, ids: Any, truth: Any, pred: Any, *, name: str, score: Any = None
    ) -> Baseline:
        """Return the baseline of predicted classes; `ids` may be None."""
        columns = {} if ids is None else {"id": [str(i) for i in _list(ids)]}
        columns |= {"truth": _list(truth), "pred": _list(pred)}
        if score is not None:
            columns["score"] = _list(score)
        return cls(name=name, columns=columns, settings={}, cases=_cases(columns))

    @classmethod
    def of_scores(cls, scores: Scores) -> Baseline:
        """Return the baseline of the scores of one model."""
        (name,) = scores.models
        frame = scores.frame().drop(columns="model")
        if not scores.repeated:
            frame = frame.drop(columns="run")
        columns = {str(c): _list(frame[c]) for c in frame}
        settings = {
            "name": scores.name,
            "greater_is_better": scores.greater_is_better,
            "limits": [scores.low, scores.high] if scores.bounded else None,
        }
        return cls(name=name, columns=columns, settings=settings, cases=_cases(columns))

    @property
    def kind(self) -> str:
        """What it holds: "predictions" or "scores"."""
        return "predictions" if "pred" in self.columns else "scores"

    @property
    def n(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.columns.values())))

    def write(self, path: str | Path) -> None:
        """Write the file whole or not at all."""
        write_text(path, self.text)

    @property
    def text(self) -> str:
        """The file: a header, then one line for each column."""
        head = {"kind": _KIND, "version": _VERSION, "name": self.name, "of": self.kind}
        head |= {"rows": self.n, "cases": self.cases, "content": self.content}
        head["settings"] = self.settings
        lines = [f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
        columns = [
            f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False, separators=(',', ':'))}"
            for k, v in self.columns.items()
        ]
        lines.append(' "columns": {\n' + ",\n".join(columns) + "\n }")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @property
    def content(self) -> str:
        """The fingerprint of all it holds."""
        return fingerprint([self.name, json.dumps([self.columns, self.settings], sort_keys=True)])

    def table(self, truth: str, on: str | None) -> Table:
        """Return predictions as a table with the columns that a candidate's file has."""
        names = {"id": on or "id", "truth": truth, "pred": "pred", "score": "score"}
        values = {names[k]: _column(v) for k, v in self.columns.items()}
        return Table(values, (Source(self.path or self.name, range(1, self.n + 1), unit="case"),))

    def scores(self, name: str | None = None) -> Scores:
        """Return scores, the model called as it was or by another name."""
        frame = pd.DataFrame(self.columns)
        frame["model"] = name or self.name
        limits = self.settings["limits"]
        return Scores.of(
            frame,
            greater_is_better=self.settings["greater_is_better"],
            limits=None if limits is None else tuple(limits),
            name=self.settings["name"],
        )


def is_baseline(path: Any) -> bool:
    """Tell whether a file is a baseline that referee wrote, by its beginning."""
    try:
        if not Path(path).is_file():
            return False
        with open(path, "rb") as file:
            return _KIND.encode() in file.read(80)
    except (OSError, TypeError, ValueError):
        return False


def read_baseline(path: str | Path) -> Baseline:
    """Return the baseline of a file; one that was changed since it was saved is refused."""
    remedy = "save it anew with referee baseline save"
    try:
        held = json.loads(file_text(Path(path)))
        baseline = Baseline(
            name=str(held["name"]),
            columns=dict(held["columns"]),
            settings=dict(held["settings"]),
            cases=str(held["cases"]),
            path=str(path),
        )
        lengths = {len(column) for column in baseline.columns.values()}
        if held["version"] != _VERSION or len(lengths) != 1:
            raise KeyError
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"{path} is no baseline that this version of referee can read", remedy=remedy
        ) from None
    if held["content"] != baseline.content or _cases(baseline.columns) != baseline.cases:
        raise InputError(
            f"{path} was changed after it was saved: its content does not match its fingerprint "
            f"{held['content']}",
            remedy=remedy,
        )
    return baseline


def _cases(columns: dict[str, list[Any]]) -> str:
    """Return the fingerprint of the cases, whatever their order."""
    if "truth" not in columns:
        return fingerprint(sorted({str(i) for i in columns["item"]}))
    truth = [str(v) for v in columns["truth"]]
    ids = columns.get("id", list(range(len(truth))))
    return fingerprint(sorted((str(i), t) for i, t in zip(ids, truth, strict=True)))


def _list(values: Any) -> list[Any]:
    plain = values.tolist() if hasattr(values, "tolist") else list(values)
    return [v.item() if isinstance(v, np.generic) else v for v in plain]


def _column(values: list[Any]) -> Any:
    if all(isinstance(v, (int, float)) for v in values):
        return np.array(values, dtype=float)
    return np.array([str(v) for v in values], dtype=object)
