"""referee study scores: intervals of scores, ours and of other tools, where the mean is known."""

from __future__ import annotations

from pathlib import Path

from referee.cli import options
from referee.cli.output import check_places
from referee.cli.study.delivery import Folder, Jobs, Repetitions, place, show

__all__ = ["scores"]


def scores(
    repetitions: Repetitions = 1200,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-scores"),
    force: options.Force = False,
) -> None:
    """Try intervals of scores, ours and those of other tools, where the mean is known.

    Writes calibration_scores.csv besides, the table that reports quote.
    """
    check_places(out, force=force)
    from referee.report import write_text
    from referee.study import scores as make

    made = make(repetitions=repetitions, random_state=seed, n_jobs=jobs)
    show(made, out, "scores", seed=seed)
    write_text(place(out, "calibration_scores.csv"), made.records().to_csv(index=False))
