"""ComparisonTest: a test of two models as one object, and the situation in which it is asked.

A test belongs to one setting: fixed models on the same cases, fixed models on different cases, or
learners fitted several times on one shared plan. It reads a sample of that setting
(`referee.significance.samples`) and returns a contrast, which has its own interval, or evidence
alone. Losses are compared, first minus second, so that less is better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from referee.core.citations import Citation
from referee.core.method import Catalogue, Method, answered, answered_evidence
from referee.core.plan import Part
from referee.core.results import Evidence
from referee.core.situation import Situation
from referee.errors import InputError, Refusal, arg, named
from referee.measures import AreaMeasure, Measure
from referee.significance.contrast import Contrast

__all__ = [
    "ComparisonSituation",
    "ComparisonTest",
    "ComparisonTests",
    "LearnerTrial",
    "Setting",
    "interval_of_the_test",
    "unsuited",
]


class Setting(StrEnum):
    """How two models that are compared were tested."""

    SAME_CASES = "same cases"
    """Fixed models that predicted the same cases."""

    DIFFERENT_CASES = "different cases"
    """Fixed models, each with a test set of its own."""

    SEVERAL_FITS = "several fits"
    """Learners that went through one shared plan of several splits."""

    ONE_BY_ONE = "one by one"
    """Fixed models whose cases came one by one, judged whenever one liked."""


@dataclass(frozen=True, kw_only=True)
class ComparisonSituation(Situation):
    """How two models were, or will be, tested, and what is asked of their comparison.

    Attributes
    ----------
    measure : Measure or None
        What is compared; None for the error.
    rope : float
        Differences up to this size do not matter; 0 where none was stated.
    interval : str
        The interval of the difference that was asked for, or "auto".
    sequential : bool
        Whether cases came one by one, and the verdict must hold at all times.

    Examples
    --------
    >>> ComparisonSituation(fits=10, paired=True).setting
    <Setting.SEVERAL_FITS: 'several fits'>
    """

    measure: Measure | None = None
    rope: float = 0.0
    interval: str = "auto"
    sequential: bool = False

    @property
    def setting(self) -> Setting:
        """Which tests belong here."""
        if self.sequential:
            return Setting.ONE_BY_ONE
        if not self.paired:
            return Setting.DIFFERENT_CASES
        return Setting.SAME_CASES if self.fixed else Setting.SEVERAL_FITS

    @property
    def halved(self) -> bool:
        """Whether the plan has cross-validations inside halves."""
        return Part.HALVINGS in self.parts

    @property
    def counts_cases(self) -> bool:
        """Whether the measure is a share of cases known before any answer: an error or a rate."""
        return self.measure is None or self.measure.counts_cases

    @property
    def mean_loss(self) -> bool:
        """Whether the measure is a mean of one loss per case, over all cases."""
        return self.measure is None or self.measure.is_mean_loss

    @property
    def area(self) -> bool:
        """Whether the measure is the whole area under the ROC curve."""
        return isinstance(self.measure, AreaMeasure)

    @property
    def measure_name(self) -> str:
        """The name of the measure, for messages."""
        return self.measure.name if self.measure else "error"


@dataclass(frozen=True)
class LearnerTrial:
    """How the calibration study tries a test of two learners.

    Attributes
    ----------
    by : str
        The scheme it reads, one of `referee.study.calibration.methods.SCHEMES` or a name of
        `referee.resampling.SCHEMES`.
    first_pass : bool
        Whether it reads only the first pass of a repeated cross-validation.
    """

    by: str
    first_pass: bool = False


def _nothing(sample: Any) -> float | None:
    return None


@dataclass(frozen=True)
class ComparisonTest(Method):
    """A test of two models.

    Attributes
    ----------
    setting : Setting
        How models must have been tested for it.
    compute : callable
        From a sample of that setting to a `Contrast` (a difference of losses, first minus second,
        with its standard error) or, where the test has no interval of its own, to `Evidence`.
    label : str
        What one sentence calls it, as in "exact McNemar p = 0.04"; the name where it is empty.
    smallest_p : callable
        From the sample to the smallest p-value the test could have given, or None.
    by_groups : bool
        Whether groups of cases, not cases, tell models apart.
    weighs : bool
        Whether cases may have weights.
    over_splits : bool
        Whether it speaks about the mean of the splits' differences, not about pooled cases.
    any_measure : bool
        Whether, on the same cases, it judges measures that are no mean of losses, as areas; a test
        that reads losses case by case is refused for them.
    of_counts : callable or None
        The same test from `PairedCounts` alone (on different cases: from errors and cases of the
        first, errors and cases of the second), where that is all it reads: the calibration study
        then enumerates its size.
    tried : tuple of LearnerTrial
        How the calibration study tries a test of learners.
    title_of_groups, citations_of_groups : str, tuple of Citation
        What it is called, and whose works it rests on besides, where cases come in groups.
    bears_collapse : float
        In what share of the repetitions a learner may have given one answer for all cases, so that
        the test still keeps its size in simulations.

    Examples
    --------
    >>> def sign_of_losses(sample):
    ...     from scipy import stats
    ...     wins, losses = (sample.differences < 0).sum(), (sample.differences > 0).sum()
    ...     p = stats.binomtest(int(wins), int(wins + losses)).pvalue if wins + losses else 1.0
    ...     return Evidence(test="sign-of-losses", statistic=float(wins), p_value=float(p),
    ...                     null="either model does better on half of the cases", n=sample.n)
    >>> mine = ComparisonTest("sign-of-losses", title="a sign test of the losses",
    ...                       setting=Setting.SAME_CASES, compute=sign_of_losses)
    >>> import referee
    >>> truth = [0, 1] * 50
    >>> preds = {"a": truth, "b": truth[:90] + [1, 0] * 5}
    >>> c = referee.compare_predictions(truth, preds, significance=mine)
    >>> c.evidence.test, round(c.evidence.p_value, 4)
    ('sign-of-losses', 0.002)
    """

    listed_in: ClassVar[str] = "referee.significance.catalogue:COMPARISON_TESTS"

    _: KW_ONLY
    setting: Setting
    compute: Callable[[Any], Contrast | Evidence]
    label: str = ""
    smallest_p: Callable[[Any], float | None] = _nothing
    by_groups: bool = False
    weighs: bool = False
    over_splits: bool = False
    any_measure: bool = False
    of_counts: Callable[..., Evidence] | None = None
    tried: tuple[LearnerTrial, ...] = ()
    bears_collapse: float = 0.0
    title_of_groups: str = ""
    citations_of_groups: tuple[Citation, ...] = ()

    def for_groups(self) -> ComparisonTest:
        """Return the test as a paper names it where cases come in groups."""
        return replace(
            self,
            title=self.title_of_groups or self.title,
            citations=(*self.citations, *self.citations_of_groups),
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.setting not in tuple(Setting):
            raise InputError(
                f"must be one of {', '.join(repr(s.value) for s in Setting)}",
                argument="setting",
                value=repr(self.setting),
            )
        object.__setattr__(self, "setting", Setting(self.setting))

    @property
    def short(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    def outcome(self, sample: Any) -> Contrast | Evidence:
        """Return what it computes; where that says nothing of assumptions, with the test's own."""
        outcome = self._computed(sample)
        return outcome if outcome.assumptions else replace(outcome, assumptions=self.assumptions)

    def _computed(self, sample: Any) -> Contrast | Evidence:
        what = f"test {self.name!r}"
        outcome = answered(self, what, lambda: self.compute(sample), argument="significance")
        if isinstance(outcome, Contrast):
            return outcome
        return answered_evidence(self, lambda: outcome, wanted="Evidence or a Contrast")

    def objection(self, situation: Any) -> str | None:
        """Return why the test may not be used, starting with the setting it belongs to."""
        return (
            _of_setting(self, situation)
            or _of_weights(self, situation)
            or self.refused(situation)
            or _of_measure(self, situation)
        )

    def check(self, situation: Any) -> None:
        """Refuse a situation in which the test does not keep its promise."""
        reason = self.objection(situation)
        if reason is not None:
            raise Refusal(reason, concerning="significance")


