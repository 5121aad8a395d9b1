"""Files and folders that the documentation names are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
ROOMS = "|".join(p.name for p in sorted((ROOT / "src" / "referee").iterdir()) if p.is_dir())
# Worked examples of new files, which are not there yet.
EXAMPLES = {"measures/youden.py", "several_fits/jackknife.py", "paired/sign_of_losses.py"}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_every_file_that_a_page_names_is_there(page):
    text = page.read_text(encoding="utf-8")
    tests = set(re.findall(r"(?<![\w/])tests/[\w/]*\w(?:\.py)?(?=[\s`,;:|)\]\"']|\.\s)", text))
    sources = set(re.findall(rf"`(?:src/referee/)?((?:{ROOMS})/[\w/]+\.py)`", text))
    missing = [name for name in tests if not (ROOT / name).exists()]
    missing += [name for name in sources if not (ROOT / "src" / "referee" / name).exists()]
    assert [m for m in missing if not any(m.endswith(e) for e in EXAMPLES)] == []


def test_every_room_that_the_architecture_draws_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = re.search(r"```\nsrc/referee/\n(.*?)```", text, re.S)[1]
    source = ROOT / "src" / "referee"
    folders = {p.name for p in source.rglob("*") if p.is_dir()}
    assert [room for room in re.findall(r"\b(\w+)/", drawing) if room not in folders] == []
    drawn = {match[1] for match in re.finditer(r"^  (\w+)/| \| (\w+)/", drawing, re.M) if match[1]}
    drawn |= set(re.findall(r"\| (\w+)/", drawing))
    there = {p.name for p in source.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert there - drawn == set()
