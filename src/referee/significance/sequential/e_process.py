"""E-processes: evidence that may be read at any time, and acted on.

An e-value is what a bettor has made of 1 by betting against a hypothesis. While the hypothesis is
true it is 1 or less in expectation, whenever one stops; so it ever exceeds 1 / alpha with
probability at most alpha, and 1 over its greatest value so far is a p-value at any time.

References
----------
Ramdas, Grünwald, Vovk and Shafer (2023), Game-theoretic statistics and safe anytime-valid
inference, Statistical Science 38. Ville (1939).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.results import Evidence
from referee.core.showing.pictures import Curve, Curves

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EProcess"]

ASSUMPTIONS = (
    "cases come one by one from one population, each independent of those before",
    "models, bounds and margin were fixed before the first case",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class EProcess:
    """The evidence against a hypothesis after every case.

    Attributes
    ----------
    n : array of int
        After how many cases.
    log_e : array of float
        The natural logarithm of the e-value then.
    test : str
        The catalogue name.
    null : str
        The hypothesis, in words.
    alternative : str
        "two-sided", "less" or "greater", for first minus second.

    Examples
    --------
    >>> process = EProcess(n=np.arange(1, 4), log_e=np.log([2.0, 8.0, 4.0]), test="t", null="")
    >>> round(process.e_value, 6), round(process.p_value, 6)
    (4.0, 0.125)
    """

    n: Rows
    log_e: Floats
    test: str
    null: str
    alternative: str = "two-sided"

    @property
    def e_value(self) -> float:
        """The e-value after the last case."""
        return _exp(float(self.log_e[-1]))

    @property
    def p_value(self) -> float:
        """The p-value after the last case: 1 over the greatest e-value so far, at most 1."""
        return min(1.0, math.exp(-max(0.0, float(self.log_e.max(initial=0.0)))))

    def first_rejection(self, level: float = 0.95) -> int | None:
        """Return after how many cases the hypothesis was first rejected; None for never."""
        reached = self.log_e >= -math.log1p(-level)
        return int(self.n[np.argmax(reached)]) if reached.any() else None

    @property
    def evidence(self) -> Evidence:
        """The outcome as that of any test; the statistic is the logarithm of the e-value."""
        return Evidence(
            test=self.test,
            statistic=float(self.log_e[-1]),
            p_value=self.p_value,
            null=self.null,
            n=int(self.n[-1]),
            alternative=self.alternative,
            assumptions=ASSUMPTIONS,
        )

    def frame(self) -> pd.DataFrame:
        """Return one row a time: n, the e-value and the p-value so far."""
        import pandas as pd

        best = np.maximum(np.maximum.accumulate(self.log_e), 0.0)
        with np.errstate(over="ignore"):
            e = np.exp(self.log_e)
        return pd.DataFrame({"n": self.n, "e_value": e, "p_value": np.exp(-best)})

    def picture(self, level: float = 0.95) -> Curves:
        """Return the evidence over the cases, in powers of ten, and the line to be reached."""
        keep = np.unique(np.linspace(0, len(self.n) - 1, min(len(self.n), 400)).astype(np.intp))
        x = tuple(float(v) for v in self.n[keep])
        tens = tuple(float(v) / math.log(10) for v in self.log_e[keep])
        enough = -math.log10(1 - level)
        curves = (
            Curve("evidence", x, tens, kind="line"),
            Curve(f"enough for {level:.0%}", x, (enough,) * len(x), muted=True, kind="line"),
        )
        caption = "evidence against the hypothesis over the cases as they came"
        return Curves(curves, caption, "cases", y_label="log10 of the e-value")


def _exp(log: float) -> float:
    return math.exp(log) if log < 709 else math.inf
