"""Tests of two models by their scores, as objects, and the situation in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from referee.core.arrays import Floats
from referee.core.method import Catalogue, Method, answered_evidence, load_offers
from referee.core.results import Evidence
from referee.core.scores.scores import ItemScores
from referee.errors import arg
from referee.intervals import works as intervals
from referee.intervals.difference.square_and_add import METHOD, square_and_add_p
from referee.intervals.scores.works import ANGELOPOULOS_2023, BELL_MCCAFFREY_2002, WILLINK_2005
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.group_flip import FORMULA as FLIP_FORMULA
from referee.significance.paired.group_flip import MEASURED as FLIP_MEASURED
from referee.significance.paired.group_flip import group_flip
from referee.significance.paired.mcnemar_exact import FORMULA, mcnemar_exact, mcnemar_exact_of_many
from referee.significance.paired.paired_scores import ASSUMPTIONS, NULL, paired_scores
from referee.significance.paired.paired_scores import FORMULA as PAIRED_T_FORMULA
from referee.significance.unpaired.boschloo import FORMULA as BOSCHLOO_FORMULA
from referee.significance.unpaired.boschloo import boschloo
from referee.significance.works import BOSCHLOO_1970, DURKALSKI_2003, MCNEMAR_1947

__all__ = ["SCORE_TESTS", "ScoreSituation", "ScoreTest"]


@dataclass(frozen=True, kw_only=True)
class ScoreSituation:
    """What a test of two models' scores must know.

    Attributes
    ----------
    paired : bool
        Whether the models share items.
    binary : bool
        Whether every item has one score, which is 0 or 1 (the lowest or the highest there is).
    clustered, weighted : bool
        Whether items belong together, and whether they count differently.
    marked : bool
        Whether people marked some of the items.
    """

    paired: bool = True
    binary: bool = False
    clustered: bool = False
    weighted: bool = False
    marked: bool = False


@dataclass(frozen=True)
class ScoreTest(Method):
    """A test of two models by their scores.

    Attributes
    ----------
    compute : callable
        From the differences of shared items, first minus second, to evidence; of models that share
        none, from the scores of the first and of the second.
    paired : bool
        Whether it pairs models by item.
    by_counts : bool
        Whether it reads which of the models had each item right, and nothing else: the interval and
        the test of a rope are then those of counts.
    of_discordant : callable or None
        The p-values of many pairs at once, from the numbers of items that only the first and only
        the second had right, where it is by counts: a board has thousands of pairs.
    label : str
        What one sentence calls it, as in "exact McNemar p = .04".

    Examples
    --------
    >>> from scipy import stats
    >>> def signed_rank(differences):
    ...     result = stats.wilcoxon(differences.values)
    ...     return Evidence(test="signed-rank", statistic=float(result.statistic),
    ...                     p_value=float(result.pvalue), null=NULL, n=differences.n)
    >>> mine = ScoreTest("signed-rank", title="Wilcoxon's signed rank test", compute=signed_rank)
    >>> import referee
    >>> c = referee.compare_scores({"a": [1.5, 2.5, 4.1], "b": [1.0, 2.1, 3.8]}, significance=mine)
    >>> c.evidence.test, c.evidence.p_value
    ('signed-rank', 0.25)
    """

    listed_in: ClassVar[str] = "referee.significance.score_tests:SCORE_TESTS"

    _: KW_ONLY
    compute: Callable[..., Evidence]
    paired: bool = True
    by_counts: bool = False
    of_discordant: Callable[[Floats, Floats], Floats] | None = None
    label: str = ""

    def evidence(self, *scores: ItemScores) -> Evidence:
        """Return what it computes, once that is evidence."""
        return answered_evidence(self, lambda: self.compute(*scores))

    @property
    def short(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name


def _mcnemar(differences: ItemScores) -> Evidence:
    b, c = (int(np.sum(way)) for way in (differences.values > 0, differences.values < 0))
    evidence = mcnemar_exact(PairedCounts(differences.n - b - c, b, c, 0))
    return replace(evidence, statistic=-evidence.statistic + 0.0, null=NULL)


def _flip(differences: ItemScores) -> Evidence:
    groups = np.arange(differences.n) if differences.cluster is None else differences.cluster
    return replace(group_flip(differences.values, groups), null=NULL)


def _t(differences: ItemScores) -> Evidence:
    return paired_scores(differences).contrast.evidence()


def _boschloo(one: ItemScores, two: ItemScores) -> Evidence:
    counts = [(int(np.sum(s.values == s.high)), s.n) for s in (one, two)]
    return replace(boschloo(*counts[0], *counts[1]), null=NULL)


def _square_and_add(one: ItemScores, two: ItemScores) -> Evidence:
    return Evidence(
        test=METHOD,
        statistic=one.mean - two.mean,
        p_value=square_and_add_p(one, two),
        null=NULL,
        n=one.n + two.n,
        assumptions=(*ASSUMPTIONS, "both sets of items are drawn from one population"),
    )


def _shares_none(name: str, situation: ScoreSituation) -> str | None:
    if situation.paired:
        return None
    return (
        f"{arg('significance', name)} pairs models by item, and these share none; use "
        f"{arg('significance', 'auto')}, or give the same items the same names"
    )


def _exact_refusal(situation: ScoreSituation) -> str | None:
    suits = situation.binary and not situation.clustered and not situation.weighted
    if suits:
        return _shares_none("mcnemar-exact", situation)
    return (
        f"{arg('significance', 'mcnemar-exact')} belongs to one 0/1 score an item, without "
        f"clusters or weights; use {arg('significance', 'paired-t')} or, for clusters, "
        "'group-flip'"
    )


def _t_refusal(situation: ScoreSituation) -> str | None:
    return _shares_none("paired-t", situation)


def _flip_refusal(situation: ScoreSituation) -> str | None:
    if situation.weighted:
        return (
            f"{arg('significance', 'group-flip')} knows no weights; use "
            f"{arg('significance', 'paired-t')}"
        )
    return _shares_none("group-flip", situation)


def _shares_some(name: str, situation: ScoreSituation) -> str | None:
    if not situation.paired:
        return None
    return (
        f"{arg('significance', name)} takes models for two samples, and these share items; use "
        f"{arg('significance', 'auto')}"
    )


def _boschloo_refusal(situation: ScoreSituation) -> str | None:
    if not situation.binary or situation.clustered or situation.weighted:
        return f"{arg('significance', 'boschloo')} belongs to one 0/1 score an item"
    return _shares_some("boschloo", situation)


def _add_refusal(situation: ScoreSituation) -> str | None:
    return _shares_some("square-and-add", situation)


def _marks_refusal(situation: ScoreSituation) -> str | None:
    if situation.marked:
        return None
    return (
        f"{arg('significance', 'prediction-powered')} needs human marks; name their column with "
        f"{arg('human', 'column')}"
    )


SCORE_TESTS = Catalogue(
    ScoreTest,
    "test",
    "significance",
    (
        ScoreTest(
            "mcnemar-exact",
            title="McNemar's exact test on the items that only one of two models got right",
            assumptions=ASSUMPTIONS,
            citations=(MCNEMAR_1947,),
            formula=FORMULA.replace("cases", "items"),
            refusal=_exact_refusal,
            compute=_mcnemar,
            by_counts=True,
            of_discordant=mcnemar_exact_of_many,
            label="exact McNemar",
        ),
        ScoreTest(
            "paired-t",
            title="a t test of item differences with a cluster-robust variance and one more item "
            "added in either direction, as is done for counts; in clusters and over runs it leans "
            "with the skewness seen",
            formula=PAIRED_T_FORMULA,
            assumptions=ASSUMPTIONS,
            citations=(BELL_MCCAFFREY_2002, intervals.BONETT_PRICE, WILLINK_2005),
            refusal=_t_refusal,
            compute=_t,
            label="paired t",
        ),
        ScoreTest(
            "group-flip",
            title="an exact randomisation test that flips the sign of items (clusters)",
            formula=FLIP_FORMULA.replace("cases", "items").replace("group", "cluster"),
            measured=FLIP_MEASURED,
            assumptions=ASSUMPTIONS,
            citations=(DURKALSKI_2003,),
            refusal=_flip_refusal,
            compute=_flip,
            label="exact flip of signs",
        ),
        ScoreTest(
            "boschloo",
            title="Boschloo's exact unconditional test",
            formula=BOSCHLOO_FORMULA,
            assumptions=(*ASSUMPTIONS, "both sets of items are drawn from one population"),
            citations=(BOSCHLOO_1970,),
            refusal=_boschloo_refusal,
            compute=_boschloo,
            paired=False,
            label="Boschloo",
        ),
        ScoreTest(
            "square-and-add",
            title="the inversion of the square-and-add interval of two means",
            formula=r"""$\bar s_1$ and $\bar s_2$ are the mean scores on different items, $l_i$ and
