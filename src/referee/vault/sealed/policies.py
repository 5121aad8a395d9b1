"""Release policies: what a look at a sealed test set may show, and what is promised for it.

A policy is pure: where the vault stands and a loss go in, an answer comes out. Nothing else about
the secret labels may leave the vault, and the baseline of a grid must not be computed from them.
The numbers of cases in the classes are part of what is public only where the measure is a share of
one class (tpr, tnr, fpr, fnr) or an area: there intervals speak about cases of the given classes.
For error, accuracy and mean losses they are a secret like the labels themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from referee.core.citations import Citation
from referee.core.method import Catalogue, Method, load_offers
from referee.errors import Refusal
from referee.intervals.looks import Answer, Cell, Grid, LadderState, LookInterval, ladder_look

__all__ = ["CATALOGUE", "LADDER", "ONCE", "Policy"]


@dataclass(frozen=True, kw_only=True)
class Policy(Method):
    """How a sealed test set answers.

    Attributes
    ----------
    promise : str
        What holds for the intervals, in one sentence; {level} stands for the level.
    looks : int or None
        How many looks there are; None for any number.
    answer : callable
        (grid, state, loss) -> Answer; without side effects.
    exact : bool
        Whether a look shows the score itself, not the rung of a grid that it reached.
    summary : str
        What it does, in a few words for the help of the command line; the title if empty.

    Examples
    --------
    >>> grid = Grid.of_share(1000, baseline=0.5)
    >>> answer = LADDER.look(grid, LadderState(), grid.loss(0.321))
    >>> answer.released, answer.ends
    (0.34, (0.321, 0.34))
    >>> i = LADDER.interval(grid, answer).interval
    >>> round(i.low, 3), round(i.high, 3)
    (0.289, 0.373)
    """

    listed_in: ClassVar[str] = "referee.vault.sealed.policies:CATALOGUE"

    promise: str
    looks: int | None
    answer: Callable[[Grid, LadderState, float], Answer]
    exact: bool = False
    summary: str = ""

    def look(self, grid: Grid, state: LadderState, loss: float) -> Answer:
        """Return the answer to the next look; refused when there are none left."""
        if self.looks is not None and state.looks >= self.looks:
            raise Refusal(
                f"policy '{self.name}' allows {self.looks} look, and it was used",
                remedy="seal a new test set with cases that no model was chosen by",
            )
        return self.answer(grid, state, loss)

    def interval(self, grid: Grid, answer: Answer, level: float = 0.95) -> LookInterval:
        """Return the guaranteed interval of an answer, and the naive one."""
        return answer.interval(grid, level, looks=self.looks)


def _exact(grid: Grid, state: LadderState, loss: float) -> Answer:
    """Return the score itself."""
    cell = Cell(loss, loss)
    low, high = grid.ends(cell)
    return Answer(
        released=low,
        cell=cell,
        ends=(low, high),
        before=state,
        after=LadderState(state.looks + 1, state.releases + 1, grid.rung(loss)),
    )


ONCE = Policy(
    name="once",
    title="one look",
    assumptions=("the sealed cases are independent draws, and nobody has seen their labels",),
    formula=r"""With $x$ errors of $n$ sealed cases the one look gets the exact interval; $B$ is a
quantile of the beta law.

$$
[\, B(\alpha/2;\; x,\; n - x + 1),\quad B(1 - \alpha/2;\; x + 1,\; n - x) \,]
$$
""",
    measured=(
        "Exact: the interval is that of Clopper and Pearson, which covers at least as often as it "
        "says."
    ),
    promise="the interval holds with probability {level}: nothing was chosen by this test set",
    citations=(
        Citation(
            "Clopper and Pearson 1934",
            "Clopper, C. J. and Pearson, E. S. (1934). Biometrika 26, 404-413.",
        ),
    ),
    looks=1,
    answer=_exact,
    exact=True,
    summary="one look that shows the score",
)

LADDER = Policy(
    name="ladder",
    title="ladder",
    assumptions=(
        "the sealed cases are independent draws; of their labels only the answers are known",
    ),
    formula=r"""A look is answered with the value $b - m \delta$, $m = 1, 2, \ldots, J$, that the
score reaches, if that is below the best one released; $b$ is the baseline, $\delta$ the step.
Before look $k$, after $j$ releases, at most $C(k - 1, j) \, C(J, j)$ histories are possible, $C$
being binomial coefficients, and look $k$ may spend $\alpha w$:

$$
w = \frac{6}{\pi^2 k^2} \cdot \frac{2^{-(j + 1)}}{1 - 2^{-(\min(k - 1, J) + 1)}} \cdot
\frac{1}{C(k - 1, j) \, C(J, j)}
$$

The interval reaches from the exact lower limit of the lower end of what the answer leaves open to
the exact upper limit of its upper end, at error $\alpha w$.
""",
    measured=(
        "Five attacks with 1000 looks at 1000 cases, 200 runs of each: all intervals of a run held"
        " in .990 of the runs or more, where .950 is promised (`referee study looks`)."
    ),
    promise="with probability {level} the intervals of all looks hold at once, however the models "
    "were chosen",
    citations=(
        Citation(
            "Blum and Hardt 2015",
            "Blum, A. and Hardt, M. (2015). The Ladder: a reliable leaderboard for machine "
            "learning competitions. International Conference on Machine Learning 32, 1006-1014.",
        ),
        Citation(
            "Dwork and others 2015",
            "Dwork, C., Feldman, V., Hardt, M., Pitassi, T., Reingold, O. and Roth, A. (2015). "
            "Generalization in adaptive data analysis and holdout reuse. Advances in Neural "
            "Information Processing Systems 28.",
        ),
    ),
    looks=None,
    answer=ladder_look,
    summary="many looks, answered if they improve by a step",
)

CATALOGUE = Catalogue(Policy, "policy", "policy", (ONCE, LADDER))
"""Name -> policy."""

load_offers(CATALOGUE)
