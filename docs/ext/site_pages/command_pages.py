"""A page for every command, with all its arguments and options as the program itself knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_pages.catalogues import one_page
from site_pages.markdown import contents, in_one_line, section, table

__all__ = ["command_pages", "commands", "options"]


def commands() -> Iterator[tuple[str, Any]]:
    """Return every command with its whole name, as ("referee vault seal", command)."""
    yield from one_page().commands()


def options(command: Any) -> list[Any]:
    """Return the options of a command that help shows."""
    return [p for p in command.params if p.param_type_name == "option" and not p.hidden]


def command_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page."""
    rows, names = [], []
    for name, command in commands():
        page = name.removeprefix("referee ").replace(" ", "-")
        names.append(page)
        rows.append((f"[{name}]({page}.md)", _summary(command)))
        yield f"reference/commands/{page}.md", _page(name, command)
    text = (
        "# Commands\n\nA tour: [the command line](/cli.md). Exit codes: 0 the claim was shown, "
        "1 it was not, 2 the request or the data are wrong, 130 stopped.\n\n"
    )
    text += table(("command", "what it does"), rows) + contents(names)
    yield "reference/commands/index.md", text


def _summary(command: Any) -> str:
    return in_one_line((command.help or "").split("\n\n")[0])


def _page(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    words = [name, "[OPTIONS]", *map(_shown, arguments)]
    usage = " ".join(words)
    given = ((f"`{_shown(p)}`", _told(getattr(p, "help", None))) for p in arguments)
    chosen = ((_names(p), _told(p.help), _default(p)) for p in options(command) if p.name != "help")
    return (
        f"# {name}\n\n{_told(command.help).strip()}\n\n```console\n$ {usage}\n```\n\n"
        + section("Arguments", table(("argument", "what it is"), given))
        + section("Options", table(("option", "what it does", "default"), chosen))
    )


def _told(text: str | None) -> str:
    """Return the help with the names of the catalogues filled in."""
    return str(one_page().filled(text or ""))


def _shown(argument: Any) -> str:
    shown = (argument.metavar or argument.name).upper()
    shown += "..." if argument.nargs == -1 else ""
    return shown if argument.required else f"[{shown}]"


def _names(option: Any) -> str:
    names = ", ".join(f"`{n}`" for n in (*option.opts, *option.secondary_opts))
    metavar = "" if option.is_flag else f" {option.metavar or ''}".rstrip()
    return f"{names}{metavar}".replace("<", "\\<")


def _default(option: Any) -> str:
    if option.required:
        return "required"
    if option.is_flag or option.default in (None, "", ()) or callable(option.default):
        return ""
    return f"`{option.default}`"
