"""The plan as a picture: who trained and who tested in each split."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.plan import Part, Plan, Split
from referee.core.showing.pictures import PlanGrid

__all__ = ["plan_grid"]

_MOST_COLUMNS = 60
_MOST_ROWS = 20


def plan_grid(plan: Plan) -> PlanGrid:
    """Return a row for each split and a column for each block of cases.

    Cases are put in the order in which the first repetition tests them, so that its folds are
    blocks; where it goes forward in time, what only trains comes first. Only whole repetitions are
    drawn, and several splits share a row where there are many.

    Examples
    --------
    >>> first, second = np.array([0, 2]), np.array([1, 3])
    >>> plan = Plan((Split(first, second), Split(second, first)), n=4, scheme="cv", description="")
    >>> grid = plan_grid(plan)
    >>> grid.test, grid.sizes
    (((1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 1.0)), ((2, 2), (2, 2)))
    """
    main = plan.part(Part.MAIN) or plan.splits
    shown = _first_repetitions(main)
    place = _places(shown, plan.n)
    columns = min(plan.n, _MOST_COLUMNS)
    rows = [np.array(r) for r in np.array_split(np.arange(len(shown)), min(len(shown), _MOST_ROWS))]
    drawn = [_row([shown[k] for k in row], place, columns) for row in rows]
    return PlanGrid(
        labels=tuple(_label(row, shown) for row in rows),
        train=tuple(train for train, _, _ in drawn),
        test=tuple(test for _, test, _ in drawn),
        sizes=tuple(sizes for _, _, sizes in drawn),
        caption=_caption(plan, main, shown, columns),
    )


def _first_repetitions(main: Sequence[Split]) -> list[Split]:
    """Return as many whole repetitions as there is room for, at least the first."""
    first = [s for s in main if s.repetition == main[0].repetition]
    if len(first) == 1 or len(main) <= _MOST_ROWS:
        # Repetitions of one split each (bootstrap, repeated holdout) are cut anywhere.
        return list(main[:_MOST_ROWS])
    room = max(1, _MOST_ROWS // len(first))
    wanted = list(dict.fromkeys(s.repetition for s in main))[: min(room, 2)]
    return [s for s in main if s.repetition in wanted]


def _places(shown: Sequence[Split], n: int) -> Rows:
    """Return where each case stands: by the split of the first repetition that tests it.

    Where no split trains on what is tested later, cases are in the order of their first use.
    """
    first = [s for s in shown if s.repetition == shown[0].repetition]
    tested_by = np.full(n, len(first))
    for number, split in reversed(list(enumerate(first))):
        tested_by[_tested(split)] = number
    order = _first_use(first, tested_by) if _is_forward(first, tested_by) else tested_by
    place = np.empty(n, dtype=np.intp)
    place[np.argsort(order, kind="stable")] = np.arange(n)
    return place


def _is_forward(splits: Sequence[Split], tested_by: Rows) -> bool:
    """Tell whether every split trains on what is tested before it, or never."""
    return all(
        not np.any((tested_by[s.train] >= k) & (tested_by[s.train] < len(splits)))
        for k, s in enumerate(splits)
    )


def _first_use(splits: Sequence[Split], tested_by: Rows) -> Floats:
    """Return a number for each case that grows with time, as far as a forward plan tells it."""
    order = 1.0 + tested_by
    trained_by = np.full(len(order), len(splits))
    for number, split in reversed(list(enumerate(splits))):
        trained_by[split.train] = number
    only = (tested_by == len(splits)) & (trained_by < len(splits))
    # What first trains a later split, and is never tested, was the gap before an earlier test.
    order[only] = np.maximum(trained_by[only] - 0.5, 0)
    return order + trained_by / (4 * len(splits))


def _row(
    splits: Sequence[Split], place: Rows, columns: int
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[int, int]]:
    """Return the shares of each block that train and test, and how many cases do."""
    train, test = np.zeros(len(place)), np.zeros(len(place))
    for split in splits:
        train[np.unique(split.train)] += 1 / len(splits)
        test[_tested(split)] += 1 / len(splits)
    sizes = round(float(train.sum())), round(float(test.sum()))
    return _shares(train, place, columns), _shares(test, place, columns), sizes


def _tested(split: Split) -> Rows:
    """Return the cases that were tested unseen, or all, where the model had seen all of them."""
    unseen = np.setdiff1d(split.test, split.train)
    return unseen if len(unseen) else split.test


def _shares(marks: Floats, place: Rows, columns: int) -> tuple[float, ...]:
    blocks = place * columns // len(place)
    totals = np.bincount(blocks, weights=marks, minlength=columns)
    shares = totals / np.bincount(blocks, minlength=columns)
    return tuple(round(float(s), 3) for s in shares)


def _label(row: Rows, shown: Sequence[Split]) -> str:
    ends = [_number(int(k), shown) for k in (row[0], row[-1])]
    return ends[0] if len(row) == 1 else f"{ends[0]} to {ends[1]}"


def _number(k: int, shown: Sequence[Split]) -> str:
    """Return the split's number within its repetition, with the repetition where there are some."""
    split = shown[k]
    first = next(i for i, s in enumerate(shown) if s.repetition == split.repetition)
    alone = sum(s.repetition == split.repetition for s in shown) == 1
    if alone or split.repetition == shown[0].repetition:
        return str(k + 1)
    return f"{split.repetition + 1}.{k - first + 1}"


def _caption(plan: Plan, main: Sequence[Split], shown: Sequence[Split], columns: int) -> str:
    cases = "a case" if columns == plan.n else f"about {plan.n / columns:.0f} cases"
    caption = f"Each row is a fit, each column {cases}."
    if len(shown) > _MOST_ROWS:
        caption = f"Each row is several of {len(main)} fits, each column {cases}."
    if len(main) > len(shown):
        rest = len(main) - len(shown)
        caption += f" {rest} more fit{'s' if rest > 1 else ''} like these {_are(rest)} not drawn."
    others = len(plan.splits) - len(main)
    if others:
        caption += f" {others} further fit{'s' if others > 1 else ''} measured "
        caption += "the training error" if _only_resubstitution(plan) else "variation and optimism"
        caption += "."
    return caption


def _are(count: int) -> str:
    return "are" if count > 1 else "is"


def _only_resubstitution(plan: Plan) -> bool:
    return all(s.part in (Part.MAIN, Part.RESUBSTITUTION) for s in plan.splits)
