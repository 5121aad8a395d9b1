"""One method of every kind from another package shows up everywhere without any other edit.

All come by the entry-point group, as those of an installed package do. What each kind promises
beyond that stands in the contract test of its catalogue.
"""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.checks import CHECKS, Check
from referee.checks.scores import SCORE_CHECKS, ScoreCheck
from referee.cli.terminal.catalogued import filled
from referee.core import method
from referee.core.citations import Citation
from referee.core.plan import Split
from referee.core.results import Evidence, Interval, Severity, Target
from referee.errors import Refusal
from referee.intervals import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEAN_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
    AreaInterval,
    DifferenceInterval,
    MeasureInterval,
    RiskInterval,
    Trial,
    clopper_pearson,
)
from referee.intervals.difference.paired import bonett_price
from referee.intervals.scores.mean_interval import MeanInterval
from referee.measures import MEASURES, ShareMeasure
from referee.measures.measure import always
from referee.report.describe.references import cited
from referee.resampling import SCHEMES, NamedScheme
from referee.resampling.scheme import make_plan
from referee.significance import (
    ADJUSTMENTS,
    COMPARISON_TESTS,
    DATASET_TESTS,
    Adjustment,
    ComparisonTest,
    Setting,
)
from referee.significance.comparison_test import LearnerTrial
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.paired.mcnemar_exact import mcnemar_exact
from referee.significance.score_tests import SCORE_TESTS, ScoreTest
from referee.significance.unpaired.fisher import fisher
from referee.sources.logs.catalogue import FORMATS, LogFormat
from referee.study.calibration.fixed.exact import enumerated
from referee.study.calibration.probe import LearnerPairs, Ranked, Validation
from referee.study.calibration.table import known_methods
from referee.study.scores.cells import score_cells
from referee.study.scores.trial import tried
from referee.vault.sealed.policies import CATALOGUE as POLICIES
from referee.vault.sealed.policies import LADDER

WORK = Citation("Doe 2031", "Doe, J. (2031). One of Each. Journal of Tests 1, 1-2.")
DOCS = Path(__file__).parents[1] / "docs"


def whole(level, name, **more):
    return Interval(low=0.0, high=1.0, level=level, method=name, **more)


def evidence(name, n):
    return Evidence(test=name, statistic=1.0, p_value=0.4, null="nothing", n=int(n))


class FirstHalf:
    """Train on the first half, test on the second."""

    def plan(self, data, seed=0):
        half = data.n // 2
        split = Split(np.arange(half), np.arange(half, data.n))
        return make_plan(data, [split], "x-scheme", "trained on the outsider's half")


def refuses_groups(situation):
    return "the outsider knows no groups" if situation.grouped else None


NAMED = {"citations": (WORK,), "assumptions": ("nothing changes",)}

