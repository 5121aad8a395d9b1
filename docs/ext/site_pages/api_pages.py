"""A page for every public name, read from its docstring, and one for every public package."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import referee
from site_pages.markdown import contents, in_one_line, table

__all__ = ["api_pages", "public_names", "public_packages"]


@cache
def public_packages() -> tuple[str, ...]:
    """Return referee and its public packages: those that list their names."""
    names = ["referee"]
    rooms = [name for name in referee.__all__ if isinstance(getattr(referee, name), ModuleType)]
    for name in (f"referee.{room}" for room in rooms):
        module = importlib.import_module(name)
        inner = pkgutil.iter_modules(getattr(module, "__path__", []), f"{name}.")
        # Of a room without names of its own, as sources or vault, the inner ones are public.
        nested = [m.name for m in inner if m.ispkg] if _opens(name) else []
        names += [
            n for n in (name, *nested) if getattr(importlib.import_module(n), "__all__", None)
        ]
    return tuple(names)


def _opens(name: str) -> bool:
    return name in ("referee.sources", "referee.vault")


@cache
def public_names() -> dict[str, str]:
    """Return every public name, as "referee.kernels.Gaussian", with the package it belongs to.

    An object that several packages offer is documented in the first of them.
    """
    names: dict[str, str] = {}
    known: dict[int, str] = {}
    for package in public_packages():
        module = importlib.import_module(package)
        for name in sorted(module.__all__):
            value = getattr(module, name)
            if isinstance(value, ModuleType) or known.setdefault(id(value), package) != package:
                continue
            names[f"{package}.{name}"] = package
    return names


def api_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page."""
    for package in public_packages():
        own = [name for name, home in public_names().items() if home == package]
        yield f"reference/api/{package}/index.md", _package(package, own)
        for name in own:
            yield f"reference/api/{package}/{name.rpartition('.')[2]}.rst", _page(name, package)
    pages = [f"{package}/index" for package in public_packages()]
    rows = (
        (f"[{package}]({package}/index.md)", _first(importlib.import_module(package)))
        for package in public_packages()
    )
    head = "# Python\n\nEvery public name.\n\n"
    yield (
        "reference/api/index.md",
        head + table(("package", "what it holds"), rows) + contents(pages),
    )


def _first(value: Any) -> str:
    """Return the first sentence of a docstring, with code in Markdown's way."""
    summary = in_one_line((inspect.getdoc(value) or "").split("\n\n")[0])
    return summary.replace("``", "`").replace("<", "\\<")


def _package(package: str, names: list[str]) -> str:
    listed = []
    for name in names:
        short = name.rpartition(".")[2]
        value = getattr(importlib.import_module(package), short)
        listed.append((f"[`{short}`]({short}.rst)", _told(value)))
    shorts = [name.rpartition(".")[2] for name in names]
    about = _first(importlib.import_module(package))
    rows = table(("name", "what it is"), listed)
    return f"# {package}\n\n{about}\n\n{rows}" + (contents(shorts) if shorts else "")


def _told(value: Any) -> str:
    if inspect.isclass(value) or inspect.isroutine(value):
        return _first(value)
    title = getattr(value, "title", "")
    return title if isinstance(title, str) and title else f"a {type(value).__name__}"


def _page(name: str, package: str) -> str:
    short = name.rpartition(".")[2]
    value = getattr(importlib.import_module(package), short)
    head = f"{name}\n{'=' * len(name)}\n\n.. currentmodule:: {package}\n\n"
    if inspect.isclass(value):
        return head + f".. autoclass:: {short}\n   :members:\n"
    if inspect.isroutine(value) or inspect.isfunction(value):
        return head + f".. autofunction:: {short}\n"
    return head + f".. autodata:: {short}\n   :no-value:\n"
