"""Every interval is one object that all else is derived from, one from outside included."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import referee
from referee.cli.terminal.catalogued import filled
from referee.core.citations import Citation
from referee.core.results import Interval, Target
from referee.errors import InputError, Refusal
from referee.intervals import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
    AreaInterval,
    DifferenceInterval,
    MeasureInterval,
    RiskInterval,
    Trial,
    clopper_pearson,
)
from referee.intervals.catalogue import interval_method
from referee.intervals.difference.paired import bonett_price
from referee.intervals.reach import Reach
from referee.report.describe.references import cited
from referee.study import calibration
from referee.study.calibration.fixed.exact import enumerated
from referee.study.calibration.probe import Ranked, Validation
from referee.study.calibration.table import known_methods

CATALOGUES = (RISK_INTERVALS, AREA_INTERVALS, DIFFERENCE_INTERVALS, MEASURE_INTERVALS)
ENTRIES = [entry for catalogue in CATALOGUES for entry in catalogue.values()]
WORK = Citation("Doe 2031", "Doe, J. (2031). An Interval. Journal of Tests 1, 1-2.")


def exact(sample):
    n = sample.losses.n
    return clopper_pearson(sample.losses.mean * n, n, sample.level)


def only_without_groups(situation):
    return "groups are not for the outsider; use 'clustered'" if situation.grouped else None


OUTSIDER = RiskInterval(
    "outsider",
    title="the outsider's interval",
    citations=(WORK,),
    assumptions=("nothing changes",),
    refusal=only_without_groups,
    reservation=lambda s: "" if s.fixed else "knows of one model only",
    compute=exact,
    of_counts=clopper_pearson,
    tried=(Trial(by="10x10", target=Target.CONDITIONAL, first_pass=True),),
)


@pytest.fixture
def outsider():
    yield RISK_INTERVALS.register(OUTSIDER, before="clopper-pearson")
    RISK_INTERVALS.remove("outsider")


def predictions(n=120, errors=12):
    truth = np.arange(n) % 2
    answers = np.where(np.arange(n) < errors, 1 - truth, truth)
    return truth, answers


def text_of(result):
    return " ".join(result.to_markdown().split())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_an_entry_says_what_it_is(entry):
    assert interval_method(entry.name) is entry
    assert entry.title
    assert not entry.title.endswith(".")
    assert all(isinstance(c, Citation) for c in entry.citations)
    assert entry.citations or entry.name in ("known", "stratified-joint", "wald-paired")
    for c in entry.citations:
        assert c.key in entry.cited
        assert cited(entry.cited).count(c.work) == 1
        assert c.key.rpartition(" ")[2] in c.work


def test_every_method_name_in_the_source_has_an_entry():
    root = Path(referee.__file__).parent
    names = set()
    for folder in ("intervals", "judging", "report/displays"):
        for path in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Interval":
                    names |= {
                        k.value.value
                        for k in node.keywords
                        if k.arg == "method" and isinstance(k.value, ast.Constant)
                    }
    assert {"percentile", "delong", "tango", "abc"} <= names
    assert [name for name in names if interval_method(name) is None] == []


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda c: c.kind.__name__)
def test_a_table_of_the_catalogue_has_a_row_for_each(catalogue):
    rows = catalogue.table()
    assert [row["name"] for row in rows] == list(catalogue)
    assert all(set(row) == set(rows[0]) for row in rows)
    flagged = {row["name"] for row in rows if row["flag"]}
    assert flagged == {m.name for m in catalogue.values() if m.flag}


def test_the_automatic_order_names_entries_without_a_flag():
    assert all(not RISK_INTERVALS[name].flag for name in RISK_INTERVALS.automatic)


# One of each kind from outside.


def test_an_outsider_is_chosen_where_it_suits_and_refuses_where_not(outsider):
    truth, answers = predictions()
    e = referee.evaluate_predictions(truth, answers)
    assert e.error.interval.method == "outsider"
    assert "nothing changes" in e.error.assumptions
    groups = np.arange(120) // 4
    assert referee.evaluate_predictions(truth, answers, groups=groups).error.interval.method == (
        "clustered"
    )
    with pytest.raises(Refusal, match="not for the outsider; use 'clustered'"):
        referee.evaluate_predictions(truth, answers, groups=groups, interval="outsider")
    with pytest.raises(InputError, match="did you mean 'outsider'"):
        referee.evaluate_predictions(truth, answers, interval="outsidr")


def test_an_outsider_with_a_reservation_is_passed_over_and_flagged_by_name(outsider):
    from sklearn.naive_bayes import GaussianNB

    y = np.arange(60) % 2
    X = np.random.default_rng(0).normal(size=(60, 2)) + y[:, None]
    auto = referee.evaluate(GaussianNB(), X, y, by=5, random_state=0)
    assert auto.error.interval.method == "effective-jeffreys"
    named = referee.evaluate(GaussianNB(), X, y, by=5, interval="outsider", random_state=0)
    assert named.error.interval.flag == "knows of one model only"
    assert "R010" in [f.code for f in named.findings]


def test_an_outsider_is_in_the_report_with_title_and_citation(outsider):
    text = text_of(referee.evaluate_predictions(*predictions(), interval="outsider"))
    assert "The 95 % interval of the error is the outsider's interval (Doe 2031)" in text
    assert WORK.work in text


def test_an_outsider_is_in_the_calibration_study(outsider):
    assert "outsider" in known_methods()
    assert "outsider/10-fold/conditional low" in Validation("10x10").columns
    by_enumeration = [made for made in enumerated(["outsider"]) if made.n <= 50]
    assert by_enumeration
    assert all(made.worst >= 0.95 for made in by_enumeration)  # Clopper-Pearson in disguise
    rows = calibration(["lda, d 2, n 50"], ["outsider"], repetitions=2).frame()
    assert set(rows[rows.section == "risk"].target) == {"conditional"}


def test_a_name_that_is_taken_is_refused_with_both_modules(outsider):
    with pytest.raises(InputError, match=f"{__name__} is already taken by {__name__}"):
        RISK_INTERVALS.register(replace(OUTSIDER, title="another"))
    with pytest.raises(InputError, match=r"taken by referee\.intervals\.one_set\.proportion"):
        RISK_INTERVALS.register(replace(OUTSIDER, name="wilson"))
    with pytest.raises(InputError, match="must be a RiskInterval, got a MeasureInterval"):
        RISK_INTERVALS.register(MeasureInterval("other", title="another"))


def test_an_area_interval_from_outside():
    mine = AreaInterval(
        "half-area",
        title="half of everything",
        citations=(WORK,),
        compute=lambda p, level: Interval(low=p.auc / 2, high=1.0, level=level, method="half-area"),
    )
    AREA_INTERVALS.register(mine, before="newcombe-delong")
    try:
        truth, answers = predictions()
        scores = answers + np.random.default_rng(0).random(120)
        e = referee.evaluate_predictions(truth, answers, y_score=scores)
        assert e.estimates["auc"].interval.low == pytest.approx(e.estimates["auc"].value / 2)
        assert "half of everything (Doe 2031)" in text_of(e)
        assert "half-area low" in Ranked().columns
    finally:
        AREA_INTERVALS.remove("half-area")
    own = referee.evaluate_predictions(truth, answers, y_score=scores, interval=mine)
    assert own.estimates["auc"].interval.method == "half-area"
    assert own.error.interval.method == "clopper-pearson"
    assert WORK.work in text_of(own)


def test_a_difference_interval_from_outside_is_tried_by_enumeration():
    mine = DifferenceInterval("mine", title="mine", citations=(WORK,), compute=bonett_price)
    DIFFERENCE_INTERVALS.register(mine)
    try:
        found, oracle = (next(iter(enumerated([name]))) for name in ("mine", "bonett-price"))
        assert (found.worst, found.mean) == (oracle.worst, oracle.mean)
        assert cited("that of Doe (2031)") == [WORK.work]
    finally:
        DIFFERENCE_INTERVALS.remove("mine")


def test_a_difference_interval_from_outside_is_chosen_reported_and_helped():
    def shifted(counts, level):
        return replace(bonett_price(counts, level), method="mine")

    mine = DifferenceInterval(
        "mine",
        title="my interval of a difference",
        citations=(WORK,),
        compute=shifted,
        refusal=lambda s: "not for weights" if s.weighted else None,
    )
    truth, answers = predictions()
    groups = np.arange(120) // 4
    DIFFERENCE_INTERVALS.register(mine, before="exact-paired")
    try:
        c = referee.compare_predictions(truth, {"a": truth, "b": answers})
        assert c.difference.interval.method == "mine"
        assert "the 95 % interval is my interval of a difference (Doe 2031)" in c.methods
        assert WORK.work in text_of(c)
        grouped = referee.compare_predictions(truth, {"a": truth, "b": answers}, groups=groups)
        assert grouped.difference.interval.method == "bonett-price-clustered"
        assert ", mine; same cases in groups" in filled("{difference_intervals}")
        assert "mine" in known_methods()
    finally:
        DIFFERENCE_INTERVALS.remove("mine")


def test_a_measure_interval_from_outside_says_how_far_it_reaches():
    mine = MeasureInterval("mine", title="mine", citations=(WORK,), at_size=None)
    seen = Interval(low=0.0, high=0.1, level=0.95, method="mine")
    assert Reach(seen, 50).known  # unknown methods are taken as exact ones
    MEASURE_INTERVALS.register(mine)
    try:
        assert not Reach(seen, 50).known
        assert cited("mine (Doe 2031)") == [WORK.work]
    finally:
        MEASURE_INTERVALS.remove("mine")


# An object of a user's own, not registered.


def test_an_interval_of_ones_own():
    e = referee.evaluate_predictions(*predictions(), interval=OUTSIDER)
    oracle = clopper_pearson(12, 120)
    assert (e.error.interval.low, e.error.interval.high) == (oracle.low, oracle.high)
    assert e.error.interval.method == e.estimates["tpr"].interval.method == "outsider"
    text = text_of(e)
    assert "the outsider's interval (Doe 2031)" in text
    assert WORK.work in text
    assert "nothing changes" in text
    with pytest.raises(Refusal, match="'outsider' is an object of yours"):
        e.to_bundle("nowhere.zip")


def test_a_known_object_is_the_same_as_its_name():
    by_object = referee.evaluate_predictions(*predictions(), interval=RISK_INTERVALS["wilson"])
    assert by_object.grounds.settings.interval == "wilson"


@pytest.mark.parametrize(
    ("interval", "message"),
    [
        (exact, r"got the function exact; write RiskInterval\('exact', title=..., compute=exact\)"),
        (3, "must be a name or a RiskInterval, got 3"),
        (
            replace(OUTSIDER, compute=lambda s: (0, 1)),
            r"'outsider' must return an Interval, got \(0",
        ),
        (
            replace(OUTSIDER, compute=lambda s: s.nothing),
            "'outsider' on 120 cases failed: AttributeError",
        ),
        (
            replace(OUTSIDER, compute=lambda s: replace(exact(s), low=0.9, high=np.nan)),
            "low end below its high end, got 0.9 and nan",
        ),
    ],
)
def test_what_is_no_interval_is_refused(interval, message):
    with pytest.raises(InputError, match=message):
        referee.evaluate_predictions(*predictions(), interval=interval)


@pytest.mark.parametrize(("about", "taken"), [("conditional", False), ("expected", True)])
def test_auto_passes_over_one_that_misses_the_target_asked_for(about, taken):
    speaks = replace(
        OUTSIDER,
        target=Target.EXPECTED,
        reservation=lambda s: "",
        precedes="conservative-z",
        compute=lambda sample: replace(exact(sample), target=Target.EXPECTED),
    )
    RISK_INTERVALS.register(speaks)
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 1)) + y[:, None]
    try:
        e = referee.evaluate(GaussianNB(), X, y, by="cv", about=about, random_state=0)
        freely = referee.evaluate(GaussianNB(), X, y, by="cv", random_state=0)
    finally:
        RISK_INTERVALS.remove("outsider")
    assert (e.error.interval.method == "outsider") is taken
    assert e.error.interval.target is (Target.EXPECTED if taken else Target.CONDITIONAL)
    assert e.error.interval.flag == ""
    assert freely.error.interval.method == "outsider"


def test_auto_takes_one_that_misses_the_target_where_none_meets_it():
    y = np.arange(60) % 2
    e = referee.evaluate(
        GaussianNB(), y[:, None], y, by="repeated-holdout", about="conditional", random_state=0
    )
    assert e.error.interval.target is not Target.CONDITIONAL
    assert "not about the model trained on all the data, as asked" in e.error.interval.flag


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ({"low": "a", "high": "b"}, "must have two numbers as its ends, got 'a' and 'b'"),
        ({"level": 0.5}, "must be of the level that was asked for, 0.95, got 0.5"),
    ],
)
def test_an_interval_of_ones_own_with_other_ends_or_another_level_is_named(ends, said):
    asked = {"low": 0.0, "high": 1.0, "level": 0.95, **ends}
    mine = RiskInterval("mine", title="mine", compute=lambda s: Interval(method="mine", **asked))
    with pytest.raises(InputError, match=f"interval 'mine' {re.escape(said)}"):
        referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, interval=mine)


def test_an_interval_of_ones_own_cannot_pass_for_one_of_the_catalogue():
    """Its report would name the measured coverage of the other."""
    made = RiskInterval(
        "wilson", title="x", compute=lambda s: Interval(low=0, high=1, level=s.level, method="x")
    )
    with pytest.raises(InputError, match=r"interval 'wilson' of .* is already taken by referee"):
        referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, interval=made)