OUTSIDERS = (
    (RISK_INTERVALS, RiskInterval(
        "x-risk", title="the outsider's interval of a risk", precedes="clopper-pearson",
        refusal=refuses_groups, compute=lambda s: whole(s.level, "x-risk"),
        of_counts=clopper_pearson, tried=(Trial(by="x-scheme", target=Target.CONDITIONAL),),
        **NAMED)),
    (AREA_INTERVALS, AreaInterval(
        "x-area", title="the outsider's interval of an area", precedes="newcombe-delong",
        compute=lambda p, level: whole(level, "x-area"), **NAMED)),
    (DIFFERENCE_INTERVALS, DifferenceInterval(
        "x-difference", title="the outsider's interval of a difference", precedes="exact-paired",
        refusal=lambda s: "the outsider is of few cases" if s.n > 1000 else None,
        compute=lambda c, level=0.95: replace(bonett_price(c, level), method="x-difference"),
        **NAMED)),
    (MEASURE_INTERVALS, MeasureInterval(
        "x-own", title="the outsider's own interval", at_size=None, **NAMED)),
    (MEAN_INTERVALS, MeanInterval(
        "x-mean", title="the outsider's interval of a mean", precedes="clopper-pearson",
        refusal=lambda items: "no clusters" if items.cluster is not None else None,
        compute=lambda items, level: whole(level, "x-mean"), **NAMED)),
    (COMPARISON_TESTS, ComparisonTest(
        "x-paired", title="the outsider's paired test", precedes="mcnemar-exact",
        setting=Setting.SAME_CASES, refusal=refuses_groups, target=Target.FIXED,
        compute=lambda s: evidence("x-paired", s.n), of_counts=mcnemar_exact, **NAMED)),
    (COMPARISON_TESTS, ComparisonTest(
        "x-unpaired", title="the outsider's unpaired test", precedes="boschloo",
        setting=Setting.DIFFERENT_CASES, target=Target.FIXED,
        compute=lambda s: evidence("x-unpaired", s.errors[1]), of_counts=fisher, **NAMED)),
    (COMPARISON_TESTS, ComparisonTest(
        "x-learners", title="the outsider's test of learners", precedes="calibrated-t",
        setting=Setting.SEVERAL_FITS, target=Target.EXPECTED,
        refusal=lambda s: None if s.repetitions == 1 else "one pass only",
        compute=lambda s: evidence("x-learners", s.losses.n), tried=(LearnerTrial("10x10"),),
        **NAMED)),
    (SCORE_TESTS, ScoreTest(
        "x-scores", title="the outsider's test of scores", precedes="mcnemar-exact",
        compute=lambda d: evidence("x-scores", d.n), **NAMED)),
    (DATASET_TESTS, DatasetTest(
        "x-sets", title="the outsider's test over data sets", precedes="wilcoxon", role=Role.PAIR,
        refusal=lambda s: "at least 4 data sets" if s.data_sets < 4 else None,
        compute=lambda d: evidence("x-sets", len(d)), **NAMED)),
    (ADJUSTMENTS, Adjustment(
        "x-adjust", title="the outsider's adjustment",
        compute=lambda p: np.minimum(1.0, len(p) * np.asarray(p, dtype=float)), **NAMED)),
    (MEASURES, ShareMeasure(
        "x_measure", title="the outsider's measure", greater_is_better=True, given="truth",
        of_class=True, positive=True, shown=always,
        of_matrix=lambda m, at: m[..., at, at] / m[..., at, :].sum(-1), **NAMED)),
    (SCHEMES, NamedScheme("x-scheme", title="the outsider's scheme", make=FirstHalf, **NAMED)),
    (CHECKS, Check(
        name="X900", title="the outsider's check", cause="Always.", remedy="None.",
        severities=(Severity.NOTE,), compute=lambda context: FOUND, **NAMED)),
    (SCORE_CHECKS, ScoreCheck(
        name="X901", title="the outsider's check of scores", cause="Always.", remedy="None.",
        severities=(Severity.NOTE,), compute=lambda scores: SCORED, **NAMED)),
    (FORMATS, LogFormat("x-log", title="the outsider's logs", files=("*.xlog",), **NAMED)),
    (POLICIES, replace(
        LADDER, name="x-policy", title="the outsider's policy", summary="", citations=(WORK,))),
)  # fmt: skip
BY_NAME = {entry.name: (catalogue, entry) for catalogue, entry in OUTSIDERS}
FOUND = BY_NAME["X900"][1].finding("always.")
SCORED = BY_NAME["X901"][1].finding("always.")
HELP = {
    "intervals": ("x-risk", "x-area"),
    "difference_intervals": ("x-difference",),
    "mean_intervals": ("x-mean",),
    "tests": ("x-paired", "x-unpaired", "x-learners"),
    "score_tests": ("x-scores",),
    "dataset_tests": ("x-sets",),
    "adjustments": ("x-adjust",),
    "measures": ("x_measure",),
    "schemes": ("x-scheme",),
    "checks": ("X900",),
    "policies": ("x-policy",),
}


class Point:
    """An entry point."""

    def __init__(self, entry):
        self.name, self.value, self.load = entry.name, f"outside:{entry.name}", lambda: entry


