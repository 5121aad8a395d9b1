"""From a result to a Document: every type of result registers how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from importlib import import_module
from typing import Any

from referee.judging.evaluation import Provenance
from referee.judging.settings import versions
from referee.report.document import Document, Facts, Section

__all__ = ["describe", "provenance_section"]


@singledispatch
def describe(result: Any) -> Document:
    """Return the document of a result; each result type registers its own description."""
    for module in _HOMES.get(type(result).__name__, _MODULES):
        import_module(f"{__name__}.{module}")
    known = describe.dispatch(type(result))
    if known is describe.dispatch(object):
        raise TypeError(f"no report is known for {type(result).__name__}")
    return known(result)


_MODULES = (
    "comparison",
    "datasets",
    "evaluation",
    "experiment",
    "permutation",
    "planning",
    "scores.board",
    "scores.scores",
)
"""Where kinds of results register; imported when one of them is to be told."""

_HOMES = {
    "Comparison": ("comparison",),
    "DatasetsComparison": ("datasets",),
    "Evaluation": ("evaluation",),
    "PermutationTest": ("permutation",),
}
"""Of kinds that should be told without importing the words for all others."""


def provenance_section(provenance: Provenance | None = None) -> Section:
    """Return where a result comes from; the last section of every report."""
    facts = []
    if provenance is not None:
        facts = [("data fingerprint", provenance.data)]
        facts += [("plan fingerprint", provenance.plan)] if provenance.plan else []
        facts.append(("seed", str(provenance.seed)))
    facts.append(("versions", _listed(versions() if provenance is None else provenance.versions)))
    return Section("Provenance", (Facts(tuple(facts)),))


def _listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in names.items())
