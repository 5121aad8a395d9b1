"""Several measures in one comparison: the first decides, the others stand beside it."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core.results import Outcome
from referee.errors import InputError
from referee.measures import make_measure

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1], 60)
SCORES = {name: TRUTH + RNG.normal(0, s, 120) for name, s in (("a", 0.6), ("b", 1.2))}
ANSWERS = {name: (score > 0.5).astype(int) for name, score in SCORES.items()}


def compared(measure, **options):
    return referee.compare_predictions(TRUTH, ANSWERS, y_scores=SCORES, measure=measure, **options)


def test_each_measure_is_compared_as_if_it_were_alone():
    together = compared(["error", "auc", "mcc"])
    assert list(together.others) == ["auc", "mcc"]
    for name, other in together.others.items():
        alone = compared(name)
        assert other.difference.value == alone.difference.value
        assert other.evidence.p_value == alone.evidence.p_value
        assert other.evidence.test == alone.evidence.test
    assert together.verdict == compared("error").verdict
    assert together.frame().measure.tolist() == ["error", "auc", "mcc"]


def test_a_rope_and_a_test_of_the_first_do_not_bind_the_others():
    c = compared(["error", "auc"], rope=0.02, significance="mcnemar-midp")
    assert c.evidence.test == "mcnemar-midp"
    assert c.others["auc"].evidence.test == "delong-paired"
    assert c.others["auc"].verdict.outcome is not Outcome.EQUIVALENT


def test_functions_and_scorers_are_measures():
    def share(y_true, y_pred):
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    own = make_measure(share, greater_is_better=True)
    c = compared([own, make_scorer(accuracy_score), "error"])
    assert c.measure.name == "share"
    assert c.others["error"].difference.value == pytest.approx(-c.difference.value)


@pytest.mark.parametrize("measure", [[], [5], 5, [None], ["error", "eror"], [[]]])
def test_what_is_no_measure_is_refused_by_name(measure):
    with pytest.raises(InputError, match="measure"):
        compared(measure)


def test_learners_by_several_measures_are_fitted_once():
    X, y = load_iris(return_X_y=True)
    models = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}
    c = referee.compare(models, X, y, by=5, measure=["error", "log_loss"], random_state=0)
    alone = referee.compare(models, X, y, by=5, measure="log_loss", random_state=0)
    assert c.others["log_loss"].evidence.p_value == alone.evidence.p_value


def test_the_report_the_record_and_the_bundle_hold_all_of_them(tmp_path):
    from referee.vault import verify

    c = compared(["error", "auc"])
    assert "By other measures" in str(c)
    assert "The verdict rests on the error alone" in " ".join(str(c).split())
    (other,) = json.loads(c.to_json())["others"]
    assert other["measure"] == "auc"
    path = tmp_path / "several.zip"
    c.to_bundle(path)
    assert verify(path).verdict.outcome is Outcome.PASS
