"""What tests of two models read: one kind of sample for each setting.

`referee.comparing` makes them from tables of predictions. Every reading is computed when a test
asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from referee.core.arrays import Codes, Flags, Floats
from referee.core.randomness import Seed
from referee.measures import Losses, Measure
from referee.measures.formulas.paired_counts import PairedCounts

if TYPE_CHECKING:
    from referee.significance.paired.paired_bootstrap import PairedBootstrap

__all__ = ["LearnerSample", "PairedSample", "SequentialSample", "UnpairedSample"]


class PairedSample(Protocol):
    """Two fixed models on the same cases; rows are the cases that were tested unseen."""

    @property
    def n(self) -> int:
        """Cases the measure is a share or a mean of."""

    @property
    def measure(self) -> Measure:
        """What is compared."""

    @property
    def seed(self) -> Seed:
        """Where chance starts, for tests that draw."""

    @property
    def counts(self) -> PairedCounts:
        """Those cases by which of the models answered them rightly."""

    @property
    def differences(self) -> Floats:
        """Loss of the first model minus loss of the second, for each of those cases."""

    @property
    def difference_groups(self) -> Codes | None:
        """The group of each of those cases, where cases come in groups."""

    @property
    def losses(self) -> tuple[Floats, Floats]:
        """Losses of both models, case by case; zero-one losses unless the measure has its own."""

    @property
    def groups(self) -> Codes | None:
        """The group of every case, where cases come in groups."""

    @property
    def weights(self) -> Floats | None:
        """How much every case counts, where they have weights."""

    @property
    def ranking(self) -> tuple[Flags, Floats, Floats]:
        """Which cases are positive, and the scores of both models."""

    @property
    def answers(self) -> tuple[Codes, Codes, Codes]:
        """The true class and both models' answers, counted from 0."""

    @property
    def classes(self) -> int:
        """How many classes there are."""

    @property
    def resampled(self) -> PairedBootstrap:
        """The difference of the measure in resamples of the cases."""


class UnpairedSample(Protocol):
    """Two fixed models, each on cases of its own."""

    @property
    def errors(self) -> tuple[int, int, int, int]:
        """Errors and cases of the first model, then of the second."""

    @property
    def rankings(self) -> tuple[Flags, Floats, Flags, Floats]:
        """Which cases are positive and their scores, of the first model, then of the second."""


class LearnerSample(Protocol):
    """Two learners on one shared plan of several splits, as differences of losses."""

    @property
    def measure(self) -> Measure:
        """What is compared."""

    @property
    def mean_loss(self) -> bool:
        """Whether the measure is a mean of one loss per case."""

    @property
    def losses(self) -> Losses:
        """Differences of the losses of all unseen rows; nan for measures that have none."""

    @property
    def by_repetition(self) -> Floats:
        """Differences by repetition and case, where every repetition tests each case once."""

    @property
    def halves(self) -> list[tuple[Floats, Floats]]:
        """Differences inside the two halves of every halving."""

    @property
    def half_groups(self) -> list[tuple[Codes, Codes]] | None:
        """The groups of those cases, where cases come in groups."""

    @property
    def per_split(self) -> Floats:
        """Differences split by split; nan where the measure is undefined."""

    @property
    def defined(self) -> Floats:
        """Those of the splits in which both values are defined."""


class SequentialSample(Protocol):
    """Two fixed models on cases in the order in which they came."""

    @property
    def differences(self) -> Floats:
        """Loss of the first model minus loss of the second, case by case."""

    @property
    def bound(self) -> float:
        """How large such a difference can be."""

    @property
    def level(self) -> float:
        """The confidence level that stakes are set for."""
