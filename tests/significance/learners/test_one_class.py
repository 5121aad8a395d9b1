"""Learners that give one answer: what is counted, and when a verdict is withheld."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.significance.learners.one_class import Collapse, collapse, one_class_share


@given(table=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=40))
def test_share_against_a_plain_loop(table):
    predicted, repetition = (np.array(column) for column in zip(*table, strict=True))
    units = sorted(set(repetition.tolist()))
    alone = [len(set(predicted[repetition == r].tolist())) == 1 for r in units]
    assert one_class_share(predicted, repetition) == pytest.approx(sum(alone) / len(units))


def test_no_predictions():
    assert one_class_share(np.array([], dtype=int), np.array([], dtype=int)) == 0


@pytest.mark.parametrize(
    ("main", "halvings", "withheld"),
    [(0.0, 0.0, False), (0.0, 0.9, False), (0.1, 0.0, True), (1.0, 1.0, True)],
)
def test_when_a_verdict_is_withheld(main, halvings, withheld):
    assert Collapse(main=main, halvings=halvings).forbids_verdict() is withheld


def test_main_and_halves_are_told_apart():
    made = collapse(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]), np.array([0, 1]))
    assert (made.main, made.halvings) == (0, 1)
    assert "in 0% of the repetitions" in made.sentence
    assert "in 100% of the halves" in made.sentence


@pytest.mark.parametrize(("shift", "at_most", "at_least"), [(1.2, 0.15, 0.0), (0.0, 1.0, 0.5)])
def test_rarely_fires_for_a_healthy_learner_at_one_in_ten(shift, at_most, at_least):
    # A cut of one feature at the odds of the classes, healthy at shift 1.2, asleep at 0.
    rng = np.random.default_rng(0)
    fired = []
    for _ in range(40):
        y = np.repeat([0, 1], [100, 10])
        x = rng.normal(size=110) + 2 * shift * y
        answers = []
        for r in range(10):
            fold = rng.permutation(110) % 10
            for f in range(10):
                train = fold != f
                low, high = (x[train & (y == c)].mean() for c in (0, 1))
                score = (x - (low + high) / 2) * (high - low) - np.log(10)
                answers.append(np.column_stack([score[~train] > 0, np.full(sum(~train), r)]))
        predicted, repetition = np.concatenate(answers).astype(int).T
        fired.append(collapse(predicted, repetition, predicted, repetition).forbids_verdict())
    assert at_least <= np.mean(fired) <= at_most


# --- the size of the calibrated t where equal learners collapse


def told_apart(learner, ratio, separation, n, data_sets):
    """Return for each data set the larger share of collapse, whether the test rejects, the pair."""
    from referee.comparing.pairs.learner_pair import learner_pair
    from referee.comparing.question import Question
    from referee.core.plan import Part
    from referee.core.randomness import child
    from referee.fitting.run import run
    from referee.measures import measure_named
    from referee.resampling import CalibratedCrossValidation
    from referee.significance.catalogue import COMPARISON_TESTS
    from referee.study.calibration.cell import PairCell
    from referee.study.tasks.known import imbalanced

    task = imbalanced(ratio, s=separation, d=3)
    cell = PairCell(name="collapse", first=task, second=task, learner=learner, size=n)
    question, test = Question(measure=measure_named("error")), COMPARISON_TESTS["calibrated-t"]
    rows = []
    for r in range(data_sets):
        seed = cell.seed(1, r)
        blocks = cell.sample(child(seed, 0))
        plan = CalibratedCrossValidation(stratify="best effort").plan(blocks[0], seed)
        tables = [run(cell.model, data, plan).predictions for data in blocks]
        pair = learner_pair(("first", "second"), *tables, question, test)
        shares = []
        for table in tables:
            main, halves = table.unseen, table.of_part(Part.HALVINGS)
            numbers = (table.repetition[part.split] for part in (main, halves))
            one, two = numbers
            shares.append(collapse(main.predicted, one, halves.predicted, two).main)
        rows.append((max(shares), pair.evidence.p_value <= 0.05, bool(pair.reservation), pair))
    return rows


def test_a_learner_that_collapses_now_and_then_is_judged_and_named():
    rows = told_apart("lda", 10.0, 0.5, 110, 7)
    for share, _, reserved, pair in rows:
        assert reserved == (share > 0.5)
        assert pair.difference.interval is not None
        told = pair.reservation or " ".join(pair.evidence.assumptions)
        assert ("one answer for all cases" in told) == (share > 0)
    assert sum(0 < share <= 0.5 for share, *_ in rows) > 0


@pytest.mark.slow
def test_size_of_the_calibrated_t_where_learners_collapse():
    """Print size by how often a learner collapsed; METHODS allows .07."""
    print("\nlearner  ratio  s    n     no collapse      up to half       more than half")
    judged = []
    for learner, ratio, s, n in (
        ("lda", 10.0, 0.5, 110),
        ("knn", 10.0, 0.8, 110),
        ("lda", 20.0, 0.8, 200),
        ("knn", 20.0, 1.2, 200),
    ):
        rows = told_apart(learner, ratio, s, n, 50)
        cells = []
        for low, high in ((-1.0, 0.0), (0.0, 0.5), (0.5, 1.0)):
            mine = [hit for share, hit, *_ in rows if low < share <= high]
            cells.append(f"{sum(mine)} of {len(mine)}")
            judged += mine if high == 0.5 else []
        print(f"{learner:<8} {ratio:<6g} {s:<4g} {n:<5} " + "".join(f"{c:<17}" for c in cells))
    assert sum(judged) <= 0.07 * len(judged) + 2.5 * np.sqrt(0.07 * 0.93 * len(judged))
