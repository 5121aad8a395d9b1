"""referee schema: the JSON schema of results.json."""

from __future__ import annotations

from referee.cli.terminal.screen import say

__all__ = ["schema"]


def schema() -> None:
    """Print the JSON schema (draft 2020-12) that results.json and every entry of --json keep to."""
    from referee.report.json import results_schema

    say(results_schema(), end="")
