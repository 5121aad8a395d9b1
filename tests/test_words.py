"""One word for one thing: names in the sources are nouns, and words given up stay away."""

import ast
import re
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
SOURCES = sorted(p for p in ROOT.rglob("*.py*") if p.suffix in (".py", ".pyi"))

VERBS = re.compile(r"_*(made|found|told)(_\w*)?|\w*_(found|told)|(Made|Found|Told)[A-Z]\w*")
"""What happened to a thing; its name says what it holds."""
GIVEN_UP = re.compile(r"(?i)_*(duels?|twins?|contests?|contenders?)(_\w*)?|\w*_(duels?|twins?)")
"""A pair is two models compared, a shortcut shared work with the same answers."""
UNEXPLAINED = re.compile(r"([Dd]uels?|[Tt]wins?|[Cc]ontenders?|the notes)")
"""The notes are the lecture notes, which nobody has before them."""
MISSION_ROWS = re.compile(r"(?i)\brows? [A-Z]\d{1,3}\b|\(([KSEP]|X)\d{1,2}\)|mission row")


def identifiers(path):
    """Yield each name that a file gives or uses, and its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = (getattr(node, field, None) for field in ("id", "arg", "attr", "name", "asname"))
        yield from ((name, getattr(node, "lineno", 0)) for name in names if isinstance(name, str))


def texts(path):
    """Yield each line of each text in a file: docstrings, messages."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((line, node.lineno + k) for k, line in enumerate(node.value.split("\n")))


def where(path, pattern, parts, match):
    return [
        f"{path.relative_to(ROOT)}:{line}: {part.strip()}"
        for part, line in parts(path)
        if match(pattern, part)
    ]


@pytest.mark.parametrize("pattern", [VERBS, GIVEN_UP], ids=["verbs", "given up"])
def test_names_say_what_they_hold(pattern):
    assert [w for p in SOURCES for w in where(p, pattern, identifiers, re.fullmatch)] == []


@pytest.mark.parametrize("pattern", [UNEXPLAINED, MISSION_ROWS], ids=["words", "rows"])
def test_texts_are_plain(pattern):
    assert [w for p in SOURCES for w in where(p, pattern, texts, re.search)] == []


def test_the_words_are_caught():
    caught = "found", "_told", "made", "told_apart", "made_of", "Found_", "_not_found", "FoundCase"
    assert [bool(VERBS.fullmatch(word)) for word in caught] == [True] * 5 + [False] + [True] * 2
    assert not any(VERBS.fullmatch(word) for word in ("foundation", "findings", "maker", "FOUND"))
    assert GIVEN_UP.fullmatch("learner_duel")
    assert GIVEN_UP.fullmatch("twins")
    assert MISSION_ROWS.search("see row K12")
    assert MISSION_ROWS.search("an interval (E4)")
