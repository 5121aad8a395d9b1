"""Rooms one can find: folders of about fifteen files, and tests that stand where sources do."""

from pathlib import Path

import pytest

import referee

SOURCES = Path(referee.__file__).parent
TESTS = Path(__file__).parent
FOLDERS = sorted(p.parent for p in SOURCES.rglob("__init__.py"))
ELSEWHERE = {"docs", "golden", "unchanged"}
"""Tests of what is no part of the package, or of all of it."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(SOURCES)))
def test_a_folder_holds_about_fifteen_files(folder):
    assert len(list(folder.glob("*.py"))) <= 18


def test_tests_mirror_the_sources():
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")}
    apart = {f for f in folders if f.parts and f.parts[0] not in ELSEWHERE}
    assert [str(f) for f in sorted(apart) if not (SOURCES / f).is_dir()] == []
