"""How often the gate errs: python tests/gating/looks/nightly.py prints the tables of docs/ci.md.

One part of it by its name: sizes, new-cases, same-cases, chosen or power.

Figures "by command" come from `referee gate` itself, run in this process; the others are the same
decisions from counts, without files, or enumerated; where both are printed, the codes of every look
are compared. A candidate that is worse by exactly the margin must not pass.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
import tempfile
from bisect import bisect_left
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy import stats
from typer.main import get_command

from referee.cli.app import app
from referee.gating.looks.ledger import case_hash
from referee.gating.looks.sequential import _by_betting
from referee.gating.question import GateQuestion
from referee.intervals.looks.answers import answer_log_weight, stream_log_weight
from referee.measures.formulas.paired_counts import PairedCounts
from referee.planning.non_inferiority import non_inferiority_power
from referee.significance.paired.equivalence import non_inferiority
from referee.significance.paired.mcnemar_exact import mcnemar_exact

ALPHA = 0.05

_COMMAND = get_command(app)


def command(*arguments):
    """Run the command in this process; return its exit code.

    Options are assembled once: that takes four times as long as a gate.
    """
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return _COMMAND(list(map(str, arguments)), prog_name="referee", standalone_mode=False) or 0


def drawn(rng, n, difference, discordance):
    """Return which model errs alone, case by case: 1 the candidate, -1 the baseline, 0 neither."""
    share = (discordance + difference) / 2
    return rng.choice([1, -1, 0], n, p=[share, discordance - share, 1 - discordance])


def write(folder, old, new, start=0):
    """Write files of a baseline and a candidate that err where they are said to."""
    ids = [f"c{i}" for i in range(start, start + len(old))]
    rows = "\n".join(f"{i},0,{int(wrong)}" for i, wrong in zip(ids, old, strict=True))
    Path(folder, "old.csv").write_text(f"id,y,pred\n{rows}\n")
    rows = "\n".join(f"{i},{int(wrong)}" for i, wrong in zip(ids, new, strict=True))
    Path(folder, "new.csv").write_text(f"id,pred\n{rows}\n")


def asked(folder, margin, *more):
    return command(
        *("gate", Path(folder, "old.csv"), Path(folder, "new.csv"), "--truth", "y", "--on", "id"),
        *("--label", "1", "--margin", margin, *more),
    )


def fixed_passes(n, margin, difference, discordance, repetitions, seed=0):
    """Return the share of runs that pass, one run on n cases each."""
    rng = np.random.default_rng(seed)
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repetitions):
            excess = drawn(rng, n, difference, discordance)
            write(folder, excess < 0, excess > 0)
            passed += asked(folder, margin) == 0
            Path(folder, ".referee-runs.json").unlink(missing_ok=True)
    return passed / repetitions


def enumerated_size(n, margin, points=200):
    """Return the largest chance to pass at exactly the margin, over every law, by enumeration."""
    passes = np.zeros((n + 1, n + 1), dtype=bool)  # by baseline alone wrong, candidate alone wrong
    for b in range(n + 1):

        def fails(c, b=b):
            return non_inferiority(PairedCounts(n - b - c, b, c, 0), margin).p_value > ALPHA

        # p rises with c.
        passes[b, : bisect_left(range(n + 1 - b), True, key=fails)] = True
    b, c = np.nonzero(passes)
    largest = 0.0
    for share in np.linspace(0, (1 - margin) / 2, points):
        law = [share, share + margin, 1 - 2 * share - margin]
        counts = np.column_stack([b, c, n - b - c])
        largest = max(largest, float(stats.multinomial.pmf(counts, n, law).sum()))
    return largest


def nights_of_new_cases(nights, cases, margin, discordance, sequences, seed=0):
    """Return in which share of sequences a candidate at the margin is ever passed by a ledger.

    The decision of every night is the betting test of all cases so far. It is followed here after
    every single case, which passes at least as often as once a night.
    """
    rng = np.random.default_rng(seed)
    question = GateQuestion(margin=margin)
    ever = 0
    for _ in range(sequences):
        excess = drawn(rng, nights * cases, margin, discordance).astype(float)
        shown = _by_betting(excess, question, 1.0, True).shown
        ever += shown <= ALPHA * 6 / np.pi**2
    return ever / sequences


def nights_by_function(nights, cases, margin, difference, discordance, seed=0):
    """Return the codes of the same nights without files: the betting test of all cases so far."""
    rng = np.random.default_rng(seed)
    alpha, stream, codes = ALPHA * np.exp(stream_log_weight(1)), [], []
    for night in range(nights):
        excess = drawn(rng, cases, difference, discordance).astype(float)
        names = [case_hash(f"c{night * cases + i}") for i in range(cases)]
        stream.extend(excess[np.argsort(names, kind="stable")])
        reached = _by_betting(np.array(stream), GateQuestion(margin=margin), 1.0, True)
        codes.append({"pass": 0, "fail": 1, "undecided": 3}[reached.outcome(alpha).value])
    return codes


def nights_by_command(nights, cases, margin, difference, discordance, seed=0):
    """Return the exit codes of a ledger's nights on new cases, by the command."""
    rng = np.random.default_rng(seed)
    codes = []
    with tempfile.TemporaryDirectory() as folder:
        state = ("--sequential", Path(folder, "gate.ledger"), "--version", "v1")
        for night in range(nights):
            excess = drawn(rng, cases, difference, discordance)
            write(folder, excess < 0, excess > 0, start=night * cases)
            codes.append(asked(folder, margin, *state))
    return codes


