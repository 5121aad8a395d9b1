"""Whether a test suits the situation: asked before anything is fitted, refused with the reason."""

from __future__ import annotations

from dataclasses import dataclass

from referee.comparing.question import FIXED_TESTS, LEARNER_TESTS, UNPAIRED_TESTS, Question
from referee.core.plan import Part, Plan
from referee.errors import Refusal

__all__ = ["Situation", "check_suits"]


@dataclass(frozen=True, kw_only=True)
class Situation:
    """How the models were tested, as far as a test must know.

    Attributes
    ----------
    fits : int
        How many models each learner is judged by; 1 for fixed models.
    repetitions : int
        How often the data were gone through.
    partition : bool
        Whether every repetition tests each case once.
    halved : bool
        Whether the plan has halvings.
    paired : bool
        Whether the models were tested on the same cases.
    grouped : bool
        Whether cases come in groups.
    """

    fits: int = 1
    repetitions: int = 1
    partition: bool = True
    halved: bool = False
    paired: bool = True
    grouped: bool = False

    @classmethod
    def of(cls, plan: Plan, *, grouped: bool) -> Situation:
        """Read the situation off a plan."""
        main = plan.part(Part.MAIN)
        repetitions = len({s.repetition for s in main})
        tested = {int(case) for s in main for case in s.test}
        return cls(
            fits=len(main),
            repetitions=repetitions,
            partition=sum(len(s.test) for s in main) == repetitions * len(tested),
            halved=bool(plan.part(Part.HALVINGS)),
            grouped=grouped,
        )


def check_suits(question: Question, situation: Situation) -> None:
    """Refuse a test or an interval that does not belong here, naming one that does."""
    if not situation.paired:
        _check_unpaired(question, situation)
    elif situation.fits > 1:
        _check_learners(question, situation)
    else:
        _check_fixed(question, situation)


def _check_learners(question: Question, situation: Situation) -> None:
    test = question.test
    _refuse_interval(question)
    if test in UNPAIRED_TESTS:
        raise Refusal(
            f"test={test!r} compares fixed models on different cases; for learners on one plan "
            "use test='calibrated-t' or 'corrected-t'"
        )
    if test in FIXED_TESTS:
        raise Refusal(
            f"test={test!r} takes pooled predictions of many models as those of one, and as a test "
            "of learners calls equal ones different too often; use test='calibrated-t' "
            "(by='calibrated-cv') or 'corrected-t', or judge two fixed models with by='holdout'"
        )
    if test == "kfold-t" and not situation.partition:
        raise Refusal(
            "an uncorrected t over repeated holdout calls equal learners different in about half "
            "of all comparisons; use test='corrected-t'"
        )
    if test == "kfold-t" and situation.repetitions > 1:
        raise Refusal(
            "an uncorrected t over repeated cross-validation counts the same cases many times and "
            "calls equal learners different in about half of all comparisons; use "
            "test='corrected-t'"
        )
    if test in ("5x2cv-t", "5x2cv-f") and not _is_five_by_two(situation):
        raise Refusal("the 5x2cv tests need 5 repetitions of 2 folds; use by='5x2'")
    if test in ("5x2cv-t", "5x2cv-f") and question.rope > 0:
        raise Refusal(
            f"test={test!r} has no interval to hold against a rope; use test='corrected-t'"
        )
    if test == "calibrated-t" and not question.is_mean_loss:
        raise Refusal(
            f"calibrated-t compares mean losses case by case, and {question.measure.name} has "
            "none; use test='corrected-t'"
        )
    if test == "calibrated-t" and not (situation.halved and situation.partition):
        raise Refusal("calibrated-t needs halvings; use by='calibrated-cv' or test='corrected-t'")


def _is_five_by_two(situation: Situation) -> bool:
    return (situation.fits, situation.repetitions, situation.partition) == (10, 5, True)


def _check_fixed(question: Question, situation: Situation) -> None:
    test, measure = question.test, question.measure
    if test in LEARNER_TESTS:
        raise Refusal(
            f"test={test!r} compares learners and needs several fits; these are fixed "
            "predictions of one model each: use test='mcnemar-exact', or refit with by='cv'"
        )
    if question.counts_cases and test != "paired-bootstrap":
        _check_counts(question, situation)
        return
    _refuse_interval(question)
    right = "delong-paired" if measure.name == "auc" else "paired-bootstrap"
    if test not in ("auto", right, "paired-bootstrap"):
        other = " or 'paired-bootstrap'" if right != "paired-bootstrap" else ""
        raise Refusal(
            f"test={test!r} does not suit {measure.name} of fixed models; use test={right!r}{other}"
        )


def _check_counts(question: Question, situation: Situation) -> None:
    test = question.test
    if not situation.grouped and test == "group-flip":
        raise Refusal("test='group-flip' needs groups=; without them use 'mcnemar-exact'")
    if situation.grouped and test not in ("auto", "group-flip"):
        raise Refusal(
            f"test={test!r} takes the cases of a group as independent; with groups use "
            "test='group-flip'"
        )
    if situation.grouped and question.interval not in ("auto", "bonett-price"):
        raise Refusal(
            f"interval={question.interval!r} takes the cases of a group as independent; with "
            "groups use interval='bonett-price'"
        )
    if not situation.grouped and not (test == "auto" or test.startswith("mcnemar-")):
        raise Refusal(
            f"test={test!r} does not suit {question.measure.name} of fixed models on the same "
            "cases; use test='mcnemar-exact' or 'paired-bootstrap'"
        )


def _check_unpaired(question: Question, situation: Situation) -> None:
    test, measure = question.test, question.measure.name
    if situation.grouped:
        raise Refusal("groups are not known to the tests of different test sets; leave them out")
    if question.rope > 0:
        raise Refusal(
            "equivalence is judged on the same cases only; have both models predict one test set, "
            "or leave out rope="
        )
    _refuse_interval(question)
    if measure not in ("error", "accuracy", "auc"):
        raise Refusal(
            f"{measure} on two different test sets cannot be compared; compare measure='error' or "
            "'auc', or have both models predict one test set"
        )
    if test not in ("auto", *UNPAIRED_TESTS):
        right = "delong-unpaired" if measure == "auc" else "boschloo"
        raise Refusal(
            f"test={test!r} needs both models' predictions of the same cases; for two different "
            f"test sets use test={right!r}"
        )
    if measure == "auc" and test not in ("auto", "delong-unpaired"):
        raise Refusal(
            f"test={test!r} counts errors and cannot judge an area; use test='delong-unpaired'"
        )
    if measure != "auc" and test == "delong-unpaired":
        raise Refusal("test='delong-unpaired' judges areas, not errors; use test='boschloo'")


def _refuse_interval(question: Question) -> None:
    if question.interval != "auto":
        raise Refusal(
            f"interval={question.interval!r} is one of errors of fixed models on the same cases; "
            "here the interval comes from the test itself: leave interval='auto'"
        )
