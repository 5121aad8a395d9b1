"""Rankings through evaluate_predictions: values against scikit-learn, intervals, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

import referee
from referee.core import Predictions
from referee.errors import InputError
from referee.intervals import newcombe
from referee.intervals.area.delong import delong
from referee.intervals.area.placements import placements
from referee.intervals.one_set.bootstrap.ranking import MEASURES, bootstrap_ranking
from referee.judging.estimating.rankings.ranked import Ranked
from referee.measures import (
    auc_k,
    measure_named,
    roc_curve,
)

RANKING = ["auc", "auc50", "auc3", "partial_auc", "average_precision"]
NAMES = {
    "strings": (("well", "ill"), "ill"),
    "booleans": ((False, True), None),
    "numbers": ((-1, 1), None),
    "turned": ((1, 0), 0),
}


def measured(truth, score, *names, answers=None, **options):
    answers = truth if answers is None else answers
    return referee.evaluate_predictions(
        truth, answers, y_score=score, measures=list(names), **options
    ).estimates


def made_up(m, n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(m + n) < m).astype(int)
    score = rng.normal(size=m + n) + 1.2 * truth
    return truth, score if digits is None else score.round(digits)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40),
    st.sampled_from(sorted(NAMES)),
    st.booleans(),
    st.integers(0, 2**16),
)
def test_values_against_sklearn_for_labels_of_every_kind(cases, kind, weighted, seed):
    classes, positive = NAMES[kind]
    hit = np.array([c for c, _ in cases])
    score = np.array([s for _, s in cases], float)
    truth = np.array([classes[int(h)] for h in hit])
    weight = np.random.default_rng(seed).random(len(hit)) + 0.01 if weighted else None
    made = measured(
        truth, score, *RANKING, pos_label=positive, labels=list(classes), sample_weight=weight
    )
    if hit.any() and not hit.all():
        options = {"sample_weight": weight}
        auc = metrics.roc_auc_score(hit, score, **options)
        partial = metrics.roc_auc_score(hit, score, max_fpr=0.1, **options)
        assert made["auc"].value == pytest.approx(auc, abs=1e-12)
        least, most = 0.1**2 / 2, 0.1
        standardised = (1 + (made["partial_auc"].value - least) / (most - least)) / 2
        assert standardised == pytest.approx(partial, abs=1e-10)
        precision = metrics.average_precision_score(hit, score, **options)
        assert made["average_precision"].value == pytest.approx(precision, abs=1e-12)
        if not weighted:
            assert made["auc3"].value == auc_k(roc_curve(hit, score), 3)
    else:
        for name in ("auc", "auc50", "partial_auc"):
            assert math.isnan(made[name].value)
            assert made[name].reason.startswith("undefined")
    # The rest is there, whatever becomes of the ranking.
    assert made["error"].value == 0
    assert made["error"].interval is not None


@pytest.mark.parametrize("weighted", [False, True])
def test_values_of_many_classes_against_sklearn(weighted):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=80)
    p = rng.multinomial(8, np.full(4, 0.25), size=80) / 8
    p = (7 * p + np.eye(4)[truth]) / 8
    weight = rng.random(80) + 0.1 if weighted else None
    names = np.array(["d", "a", "c", "b"])
    columns = np.argsort(names)
    made = measured(names[truth], p[:, columns], "auc_ovr", "auc_ovo", sample_weight=weight)
    ovr = metrics.roc_auc_score(truth, p, multi_class="ovr", sample_weight=weight)
    assert made["auc_ovr"].value == pytest.approx(ovr, abs=1e-12)
    if weighted:
        assert "weights" in made["auc_ovr"].reason
    else:
        ovo = metrics.roc_auc_score(truth, p, multi_class="ovo")
        assert made["auc_ovo"].value == pytest.approx(ovo, abs=1e-12)
        for name in ("auc_ovr", "auc_ovo"):
            assert made[name].interval.low < made[name].value < made[name].interval.high


def test_the_area_of_one_class_of_many_against_sklearn():
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=60)
    p = rng.dirichlet(np.ones(3), size=60)
    made = measured(truth, p, "auc", pos_label=2)["auc"]
    assert made.value == pytest.approx(metrics.roc_auc_score(truth == 2, p[:, 2]))


def test_areas_of_all_classes_need_a_column_each():
    with pytest.raises(InputError, match="pass y_score with one column per class"):
        measured([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], "auc_ovr")


def test_default_and_named_intervals_of_the_area():
    truth, score = made_up(30, 50)
    p = placements(truth == 1, score)
    by_name = {
        name: measured(truth, score, "auc", interval=name)["auc"].interval
        for name in ("auto", "delong", "logit-delong", "newcombe-auc", "newcombe-delong")
    }
    assert by_name["auto"].method == "newcombe-delong"
    assert by_name["auto"] == by_name["newcombe-delong"]
    assert (by_name["delong"].low, by_name["delong"].high) == (delong(p).low, delong(p).high)
    expected = newcombe(p.auc, 30, 50)
    assert (by_name["newcombe-auc"].low, by_name["newcombe-auc"].high) == (
        expected.low,
        expected.high,
    )
    named = measured(truth, score, "auc", interval="delong")["error"].interval
    assert named.method == "clopper-pearson"


@pytest.mark.parametrize("name", ["auc50", "auc7", "partial_auc", "average_precision"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_resampled_intervals_against_the_formula_on_many_replicates(name, level):
    truth, score = made_up(40, 80, digits=1)
    made = measured(truth, score, name, level=level)[name]
    column = MEASURES.index("auc_k" if name.startswith("auc") else name)
    k = 7 if name == "auc7" else 50
    top, fixed = (0.1, True) if name == "partial_auc" else (1.0, False)
    drawn = bootstrap_ranking(
        truth == 1, score, k=k, rounds=20_000, seed=99, stratify=name == "partial_auc"
    )[:, column]
    share = made.value / top
    half = stats.t(39).ppf((1 + level) / 2) * drawn.std() / top / (share * (1 - share))
    centre = np.log(share / (1 - share))
    low, high = (1 / (1 + np.exp(-(centre + side * half))) for side in (-1, 1))
    read = {"auc7": 7, "partial_auc": 8}.get(name, 40)  # negatives, at most as many as positives
    scored = newcombe(share, 40, read, level)
    low, high = top * min(low, scored.low), top * max(high, scored.high)
    assert made.interval.low == pytest.approx(low, abs=0.05 * (high - low))
    assert made.interval.high == pytest.approx(high, abs=0.05 * (high - low))
    assert made.interval.method == ("stratified-logit-t" if fixed else "case-logit-t")


def test_random_resamples_against_numpy():
    """With the number of positives drawn, average precision varies as whole cases' draws do."""
    truth, score = made_up(40, 160)
    drawn = bootstrap_ranking(truth == 1, score, rounds=4000, seed=1, stratify=False)
    rng = np.random.default_rng(2)
    rows = rng.integers(200, size=(1500, 200))
    own = [metrics.average_precision_score(truth[r], score[r]) for r in rows]
    assert drawn[:, 3].std() == pytest.approx(np.std(own), rel=0.08)
    assert drawn[:, 3].mean() == pytest.approx(np.mean(own), abs=0.01)
    fixed = bootstrap_ranking(truth == 1, score, rounds=4000, seed=1)
    assert fixed[:, 3].std() < 0.95 * drawn[:, 3].std()


