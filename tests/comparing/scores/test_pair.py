"""PairedCounts of models by scores: which test, which interval, against direct computation."""

import numpy as np
import pytest
from scipy import stats

import referee
from referee.comparing.scores.all_pairs import all_pairs
from referee.comparing.scores.pair import pair_of
from referee.comparing.scores.question import ScoresQuestion
from referee.core.scores.scores import Scores
from referee.errors import InputError, Refusal
from referee.intervals.difference.paired import bonett_price
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.group_flip import group_flip
from referee.significance.paired.mcnemar_exact import mcnemar_exact

RIGHT = {"a": [1] * 30 + [0] * 10, "b": [1] * 18 + [0] * 12 + [1] * 2 + [0] * 8}


def judged(table, question=None, **options):
    scores = Scores.of(table, **options)
    return pair_of(scores, *scores.models[:2], question or ScoresQuestion())


def test_0_1_scores_against_mcnemar_and_bonett_price():
    pair = judged(RIGHT)
    table = PairedCounts(18, 12, 2, 8)
    assert pair.table == table
    assert pair.evidence.test == "mcnemar-exact"
    assert pair.evidence.p_value == mcnemar_exact(table).p_value
    assert pair.difference.value == pytest.approx(0.25)
    exact = bonett_price(table)
    i = pair.difference.interval
    assert (i.low, i.high) == pytest.approx((-exact.high, -exact.low))


def test_smaller_is_better_turns_the_sides_of_a_table_but_not_the_difference():
    up, down = judged(RIGHT), judged(RIGHT, greater_is_better=False)
    assert down.difference.value == up.difference.value
    assert down.evidence.p_value == up.evidence.p_value
    assert (down.table.first_right, down.table.second_right) == (2, 12)
    i, j = up.difference.interval, down.difference.interval
    assert (i.low, i.high) == pytest.approx((j.low, j.high))


def test_scaled_0_1_scores_scale_the_difference():
    points = {m: [10 * v for v in s] for m, s in RIGHT.items()}
    plain, scaled = judged(RIGHT), judged(points, limits=(0, 10))
    assert scaled.evidence.p_value == plain.evidence.p_value
    assert scaled.difference.value == pytest.approx(10 * plain.difference.value)
    assert scaled.difference.interval.low == pytest.approx(10 * plain.difference.interval.low)
    assert scaled.detectable == pytest.approx(10 * plain.detectable)


def test_real_scores_against_scipy_s_paired_t_test():
    rng = np.random.default_rng(0)
    a = rng.uniform(size=40)
    b = np.clip(a + rng.normal(0.05, 0.1, 40), 0, 1)
    pair = judged({"a": a, "b": b})
    assert pair.evidence.test == "paired-t"
    assert pair.evidence.p_value == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-8)


def test_the_flip_test_by_name():
    rng = np.random.default_rng(1)
    a, b = rng.uniform(size=(2, 15))
    code = np.arange(15) // 3
    pair = judged({"a": a, "b": b}, ScoresQuestion(significance="group-flip"), cluster=code)
    assert pair.evidence.p_value == group_flip(a - b, code).p_value


def test_only_shared_items_count():
    table = {
        "item": [1, 2, 3, 4, 1, 2, 3, 5],
        "model": list("aaaabbbb"),
        "score": [1, 1, 1, 0, 0, 0, 1, 1],
    }
    pair = judged(table)
    assert pair.evidence.n == 3
    assert pair.difference.value == pytest.approx(2 / 3)


def unpaired(first, second):
    return {
        "item": [f"x{i}" for i in range(len(first))] + [f"y{i}" for i in range(len(second))],
        "model": ["a"] * len(first) + ["b"] * len(second),
        "score": list(first) + list(second),
    }


def test_models_without_a_shared_item_are_two_samples():
    pair = judged(unpaired([1] * 56 + [0] * 14, [1] * 48 + [0] * 32))
    assert not pair.paired
    assert pair.evidence.test == "boschloo"
    theirs = stats.boschloo_exact([[56, 48], [14, 32]]).pvalue
    assert pair.evidence.p_value == pytest.approx(theirs, abs=2e-4)
    assert pair.difference.interval.method == "square-and-add"


def test_two_samples_of_real_scores_against_welch():
    rng = np.random.default_rng(2)
    a, b = rng.normal(5, 1, 200), rng.normal(5.3, 2, 150)
    pair = judged(unpaired(a, b))
    theirs = stats.ttest_ind(a, b, equal_var=False)
    low, high = theirs.confidence_interval()
    i = pair.difference.interval
    assert (i.low, i.high) == pytest.approx((low, high), abs=0.02)
    assert pair.evidence.p_value == pytest.approx(theirs.pvalue, abs=0.01)


def test_unpaired_interval_and_p_agree():
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.1, 0.2):
        pair = judged(unpaired(rng.uniform(size=40), rng.uniform(size=50) * (1 - shift)))
        i = pair.difference.interval
        assert (pair.evidence.p_value <= 0.05) == (not i.low <= 0 <= i.high)


