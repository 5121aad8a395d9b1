"""Rooms one can find: folders of about fifteen files, and tests that stand where sources do."""

from pathlib import Path

import pytest

import referee

SOURCES = Path(referee.__file__).parent
TESTS = Path(__file__).parent
FOLDERS = sorted(p.parent for p in SOURCES.rglob("__init__.py"))
ELSEWHERE = {"docs", "golden", "unchanged"}
"""Tests of what is no part of the package, or of all of it."""
TESTED_ABOVE = {"arena/store/migrations/versions"}
"""Steps of the migrations, which tests/arena/store/migrations takes one after another."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(SOURCES)))
def test_a_folder_holds_about_fifteen_files(folder):
    assert len(list(folder.glob("*.py"))) <= 18


def test_tests_mirror_the_sources():
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")}
    apart = {f for f in folders if f.parts and f.parts[0] not in ELSEWHERE}
    assert [str(f) for f in sorted(apart) if not (SOURCES / f).is_dir()] == []


def test_sources_have_tests_where_they_stand():
    rooms = {p.parent.relative_to(SOURCES) for p in SOURCES.rglob("*.py") if _code(p)}
    tested = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")}
    assert sorted(str(f) for f in rooms - tested) == sorted(TESTED_ABOVE)


def _code(path):
    return path.name not in ("__init__.py", "__main__.py")