def test_one_pair_out_of_order_lies_in_its_interval_as_for_the_whole_area():
    truth, score = np.repeat([0, 1], 30), np.arange(60.0)
    score[[29, 30]] = score[[30, 29]]
    made = measured(truth, score, "average_precision", "auc50", "auc")
    assert made["average_precision"].value == pytest.approx(0.998925, abs=1e-6)
    for name in ("average_precision", "auc50"):
        got, area = made[name].interval, made["auc"].interval
        assert got.low < made[name].value < got.high
        assert (got.low, got.high) == pytest.approx((area.low, area.high), abs=2e-4)


def test_measures_asked_for_together_share_their_resamples():
    truth, score = made_up(40, 80)
    together = measured(truth, score, *RANKING)
    for name in RANKING:
        alone = measured(truth, score, name)[name]
        assert alone.interval == together[name].interval


def test_groups_widen_and_are_named():
    truth, score = made_up(40, 80)
    groups = np.repeat(np.arange(120), 4)
    t, s = np.repeat(truth, 4), np.repeat(score, 4)
    for name in ("auc", "average_precision", "partial_auc"):
        single = measured(truth, score, name)[name].interval
        copied = measured(t, s, name, groups=groups)[name].interval
        naive = measured(t, s, name)[name].interval
        assert copied.width == pytest.approx(single.width, rel=0.25)
        assert naive.width < 0.7 * single.width
    assert measured(t, s, "average_precision", groups=groups)[
        "average_precision"
    ].interval.method == ("cluster-logit-t")


