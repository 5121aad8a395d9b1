"""A task of one's own: a TOML file that says where classes lie, from which cells are made.

    learner = "lda"                      # a short name or an import path, as for --model
    sizes = [50, 200]

    [task]                               # normal classes
    means = [[-1.0, 0.0], [1.0, 0.0]]
    covariances = [[1.0, 0.0], [0.0, 1.0]]
    priors = [0.7, 0.3]

    [second]                             # for tests of learners: where the other one's features
    means = [[-0.5, 0.0], [0.5, 0.0]]    # come from; without it both learners are equal
    covariances = [[1.0, 0.0], [0.0, 1.0]]

A task that is no normal one stands in a module: ``task = "mine.tasks:RINGS"``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.core.machine.plain_file import file_text
from referee.errors import InputError
from referee.learners import model_from_name
from referee.study.calibration.cell import Cell, PairCell, RiskCell
from referee.study.calibration.methods import interval_methods, learner_tests
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.tasks.task import KnownTask, Task

__all__ = ["own_cells"]

_KNOWN = ("learner", "sizes", "task", "second", "repetitions")


def own_cells(path: Path, method: str) -> list[Cell]:
    """Return the cells of a file in which a method can be tried.

    Parameters
    ----------
    path : Path
        The file.
    method : str
        An interval of a risk after several fits, or a test of two learners.
    """
    stated = _read(path)
    odd = sorted(set(stated) - set(_KNOWN))
    if odd:
        raise InputError(
            f"{path} has {odd[0]!r}, which is unknown; it may have {_listed(_KNOWN)}",
            at=str(path),
        )
    learner, sizes = str(stated.get("learner", "lda")), stated.get("sizes", [100])
    model_from_name(learner)
    if not isinstance(sizes, list) or not all(isinstance(n, int) and n >= 20 for n in sizes):
        raise InputError(f"{path}: sizes must be whole numbers of at least 20", value=repr(sizes))
    if "task" not in stated:
        raise InputError(f"{path} names no task", remedy="write [task] with means and covariances")
    task = _task(stated["task"], path)
    many = int(stated.get("repetitions", 200))
    tests, intervals = ({m.name for m in of} for of in (learner_tests(), interval_methods()))
    cells: list[Cell] = []
    if method in intervals:
        named = f"{path.stem}, {learner}, n "
        cells += [
            RiskCell(name=f"{named}{n}", task=task, learner=learner, size=n, repetitions=many)
            for n in sizes
        ]
    if method in tests:
        second = _task(stated["second"], path) if "second" in stated else task
        pair = _drawable(task, path), _drawable(second, path)
        cells += [_pair(path, n, learner, many, *pair) for n in sizes]
    if cells:
        return cells
    raise InputError(
        f"method {method!r} is not tried on tasks",
        concerning="method",
        remedy=(
            f"use an interval after several fits ({_listed(sorted(intervals))}) or a test "
            f"of learners ({_listed(sorted(tests))})"
        ),
    )


def _pair(
    path: Path, n: int, learner: str, many: int, first: KnownTask, second: KnownTask
) -> PairCell:
    kind = "equal" if first is second else "power"
    return PairCell(
        name=f"{kind}: {path.stem}, {learner}, n {n}",
        first=first,
        second=second,
        learner=learner,
        size=n,
        repetitions=many,
    )


def _drawable(task: Task, path: Path) -> KnownTask:
    if not isinstance(task, KnownTask):
        raise InputError(
            f"{path}: learners are compared on tasks of known classes only",
            at=str(path),
        )
    return task


def _task(stated: Any, path: Path) -> Task:
    if isinstance(stated, str):
        return _imported(stated, path)
    if not isinstance(stated, Mapping) or not {"means", "covariances"} <= set(stated):
        raise InputError(f"{path}: a task needs means and covariances", value=repr(stated))
    odd = sorted(set(stated) - {"means", "covariances", "priors"})
    if odd:
        raise InputError(
            f"{path}: a task has means, covariances and priors, not {odd[0]!r}",
            at=str(path),
        )
    return GaussianTask(stated["means"], stated["covariances"], stated.get("priors"))


def _imported(name: str, path: Path) -> Task:
    module, _, attribute = name.partition(":")
    try:
        task = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise InputError(
            f"{path}: task {name!r} cannot be imported: {problem}",
            at=str(path),
        ) from None
    if not isinstance(task, Task):
        raise InputError(
            f"{path}: {name!r} is no task, but {type(task).__name__}",
            at=str(path),
        )
    return task


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file_text(path))
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read: {problem.strerror}",
            at=str(path),
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise InputError(
            f"{path} is no TOML file: {problem}",
            at=str(path),
        ) from None


def _listed(names: Any) -> str:
    return ", ".join(names)
