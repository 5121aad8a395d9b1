"""The comparison as a paragraph for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from referee.comparing.comparison import Duel
from referee.comparing.question import Question
from referee.core.numbers import level_text, size_text
from referee.core.results import Evidence, Target
from referee.judging.settings import versions

__all__ = ["REFERENCES", "methods_paragraph"]

_TESTS = {
    "mcnemar-exact": "McNemar's exact test on the cases that only one of two models got right "
    "(McNemar 1947)",
    "mcnemar-midp": "McNemar's mid-p test (Fagerland, Lydersen and Laake 2013)",
    "mcnemar-asymptotic": "McNemar's chi-squared test (McNemar 1947)",
    "group-flip": "an exact randomisation test that flips the sign of whole groups of cases (the "
    "exact form of Durkalski et al. 2003)",
    "delong-paired": "DeLong's test for correlated ROC curves (DeLong, DeLong and Clarke-Pearson "
    "1988) with t quantiles at the smaller class less one degrees of freedom",
    "delong-unpaired": "DeLong's test for independent ROC curves (DeLong, DeLong and "
    "Clarke-Pearson 1988)",
    "paired-bootstrap": "a bootstrap of the paired cases (Efron and Tibshirani 1993)",
    "boschloo": "Boschloo's exact unconditional test (Boschloo 1970)",
    "barnard": "Barnard's exact unconditional test (Barnard 1947)",
    "fisher": "Fisher's exact test (Fisher 1935)",
    "two-sample-z": "the two-sample z test (Mitchell 1997)",
    "calibrated-t": "a t test on the mean cross-validated difference whose standard error is "
    "calibrated by cross-validations inside random halves of the data, which share no case",
    "corrected-t": "the t test corrected for overlapping training sets (Nadeau and Bengio 2003)",
    "kfold-t": "a paired t test over folds, which ignores that training sets overlap (Mitchell "
    "1997)",
    "5x2cv-t": "the 5x2cv t test (Dietterich 1998)",
    "5x2cv-f": "the combined 5x2cv F test (Alpaydin 1999)",
}
_INTERVALS = {
    "bonett-price": "Bonett and Price (2012)",
    "bonett-price-clustered": "Bonett and Price (2012) at the number of independent cases the "
    "groups are worth",
    "tango": "Tango (1998)",
    "newcombe-paired": "Newcombe (1998)",
    "newcombe-unpaired": "Newcombe (1998)",
    "wald-paired": "the Wald form",
}

REFERENCES = {
    "McNemar 1947": "McNemar, Q. (1947). Psychometrika 12, 153-157.",
    "Fagerland, Lydersen and Laake 2013": "Fagerland, M. W., Lydersen, S. and Laake, P. (2013). "
    "BMC Medical Research Methodology 13, 91.",
    "Durkalski et al. 2003": "Durkalski, V. L., Palesch, Y. Y., Lipsitz, S. R. and Rust, P. F. "
    "(2003). Statistics in Medicine 22, 2417-2428.",
    "DeLong, DeLong and Clarke-Pearson 1988": "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, "
    "D. L. (1988). Biometrics 44, 837-845.",
    "Efron and Tibshirani 1993": "Efron, B. and Tibshirani, R. J. (1993). An Introduction to the "
    "Bootstrap. Chapman and Hall.",
    "Barnard 1947": "Barnard, G. A. (1947). Biometrika 34, 123-138.",
    "Fisher 1935": "Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.",
    "Hochberg 1988": "Hochberg, Y. (1988). Biometrika 75, 800-802.",
    "Benjamini and Hochberg (1995)": "Benjamini, Y. and Hochberg, Y. (1995). Journal of the Royal "
    "Statistical Society B 57, 289-300.",
    "Boschloo 1970": "Boschloo, R. D. (1970). Statistica Neerlandica 24, 1-9.",
    "Nadeau and Bengio 2003": "Nadeau, C. and Bengio, Y. (2003). Machine Learning 52, 239-281.",
    "Mitchell 1997": "Mitchell, T. M. (1997). Machine Learning, chapter 5. McGraw-Hill.",
    "Dietterich 1998": "Dietterich, T. G. (1998). Neural Computation 10, 1895-1923.",
    "Alpaydin 1999": "Alpaydin, E. (1999). Neural Computation 11, 1885-1892.",
    "Bonett and Price (2012)": "Bonett, D. G. and Price, R. M. (2012). Journal of Educational and "
    "Behavioral Statistics 37, 479-488.",
    "Tango 1998": "Tango, T. (1998). Statistics in Medicine 17, 891-908.",
    "Schuirmann 1987": "Schuirmann, D. J. (1987). Journal of Pharmacokinetics and Biopharmaceutics "
    "15, 657-680.",
    "Tango (1998)": "Tango, T. (1998). Statistics in Medicine 17, 891-908.",
    "Newcombe (1998)": "Newcombe, R. G. (1998). Statistics in Medicine 17, 873-890 and 2635-2650.",
    "Holm 1979": "Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.",
    "Wilcoxon 1945": "Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.",
    "Iman and Davenport (1980)": "Iman, R. L. and Davenport, J. M. (1980). Communications in "
    "Statistics A9, 571-595.",
    "Nemenyi 1963": "Nemenyi, P. (1963). Distribution-free Multiple Comparisons. PhD thesis, "
    "Princeton University.",
    "Dunn (1961)": "Dunn, O. J. (1961). Journal of the American Statistical Association 56, 52-64.",
    "Demsar 2006": "Demsar, J. (2006). Journal of Machine Learning Research 7, 1-30.",
    "Cochran 1950": "Cochran, W. G. (1950). Biometrika 37, 256-266.",
}
"""How a work is cited in the paragraph -> where it appeared."""


def methods_paragraph(
    names: Sequence[str],
    duels: Sequence[Duel],
    question: Question,
    *,
    how: str,
    n: int,
    omnibus: Evidence | None = None,
) -> str:
    """Return what was done, in sentences that can stand in a paper."""
    duel = duels[0]
    test, interval = duel.evidence.test, duel.difference.interval
    listed = ", ".join(names[:-1]) + f" and {names[-1]}"
    told = [
        f"We compared {listed} by {question.measure.title} on {n} cases ({how}).",
        f"Differences were tested with {_TESTS.get(test, test)}, two-sided at the "
        f"{level_text(question.alpha)} level"
        + (
            f"; the {level_text(question.level)} interval is that of {_made(duel)}."
            if interval
            else "."
        ),
        _speaks_about(duel.evidence.target),
    ]
    if len(duels) > 1:
        told.append(_several(duels, omnibus, question.adjust))
    if question.rope > 0:
        told.append(_rope(question, exact=duel.pairs is not None))
        if len(duels) > 1:
            told.append("These p-values were adjusted apart from those of the differences.")
    told.append(_planned(duels, question))
    told.append(f"All was computed with referee {versions()['referee']}.")
    return " ".join(t for t in told if t)


def _made(duel: Duel) -> str:
    assert duel.difference.interval is not None
    method = duel.difference.interval.method
    return _INTERVALS.get(method, "the same test")


def _speaks_about(target: Target) -> str:
    if target is Target.FIXED:
        return "The test speaks about these fitted models, not about the learners behind them."
    return (
        "The test speaks about the learners trained on samples of this size; no test of learners "
        "from one sample is exact."
    )


def _several(duels: Sequence[Duel], omnibus: Evidence | None, adjust: str) -> str:
    whose = {
        "holm": "Holm's method (Holm 1979)",
        "hochberg": "Hochberg's method (Hochberg 1988)",
        "benjamini-hochberg": "the method of Benjamini and Hochberg (1995), which controls the "
        "rate of false discoveries",
    }
    text = f"The {len(duels)} p-values were adjusted by {whose[adjust]}"
    if adjust != "benjamini-hochberg":
        text += "; ranks are given with simultaneous intervals"
    if omnibus is not None:
        text += f"; over all models Cochran's Q (Cochran 1950) gave p = {omnibus.p_value:.3g}"
    return text + "."


def _rope(question: Question, *, exact: bool) -> str:
    size = size_text(question.rope, percent=question.measure.percent)
    how = (
        "exactly, ordering tables by Tango's score (Tango 1998)" if exact else "by the same t test"
    )
    if question.claim == "non-inferior":
        return f"Non-inferiority was tested one-sided against a margin of {size}, {how}."
    return (
        f"Equivalence was tested by two one-sided tests (Schuirmann 1987) against a margin of "
        f"{size}, {how}."
    )


def _planned(duels: Sequence[Duel], question: Question) -> str:
    sizes = sorted({d.detectable for d in duels if d.detectable is not None})
    if not sizes:
        return ""
    least, most = (size_text(v, percent=question.measure.percent) for v in (sizes[0], sizes[-1]))
    size = most if least == most else f"{least.removesuffix(' points')} to {most}"
    pairs = ", allowing for the number of pairs" if len(duels) > 1 else ""
    found = f"a difference of {size} would have been found with a power of 80 %{pairs}"
    return f"With these cases {found}."
