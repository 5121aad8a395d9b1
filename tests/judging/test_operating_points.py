"""Operating points and calibration, against counts by hand, statsmodels and simulation."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import special, stats
from statsmodels.stats import proportion

import referee
from referee.errors import InputError
from referee.intervals.difference.ratio_of_shares import ratio_of_shares
from referee.measures.formulas.calibration_line import calibration_line

RNG = np.random.default_rng(0)
PROBABILITY = special.expit(RNG.normal(-1, 1.5, 500))
TRUTH = (RNG.random(500) < special.expit(0.3 + 0.8 * special.logit(PROBABILITY))).astype(int)
ANSWER = (PROBABILITY >= 0.5).astype(int)


@pytest.fixture(scope="module")
def evaluation():
    return referee.evaluate_predictions(TRUTH, ANSWER, y_score=PROBABILITY)


def test_a_point_against_counts(evaluation):
    row = evaluation.operating_points([0.3]).loc[0.3]
    called, hit = PROBABILITY >= 0.3, TRUTH == 1
    tp, fp = (called & hit).sum(), (called & ~hit).sum()
    fn, tn = (~called & hit).sum(), (~called & ~hit).sum()
    assert row["tpr"] == tp / (tp + fn)
    assert row["ppv"] == tp / (tp + fp)
    ci = stats.binomtest(int(tp), int(tp + fp)).proportion_ci(0.95)
    assert (row["ppv low"], row["ppv high"]) == pytest.approx((ci.low, ci.high))
    assert row["lr+"] == pytest.approx((tp / (tp + fn)) / (fp / (fp + tn)))
    se = np.sqrt(1 / tp - 1 / (tp + fn) + 1 / fp - 1 / (fp + tn))
    assert row["lr+ low"] == pytest.approx(row["lr+"] * np.exp(-stats.norm.ppf(0.975) * se))
    se = np.sqrt(1 / fn - 1 / (tp + fn) + 1 / tn - 1 / (fp + tn))
    assert row["lr- high"] == pytest.approx(row["lr-"] * np.exp(stats.norm.ppf(0.975) * se))
    assert row["net benefit"] == pytest.approx(tp / 500 - fp / 500 * 0.3 / 0.7)
    assert row["treat all"] == pytest.approx(hit.mean() - (1 - hit.mean()) * 0.3 / 0.7)
    assert row["net benefit low"] < row["net benefit"] < row["net benefit high"]


def test_rates_agree_with_those_of_the_answers(evaluation):
    row = evaluation.operating_points([0.5]).loc[0.5]
    tpr = evaluation.estimates["tpr"]
    assert (row["tpr"], row["tpr low"]) == pytest.approx((tpr.value, tpr.interval.low))


def test_degenerate_points_are_said_and_do_not_crash(tmp_path):
    e = referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, y_score=[0.2, 0.9] * 20)
    frame = e.operating_points([0.1, 0.5, 0.95])
    assert frame.loc[0.5, "lr+"] == np.inf
    assert frame.loc[0.5, ["lr-", "lr- low"]].tolist() == [0, 0]
    assert np.isnan(frame.loc[0.1, "lr-"])  # nobody is called negative: 0 / 0
    assert np.isnan(frame.loc[0.95, "ppv"])
    assert frame.loc[0.95, "net benefit"] == 0
    assert np.isnan(e.calibration().loc["slope", "value"])  # told apart without error
    e.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "0.000 (0.000 to 0.161)" in page
    assert "∞ (6.206 to ∞)" in page
    assert "1.000 (0.839 to 1.192)" in page  # everybody is called positive
    assert "– stands where" in page


def test_ratios_of_0_and_infinity_by_hand_and_against_statsmodels():
    e = referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, y_score=[0.2, 0.9] * 20)
    row = e.operating_points([0.5]).loc[0.5]
    interval = proportion.confint_proportions_2indep
    score = {"method": "score", "compare": "ratio", "correction": False}
    limit = stats.chi2.ppf(0.95, 1)  # statsmodels fails where a share is 1; 20 r / (1 - r) is this
    assert row["lr- high"] == pytest.approx(limit / (20 + limit))
    assert ratio_of_shares(0, 20, 15, 20, 0.95)[1] == pytest.approx(
        interval(0, 20, 15, 20, **score)[1], rel=1e-4
    )
    assert row["lr+ low"] == pytest.approx(1 / row["lr- high"])
    assert row["lr+ high"] == np.inf
    inside = ratio_of_shares(7, 31, 12, 40, 0.9)
    assert inside == pytest.approx(interval(7, 31, 12, 40, alpha=0.1, **score), rel=1e-4)


def test_scores_of_a_class_are_needed():
    with pytest.raises(InputError, match="positive class"):
        referee.evaluate_predictions(TRUTH, ANSWER).operating_points()


def test_slope_and_intercept_against_statsmodels(evaluation):
    logit = special.logit(PROBABILITY)
    line = calibration_line(TRUTH == 1, PROBABILITY)
    both = sm.Logit(TRUTH, sm.add_constant(logit)).fit(disp=0, cov_type="HC0")
    large = sm.GLM(TRUTH, np.ones(500), family=sm.families.Binomial(), offset=logit)
    large = large.fit(cov_type="HC0")
    factor = np.sqrt(500 / 499)
    assert line.slope == pytest.approx(both.params[1], rel=1e-6)
    assert line.slope_se == pytest.approx(both.bse[1] * factor, rel=1e-5)
    assert line.intercept == pytest.approx(large.params[0], rel=1e-6)
    assert line.intercept_se == pytest.approx(large.bse[0] * factor, rel=1e-5)
    frame = evaluation.calibration()
    reach = stats.norm.ppf(0.975) * line.slope_se
    assert frame.loc["slope", "high"] == pytest.approx(line.slope + reach)


def test_the_spread_of_slopes_is_that_of_repeated_samples_of_groups():
    rng = np.random.default_rng(1)
    slopes, errors = [], []
    for _ in range(200):
        p = np.repeat(special.expit(rng.normal(size=120)), 3)  # a group's cases are copies
        y = np.repeat(rng.random(120) < p[::3], 3)
        line = calibration_line(y, p, np.arange(360) // 3)
        slopes.append(line.slope)
        errors.append(line.slope_se)
    assert np.mean(errors) == pytest.approx(np.std(slopes), rel=0.15)


def test_the_report_shows_all_of_it(evaluation, tmp_path):
    text = str(evaluation)
    for title in ("Operating points", "Reliability of the probabilities", "sensitivity", "LR+"):
        assert title in text
    page = tmp_path / "page.html"
    evaluation.to_html(page)
    html = page.read_text()
    for words in ("decision curve", "precision and recall of class", "perfectly reliable"):
        assert words in html