def test_weights_leave_the_count_of_false_positives_undefined():
    truth, score = made_up(40, 80)
    made = measured(truth, score, "auc50", sample_weight=np.full(120, 0.5))["auc50"]
    assert math.isnan(made.value)
    assert made.reason.startswith("undefined with weights")


@pytest.mark.parametrize("name", ["auc50", "partial_auc", "average_precision"])
def test_a_perfect_ranking_has_no_false_certainty(name):
    truth = np.arange(120) < 60
    made = measured(truth, -np.arange(120.0), name)[name]
    top, read = (0.1, 6) if name == "partial_auc" else (1, 60)
    assert made.value == pytest.approx(top)
    read = 50 if name == "auc50" else read
    assert made.interval.low == pytest.approx(top * newcombe(1.0, 60, read).low)
    assert made.interval.high == pytest.approx(top)
    area = measured(truth, -np.arange(120.0), "auc")["auc"]
    assert (area.value, area.interval.high) == (1, 1)
    assert 0.9 < area.interval.low < 0.99


def test_a_perfect_ranking_of_many_classes_has_no_false_certainty():
    truth = np.arange(60) % 3
    made = measured(truth, np.eye(3)[truth], "auc_ovr", "auc_ovo")
    for name in ("auc_ovr", "auc_ovo"):
        ends = (made[name].interval.low, made[name].interval.high)
        assert ends == (newcombe(1.0, 30, 30).low, 1)  # 60 cases, half on either side


def test_a_perfect_ranking_of_groups_is_as_uncertain_as_its_groups():
    """It was .1 in (.09975, .09975)."""
    truth = np.repeat([0, 1], 30)
    made = measured(truth, np.arange(60.0), *RANKING, groups=np.arange(60) % 20)
    assert made["partial_auc"].interval.low == pytest.approx(0.1 * newcombe(1, 20, 2).low)
    assert made["average_precision"].interval.low == pytest.approx(newcombe(1.0, 20, 20).low)
    # Twenty groups of either class: t with 19 degrees of freedom in the place of z.
    level = 2 * stats.norm.cdf(stats.t.ppf(0.975, 19)) - 1
    assert made["auc"].interval.low == pytest.approx(newcombe(1.0, 20, 20, level=level).low)


@pytest.mark.parametrize("name", ["auc50", "partial_auc", "average_precision"])
def test_one_positive_gives_values_without_resampled_intervals(name):
    truth, score = made_up(1, 70)
    made = measured(truth, score, "auc", name)
    assert not math.isnan(made[name].value)
    assert made[name].interval is None
    assert "one case" in made[name].reason
    assert made["auc"].interval.width > 0.2


