"""compare: several models, seeds, provenance and tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from compared_models import MODELS, answers, turned
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import referee
from referee.errors import InputError


@pytest.mark.parametrize(("adjust", "name"), [("holm", "holm"), ("benjamini-hochberg", "fdr_bh")])
def test_all_pairs_against_statsmodels_multipletests(adjust, name):
    truth, preds, _ = answers(200, (1.6, 1.2, 1.1, 0.5))
    made = referee.compare_predictions(truth, preds, adjust=adjust)
    raw = []
    for one, other in itertools.combinations(preds, 2):
        cells = pd.crosstab(preds[one] == truth, preds[other] == truth).to_numpy()
        raw.append(mcnemar(cells, exact=True).pvalue)
    assert [(d.first, d.second) for d in made.pairs] == list(itertools.combinations(preds, 2))
    assert [d.evidence.p_value for d in made.pairs] == pytest.approx(raw)
    raised = multipletests(raw, method=name)[1]
    assert [d.p_adjusted for d in made.pairs] == pytest.approx(list(raised))
    for pair in made.pairs:
        assert (pair.better is not None) == (pair.p_adjusted <= 0.05)


def test_several_fixed_models_come_with_cochrans_q():
    from statsmodels.stats.contingency_tables import cochrans_q

    truth, preds, _ = answers(200, (1.6, 1.2, 0.5))
    made = referee.compare_predictions(truth, preds)
    oracle = cochrans_q(np.column_stack([preds[m] != truth for m in preds]).astype(int))
    assert made.omnibus.statistic == pytest.approx(oracle.statistic)


@pytest.mark.parametrize("claim", ["difference", "non-inferior"])
def test_order_of_three_models_changes_no_pair(claim):
    truth, preds, _ = answers(150, (1.4, 1.0, 0.4))
    one = referee.compare_predictions(truth, preds)
    other = referee.compare_predictions(truth, turned(preds))
    for pair in one.pairs:
        back = other.pair(pair.first, pair.second)
        assert back.better == pair.better
        assert back.p_adjusted == pytest.approx(pair.p_adjusted)
    assert {s.name: (s.rank, s.tier, s.best_rank, s.worst_rank) for s in one.standings} == {
        s.name: (s.rank, s.tier, s.best_rank, s.worst_rank) for s in other.standings
    }


def test_same_seed_same_numbers_for_any_number_of_jobs(cancer):
    models = {"tree": DecisionTreeClassifier(max_features=1), "knn": KNeighborsClassifier(3)}
    one, again, other = (
        referee.compare(models, *cancer, by="2x5", random_state=s, n_jobs=j)
        for s, j in ((7, 1), (7, 2), (8, 1))
    )
    assert one.to_json() == again.to_json()
    pd.testing.assert_frame_equal(
        one.predictions["tree"].frame(), again.predictions["tree"].frame()
    )
    assert one.provenance.plan != other.provenance.plan


def test_the_seed_drawn_is_recorded_and_repeats_the_run(cancer):
    one = referee.compare(MODELS, *cancer, by=5)
    again = referee.compare(MODELS, *cancer, by=5, random_state=one.provenance.seed)
    assert one.to_json() == again.to_json()


def test_paired_bootstrap_repeats_itself():
    truth, preds, _ = answers(80, (0.9, 0.7))
    one, again, other = (
        referee.compare_predictions(truth, preds, measure="mcc", random_state=s).to_json()
        for s in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_all_models_share_one_plan(halved):
    frames = [halved.predictions[m].frame() for m in MODELS]
    for column in ("case", "split", "repetition", "part", "seen"):
        assert (frames[0][column] == frames[1][column]).all()
    assert halved.provenance.plan == halved.plan.fingerprint != ""


def test_models_for_use_are_trained_on_all_rows(halved, cancer):
    np.testing.assert_array_equal(halved.models["nb"].theta_, GaussianNB().fit(*cancer).theta_)


def test_frame_and_ranking_say_what_the_pairs_say(twice):
    row = twice.frame().iloc[0]
    pair = twice.pairs[0]
    assert row["difference"] == pair.difference.value
    assert (row["low"], row["high"]) == (
        pair.difference.interval.low,
        pair.difference.interval.high,
    )
    assert (row["p"], row["test"]) == (pair.evidence.p_value, "corrected-t")
    place = twice.ranking().iloc[0]
    assert place["model"] == twice.standings[0].name
    assert place["error"] == min(e.value for e in twice.estimates.values())


def test_pair_is_found_in_either_order_and_a_stranger_is_named():
    truth, preds, _ = answers(60, (1, 1, 1))
    made = referee.compare_predictions(truth, preds)
    assert made.pair("a", "c") is made.pair("c", "a")
    with pytest.raises(InputError, match="'z'"):
        made.pair("a", "z")
