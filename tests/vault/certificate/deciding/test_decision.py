"""The statistics of a certificate, against scipy, enumeration and simulation."""

import numpy as np
import pytest
from scipy import stats

from referee.core.results import Outcome
from referee.significance.multiplicity.holm import holm
from referee.vault.certificate.deciding.decision import decide, thresholds
from referee.vault.certificate.deciding.evidence import counted_evidence, evidence_of
from referee.vault.certificate.protocol.claim import claim_of
from referee.vault.certificate.protocol.plan import CertificatePlan, plan_of

EXACT = CertificatePlan("exact")


def evidence(claim, counts, *, rule="each", level=0.95, plan=EXACT):
    """Return the evidence of (n, failures) of each stratum."""
    (part,) = claim_of(claim).parts
    at = thresholds(rule, level, strata=len(counts), parts=1)
    return [counted_evidence(part, f"s{i}", plan, n, x, at) for i, (n, x) in enumerate(counts)]


@pytest.mark.parametrize(("n", "x"), [(299, 0), (299, 1), (473, 1), (50, 12), (20, 20), (7, 3)])
def test_p_values_and_bounds_against_scipy(n, x):
    (e,) = evidence("error <= 0.01", [(n, x)])
    below = stats.binomtest(x, n, 0.01, alternative="less")
    above = stats.binomtest(x, n, 0.01, alternative="greater")
    assert e.p_pass == pytest.approx(below.pvalue, rel=1e-9)
    assert e.p_fail == pytest.approx(above.pvalue, rel=1e-9)
    assert e.bound == pytest.approx(below.proportion_ci(0.95, "exact").high, rel=1e-9)
    both = stats.binomtest(x, n).proportion_ci(0.95, "exact")
    assert (e.low, e.high) == pytest.approx((both.low, both.high), rel=1e-9)


def test_a_share_from_below_is_the_mirror_image():
    (up,) = evidence("tpr >= 0.95", [(100, 2)])
    (down,) = evidence("fnr <= 0.05", [(100, 2)])
    assert (up.p_pass, up.p_fail) == (down.p_pass, down.p_fail)
    assert (up.value, up.bound) == pytest.approx((1 - down.value, 1 - down.bound))
    assert (up.low, up.high) == pytest.approx((1 - down.high, 1 - down.low))


@pytest.mark.parametrize(("failures", "n"), list(enumerate([299, 473, 628, 773, 913, 1049])))
def test_acceptance_plans_pass_to_the_last_failure_they_allow(failures, n):
    plan = plan_of({"kind": "acceptance", "n": n, "failures": failures})
    plan.refuse_unfit(claim_of("error <= 0.01"), 0.95)
    for x, outcome in ((failures, Outcome.PASS), (failures + 1, Outcome.UNDECIDED)):
        found = decide(evidence("error <= 0.01", [(n, x)], plan=plan), "each", 0.95)
        assert found.outcome is outcome
    short = plan_of({"kind": "acceptance", "n": n - 1, "failures": failures})
    with pytest.raises(Exception, match=f"{n} cases are needed"):
        short.refuse_unfit(claim_of("error <= 0.01"), 0.95)


@pytest.mark.parametrize("limit", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [60, 299, 500])
def test_at_the_limit_pass_and_fail_are_rare_by_enumeration(n, limit):
    chance = stats.binom.pmf(np.arange(n + 1), n, limit)
    outcomes = [
        decide(evidence(f"error <= {limit}", [(n, x)]), "each", 0.95).outcome for x in range(n + 1)
    ]
    for outcome in (Outcome.PASS, Outcome.FAIL):
        assert chance[[o is outcome for o in outcomes]].sum() <= 0.05
    assert chance[[o is Outcome.UNDECIDED for o in outcomes]].sum() >= 0.9


def test_every_stratum_at_full_level_and_failing_adjusted():
    """PASS needs no correction (intersection-union), FAIL does: by enumeration of three strata."""
    n, limit = 60, 0.05
    law = stats.binom.pmf(np.arange(n + 1), n, limit)
    some = [x for x in range(n + 1) if law[x] > 1e-9]
    passes = fails = 0.0
    # One stratum at the limit, the others perfect: the worst case for a false PASS.
    for x in some:
        found = decide(evidence(f"error <= {limit}", [(n, x), (n, 0), (n, 0)]), "each", 0.95)
        passes += law[x] * (found.outcome is Outcome.PASS)
    assert 0.03 < passes <= 0.05  # the full level is used
    # All at the limit, so the claim is true: FAIL must stay rare though there are three.
    for x in some:
        for y in some:
            for z in some:
                if max(x, y, z) < 6:
                    continue  # cannot fail
                chance = law[x] * law[y] * law[z]
                if chance < 1e-7:
                    continue
                e = evidence(f"error <= {limit}", [(n, x), (n, y), (n, z)])
                fails += chance * (decide(e, "each", 0.95).outcome is Outcome.FAIL)
    assert fails <= 0.05


