"""Catalogues: names that are taken, the order of "auto", and what other packages offer."""

import importlib
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from referee.checks import CHECKS, Check
from referee.checks.scores import SCORE_CHECKS
from referee.core import method
from referee.core.method import Catalogue, Method, share_names
from referee.errors import InputError, RefereeError, Refusal
from referee.intervals.catalogue import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
)
from referee.intervals.scores.catalogue import MEAN_INTERVALS
from referee.measures import MEASURES
from referee.resampling import SCHEMES
from referee.significance.catalogue import ADJUSTMENTS, COMPARISON_TESTS, DATASET_TESTS
from referee.significance.score_tests import SCORE_TESTS
from referee.sources.logs.catalogue import FORMATS
from referee.vault.sealed.policies import CATALOGUE as POLICIES

CATALOGUES = (
    RISK_INTERVALS,
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    MEAN_INTERVALS,
    COMPARISON_TESTS,
    DATASET_TESTS,
    ADJUSTMENTS,
    SCORE_TESTS,
    MEASURES,
    SCHEMES,
    CHECKS,
    SCORE_CHECKS,
    FORMATS,
    POLICIES,
)


@dataclass(frozen=True)
class Colour(Method):
    listed_in: ClassVar[str] = "paint:COLOURS"


@dataclass(frozen=True)
class Shade(Colour):
    listed_in: ClassVar[str] = "paint:SHADES"


RED = Colour("red", title="red", aliases=("rouge",))
BLUE = Colour("blue", title="blue", refusal=lambda s: "not here" if s == "sky" else None)


@pytest.fixture
def colours():
    return Catalogue(Colour, "colour", "colour", (RED, BLUE), automatic=("blue", "red"))


def test_auto_takes_the_first_that_does_not_refuse(colours):
    assert colours.choose("sea").name == "blue"
    assert colours.choose("sky").name == "red"
    colours.remove("red")
    with pytest.raises(Refusal, match="not here"):
        colours.choose("sky")


def test_a_method_is_tried_before_the_one_it_names(colours):
    colours.register(Colour("green", title="green"), before="red")
    assert colours.automatic == ("blue", "green", "red")
    # What another package offers says so itself.
    colours.register(Colour("cyan", title="cyan", precedes="blue"))
    assert colours.automatic == ("cyan", "blue", "green", "red")
    with pytest.raises(InputError, match="'rde' is not among those that \"auto\" tries"):
        colours.register(Colour("pink", title="pink"), before="rde")
    assert "pink" not in colours


@pytest.mark.parametrize(
    "clash",
    [
        Colour("red", title="another"),
        Colour("rouge", title="by another's other name"),
        Colour("crimson", title="its other name is taken", aliases=("red",)),
        Colour("auto", title="the choice itself"),
    ],
    ids=lambda c: c.title,
)
def test_a_name_that_is_taken_is_refused(colours, clash):
    with pytest.raises(InputError, match="is already taken by"):
        colours.register(clash)
    assert list(colours) == ["red", "blue"]


def test_catalogues_that_share_names_refuse_each_others(colours):
    shades = Catalogue(Shade, "shade", "colour", (Shade("pale", title="pale"),))
    share_names(colours, shades)
    share_names(colours, shades)  # saying it twice changes nothing
    for catalogue, entry in (
        (colours, Colour("pale", title="taken")),
        (shades, Shade("rouge", title="taken")),
    ):
        with pytest.raises(InputError, match="already taken"):
            catalogue.register(entry)


def test_a_narrower_kind_belongs_to_its_own_catalogue(colours):
    with pytest.raises(InputError, match="must be a Colour, got a Shade"):
        colours.register(Shade("dark", title="dark"))


def test_an_interval_cannot_take_the_name_of_one_that_the_same_argument_chooses():
    mine = replace(RISK_INTERVALS["wilson"], name="logit-delong")
    with pytest.raises(InputError, match=r"taken by referee\.intervals\.area"):
        RISK_INTERVALS.register(mine)
    assert "logit-delong" not in RISK_INTERVALS


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda c: c.kind.__name__)
def test_every_kind_says_where_it_is_listed(catalogue):
    module, name = catalogue.kind.listed_in.split(":")
    assert getattr(importlib.import_module(module), name) is catalogue
    assert set(catalogue.automatic) <= set(catalogue)
    assert all(type(entry).listed_in == catalogue.kind.listed_in for entry in catalogue.values())


def offering(monkeypatch, *offers):
    """Have installed packages offer these."""

    class Point:
        def __init__(self, offer):
            self.name, self.value, self.load = "mine", "outside:MINE", lambda: offer

    monkeypatch.setattr(method, "_points", lambda: tuple(map(Point, offers)))


def test_an_offer_lands_in_exactly_one_catalogue(monkeypatch, colours):
    shades = Catalogue(Shade, "shade", "shade", ())
    offering(
        monkeypatch,
        Shade("dark", title="dark"),
        Colour("green", title="green", precedes="red"),
    )
    assert list(colours) == ["red", "blue", "green"]
    assert list(shades) == ["dark"]
    assert colours.automatic == ("blue", "green", "red")


def test_a_check_of_scores_that_is_offered_is_no_check_of_predictions(monkeypatch):
    known = {c.kind: [*c] for c in (CHECKS, SCORE_CHECKS)}
    mine = replace(SCORE_CHECKS["R040"], name="X900")
    offering(monkeypatch, mine)
    for catalogue in (CHECKS, SCORE_CHECKS):
        monkeypatch.setattr(catalogue, "_loaded", False)
    try:
        assert list(CHECKS) == known[Check]
        assert SCORE_CHECKS["X900"] is mine
    finally:
        SCORE_CHECKS.remove("X900")


@pytest.mark.parametrize("offer", [Method("bare", title="of no kind"), 7], ids=["bare", "number"])
def test_an_offer_that_no_catalogue_holds_is_refused(monkeypatch, colours, offer):
    offering(monkeypatch, offer)
    with pytest.raises(RefereeError, match=r"'mine' of outside:MINE must name a method of a kind"):
        list(colours)


def test_who_precedes_nothing_is_named_with_its_module():
    catalogue = Catalogue(Method, "test", "test", (Method("sign", title="s"),), automatic=("sign",))
    lost = Method("lost", title="lost", precedes="nothing", refusal=lambda situation: None)
    with pytest.raises(InputError, match=f"test 'lost' of {__name__} is to precede it"):
        catalogue.register(lost)


def test_a_bare_function_is_told_how_to_be_a_method():
    from referee.significance import COMPARISON_TESTS

    def my_test(sample):
        return None

    with pytest.raises(
        InputError,
        match=r"write ComparisonTest\('my-test', title=\.\.\., setting=\.\.\., compute=my_test\)",
    ):
        COMPARISON_TESTS.named(my_test)