@pytest.fixture(autouse=True, scope="module")
def _offered():
    """Let a package offer all of them."""
    catalogues = {id(c): c for c, _ in OUTSIDERS}.values()
    before, orders = method._points, [(c, c.automatic) for c in catalogues]
    method._points = lambda: tuple(Point(entry) for _, entry in OUTSIDERS)
    for catalogue in catalogues:
        catalogue._loaded = False
        len(catalogue)
    yield
    method._points = before
    for catalogue, entry in OUTSIDERS:
        catalogue.remove(entry.name)
    assert [c.automatic for c, _ in orders] == [order for _, order in orders]


@pytest.fixture(scope="module")
def page():
    """The reference, as python docs/reference.py writes it."""
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


TRUTH = np.arange(120) % 2
ANSWERS = np.where(np.arange(120) < 12, 1 - TRUTH, TRUTH)
GROUPS = np.arange(120) // 4
X = np.random.default_rng(0).normal(size=(120, 2)) + TRUTH[:, None]


def text_of(result):
    return " ".join(result.to_markdown().split())


@pytest.mark.parametrize("name", BY_NAME)
def test_each_lands_in_its_catalogue_alone(name):
    holding = {id(c): c for c, _ in OUTSIDERS if name in c}
    assert list(holding.values()) == [BY_NAME[name][0]]


@pytest.mark.parametrize("name", [n for n in BY_NAME if n != "x-log"])
def test_each_is_in_the_table_of_the_documentation(page, name):
    shown = name if name.startswith("X9") else f"`{name}`"
    rows = [line for line in page.splitlines() if line.startswith("|") and shown in line]
    assert any(BY_NAME[name][1].title in row for row in rows)


@pytest.mark.parametrize("listing", HELP)
def test_each_is_in_the_help_of_the_command_line(listing):
    text = filled(f"{{{listing}}}")
    assert [name for name in HELP[listing] if name not in text] == []


@pytest.mark.parametrize("name", [n for n in BY_NAME if n != "x-log"])
def test_each_work_is_cited_where_its_key_stands(name):
    assert cited(f"as {BY_NAME[name][1].cited} says") == [WORK.work]


def test_of_one_model_on_a_test_set():
    e = referee.evaluate_predictions(TRUTH, ANSWERS, y_score=ANSWERS + X[:, 0])
    assert e.error.interval.method == "x-risk"
    assert e.estimates["auc"].interval.method == "x-area"
    assert e.estimates["x_measure"].value == e.estimates["tpr"].value
    assert "X900" in [f.code for f in e.findings]
    text = text_of(e)
    for name in ("x-risk", "x-area"):
        assert BY_NAME[name][1].cited in text
    measure = BY_NAME["x_measure"][1]
    assert measure.cited in e.methods
    assert f"The {measure.title} assumes: nothing changes." in e.methods
    assert f"The {measure.title} assumes: nothing changes." in text
    c = referee.compare_predictions(TRUTH, {"a": TRUTH, "b": ANSWERS}, measure="x_measure")
    assert measure.cited in c.methods
    assert f"The {measure.title} assumes: nothing changes." in c.methods
    assert "the outsider's check" in text
    assert WORK.work in text
    assert e.error.at(method="wilson").at(method="x-risk").interval == e.error.interval


def test_of_one_model_by_a_scheme():
    e = referee.evaluate(GaussianNB(), X, TRUTH, by="x-scheme", random_state=0)
    assert e.how == "trained on the outsider's half"


def test_refusals():
    grouped = {"groups": GROUPS}
    e = referee.evaluate_predictions(TRUTH, ANSWERS, **grouped)
    assert e.error.interval.method == "clustered"
    with pytest.raises(Refusal, match="the outsider knows no groups"):
        referee.evaluate_predictions(TRUTH, ANSWERS, interval="x-risk", **grouped)
    both = {"a": TRUTH, "b": ANSWERS}
    assert referee.compare_predictions(TRUTH, both, **grouped).evidence.test == "group-flip"
    with pytest.raises(Refusal, match="the outsider knows no groups"):
        referee.compare_predictions(TRUTH, both, significance="x-paired", **grouped)
    with pytest.raises(Refusal, match="cases of a group as independent"):
        referee.compare_predictions(TRUTH, both, interval="x-difference", **grouped)
    with pytest.raises(Refusal, match="one pass only"):
        referee.compare(
            {"nb": GaussianNB(), "knn": KNeighborsClassifier()},
            X, TRUTH, by="2x3", significance="x-learners",
        )  # fmt: skip
    clustered = {"item": np.arange(12), "a": np.arange(12) / 11, "cluster": np.arange(12) // 3}
    with pytest.raises(Refusal, match="no clusters"):
        referee.evaluate_scores(clustered, item="item", interval="x-mean")
    few = {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]}
    assert referee.compare_datasets(scores=few).evidence.test == "wilcoxon"
    with pytest.raises(Refusal, match="at least 4 data sets"):
        referee.compare_datasets(scores=few, significance="x-sets")


