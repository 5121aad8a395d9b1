"""gate: may a candidate take the place of a baseline?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.results import Outcome
from referee.core.showing.numbers import count_text, level_text, p_text
from referee.errors import EmptyTable, InputError, arg, named
from referee.gating import describe_gate  # noqa: F401 (it registers its descriptions)
from referee.gating.decision import Gate
from referee.gating.looks.runs_record import check_record, count_run, finding_of_reuse
from referee.gating.looks.sequential import idle_gate, sequential_gate
from referee.gating.question import GateQuestion, margin_of, widest_difference
from referee.gating.rare_losses import ADDED, too_few
from referee.gating.reach import refuse_too_few, refuse_too_few_scores
from referee.gating.sides.baseline import Baseline
from referee.gating.sides.compared import Compared, Sides, compared
from referee.gating.sides.files import ScoreOptions, frame_table, read_sides
from referee.gating.sides.prediction_sides import PredictionSides
from referee.gating.sides.score_sides import ScoreSides
from referee.measures.shares import ERROR
from referee.sources.predictions import PredictionColumns
from referee.sources.scores import scores_from
from referee.sources.tables import Table

__all__ = ["decide", "gate", "no_cases"]

_NAMES = ("baseline", "candidate")

_WIDE = 0.2
"""A margin of shares above this may be a slip of the pen."""


def gate(
    baseline: Any,
    candidate: Any,
    *,
    margin: float | None = None,
    claim: str = "non-inferior",
    y_true: Any = None,
    ids: Any = None,
    truth: str | None = None,
    on: str | None = None,
    pred: Sequence[str] | str = (),
    score: Sequence[str] | str = (),
    measure: Any = "error",
    groups: Any = None,
    pos_label: Any = None,
    costs: Any = None,
    greater_is_better: bool = True,
    limits: Any = "auto",
    missing: str = "auto",
    level: float = 0.95,
    undecided: str = "report",
    sequential: str | os.PathLike[str] | None = None,
    version: str = "",
    figures: bool = False,
) -> Gate:
    """Decide whether a candidate may take the place of a baseline.

    Parameters
    ----------
    baseline, candidate : array-like, path, DataFrame or Baseline
        With `y_true`: predicted classes. Files and frames: with `truth` predictions, otherwise
        scores or (files) evaluation logs; the baseline may be a file of ``referee baseline save``.
        Arrays without `y_true`: one score for each item.
    margin : float
        How much worse the candidate may be (0.01 is one point); which differences do not matter,
        for "equivalent"; not for "better".
    claim : {"non-inferior", "better", "equivalent"}
        What is to be shown.
    y_true : array-like or str, optional
        The right answers; of files and frames the name of their column, as `truth`.
    ids : array-like or str, optional
        Names of the cases; needed for `sequential`. Of files and frames their column, as `on`.
    truth, on, pred, score : str, optional
        Columns of files and frames: the right answers, the ids to join by, predictions and scores.
    measure : str, Measure or callable
        What to compare, for predictions.
    groups : array-like, or str for files and frames
        Which cases belong together.
    pos_label, costs
        As in `compare_predictions`.
    greater_is_better, limits
        As in `compare_scores`, for scores.
    missing : {"auto", "leave-out", "worst", "refuse"}
        Files of scores: what becomes of items that the candidate has no score for. "auto" and
        "refuse" refuse them, "worst" counts those of logs as the worst score.
    level : float
        1 minus the chance to pass a candidate that is worse by the margin.
    undecided : {"report", "pass", "fail"}
        What becomes of an undecided gate: `exit_code` 3, 0 or 1.
    sequential : path, optional
        The ledger of all runs: decisions then hold over all of them together.
    version : str
        With `sequential`, which candidate it is; evidence adds up over runs of one version, and a
        run without one counts as another model.
    figures : bool
        With `sequential`, whether more than the answer is shown; only for new cases.

    Returns
    -------
    Gate

    Examples
    --------
    >>> import referee
    >>> truth = [0, 1] * 500
    >>> old = truth[:900] + [1, 0] * 50
    >>> new = truth[:905] + [0] + truth[906:920] + [1, 0] * 40
    >>> g = referee.gate(old, new, y_true=truth, margin=0.02)
    >>> g.outcome.value, g.exit_code, g.flat()["n"]
    ('pass', 0, 1000)
    >>> referee.gate(old, new, y_true=truth)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: claim='non-inferior' needs a margin: how much worse the candidate
    may be; pass margin=0.01 for one point
    """
    answers = truth is not None or y_true is not None
    question = GateQuestion(
        claim=claim,
        margin=margin_of(margin),
        level=level,
        undecided=undecided,
        scale=widest_difference(measure) if answers else np.inf,
    )
    options = {"pos_label": pos_label, "costs": costs}
    folder, remark = None, ""
    sides: Sides
    tables = [_table(side, name) for side, name in ((baseline, _NAMES[0]), (candidate, _NAMES[1]))]
    if _is_file(baseline) or _is_file(candidate) or any(t is not None for t in tables):
        truth, on = _column("truth", truth, "y_true", y_true), _column("on", on, "ids", ids)
        columns = None
        if truth is not None:
            columns = PredictionColumns(
                truth=truth, pred=_several(pred), score=_several(score), on=on, groups=groups
            )
        scores = ScoreOptions(
            item=on,
            cluster=groups,
            score=None if columns or not score else _several(score)[0],
            greater_is_better=greater_is_better,
            limits=limits,
            missing=missing,
        )
        files = [baseline if tables[0] is None else tables[0]]
        files += [candidate if tables[1] is None else tables[1]]
        folder = _folder(baseline)
        try:
            sides = read_sides(files, columns, scores=scores, measure=measure, options=options)
        except EmptyTable as problem:
            if sequential is None:
                raise
            return no_cases(files, question, sequential, version, problem)
    else:
        if sequential is not None and ids is None:
            raise InputError(
                f"{named('sequential')} must tell new cases from known ones",
                concerning="sequential",
                remedy=f"pass {arg('ids')}, a name for each case",
            )
        sides = _arrays(
            baseline,
            candidate,
            y_true,
            ids,
            groups,
            measure,
            options,
            {"greater_is_better": greater_is_better, "limits": limits},
        )
        if isinstance(sides, ScoreSides) and limits == "auto":
            remark = _taken_for_scores(sides)
    decided = decide(
        sides,
        question,
        sequential=sequential,
        version=version,
        figures=figures,
        folder=folder,
    )
    return replace(decided, sentence=decided.sentence + remark)


def decide(
    sides: Sides,
    question: GateQuestion,
    *,
    sequential: str | os.PathLike[str] | None = None,
    version: str = "",
    figures: bool = False,
    folder: Path | None = None,
    label: str = "gate",
) -> Gate:
    """Decide on a candidate; with a ledger over all runs, else on these cases alone.

    `folder` is that of the baseline, where runs without a ledger are counted.
    """
    if sequential is not None:
        if folder is not None:
            check_record(folder)
        result = sequential_gate(
            sides, question, Path(sequential), version=version, figures=figures
        )
        if folder is not None and result.counted:
            count_run(folder, sides)
        return result
    if version or figures:
        raise InputError(
            f"{arg('version' if version else 'figures')} belongs to a ledger",
            concerning="sequential",
            remedy=f"name one with {arg('sequential', 'gate.ledger')}",
        )
    checked = GateQuestion(**{**vars(question), "scale": sides.scale})
    taken = sides.one_by_one()
    counts = taken.counts
    if counts is not None and taken.n:
        which = "" if taken is sides else f" of the class that {sides.measure} is about"
        refuse_too_few(counts, checked, which)
    room = sides.room
    if room is not None:
        refuse_too_few_scores(sides.n, room, sides.scale, checked, shares=sides.percent)
    pair = compared(sides, checked)
    reached = _reached(sides, pair, checked)
    outcome = reached.outcome
    reuse = None if folder is None else finding_of_reuse(folder, sides, checked)
    baseline, candidate = sides.names
    return Gate(
        outcome=outcome,
        sentence=reached.sentence + _one_sided(pair, checked, outcome) + _wide(sides, checked),
        question=checked,
        baseline=baseline,
        candidate=candidate,
        measure=sides.measure,
        n=sides.n,
        p_value=reached.p_shown,
        p_opposite=reached.p_opposite,
        compared=pair,
        findings=(*pair.result.findings, *([reuse] if reuse else [])),
        label=label,
    )


@dataclass(frozen=True)
class _Reached:
    """What a gate says in the end, and by which p-values."""

    outcome: Outcome
    sentence: str
    p_shown: float
    p_opposite: float


def _reached(sides: Sides, pair: Compared, question: GateQuestion) -> _Reached:
    """Return what a comparison shows, once losses that few cases need not show are allowed for."""
    outcome = Outcome.UNDECIDED
    if pair.verdict.shown:
        outcome = Outcome.PASS
    elif pair.verdict.refuted:
        outcome = Outcome.FAIL
    sentence = pair.verdict.sentence
    shown, opposite = pair.p_shown(question.claim), pair.p_opposite(question.claim)
    if sides.exact:
        return _Reached(outcome, sentence, shown, opposite)
    losses = sides.losses
    few = too_few(sides.n, losses, sides.classes)
    if few:
        return _Reached(Outcome.UNDECIDED, f"No decision: {few}. Seen: {sentence}", 1.0, 1.0)
    if outcome is Outcome.UNDECIDED and pair.difference.interval is None and sides.same_answers:
        sentence = (
            f"Not shown: {' and '.join(sides.names)} give the same answers on all "
            f"{count_text(sides.n)} cases, which does not tell how far apart they may be on others."
        )
    if losses is None:
        return _Reached(outcome, sentence, shown, opposite)
    shown = max(shown, losses.p_shown(question))
    opposite = max(opposite, losses.p_opposite(question))
    p = shown if outcome is Outcome.PASS else opposite
    if outcome is Outcome.UNDECIDED or p <= question.alpha:
        return _Reached(outcome, sentence, shown, opposite)
    cases = "1 case is" if sides.n == 1 else f"{count_text(sides.n)} cases are"
    why = (
        f"{cases} too few to rule out rare losses (with {ADDED:g} cases of the largest loss added "
        f"{p_text(p)})"
    )
    return _Reached(Outcome.UNDECIDED, f"Not shown: {why}, though {sentence}", shown, opposite)


def _one_sided(pair: Compared, question: GateQuestion, outcome: Outcome) -> str:
    """Return why a claim was shown though the interval reaches beyond the margin, where it does."""
    i = pair.difference.interval
    if outcome is not Outcome.PASS or question.claim == "better" or i is None:
        return ""
    worse, better = (-i.low, i.high) if pair.difference.greater_is_better else (i.high, -i.low)
    beyond = worse >= question.rope or (question.claim == "equivalent" and better >= question.rope)
    if not beyond:
        return ""
    alpha = level_text(question.alpha)
    sides = "on one side" if question.claim == "non-inferior" else "by two one-sided tests"
    return (
        f" The interval reaches beyond the margin because it is two-sided, {alpha} for both ends "
        f"together; the claim is tested {sides} at {alpha}."
    )


def _wide(sides: Sides, question: GateQuestion) -> str:
    """Return a word on a margin of shares that hardly any candidate misses; empty otherwise."""
    margin = question.rope
    if not sides.percent or margin <= _WIDE:
        return ""
    return (
        f" The margin is {100 * margin:g} points, which nearly any candidate keeps; {margin:g} % "
        f"is written {margin / 100:g}."
    )


def _arrays(
    baseline: Any,
    candidate: Any,
    y_true: Any,
    ids: Any,
    groups: Any,
    measure: Any,
    options: dict[str, Any],
    scored: dict[str, Any],
) -> Sides:
    if isinstance(y_true, str):
        raise InputError(
            f"{arg('y_true', y_true)} names a column, and there is none to name in arrays",
            concerning="y_true",
            remedy="pass files or data frames on both sides, or the right answers themselves",
        )
    _refuse_unequal({"baseline": baseline, "candidate": candidate}, y_true, ids, groups)
    if y_true is None and (measure != ERROR.name or any(v is not None for v in options.values())):
        raise InputError(
            f"{named('measure')}, {named('pos_label')} and {named('costs')} are about predictions",
            concerning="y_true",
            remedy=f"pass {named('y_true')}, the right answers; without it numbers are scores",
        )
    if y_true is not None:
        return PredictionSides(
            names=_NAMES,
            truth=y_true,
            answers=dict(zip(_NAMES, (baseline, candidate), strict=True)),
            groups=groups,
            ids=None if ids is None else np.array([str(i) for i in ids], dtype=object),
            measure_asked=measure,
            options=options,
        )
    table = {"baseline": list(baseline), "candidate": list(candidate)}
    if ids is not None:
        table["item"] = list(ids)
    return ScoreSides(scores=scores_from(table, cluster=groups, **scored), names=_NAMES)


def _taken_for_scores(sides: ScoreSides) -> str:
    """Say so where whole numbers, which may be classes, were taken for scores."""
    if np.any(sides.scores.score != np.round(sides.scores.score)):
        return ""
    return (
        f" The whole numbers were taken for scores; if they are predicted classes, pass "
        f"{named('y_true')}, and if not, name their limits ({named('limits')})."
    )


def _refuse_unequal(sides: dict[str, Any], y_true: Any, ids: Any, groups: Any) -> None:
    """Refuse arrays that are not about the same cases, by their lengths."""
    given = {"y_true": y_true, **sides, "ids": ids, "groups": groups}
    for name, values in given.items():
        if name in sides and (isinstance(values, str) or not hasattr(values, "__len__")):
            raise InputError(
                f"{name} must hold one value for each case, got a {type(values).__name__}",
                remedy="pass an array, a data frame or the path of a file",
            )
    scalar = [name for name, v in given.items() if getattr(v, "ndim", 1) == 0]
    if scalar:
        raise InputError(
            "must hold one value for each case", argument=scalar[0], value=repr(given[scalar[0]])
        )
    sizes = {name: len(v) for name, v in given.items() if hasattr(v, "__len__")}
    first = next(iter(sizes))
    odd = [name for name in sizes if sizes[name] != sizes[first]]
    if odd:
        raise InputError(
            f"{first} has {sizes[first]} cases and {odd[0]} {sizes[odd[0]]}; a gate holds both "
            "models against the same cases, in the same order",
            concerning="y_pred",
        )


def no_cases(
    files: Sequence[Any],
    question: GateQuestion,
    state: str | os.PathLike[str],
    version: str,
    problem: EmptyTable,
) -> Gate:
    """Return the answer of a run whose files have no row: a night without new cases."""
    names = [Path(f).stem if isinstance(f, (str, os.PathLike)) else f.path for f in files]
    why = f"no case to judge ({str(problem).split(';')[0]})"
    return idle_gate((names[0], names[-1]), question, Path(state), version, why=why)


def _table(given: Any, name: str) -> Table | None:
    """Return a data frame as a table, None for anything else."""
    return frame_table(given, name) if hasattr(given, "columns") and not _is_file(given) else None


def _column(argument: str, named_so: Any, other: str, given: Any) -> Any:
    """Return the one column that either argument names; values themselves are refused."""
    if given is None:
        return named_so
    if not isinstance(given, str):
        raise InputError(
            f"{arg(other)} must name a column where files or frames are given",
            remedy=f"pass {arg(argument, 'column')}",
        )
    if named_so is not None and named_so != given:
        raise InputError(
            f"{arg(argument, named_so)} and {arg(other, given)} contradict each other",
            remedy="pass one",
        )
    return given


def _is_file(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike, Baseline))


def _several(given: Sequence[str] | str) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given


def _folder(baseline: Any) -> Path | None:
    if not _is_file(baseline):
        return None
    if isinstance(baseline, Baseline):
        return Path(baseline.path).parent if baseline.path else None
    return Path(baseline).parent
