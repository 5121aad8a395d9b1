"""What every result can do: print itself and be written in any format.

Results live below the report and the vault in the layers, so these are looked up only when they are
asked for: the one arrow that points up (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["Reportable"]


class Reportable:
    """A result that the report package knows how to describe."""

    def _report(self) -> Any:
        return import_module("referee.report")

    def __str__(self) -> str:
        return str(self._report().to_text(self))

    def _repr_html_(self) -> str:
        return str(self._report().to_fragment(self))

    def to_text(self) -> str:
        """Return the result as plain text."""
        return str(self)

    def to_html(self, path: str | PathLike[str]) -> None:
        """Write the result as one self-contained HTML page."""
        self._report().write_text(path, self._report().to_html(self))

    def to_markdown(self) -> str:
        """Return the result as Markdown."""
        return str(self._report().to_markdown(self))

    def to_latex(self) -> str:
        """Return a booktabs table and the verdict, ready for a paper."""
        return str(self._report().to_latex(self))

    def to_json(self) -> str:
        """Return the result as JSON."""
        return str(self._report().to_json(self))

    def save(
        self,
        directory: str | PathLike[str],
        *,
        force: bool = False,
        figures: Sequence[str] = ("svg", "pdf"),
    ) -> Path:
        """Write report.html, results.json, table.tex, the predictions and figures/.

        All of it is written into the directory, or nothing. A directory that is not empty is
        refused unless `force` is set. `figures` names the kinds of files: "svg", "pdf", "png".
        """
        return Path(self._report().write_result(self, directory, force=force, figures=figures))

    def to_bundle(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write a zip with everything the result was concluded from, for `referee.verify`.

        A file that exists is refused unless `force` is set. Results that rest on no predictions (a
        plan, an audit, an experiment) have no bundle.
        """
        return Path(import_module("referee.vault").write_bundle(self, path, force=force))

    def plot(self, ax: Any = None) -> Any:
        """Draw the estimates with their intervals; return the matplotlib axes."""
        return self._report().plot(self, ax=ax)