def test_rope_and_non_inferiority():
    rng = np.random.default_rng(4)
    a = rng.uniform(size=400)
    b = np.clip(a + rng.normal(0, 0.05, 400), 0, 1)
    alike = judged({"a": a, "b": b}, ScoresQuestion(rope=0.05))
    assert alike.equivalence.p_value < 1e-6
    d = a - b
    below = stats.ttest_1samp(d, 0.05, alternative="less").pvalue
    above = stats.ttest_1samp(d, -0.05, alternative="greater").pvalue
    assert alike.equivalence.p_value == pytest.approx(max(below, above), rel=0.1)
    worse = ScoresQuestion(rope=0.05, claim="non-inferior")
    up = judged({"a": a, "b": b + 0.1}, worse, limits=None)
    down = judged({"a": a, "b": b + 0.1}, worse, limits=None, greater_is_better=False)
    assert up.equivalence.p_value > 0.9
    assert down.equivalence.p_value < 1e-6


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rope": -1}, "rope must be a number"),
        ({"claim": "non-inferior"}, "needs a rope"),
        ({"claim": "best"}, "claim must be"),
        ({"significance": "mcnemar"}, "did you mean 'mcnemar-exact'"),
        ({"adjust": "bonferoni"}, "adjust 'bonferoni' is unknown"),
    ],
)
def test_questions_that_make_no_sense(options, says):
    with pytest.raises(InputError, match=says):
        ScoresQuestion(**options)


def test_refusals():
    with pytest.raises(InputError, match="rope must be below 1"):
        judged(RIGHT, ScoresQuestion(rope=5))
    with pytest.raises(Refusal, match="belongs to one 0/1 score an item"):
        judged({"a": [0.5, 1], "b": [1, 0]}, ScoresQuestion(significance="mcnemar-exact"))
    with pytest.raises(Refusal, match="share none"):
        judged(unpaired([1, 0], [1, 0]), ScoresQuestion(significance="paired-t"))
    with pytest.raises(Refusal, match="a rope is judged on shared items"):
        judged(unpaired([1, 0], [1, 0]), ScoresQuestion(rope=0.1))
    with pytest.raises(Refusal, match="share clusters but no items"):
        judged(unpaired([1, 0, 1], [1, 0, 1]), cluster=[1, 1, 2, 1, 2, 2])


KINDS = ("0/1", "real", "sparse", "runs", "same")


def table(kind, seed=0, n=60, k=4):
    rng = np.random.default_rng(seed)
    base = rng.uniform(size=(n, 1))
    raw = base + 0.3 * rng.standard_normal((n, k))
    values = {
        "0/1": (raw > 0.5).astype(float),
        "real": np.clip(raw, 0, 1),
        "sparse": np.where(rng.random((n, k)) < 0.05, 0.5, 1.0),
        "runs": rng.binomial(4, np.clip(raw, 0, 1)) / 4,
        "same": np.repeat(np.clip(base, 0, 1), k, axis=1),
    }[kind]
    values[:, -1] = values[:, -2]
    return {f"m{j}": values[:, j] for j in range(k)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["plain", "clusters", "weights", "no limits"])
def test_all_pairs_at_once_against_one_by_one(kind, form):
    n = 60
    options = {
        "plain": {},
        "clusters": {"cluster": np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 5, 5])},
        "weights": {"weight": np.random.default_rng(9).uniform(0.2, 3, n)},
        "no limits": {"limits": None},
    }[form]
    scores = Scores.of(table(kind), **options)
    question = ScoresQuestion()
    made = all_pairs(scores, question)
    for row, (a, b) in enumerate(zip(made.first, made.second, strict=True)):
        pair = pair_of(scores, scores.models[a], scores.models[b], question)
        i = pair.difference.interval
        ends = (np.nan, np.nan) if i is None else (i.low, i.high)
        got = made.difference[row], made.low[row], made.high[row], made.p[row]
        want = pair.difference.value, *ends, pair.evidence.p_value
        np.testing.assert_allclose(got, want, atol=1e-9, equal_nan=True)
        assert made.test == pair.evidence.test


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("test", ["auto", "group-flip"])
def test_all_pairs_of_models_that_lack_items_against_one_by_one(kind, test):
    rng = np.random.default_rng(7)
    rows = [
        (i, m, float(v))
        for m, values in table(kind).items()
        for i, v in enumerate(values)
        if rng.random() < 0.8
    ]
    items, names, values = zip(*rows, strict=True)
    scores = Scores.of({"item": items, "model": names, "score": values})
    question = ScoresQuestion(significance=test)
    made = all_pairs(scores, question)
    for row, (a, b) in enumerate(zip(made.first, made.second, strict=True)):
        pair = pair_of(scores, scores.models[a], scores.models[b], question)
        i = pair.difference.interval
        got = made.difference[row], made.low[row], made.high[row], made.p[row], made.n[row]
        want = pair.difference.value, i.low, i.high, pair.evidence.p_value, pair.evidence.n
        np.testing.assert_allclose(got, want, atol=1e-9)


def test_one_item_shows_no_difference():
    pair = judged({"a": [0.2], "b": [0.9]})
    assert pair.evidence.p_value == 1
    assert pair.difference.interval is None
    assert pair.reservation == "one item alone cannot tell models apart"
    said = referee.compare_scores({"a": [0.2], "b": [0.9]}).verdict.sentence
    assert "on 1 shared item, paired t p = 1): one item alone cannot" in said


def test_one_shared_item_shows_no_difference_among_many_models():
    rows = [("a", 0, 0.2), ("b", 0, 0.9), ("c", 0, 0.4), ("c", 1, 0.3), ("b", 1, 0.8)]
    models, items, values = zip(*rows, strict=True)
    made = all_pairs(Scores.of({"item": items, "model": models, "score": values}), ScoresQuestion())
    assert made.n.tolist() == [1, 1, 2]
    assert made.p[:2].tolist() == [1, 1]