def test_all_positives_in_one_group_do_not_break_resampling():
    truth = np.array([1] * 5 + [0] * 55)
    score = np.sin(np.arange(60.0))
    made = measured(truth, score, "average_precision", "auc", groups=np.arange(60) // 5)
    assert made["average_precision"].interval is not None
    assert made["auc"].interval.width > 0.5


def model_scores(weight=None, by=5, **options):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(90, 2))
    y = (X[:, 0] + rng.normal(size=90) > 0.5).astype(int)
    return referee.evaluate(
        LogisticRegression(), X, y, by=by, sample_weight=weight, random_state=0, **options
    )


def test_weighted_areas_of_several_fits_compare_within_each_fit_against_sklearn():
    weight = np.random.default_rng(8).random(90) + 0.1
    e = model_scores(weight, measures=["auc"])
    table = e.predictions.unseen
    score = table.scores if table.scores.ndim == 1 else table.scores[:, 1]
    areas, sizes, others = [], [], []
    for s in np.unique(table.split):
        rows = table.split == s
        t, w = table.truth[table.case[rows]], weight[table.case[rows]]
        areas.append(metrics.roc_auc_score(t, score[rows], sample_weight=w))
        sizes.append(w[t == 1].sum())
        others.append(w[t == 0].sum())
    either = [np.average(areas, weights=weights) for weights in (sizes, others)]
    assert e.estimates["auc"].value == pytest.approx(np.mean(either))


@pytest.mark.parametrize("weight", [None, np.random.default_rng(8).random(90) + 0.1])
def test_the_area_does_not_depend_on_which_class_is_called_positive(weight):
    one, other = (
        model_scores(weight, measures=["auc"], pos_label=label).estimates["auc"] for label in (0, 1)
    )
    assert one.value == pytest.approx(other.value, rel=1e-12)
    if weight is None:
        ends = (other.interval.low, other.interval.high)
        assert (one.interval.low, one.interval.high) == pytest.approx(ends, rel=1e-6)


def test_intervals_of_several_fits_speak_about_more_than_one_model():
    made = model_scores(measures=["auc", "log_loss", "brier"]).estimates
    for name in ("auc", "log_loss", "brier"):
        assert made[name].interval.target == "conditional"
    made = model_scores(measures=["auc", "brier"], about="expected").estimates
    assert {made[name].interval.target for name in ("auc", "brier")} == {"expected"}


def test_leave_one_out_has_no_ranking_and_says_why():
    made = model_scores(by="loo", measures=["auc"]).estimates["auc"]
    assert math.isnan(made.value)
    assert "no fit scored cases of both classes" in made.reason


@pytest.mark.parametrize("name", ["auc50", "partial_auc", "average_precision"])
def test_the_top_of_a_ranking_needs_one_ranking(name):
    made = model_scores(measures=[name]).estimates[name]
    assert math.isnan(made.value)
    assert "needs one ranking of all cases" in made.reason
    assert "the mean over splits, by which compare judges, has no interval" in made.reason


GOOD = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], "y_score": [0.1, 0.9, 0.6, 0.7]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_score": [0.1, math.nan, 0.3, math.nan]}, "y_score must be finite, got nan in row 1"),
        ({"y_score": [0.1, 0.2, math.inf, 0.1]}, "y_score must be finite, got inf in row 2"),
        ({"y_score": [0.1, 0.2, 0.3]}, r"y_score must have shape \(4,\) or \(4, 2\).*\(3,\)"),
        ({"y_score": [[0.1, 0.2, 0.7]] * 4}, r"y_score must have shape .* got \(4, 3\)"),
        ({"y_score": list("abcd")}, "y_score must hold numbers"),
        ({"y_pred": [0, 1, 1]}, "y_true has 4 rows and y_pred has 3"),
        ({"y_pred": [0, 1, 7, 1]}, "y_pred has the label 7 in row 2, which is not among"),
        ({"y_true": []}, "y_true is empty"),
        ({"y_pred": []}, "y_pred is empty"),
        (
            {"sample_weight": [1, -2, 1, 1]},
            "sample_weight must be .* not negative, got -2.0 in row 1",
        ),
        ({"sample_weight": [1, 1, math.nan, 1]}, "sample_weight must be finite .* nan in row 2"),
        ({"sample_weight": [1, 1]}, "sample_weight must have one value for each of the 4 rows"),
        ({"sample_weight": [0, 0, 0, 0]}, "sample_weight is 0 in every row"),
        ({"measures": ["log_loss"], "y_score": [0.1, 0.9, 1.5, 2]}, "y_score .* got 1.5 in row 2"),
        ({"measures": ["auc_unknown"]}, "measure 'auc_unknown' is unknown"),
    ],
)
def test_bad_input_names_argument_and_first_offending_row(change, message):
    with pytest.raises(InputError, match=message):
        referee.evaluate_predictions(**(GOOD | change))


