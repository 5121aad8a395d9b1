"""referee arena: a benchmark site with secret labels and an honest board."""

import typer

from referee.cli.arena.creating import add, init
from referee.cli.arena.operating import backup, check, export, finish
from referee.cli.arena.serving import demo, serve
from referee.cli.arena.taking_part import board, submit
from referee.cli.arena.users import user

__all__ = ["arena"]

arena = typer.Typer(
    help="A benchmark site: labels stay secret, many teams submit, the board ranks by inference.",
    no_args_is_help=True,
)
arena.command()(init)
arena.command()(add)
arena.command()(serve)
arena.command()(demo)
arena.command()(submit)
arena.command()(board)
arena.add_typer(user, name="user")
arena.command()(finish)
arena.command()(check)
arena.command()(export)
arena.command()(backup)
