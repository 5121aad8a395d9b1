"""DatasetTest: a test of models over several data sets, one score each, as one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from referee.core.method import Catalogue, Method, answered_evidence
from referee.core.results import Evidence
from referee.errors import Refusal, arg

__all__ = ["DatasetSituation", "DatasetTest", "DatasetTests", "Role"]


class Role(StrEnum):
    """What a test over data sets, or over several models, is for."""

    PAIR = "pair"
    """Two models: from their differences to `Evidence`."""

    ALL = "all"
    """All models at once: from a table with a column a model to `Evidence`."""

    AFTER = "after"
    """Which models differ once some do: from k models and n data sets to a difference of ranks."""

    CASES = "cases"
    """All models at once on the cases of one data set: from a table of errors to `Evidence`."""


_FOR = {
    Role.PAIR: "compares two models",
    Role.ALL: "asks whether any of several models differ",
    Role.AFTER: "says which of several models differ",
    Role.CASES: "compares models by their answers to the cases of one data set",
}


@dataclass(frozen=True, kw_only=True)
class DatasetSituation:
    """What is compared over data sets, and which test of it is wanted.

    Attributes
    ----------
    role : Role
        What the test is for.
    models, data_sets : int
        How many there are.
    control : bool
        Whether all models are held against one.
    """

    role: Role
    models: int
    data_sets: int
    control: bool = False


def _says_nothing(data_sets: int, alpha: float) -> str:
    return ""


@dataclass(frozen=True)
class DatasetTest(Method):
    """A test of models over several data sets.

    Attributes
    ----------
    role : Role
        What it is for, and so what it reads.
    compute : callable
        The test. Of a pair: from differences, first minus second. Of all models: from a table with
        a row per data set, and ``greater_is_better=``. After such a test: from models, data sets
        and level.
    label, symbol : str
        What one sentence calls it and its statistic, as in "Wilcoxon signed rank T = 3"; the title
        where there is no label.
    can_show : callable
        From the number of data sets and the level to what they can show at best, as the end of a
        sentence; empty where that is not known.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import stats
    >>> from referee.core.results import Evidence
    >>> def t_test(differences):
    ...     outcome = stats.ttest_1samp(differences, 0)
    ...     return Evidence(test="paired-t", statistic=float(outcome.statistic),
    ...                     p_value=float(outcome.pvalue), null="equal", n=len(differences))
    >>> mine = DatasetTest("paired-t", title="a t test", role=Role.PAIR, compute=t_test)
    >>> import referee
    >>> scores = {"a": [0.9, 0.8, 0.75, 0.9], "b": [0.8, 0.75, 0.65, 0.8]}
    >>> c = referee.compare_datasets(scores=scores, significance=mine)
    >>> c.evidence.test, round(c.evidence.p_value, 4)
    ('paired-t', 0.006)
    """

    listed_in: ClassVar[str] = "referee.significance.catalogue:DATASET_TESTS"

    _: KW_ONLY
    role: Role
    compute: Callable[..., Any]
    label: str = ""
    symbol: str = "statistic"
    can_show: Callable[[int, float], str] = _says_nothing

    def evidence(self, *data: Any, **options: Any) -> Evidence:
        """Return what it computes, once that is evidence."""
        return answered_evidence(self, lambda: self.compute(*data, **options))

    @property
    def called(self) -> str:
        """What one sentence calls it and its statistic."""
        return f"{self.label or self.title} {self.symbol}"

    def objection(self, situation: Any) -> str | None:
        """Return why the test may not be used, starting with what it is for."""
        if self.role is not situation.role:
            return f"{arg('significance', self.name)} {_FOR[self.role]}"
        return self.refused(situation)


class DatasetTests(Catalogue[DatasetTest]):
    """The tests over several data sets."""

    def asked(
        self, test: str | DatasetTest, situation: DatasetSituation
    ) -> Mapping[Role, DatasetTest]:
        """Return the test of every role: the one that was asked for, otherwise what suits.

        The role of the situation does not matter.
        """
        named = None if isinstance(test, str) and test == "auto" else self.named(test)
        if named is not None:
            self._check(named, situation)
        return {
            role: named
            if named is not None and named.role is role
            else self.choose(replace(situation, role=role))
            for role in (Role.PAIR, Role.ALL, Role.AFTER)
        }

    def _check(self, test: DatasetTest, situation: DatasetSituation) -> None:
        subject, two = arg("significance", test.name), situation.models == 2
        role = Role.PAIR if two else Role.ALL
        if test.role is Role.CASES:
            reason: str | None = f"{subject} {_FOR[test.role]}"
        elif two and test.role is not Role.PAIR:
            reason = f"{subject} {_FOR[test.role]}, and there are two"
        else:
            role, reason = test.role, test.objection(replace(situation, role=test.role))
        if reason is not None:
            other = self.choose(replace(situation, role=role)).name
            raise Refusal(reason, remedy=f"use {arg('significance', other)}")