@pytest.mark.parametrize("extra", [{"labels": [0, 1]}, {}])
def test_one_class_in_the_truth_leaves_the_area_undefined_and_the_rest_computed(extra):
    """The other class is known from labels=, or from the answers."""
    score = np.linspace(0, 1, 80)
    answers = (score > 0.75).astype(int)
    e = referee.evaluate_predictions(np.zeros(80, int), answers, y_score=score, **extra)
    for name in ("auc", "auc50"):
        assert math.isnan(e.estimates[name].value)
        assert e.estimates[name].reason == "undefined: one class has no case"
    assert e.error.value == answers.mean()
    assert e.error.interval is not None
    assert e.estimates["tnr"].value == pytest.approx(1 - answers.mean())
    assert math.isnan(e.estimates["tpr"].value)
    assert e.estimates["log_loss"].value == pytest.approx(
        metrics.log_loss(np.zeros(80, int), score, labels=[0, 1])
    )


def test_one_class_in_truth_and_answers_is_refused():
    with pytest.raises(InputError, match="y_true holds one class only"):
        referee.evaluate_predictions([1, 1], [1, 1], y_score=[0.2, 0.4])


def areas_of_normals(share, shift):
    """Return the partial area and the average precision of two normals, by quadrature."""
    x = np.linspace(-9, shift + 9, 100_001)
    tpr, fpr = stats.norm.sf(x - shift), stats.norm.sf(x)
    precision = share * tpr / np.maximum(share * tpr + (1 - share) * fpr, 1e-300)
    rates = np.linspace(0, 0.1, 10_001)[1:]
    return {
        "average_precision": np.trapezoid(precision * stats.norm.pdf(x - shift), x),
        "partial_auc": np.trapezoid(stats.norm.sf(stats.norm.isf(rates) - shift), rates),
    }


@pytest.mark.slow
@pytest.mark.parametrize("area", [0.8, 0.9, 0.98, 0.999])
@pytest.mark.parametrize("sizes", [(10, 100), (20, 20), (30, 30), (100, 100), (30, 270)])
def test_coverage_of_early_measures_by_simulation(sizes, area):
    # Cases are drawn at random, so the number of positives is, too; -s shows the table.
    rng = np.random.default_rng(0)
    m, n = sizes
    shift = stats.norm.ppf(area) * 2**0.5
    truth = areas_of_normals(m / (m + n), shift)
    held = dict.fromkeys(truth, 0)
    rounds = 300
    for r in range(rounds):
        hit = np.arange(m + n) < max(2, rng.binomial(m + n, m / (m + n)))
        score = rng.normal(size=m + n) + shift * hit
        table = Predictions.of(hit, hit, y_score=score)
        ranked = Ranked(table=table, positive=True, fits=1, seed=r)
        for name in truth:
            held[name] += truth[name] in ranked.ranking(measure_named(name)).interval
    print(f"{m} + {n}, area {area}:", {name: count / rounds for name, count in held.items()})
    assert min(held.values()) / rounds >= 0.93
