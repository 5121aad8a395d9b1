"""Intervals and tests of scores where the truth is known, beside what other tools print."""

from referee.study.scores.experiment import ScoresStudy, scores

__all__ = ["ScoresStudy", "scores"]
