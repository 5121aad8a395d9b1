"""The table of predictions: made from bare answers, cut by purpose, shown as a frame."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from referee.core import Part, Predictions
from referee.errors import InputError


@pytest.mark.parametrize(
    "form",
    [
        list,
        np.array,
        pd.Series,
        pl.Series,
        tuple,
        lambda v: pd.Series(v, index=range(9, 9 - len(v), -1)),
    ],
)
@pytest.mark.parametrize("labels", [["a", "b", "a"], [0, 1, 0], [True, False, True]])
def test_forms(form, labels):
    p = Predictions.of(form(labels), form(labels[::-1]), y_score=form([0.1, 0.2, 0.3]))
    assert p.classes == tuple(sorted(set(labels)))
    assert [p.classes[c] for c in p.truth] == labels
    assert [p.classes[c] for c in p.predicted] == labels[::-1]
    assert p.scores.tolist() == [0.1, 0.2, 0.3]
    assert p.seen.tolist() == [0, 0, 0]
    assert (p.n, p.part, len(p.unseen.case)) == (3, (Part.MAIN,), 3)


def test_wrong_against_a_plain_loop():
    truth, answers = [0, 1, 2, 1, 0], [0, 2, 2, 1, 1]
    p = Predictions.of(truth, answers)
    assert p.wrong.tolist() == [float(t != a) for t, a in zip(truth, answers, strict=True)]


def test_absent_classes_can_be_named():
    p = Predictions.of(["a", "a"], ["a", "b"], labels=["b", "c", "a"])
    assert p.classes == ("a", "b", "c")


def test_a_column_of_scores_per_class():
    p = Predictions.of([0, 1, 2], [0, 1, 1], y_score=np.eye(3))
    assert p.frame().columns.tolist()[-3:] == ["score 0", "score 1", "score 2"]
    assert Predictions.of([0, 1], [0, 1], y_score=[0.5, 1]).frame()["score"].tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0]), "y_true has 2 rows and y_pred has 1"),
        (([0, 0], [0, 0]), "y_true holds one class only (0); name all classes with labels="),
        ((["a", "b"], ["a", "c"]), "y_pred has the label 'c' in row 1"),
        (([0, 1], [0, None]), "y_pred is missing in row 1"),
        (([0, np.nan], [0, 1]), "y_true is missing in row 1"),
        (([0, 1], [0.2, 0.9]), "y_pred holds the number 0.2 in row 0: that is a quantity"),
        (([], []), "y_true is empty"),
        (([0, 1], []), "y_pred is empty"),
        (([0, 1], ["0", "1"]), "y_pred has the label '0' in row 0"),
    ],
    ids=str,
)
def test_bad_answers(arguments, message):
    with pytest.raises(InputError) as raised:
        Predictions.of(*arguments)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1], "y_score must have shape (2,) or (2, 2)"),
        (np.zeros((2, 3)), "got (2, 3)"),
        ([0.1, np.nan], "y_score must be finite, got nan in row 1; drop the row or score it"),
        ([np.inf, 0.1], "y_score must be finite, got inf in row 0"),
        ([[0, 1], [np.nan, 0]], "in row 1"),
        (["high", "low"], "y_score must hold numbers"),
        ([[0.1], [0.2, 0.3]], "y_score must hold numbers"),
    ],
    ids=str,
)
def test_bad_scores(scores, message):
    with pytest.raises(InputError) as raised:
        Predictions.of([0, 1], [0, 1], y_score=scores)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"groups": [1]}, "groups must have one value for each of the 2 rows"),
        ({"groups": [1, None]}, "groups is missing in row 1"),
        ({"sample_weight": [1, -2]}, "sample_weight must be finite and not negative, got -2.0"),
        ({"labels": [0]}, "y_true holds one class only (0)"),
        ({"labels": [0, 2]}, "y_true has the label 1 in row 1"),
    ],
    ids=str,
)
def test_bad_companions(more, message):
    with pytest.raises(InputError) as raised:
        Predictions.of([0, 1], [0, 1], **more)
    assert message in str(raised.value)


def table():
    """Two folds and a fit on all rows, of four cases."""
    return Predictions(
        classes=("a", "b"),
        truth=np.array([0, 1, 0, 1]),
        case=np.array([0, 1, 2, 3, 0, 1, 2, 3]),
        split=np.array([0, 0, 1, 1, 2, 2, 2, 2]),
        seen=np.array([0, 0, 0, 0, 1, 1, 1, 1]),
        predicted=np.array([0, 0, 0, 1, 0, 1, 0, 1]),
        part=(Part.MAIN, Part.MAIN, Part.RESUBSTITUTION),
        repetition=np.zeros(3, int),
        n_train=np.array([2, 2, 4]),
        scores=np.arange(8.0),
    )


def test_unseen_and_resubstitution_are_told_apart():
    p = table()
    assert p.unseen.wrong.tolist() == [0, 1, 0, 0]
    assert p.unseen.scores.tolist() == [0, 1, 2, 3]
    assert p.resubstitution.case.tolist() == [0, 1, 2, 3]
    assert p.resubstitution.wrong.tolist() == [0, 0, 0, 0]
    assert len(p.of_part(Part.HALVES).case) == 0


def test_training_error_of_a_single_split_is_read_off_its_training_rows():
    p = Predictions.of([0, 1, 0], [0, 0, 0])
    split = np.zeros(3, int)
    single = Predictions(
        p.classes, p.truth, p.case, split, np.array([0, 1, 1]), p.predicted, (Part.MAIN,),
        np.zeros(1, int), np.array([2]),
    )  # fmt: skip
    assert single.unseen.case.tolist() == [0]
    assert single.resubstitution.case.tolist() == [1, 2]


def test_main_rows_that_were_seen_in_several_splits_are_no_training_error():
    p = table()
    several = Predictions(
        p.classes, p.truth, p.case, p.split, np.ones(8, int), p.predicted, (Part.MAIN,) * 3,
        p.repetition, p.n_train,
    )  # fmt: skip
    assert len(several.unseen.case) == 0
    assert len(several.resubstitution.case) == 0


def test_frame_has_a_row_per_prediction_with_names():
    frame = table().frame()
    assert frame["truth"].tolist() == ["a", "b", "a", "b"] * 2
    assert frame["predicted"].tolist() == ["a", "a", "a", "b", "a", "b", "a", "b"]
    assert frame["part"].tolist() == ["main"] * 4 + ["resubstitution"] * 4
    assert frame["score"].tolist() == list(range(8))


def test_named_score_columns_are_put_in_the_order_of_the_classes():
    import pandas as pd

    scores = pd.DataFrame({"b": [0.1, 0.9], "a": [0.9, 0.1]})
    made = Predictions.of(["a", "b"], ["a", "b"], y_score=scores)
    assert made.scores.tolist() == [[0.9, 0.1], [0.1, 0.9]]


def test_a_case_of_no_weight_is_no_tested_case():
    p = Predictions.of([0, 1, 0, 1], [0, 0, 1, 1], sample_weight=[1.0, 0.0, 2.0, 0.5])
    assert p.unseen.case.tolist() == [0, 2, 3]
    assert len(p.of_part(Part.MAIN).case) == 4
