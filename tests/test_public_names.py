"""Public names: each can be imported from its package and from its own module, in any order."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import referee

ROOT = Path(referee.__file__).parent
STUBS = sorted(p.relative_to(ROOT).parent for p in ROOT.rglob("__init__.pyi"))


def package(folder):
    return ".".join(["referee", *folder.parts])


def named(folder):
    """Return (name, module it comes from) for each public name of a package; None for modules."""
    tree = ast.parse((ROOT / folder / "__init__.pyi").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.name, node.module and f"{package(folder)}.{node.module}"


def listed(path):
    """Return (name, module it comes from) for each name that an eager package imports and lists."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    homes = {
        alias.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    public = getattr(importlib.import_module(package(path.relative_to(ROOT).parent)), "__all__", ())
    return [(name, homes[name]) for name in public if name in homes]


NAMES = [(package(folder), name, home) for folder in STUBS for name, home in named(folder)]
NAMES += [
    (package(path.relative_to(ROOT).parent), name, None if home == where else home)
    for path in sorted(ROOT.rglob("__init__.py"))
    if not path.with_suffix(".pyi").exists()
    for where in [package(path.relative_to(ROOT).parent)]
    for name, home in listed(path)
]


@pytest.mark.parametrize(("where", "name", "home"), NAMES, ids=lambda v: str(v))
def test_a_name_is_the_same_from_its_package_and_from_its_module(where, name, home):
    here = getattr(importlib.import_module(where), name)
    if home is None:
        assert here is importlib.import_module(f"{where}.{name}")
    else:
        assert here is getattr(importlib.import_module(home), name)


def test_every_package_is_a_real_module():
    for module in pkgutil.walk_packages([str(ROOT)], "referee."):
        if not module.name.endswith("__main__"):
            assert isinstance(importlib.import_module(module.name), ModuleType)


def test_names_are_what_they_are_after_every_module_was_imported():
    test_every_package_is_a_real_module()
    for where, name, home in NAMES:
        here = getattr(importlib.import_module(where), name)
        assert isinstance(here, ModuleType) == (home is None), f"{where}.{name}"


def test_all_lists_the_names_once():
    for folder in STUBS:
        public = [name for name, _ in named(folder)]
        assert len(public) == len(set(public))
        assert set(public) <= {*dir(importlib.import_module(package(folder)))}


def test_kernels_are_a_package_of_their_own():
    from referee.kernels import Gaussian

    assert referee.kernels.Gaussian is Gaussian


def test_import_referee_loads_nothing_heavy():
    code = (
        "import referee, sys; print([m for m in ('numpy', 'sklearn', 'numba') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
