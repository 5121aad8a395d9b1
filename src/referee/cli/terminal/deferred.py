"""Groups of commands that are made when one of them is asked for.

Typer reads the signatures of all commands whenever a single one is run, and more than half of
them belong to groups.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cached_property
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

__all__ = ["deferred"]


def deferred(group: typer.Typer) -> typer.Typer:
    """Return a stand-in for a group: the same name and help, its commands on demand.

    Examples
    --------
    >>> tools = typer.Typer(help="Some tools.")
    >>> hammer = tools.command()(lambda: None)
    >>> app = typer.Typer()
    >>> app.add_typer(deferred(tools), name="tools")
    >>> list(get_group(app).commands["tools"].commands)
    ['<lambda>']
    """

    class Deferred(TyperGroup):
        @cached_property
        def _held(self) -> MutableMapping[str, Any]:
            return get_group(group).commands

        @property
        def commands(self) -> MutableMapping[str, Any]:
            return self._held

        @commands.setter
        def commands(self, none_yet: MutableMapping[str, Any]) -> None:
            """Typer knows of none when it makes the group."""

    return typer.Typer(
        cls=Deferred, help=group.info.help, no_args_is_help=bool(group.info.no_args_is_help)
    )