def test_single_strata_are_adjusted_by_holm():
    counts = [(299, 0), (400, 0), (600, 2), (300, 12)]
    e = evidence("error <= 0.01", counts, rule="single")
    found = decide(e, "single", 0.95)
    expected = holm([stats.binom.cdf(x, n, 0.01) for n, x in counts])
    assert [p.p_pass for p in found.parts] == pytest.approx(list(expected))
    assert [p.outcome is Outcome.PASS for p in found.parts] == [p <= 0.05 for p in expected]
    assert found.parts[0].outcome is not Outcome.PASS  # it would alone: .0495
    assert decide(e[:1], "single", 0.95).outcome is Outcome.PASS
    assert found.parts[3].outcome is Outcome.FAIL
    assert e[0].bound_level == 1 - 0.05 / 4


def test_no_case_and_too_few_are_undecided():
    (part,) = claim_of("tpr >= 0.9").parts
    at = thresholds("each", 0.95, strata=1, parts=1)
    none = evidence_of(part, "s", EXACT, np.array([], dtype=bool), None, at)
    assert decide([none], "each", 0.95).outcome is Outcome.UNDECIDED
    plan = plan_of({"kind": "acceptance", "n": 29, "failures": 0})
    few = counted_evidence(part, "s", plan, 28, 0, at)
    assert "takes 29 cases" in few.note
    assert decide([few], "each", 0.95).outcome is Outcome.UNDECIDED


def test_sequential_against_the_plan_of_planning():
    """The same boundary as `referee sample-size --sequential`, case by case."""
    from referee.planning.sequential_acceptance import sequential_plan

    rng = np.random.default_rng(1)
    (part,) = claim_of("error <= 0.05").parts
    plan = sequential_plan(0.05, 0.95, most=400)
    at = thresholds("each", 0.95, strata=1, parts=1)
    seen = set()
    for rate in (0.0, 0.01, 0.05, 0.12, 0.3):
        for _ in range(6):
            wrong = rng.random(400) < rate
            e = evidence_of(part, "s", plan_of({"kind": "sequential"}), wrong, None, at)
            expected = plan.decide(wrong)
            assert decide([e], "each", 0.95).outcome is expected.outcome
            assert (e.n, e.counts[0]) == (expected.n, expected.failures)
            seen.add(expected.outcome)
    assert len(seen) == 3


@pytest.mark.parametrize("runs", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_sequential_at_the_limit_passes_and_fails_rarely_by_simulation(runs):
    rng = np.random.default_rng(2)
    (part,) = claim_of("error <= 0.05").parts
    at = thresholds("each", 0.95, strata=1, parts=1)
    outcomes = []
    for _ in range(runs):
        wrong = rng.random(600) < 0.05
        e = evidence_of(part, "s", CertificatePlan("sequential"), wrong, None, at)
        outcomes.append(decide([e], "each", 0.95).outcome)
    slack = 3 * np.sqrt(0.05 * 0.95 / runs)
    for outcome in (Outcome.PASS, Outcome.FAIL):
        assert outcomes.count(outcome) / runs <= 0.05 + slack


@pytest.mark.parametrize("kind", ["exact", "sequential"])
def test_two_models_by_pairs(kind):
    rng = np.random.default_rng(3)
    (part,) = claim_of("not worse than b.csv by more than 0.05").parts
    at = thresholds("each", 0.95, strata=1, parts=1)
    plan = CertificatePlan(kind)
    other = rng.random(4000) < 0.1
    better, worse = other & (rng.random(4000) < 0.7), other | (rng.random(4000) < 0.2)
    for wrong, outcome in ((better, Outcome.PASS), (worse, Outcome.FAIL)):
        e = evidence_of(part, "s", plan, wrong, other, at)
        assert sum(e.counts) == e.n
        assert decide([e], "each", 0.95).outcome is outcome
    same = evidence_of(part, "s", plan, other[:20], other[:20], at)
    assert decide([same], "each", 0.95).outcome is Outcome.UNDECIDED