def order_of(n):
    """Return the order in which a ledger takes the cases that `write` names."""
    return np.argsort([case_hash(f"c{i}") for i in range(n)], kind="stable")


def commanded(folder, margin, *, ledger):
    """Return who answers a look at the same cases: the command, by its exit code."""
    state = ("--sequential", Path(folder, "gate.ledger")) if ledger else ()

    def ask(old, new):
        write(folder, old, new)
        return asked(folder, margin, *state)

    return ask


def tabled(n, margin, *, ledger):
    """Return who answers in the same way from counts alone: the gate's own tests and weights."""
    p_values = _p_values(n, margin)
    order, question = order_of(n), GateQuestion(margin=margin)
    codes, told = [], {}

    def outcome(old, new):
        excess = new.astype(float) - old
        if ledger and not codes:
            reached = _by_betting(excess[order], question, 1.0, True)
            return _code(reached.shown, reached.opposite, ALPHA * np.exp(stream_log_weight(1)))
        share = 0.0
        if ledger:
            changes = sum(one != two for one, two in pairwise([3, *codes]))
            share = answer_log_weight(len(codes), changes)
        counts = int((excess < 0).sum()), int((excess > 0).sum())
        return _code(*p_values(*counts), ALPHA * np.exp(share))

    def ask(old, new):
        request = old.tobytes() + new.tobytes()
        if request not in told:  # the same answers again are no new look
            told[request] = outcome(old, new)
            codes.append(told[request])
        return told[request]

    return ask


@functools.cache
def _p_values(n, margin):
    @functools.cache
    def both(b, c):
        """P-values of the claim and of its opposite: baseline alone wrong b times, candidate c."""
        counts = PairedCounts(n - b - c, b, c, 0)
        opposite = mcnemar_exact(counts).p_value if c > b else 1.0
        return non_inferiority(counts, margin).p_value, opposite

    return both


def _code(shown, opposite, alpha):
    return 0 if shown <= alpha else 1 if opposite <= alpha else 3


def redrawn(ask, rng, looks, n, margin, discordance):
    """Return the answers to a candidate that is another one every night, none chosen."""
    codes = []
    for _ in range(looks):
        excess = drawn(rng, n, margin, discordance)
        codes.append(ask(excess < 0, excess > 0))
        if codes[-1] == 0:
            break
    return codes


