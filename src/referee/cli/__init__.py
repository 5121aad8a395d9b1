"""The command line: one file per verb."""

from referee.cli.app import main

__all__ = ["main"]