$u_i$ the limits of each at some level. The interval of the difference at that level is

$$
\left[\, \bar s_1 - \bar s_2 - \sqrt{(\bar s_1 - l_1)^2 + (u_2 - \bar s_2)^2},\quad
\bar s_1 - \bar s_2 + \sqrt{(u_1 - \bar s_1)^2 + (\bar s_2 - l_2)^2} \,\right],
$$

and p is 1 minus the largest level at which it leaves 0 out.
""",
            measured=(
                "It rejects exactly where its interval leaves 0 out; how often these intervals "
                "hold stands with the intervals of a mean score."
            ),
            assumptions=(*ASSUMPTIONS, "both sets of items are drawn from one population"),
            citations=(intervals.NEWCOMBE,),
            refusal=_add_refusal,
            compute=_square_and_add,
            paired=False,
            label="inverted square-and-add interval",
        ),
        ScoreTest(
            "prediction-powered",
            title="a t test of the prediction-powered difference",
            formula=r"""People marked $n$ items and a judge these and $N$ others; $y_i$ and $f_i$
are the differences of the two models' marks on item $i$ by people and by the judge.

$$
\hat\theta = \frac{\lambda}{N} \sum_{\mathrm{others}} f_i +
\frac{1}{n} \sum_{\mathrm{marked}} (y_i - \lambda f_i), \quad
\lambda = \frac{\operatorname{cov}(y, f)}{(1 + n / N) \, \operatorname{var}(f)}, \quad
t = \frac{\hat\theta}{se}
$$

$\lambda$ is kept between 0 and 1. $se^2$ is the variance of both means, raised by one more
disagreement in either direction; $t$ has Satterthwaite's degrees of freedom.
""",
            measured=(
                "Intervals of single means cover at least .93 in 40 cells of 10 to 300 human marks"
                " (`pytest -m slow tests/intervals/scores/test_prediction_powered.py -s`)."
            ),
            assumptions=(*ASSUMPTIONS, "the items that people marked are a random draw from all"),
            citations=(ANGELOPOULOS_2023,),
            refusal=_marks_refusal,
            compute=_t,
            label="prediction-powered t",
        ),
    ),
    automatic=("mcnemar-exact", "paired-t", "boschloo", "square-and-add"),
)
"""Tests of two models by their scores; the first that suits is taken."""

load_offers(SCORE_TESTS)
