"""What tests of two models on different cases share: do both err equally often?

References
----------
Barnard (1947), Biometrika 34. Boschloo (1970), Statistica Neerlandica 24.
"""

from __future__ import annotations

from referee.core.results import Evidence
from referee.errors import InputError, arg
from referee.significance.comparison_test import ComparisonSituation

__all__ = [
    "ASSUMPTIONS",
    "NULL",
    "check_counts",
    "one_side",
    "two_sample_evidence",
    "two_sample_refusal",
]

NULL = "both models err equally often on new cases"
ASSUMPTIONS = (
    "the cases of each test set are independent draws from one population",
    "the two test sets are independent of each other and of the models",
)


def one_side(alternative: str) -> str:
    """Return the side, "less" or "greater"."""
    if alternative not in ("less", "greater"):
        raise InputError(
            "must be 'two-sided', 'less' or 'greater'",
            argument="alternative",
            value=repr(alternative),
        )
    return alternative


def check_counts(errors1: int, n1: int, errors2: int, n2: int) -> None:
    """Refuse what are no errors among cases."""
    for name, errors, n in (("1", errors1, n1), ("2", errors2, n2)):
        for label, value in ((f"n{name}", n), (f"errors{name}", errors)):
            if isinstance(value, bool) or not float(value).is_integer():
                raise InputError(
                    f"{label} must be a whole number of cases", concerning=label, value=str(value)
                )
        if n < 1:
            raise InputError(
                f"n{name} must be at least 1, got {n}; a test needs cases", concerning=f"n{name}"
            )
        if not 0 <= errors <= n:
            raise InputError(
                f"errors{name} must lie between 0 and n{name} = {n}", value=str(errors)
            )


def two_sample_evidence(
    test: str, statistic: float, p: float, n: int, alternative: str
) -> Evidence:
    """Return the outcome of one of the tests."""
    return Evidence(
        test=test,
        statistic=statistic,
        p_value=p,
        null=NULL,
        n=n,
        alternative=alternative,
        assumptions=ASSUMPTIONS,
    )


def two_sample_refusal(name: str, situation: ComparisonSituation) -> str | None:
    """Say why a test that counts errors may not be used: it cannot judge an area."""
    if not situation.area:
        return None
    return (
        f"{arg('significance', name)} counts errors and cannot judge an area; use "
        f"{arg('significance', 'delong-unpaired')}"
    )