class ComparisonTests(Catalogue[ComparisonTest]):
    """The tests of two models."""

    def choose(self, situation: Any) -> ComparisonTest:
        """Return the first test of the situation's setting, in the declared order, that suits it.

        The interval asked for does not choose the test: where it does not go with the test that
        suits, it is refused.
        """
        plain = replace(situation, interval="auto")
        reasons = []
        for name in self.automatic:
            test = self[name]
            if test.setting is not situation.setting:
                continue
            reason = test.objection(plain)
            if reason is None:
                test.check(situation)
                return test
            reasons.append(reason)
        raise Refusal(
            reasons[-1] if reasons else "no test is known for this situation",
            concerning="significance",
        )

    def asked(self, test: str | ComparisonTest, situation: ComparisonSituation) -> ComparisonTest:
        """Return the test that was asked for, or the automatic one, if it suits the situation."""
        if isinstance(test, str) and test == "auto":
            return self.choose(situation)
        chosen = self.named(test)
        chosen.check(situation)
        return chosen


def _of_weights(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    """Return why a test that counts every case once is refused where cases have weights."""
    if not situation.weighted or test.weighs:
        return None
    if situation.setting is Setting.DIFFERENT_CASES or situation.setting is Setting.ONE_BY_ONE:
        kind = (
            "of different cases" if situation.setting is Setting.DIFFERENT_CASES else "one by one"
        )
        return f"no test {kind} knows weights; leave out {named('sample_weight')}"
    fits = situation.setting is Setting.SEVERAL_FITS
    return (
        f"{arg('significance', test.name)} counts every case once; with {named('sample_weight')} "
        f"use {arg('significance', 'corrected-t') if fits else _paired_test(situation)}"
    )


def _of_measure(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    """Return why a test that reads losses case by case is refused for a measure without any."""
    if situation.setting is not Setting.SAME_CASES or test.any_measure:
        return None
    judged = situation.counts_cases or situation.mean_loss
    return None if judged else unsuited(test.name, situation)


def _of_setting(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    """Return why a test of another setting is refused, and which one to use instead."""
    if situation.setting is Setting.ONE_BY_ONE or test.setting is Setting.ONE_BY_ONE:
        return _one_by_one(test, situation)
    if situation.setting is Setting.DIFFERENT_CASES:
        return _on_different_cases(test, situation)
    if situation.setting is Setting.SEVERAL_FITS:
        return interval_of_the_test(situation) or _on_several_fits(test)
    return _on_the_same_cases(test, situation)


def _one_by_one(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    here = arg("sequential", True)
    if not situation.sequential:
        right = {
            Setting.SAME_CASES: _paired_test(situation),
            Setting.DIFFERENT_CASES: arg("significance", "boschloo"),
            Setting.SEVERAL_FITS: arg("significance", "corrected-t"),
        }[situation.setting]
        return (
            f"{arg('significance', test.name)} is for fixed models on cases that come one by one "
            f"({here}); use {right}"
        )
    if test.setting is not Setting.ONE_BY_ONE:
        right = "mcnemar-sequential" if situation.counts_cases else "betting-sequential"
        return (
            f"{arg('significance', test.name)} holds for a number of cases fixed in advance; use "
            f"{arg('significance', right)}, or leave out {here}"
        )
    if situation.interval != "auto":
        return (
            f"{arg('interval', situation.interval)} holds for a number of cases fixed in advance; "
            f"leave it out, or leave out {here}"
        )
    if not situation.paired:
        return f"{here} compares models case by case; have both predict the same cases"
    if situation.grouped:
        return (
            f"{here} takes cases as independent of each other, and {named('groups')} says that "
            "they are not; have one case of each group, or decide on the number of cases first"
        )
    return None


def _on_several_fits(test: ComparisonTest) -> str | None:
    if test.setting is Setting.DIFFERENT_CASES:
        return (
            f"{arg('significance', test.name)} compares fixed models on different cases; for "
            f"learners on one plan use {arg('significance', 'calibrated-t')} or 'corrected-t'"
        )
    if test.setting is Setting.SAME_CASES:
        return (
            f"{arg('significance', test.name)} takes pooled predictions of many models as those of "
            "one, and as a test of learners calls equal ones different too often; use "
            f"{arg('significance', 'calibrated-t')} ({arg('by', 'calibrated-cv')}) or "
            f"'corrected-t', or judge two fixed models with {arg('by', 'holdout')}"
        )
    return None


def _on_the_same_cases(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    if test.setting is Setting.SEVERAL_FITS:
        return (
            f"{arg('significance', test.name)} compares learners and needs several fits; these are "
            "fixed predictions of one model each: use "
            f"{arg('significance', 'mcnemar-exact')}, or refit with {arg('by', 'cv')}"
        )
    if test.setting is Setting.DIFFERENT_CASES:
        return (
            f"{arg('significance', test.name)} is for models tested on different cases, and these "
            f"predicted the same ones: for {situation.measure_name} use {_paired_test(situation)}"
        )
    return None


def _on_different_cases(test: ComparisonTest, situation: ComparisonSituation) -> str | None:
    name = situation.measure_name
    if situation.grouped:
        return "groups are not known to the tests of different test sets; leave them out"
    if situation.rope > 0:
        return (
            "equivalence is judged on the same cases only; have both models predict one test set, "
            f"or pass {arg('rope', 0)}"
        )
    if not (situation.counts_cases and situation.mean_loss):
        reason = interval_of_the_test(situation)
        if reason is not None:
            return reason
    if not situation.area and not (situation.counts_cases and situation.mean_loss):
        return (
            f"{name} on two different test sets cannot be compared; compare "
            f"{arg('measure', 'error')} or 'auc', or have both models predict one test set"
        )
    if test.setting is not Setting.DIFFERENT_CASES:
        right = "delong-unpaired" if situation.area else "boschloo"
        return (
            f"{arg('significance', test.name)} needs both models' predictions of the same cases; "
            f"for two different test sets use {arg('significance', right)}"
        )
    return None


def interval_of_the_test(situation: ComparisonSituation) -> str | None:
    """Refuse an interval that was asked for where the test has its own."""
    if situation.interval == "auto":
        return None
    return (
        f"{arg('interval', situation.interval)} is one of errors of fixed models; "
        f"here the interval comes from the test itself: leave {arg('interval', 'auto')}"
    )


def unsuited(name: str, situation: ComparisonSituation) -> str:
    """Say that a test of fixed models on the same cases cannot judge the measure."""
    return (
        f"{arg('significance', name)} does not suit {situation.measure_name} of fixed models on "
        f"the same cases; use {_paired_test(situation)}"
    )


def _paired_test(situation: ComparisonSituation) -> str:
    """Return the tests that suit, as a remedy."""
    if situation.weighted and not situation.area:
        return arg("significance", "paired-bootstrap")
    if situation.counts_cases and situation.grouped:
        return arg("significance", "group-flip")
    if situation.counts_cases:
        return f"{arg('significance', 'mcnemar-exact')} or 'paired-bootstrap'"
    if situation.area:
        return f"{arg('significance', 'delong-paired')} or 'paired-bootstrap'"
    return arg("significance", "paired-bootstrap")