def climbing(ask, rng, looks, n, margin, discordance, error=0.1):
    """Return the answers to a candidate that is chosen by the answers before.

    A trial takes a tenth of the cases' answers from another model that is worse by the margin, too.
    Errors put in on purpose bring it to the brink of "worse", where each answer tells something:
    if it is not told, the trial is kept and burdened more. Every fifth look asks for the best so
    far, unburdened. On new cases all of these are worse by exactly the margin.
    """
    old = rng.random(n) < error
    won, lost = (discordance - margin) / 2 / error, (discordance + margin) / 2 / (1 - error)

    def model():
        return np.where(old, rng.random(n) >= won, rng.random(n) < lost)

    best, burden, codes = model(), 0, []
    for look in range(looks):
        plain = look % 5 == 4
        trial = best if plain else np.where(rng.random(n) < 0.1, model(), best)
        shown = trial.copy()
        shown[rng.permutation(n)[: 0 if plain else burden]] = True
        codes.append(ask(old, shown))
        if codes[-1] == 0:
            break
        if codes[-1] == 1:
            burden = max(burden - 1, 0)
        elif not plain:
            best, burden = trial, burden + 2
    return codes


def looks_by_command(looks, n, margin, discordance, *, ledger, seed=0, strategy=redrawn):
    """Return the exit codes of looks at the same cases by candidates at the margin."""
    with tempfile.TemporaryDirectory() as folder:
        ask = commanded(folder, margin, ledger=ledger)
        return strategy(ask, np.random.default_rng(seed), looks, n, margin, discordance)


def looks_by_table(looks, n, margin, discordance, *, ledger, seed=0, strategy=redrawn):
    """Return the same codes from counts."""
    ask = tabled(n, margin, ledger=ledger)
    return strategy(ask, np.random.default_rng(seed), looks, n, margin, discordance)


def share_passed(sequences, *arguments, **options):
    """Return in which share of sequences of looks, from counts, one is passed."""
    passed = (0 in looks_by_table(*arguments, seed=s, **options) for s in range(sequences))
    return sum(passed) / sequences


def say(text):
    print(f"  {text}", flush=True)


def sizes():
    print("size at exactly the margin, one run")
    for n, margin in ((60, 0.1), (150, 0.05)):
        say(f"n {n}, margin {margin}: enumerated {enumerated_size(n, margin):.4f}")
    share = fixed_passes(400, 0.05, 0.05, 0.1, 300)
    say(f"n 400, margin 0.05, discordance 0.1: {share:.3f} of 300 commands")


def new_cases(sequences=4):
    print("200 nights of 50 new cases, a candidate at the margin of 0.05, discordance 0.1, ledger")
    say(f"ever passed: {nights_of_new_cases(200, 50, 0.05, 0.1, 500):.3f} of 500 sequences")
    asked = [(200, 50, 0.05, 0.05, 0.1, seed) for seed in range(sequences)]
    commands = [nights_by_command(*a) for a in asked]
    same = commands == [nights_by_function(*a) for a in asked]
    passed = sum(0 in codes for codes in commands)
    say(f"by the command: {passed} of {sequences} sequences; same codes as by function: {same}")


def looks(strategy, many, *, ledger, sequences=4):
    asked, options = (200, 300, 0.05, 0.1), {"ledger": ledger, "strategy": strategy}
    called = "ledger" if ledger else "no ledger"
    share = share_passed(many, *asked, **options)
    say(f"{called}, ever passed: {share:.3f} of {many} sequences")
    commands = [looks_by_command(*asked, seed=s, **options) for s in range(sequences)]
    same = commands == [looks_by_table(*asked, seed=s, **options) for s in range(sequences)]
    passed = sum(0 in codes for codes in commands)
    say(f"by the command: {passed} of {sequences} sequences; same codes as from counts: {same}")


def same_cases():
    print(
        "200 looks at the same 300 cases, margin 0.05, discordance 0.1, another model every night"
    )
    looks(redrawn, 1000, ledger=True)
    looks(redrawn, 200, ledger=False)


def chosen():
    print("200 looks at the same 300 cases, margin 0.05, discordance 0.1, chosen by the answers")
    looks(climbing, 300, ledger=True)
    looks(climbing, 100, ledger=False, sequences=2)


def power():
    print("power of a candidate that is as good, margin 0.02, discordance 0.05")
    for n in (400, 600, 800):
        share = fixed_passes(n, 0.02, 0.0, 0.05, 120, seed=1)
        plan = non_inferiority_power(n, 0.02, 0.05)
        say(f"n {n}: {share:.3f} of 120 commands, planned {plan:.3f}")


PARTS = {
    "sizes": sizes,
    "new-cases": new_cases,
    "same-cases": same_cases,
    "chosen": chosen,
    "power": power,
}


if __name__ == "__main__":
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