def test_of_two_models_on_the_same_cases():
    three = {"a": TRUTH, "b": ANSWERS, "c": 1 - TRUTH}
    c = referee.compare_predictions(TRUTH, three, adjust="x-adjust")
    assert c.evidence.test == "x-paired"
    assert c.pairs[0].difference.interval.method == "x-difference"
    assert [p.p_adjusted for p in c.pairs] == [1.0] * 3
    for name in ("x-paired", "x-difference", "x-adjust"):
        assert BY_NAME[name][1].cited in c.methods
    assert WORK in c.citations
    assert WORK.work in text_of(c)


def test_of_two_models_on_different_cases():
    c = referee.compare_predictions({"a": TRUTH, "b": TRUTH[:80]}, {"a": ANSWERS, "b": TRUTH[:80]})
    assert c.evidence.test == "x-unpaired"
    assert BY_NAME["x-unpaired"][1].cited in c.methods


def test_of_two_learners():
    models = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}
    c = referee.compare(models, X, TRUTH, by=3, random_state=0)
    assert c.evidence.test == "x-learners"
    assert BY_NAME["x-learners"][1].cited in c.methods


def test_over_data_sets():
    scores = {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.8]}
    c = referee.compare_datasets(scores=scores)
    assert c.evidence.test == "x-sets"
    assert BY_NAME["x-sets"][1].cited in c.methods
    assert WORK.work in text_of(c)


def test_of_scores():
    table = {"item": np.arange(40), "a": np.arange(40) % 2, "b": np.arange(40) % 3 % 2}
    one = referee.evaluate_scores({"item": table["item"], "a": table["a"]}, item="item")
    two = referee.compare_scores(table, item="item")
    assert two.evidence.test == "x-scores"
    assert BY_NAME["x-scores"][1].cited in two.methods
    text = text_of(one)
    assert "the outsider's interval of a mean" in text
    assert "the outsider's check of scores" in text
    assert WORK.work in text


def test_every_one_that_can_be_tried_is_in_the_study():
    known = known_methods()
    wanted = {"x-risk", "x-area", "x-difference", "x-paired", "x-unpaired", "x-learners"}
    assert wanted <= set(known)
    assert "x-risk/x-scheme/conditional low" in Validation("x-scheme").columns
    assert "x-learners" in LearnerPairs("10x10").columns
    assert "x-area low" in Ranked().columns
    for name, like in (("x-unpaired", "fisher"), ("x-risk", "clopper-pearson")):
        mine, other = (next(iter(enumerated([n]))) for n in (name, like))
        assert (mine.worst, mine.quantity) == (other.worst, other.quantity)
    cell = next(c for c in score_cells("fresh", differences=False) if not c.clusters)
    rates = {r.method: r for r in tried(cell, 3, 0, ["x-mean"])}
    assert rates["x-mean"].covered == 1.0
    assert rates["default"].used in ("x-mean", "effective-beta", "skewed-t")


def test_a_policy_answers_looks(tmp_path):
    y = np.arange(600) % 2
    vault = referee.Vault.seal(
        np.c_[y, y], y, out=tmp_path / "vault", key=tmp_path / "key", policy="x-policy"
    )
    look = vault.score(vault.test_inputs["x0"].astype(int), name="exact")
    assert look.releases == 1
    assert vault.header.policy.title == "the outsider's policy"
    assert WORK.key in text_of(look)
    assert vault.check().verdict.shown
