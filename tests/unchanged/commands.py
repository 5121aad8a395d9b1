"""The saved commands: a name and an argument list each.

Where a command or an option is renamed, only the arguments here change; the names stay, because
the saved results are found by them. `--json` and `--out` are added by the runner.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

__all__ = ["COMMANDS", "QUICK", "Command"]


@dataclass(frozen=True)
class Command:
    """One command line, or one for each of several values in the place of ``{}``.

    Attributes
    ----------
    name : str
        The name of the file with its results.
    line : str
        Arguments as typed after ``referee``.
    values : tuple of str
        What to put in the place of ``{}``, one run each; a value that is refused is saved as such.
    before : str
        A command to run first, for what it writes.
    out : bool
        The command has no ``--json``: its results are read from the folder that it writes.
    solved : bool
        Its scores come from a solver that stops at a tolerance of its own, so that their last
        digits are those of a machine's BLAS: lbfgs gave log losses of .56908839139 and of
        .56908839466 on two machines at the same commit (41597ed).
    """

    name: str
    line: str
    values: tuple[str, ...] = ()
    before: str = ""
    out: bool = False
    solved: bool = False

    def runs(self) -> dict[str, list[str]]:
        """Return the arguments of every run, by value; "only" where there is none."""
        if not self.values:
            return {"only": shlex.split(self.line)}
        return {value: shlex.split(self.line.replace("{}", value)) for value in self.values}


INTERVALS = (
    "auto",
    "clopper-pearson",
    "wilson",
    "agresti-coull",
    "jeffreys",
    "wald",
    "student-t",
    "corrected-t",
    "effective-jeffreys",
    "nested-cv",
    "conservative-z",
    "cv-clt",
    "cv-clt-all-pairs",
    "clustered",
    "percentile",
    "basic",
    "bca",
)
AREA_INTERVALS = ("auto", "newcombe-delong", "newcombe-auc", "delong", "logit-delong", "percentile")
SCHEMES = (
    "auto",
    "cv",
    "2x5",
    "holdout",
    "repeated-holdout",
    "nested-cv",
    "conservative-z",
    "loo",
    "bootstrap",
    "resubstitution",
)
DIFFERENCE_INTERVALS = ("auto", "bonett-price", "tango", "newcombe-paired", "wald-paired")
PAIRED_TESTS = (
    "auto",
    "mcnemar-exact",
    "mcnemar-midp",
    "mcnemar-asymptotic",
    "group-flip",
    "delong-paired",
    "paired-bootstrap",
)
UNPAIRED_TESTS = ("auto", "boschloo", "barnard", "fisher", "two-sample-z", "delong-unpaired")
LEARNER_TESTS = ("auto", "calibrated-t", "corrected-t", "kfold-t", "5x2cv-t", "5x2cv-f")
MODELS = (
    "majority",
    "logistic",
    "lda",
    "nb",
    "gaussian",
    "knn",
    "1nn",
    "log-knn",
    "condensed-knn",
    "edited-knn",
    "prototype-knn",
    "nca-knn",
    "forward-selection",
    "backward-selection",
    "svm",
    "linear-svm",
    "tree",
    "'sklearn.ensemble:RandomForestClassifier(n_estimators=5)'",
)
MEASURES = (
    "error",
    "accuracy",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "tpr",
    "tnr",
    "fpr",
    "fnr",
    "precision",
    "npv",
    "f1",
    "informedness",
    "auc",
    "auc50",
    "partial_auc",
    "average_precision",
    "log_loss",
    "brier",
    "cost",
)
"""Measures of two classes."""

_ALL_MEASURES = " ".join(f"--measure {name}" for name in MEASURES)
_CLASS_MEASURES = " ".join(
    f"--measure {name}"
    for name in (
        "error",
        "balanced_accuracy",
        "mcc",
        "kappa",
        "macro_precision",
        "weighted_precision",
        "macro_f1",
        "weighted_f1",
        "micro_f1",
    )
)

_EVALUATE = (
    Command("evaluate", "evaluate tumours.csv --target diagnosis --model logistic"),
    Command(
        "evaluate-three-classes",
        "evaluate iris.csv --target species --drop plant --drop weight --drop day --model knn "
        f"--by 10x10 --measure auc_ovr --measure auc_ovo --measure log_loss {_CLASS_MEASURES}",
    ),
    Command(
        "evaluate-folds-groups",
        "evaluate patients.csv --target outcome --groups patient --drop visit --by 5 "
        "--model logistic --pos-label ill",
        solved=True,
    ),
    Command(
        "evaluate-holdout",
        "evaluate tumours.csv --target diagnosis --by holdout --test-share 0.3 --model nb "
        "--pos-label malignant --interval wilson --seed 3",
    ),
    Command(
        "evaluate-bootstrap",
        "evaluate tiny.csv --target label --drop pair --by bootstrap --rounds 50 --model {}",
        ("nb", "1nn"),
    ),
    Command("evaluate-loo", "evaluate tiny.csv --target label --drop pair --by loo --model 1nn"),
    Command(
        "evaluate-nested-cv",
        "evaluate tiny.csv --target label --drop pair --by nested-cv --model nb",
    ),
    Command(
        "evaluate-conservative-z",
        "evaluate tiny.csv --target label --drop pair --by conservative-z --model nb",
    ),
    Command(
        "evaluate-repeated-holdout",
        "evaluate iris.csv --target species --drop plant --drop weight --drop day "
        "--by repeated-holdout --model lda",
    ),
    Command(
        "evaluate-resubstitution",
        "evaluate iris.csv --target species --drop plant --drop weight --drop day "
        "--by resubstitution --model tree",
    ),
    Command(
        "evaluate-time",
        "evaluate iris.csv --target species --drop plant --drop weight --time day --model lda",
    ),
    Command(
        "evaluate-costs",
        "evaluate tumours.csv --target diagnosis --pos-label malignant --costs 1 5 --by 5 "
        "--model lda",
    ),
    Command(
        "evaluate-test-file",
        "evaluate iris-train.csv --test iris-test.csv --target species --drop plant "
        "--drop weight --drop day --model nb --level 0.9",
    ),
    Command(
        "evaluate-max-error",
        "evaluate iris.csv --target species --drop plant --drop weight --drop day --model lda "
        "--by 10 --max-error 0.08 --dismiss R002",
    ),
    Command(
        "evaluate-tune",
        "evaluate tiny.csv --target label --drop pair --by 5 --model knn "
        "--tune n_neighbors=1,5,15 --inner-folds 4",
    ),
    Command(
        "evaluate-weights",
        "evaluate iris.csv --target species --weight weight --drop plant --drop day --by 5 "
        "--model tree",
    ),
    Command(
        "evaluate-expected",
        "evaluate tiny.csv --target label --drop pair --about expected --model lda --max-fits 10",
    ),
    Command(
        "evaluate-two-models",
        "evaluate patients.csv --target outcome --groups patient --drop visit --by 4 "
        "--model tree --model gaussian --pos-label ill",
        solved=True,
    ),
    Command("evaluate-noise", "evaluate noise.csv --target label --by 10x10 --model qda"),
    Command(
        "evaluate-flawed",
        "evaluate flawed.csv --target label --by {} --model tree",
        ("10", "3", "holdout", "bootstrap"),
    ),
    Command(
        "evaluate-warnings",
        "evaluate tiny.csv --target label --drop pair --by 5 "
        "--model 'sklearn.linear_model:LogisticRegression(max_iter=1)'",
    ),
    Command(
        "evaluate-every-measure",
        "evaluate tumours.csv --target diagnosis --pos-label malignant --costs 1 4 --model nb "
        f"--by {{}} {_ALL_MEASURES}",
        ("10x5", "10", "holdout", "bootstrap"),
    ),
    Command(
        "evaluate-every-scheme-grouped",
        "evaluate tiny.csv --target label --groups pair --model nb --pos-label b --by {}",
        SCHEMES,
    ),
    Command(
        "evaluate-every-interval",
        "evaluate tiny.csv --target label --drop pair --by 10x5 --model nb --interval {} "
        "--measure error --measure auc --pos-label b",
        (*INTERVALS, *AREA_INTERVALS[1:5]),
    ),
    Command(
        "evaluate-every-interval-one-pass",
        "evaluate tiny.csv --target label --drop pair --by 10 --model nb --interval {} "
        "--measure error --measure f1 --pos-label b",
        INTERVALS,
    ),
    Command(
        "evaluate-every-interval-expected",
        "evaluate tiny.csv --target label --drop pair --by 10 --about expected --model nb "
        "--interval {} --measure error",
        INTERVALS,
    ),
    Command(
        "evaluate-every-interval-grouped",
        "evaluate tiny.csv --target label --groups pair --by 5 --model lda --interval {} "
        "--measure error",
        INTERVALS,
    ),
    Command(
        "evaluate-every-model",
        "evaluate tumours.csv --target diagnosis --by 3 --pos-label malignant --model {}",
        MODELS,
    ),
)

_EVALUATE_PREDICTIONS = (
    Command("evaluate-predictions-labels", "evaluate-predictions answers.csv --truth y --pred a"),
    Command(
        "evaluate-predictions-every-measure",
        "evaluate-predictions answers.csv --truth y --pred a --score a_score --pos-label ill "
        f"--costs 1 4 {_ALL_MEASURES}",
    ),
    Command(
        "evaluate-predictions-groups",
        "evaluate-predictions answers.csv --truth y --pred a --score a_score --groups ward "
        "--pos-label ill",
    ),
    Command(
        "evaluate-predictions-weights",
        "evaluate-predictions answers.csv --truth y --pred b --score b_score --weight weight "
        "--pos-label ill",
    ),
    Command(
        "evaluate-predictions-priors",
        "evaluate-predictions answers.csv --truth y --pred b --pos-label ill "
        "--prior ill=0.05 --prior well=0.95",
    ),
    Command(
        "evaluate-predictions-every-interval",
        "evaluate-predictions answers.csv --truth y --pred a --pos-label ill --interval {} "
        "--measure error --measure mcc --measure precision",
        INTERVALS,
    ),
    Command(
        "evaluate-predictions-every-interval-grouped",
        "evaluate-predictions answers.csv --truth y --pred a --groups ward --interval {} "
        "--measure error",
        INTERVALS,
    ),
    Command(
        "evaluate-predictions-every-area-interval",
        "evaluate-predictions answers.csv --truth y --pred a --score a_score --pos-label ill "
        "--interval {} --measure auc",
        AREA_INTERVALS,
    ),
    Command(
        "evaluate-predictions-reversed",
        "evaluate-predictions answers.csv --truth y --pred a --score a_score --pos-label well",
    ),
    Command(
        "evaluate-predictions-three-classes",
        f"evaluate-predictions grades.csv --truth y --pred a {_CLASS_MEASURES}",
    ),
    Command(
        "evaluate-predictions-no-error",
        "evaluate-predictions flawless.csv --truth y --pred a --pos-label yes --label perhaps "
        "--max-error 0.1 --level 0.9",
    ),
)

_COMPARE = (
    Command("compare", "compare tiny.csv --target label --drop pair --model nb --model majority"),
    Command(
        "compare-repeated-folds",
        "compare tiny.csv --target label --drop pair --model nb --model 1nn --by 10x10",
    ),
    Command(
        "compare-every-learner-test",
        "compare tiny.csv --target label --drop pair --model nb --model tree --by 10 "
        "--significance {}",
        LEARNER_TESTS,
    ),
    Command(
        "compare-five-by-two",
        "compare iris.csv --target species --drop plant --drop weight --drop day --model nb "
        "--model tree --by 5x2 --significance {}",
        ("auto", "5x2cv-t", "5x2cv-f", "corrected-t"),
    ),
    Command(
        "compare-holdout",
        "compare tumours.csv --target diagnosis --model lda --model nb --by holdout "
        "--test-share 0.4 --rope 0.05",
    ),
    Command(
        "compare-test-file",
        "compare iris-train.csv --test iris-test.csv --target species --drop plant "
        "--drop weight --drop day --model lda --model tree --interval tango",
    ),
    Command(
        "compare-three-models",
        "compare tiny.csv --target label --drop pair --model lda --model 1nn --model majority "
        "--by 10x5 --rope 0.02",
    ),
    Command(
        "compare-noise",
        "compare noise.csv --target label --model 1nn --model qda --by 10 --rope 0.3",
    ),
    Command(
        "compare-every-measure",
        "compare tumours.csv --target diagnosis --pos-label malignant --costs 1 4 --model lda "
        "--model nb --by 10x10 --measure {}",
        MEASURES,
    ),
    Command(
        "compare-groups",
        "compare patients.csv --target outcome --groups patient --drop visit --model gaussian "
        "--model majority --by 5",
    ),
    Command(
        "compare-area",
        "compare tumours.csv --target diagnosis --pos-label malignant --model lda --model nb "
        "--by 10x5 --measure auc",
    ),
    Command(
        "compare-tuned",
        "compare tiny.csv --target label --drop pair --model knn --model lda "
        "--tune n_neighbors=1,9 --by 5 --costs 1 3 --pos-label b --measure cost",
    ),
)

_COMPARE_PREDICTIONS = (
    Command(
        "compare-predictions-files",
        "compare-predictions answers-a.csv answers-b.csv --truth y --on id --pos-label ill",
    ),
    Command(
        "compare-predictions-every-test",
        "compare-predictions answers.csv --truth y --pred a --pred b --significance {}",
        PAIRED_TESTS,
    ),
    Command(
        "compare-predictions-every-test-grouped",
        "compare-predictions answers.csv --truth y --pred a --pred b --groups ward "
        "--significance {}",
        PAIRED_TESTS,
    ),
    Command(
        "compare-predictions-every-area-test",
        "compare-predictions answers.csv --truth y --pred a --pred b --score a_score "
        "--score b_score --pos-label ill --measure auc --significance {}",
        PAIRED_TESTS,
    ),
    Command(
        "compare-predictions-every-interval",
        "compare-predictions answers.csv --truth y --pred a --pred b --rope 0.03 --interval {}",
        DIFFERENCE_INTERVALS,
    ),
    Command(
        "compare-predictions-every-measure",
        "compare-predictions answers.csv --truth y --pred a --pred b --score a_score "
        "--score b_score --pos-label ill --costs 1 4 --measure {}",
        MEASURES,
    ),
    Command(
        "compare-predictions-non-inferior",
        "compare-predictions answers.csv --truth y --pred b --pred a --rope 0.1 "
        "--claim non-inferior",
    ),
    Command(
        "compare-predictions-three-models",
        "compare-predictions answers.csv --truth y --pred a --pred b --pred c --name good "
        "--name fair --name poor --level 0.9",
    ),
    Command(
        "compare-predictions-three-classes",
        "compare-predictions grades.csv --truth y --pred a --pred b --measure macro_f1",
    ),
    Command(
        "compare-predictions-alike",
        "compare-predictions flawless.csv --truth y --pred a --pred copy --pred once --rope 0.05",
    ),
    Command(
        "compare-predictions-unpaired",
        "compare-predictions hospital-a.csv hospital-b.csv --truth y --pred pred --unpaired "
        "--significance {}",
        UNPAIRED_TESTS,
    ),
    Command(
        "compare-predictions-unpaired-area",
        "compare-predictions hospital-a.csv hospital-b.csv --truth y --pred pred --score score "
        "--unpaired --pos-label ill --measure auc --significance {}",
        UNPAIRED_TESTS,
    ),
)

_OTHERS = (
    Command("compare-datasets", "compare-datasets scores.csv --on set"),
    Command("compare-datasets-control", "compare-datasets scores.csv --on set --control old"),
    Command(
        "compare-datasets-two-models",
        "compare-datasets scores.csv --on set --drop old --drop wide --rope 0.01",
    ),
    Command("plan-two-models", "sample-size --a 0.9 --b 0.93"),
    Command("plan-unpaired", "sample-size --a 0.9 --b 0.93 --unpaired --power 0.9"),
    Command("plan-discordance", "sample-size --a 0.9 --b 0.93 --discordance 0.08 --n 400"),
    Command("plan-error", "sample-size --error 0.02 --confidence 0.9 --failures 2"),
    Command("plan-cases", "sample-size --n 300"),
    Command("audit-table", "audit-table 91.0 93.5 95.25 99.50 --n 400"),
    Command("audit-table-shares", "audit-table 0.91 0.935 0.98 --n 200 --level 0.9"),
    Command(
        "permutation-test",
        "permutation-test tiny.csv --target label --drop pair --model nb --permutations 99 "
        "--null {}",
        ("labels", "features"),
    ),
    Command(
        "permutation-test-groups",
        "permutation-test tiny.csv --target label --groups pair --model lda --permutations 60 "
        "--measure balanced_accuracy",
    ),
    Command(
        "permutation-test-stopped",
        "permutation-test noise.csv --target label --model 1nn --permutations 300 "
        "--labels sampled --stop-after 10 --by loo",
    ),
    Command(
        "permutation-test-area",
        "permutation-test tumours.csv --target diagnosis --pos-label malignant --model lda "
        "--by holdout --measure auc --permutations 50",
    ),
    Command(
        "verify",
        "verify bundle.zip",
        before="compare-predictions answers.csv --truth y --pred a --pred b --bundle bundle.zip",
    ),
    Command(
        "study-bracket",
        "study bracket tiny.csv --target label --drop pair --by 5",
        out=True,
    ),
    Command("study-example", "study example 2 --n 60", out=True),
    Command("study-bounds", "study bounds --sizes 50,200 --repetitions 5 --jobs 1", out=True),
    Command(
        "study-selection",
        "study selection iris.csv --target species --drop plant --drop weight --drop day",
        out=True,
    ),
)

COMMANDS = (*_EVALUATE, *_EVALUATE_PREDICTIONS, *_COMPARE, *_COMPARE_PREDICTIONS, *_OTHERS)
"""Every saved command."""

QUICK = (
    "evaluate-every-interval-grouped",
    "evaluate-predictions-groups",
    "compare-predictions-every-test",
    "compare-datasets",
    "audit-table",
)
"""Those that run with every test run; the others are slow."""
