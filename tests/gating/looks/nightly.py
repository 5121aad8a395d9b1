"""How often the gate errs: python tests/gating/looks/nightly.py prints the tables of docs/ci.md.

Figures "by command" come from `referee gate` itself, run in this process; the others are the same
decisions from counts, without files, or enumerated. A candidate that is worse by exactly the margin
must not pass. Looks at the same cases draw both models' errors anew each night.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import tempfile
from bisect import bisect_left
from pathlib import Path

import numpy as np
from scipy import stats
from typer.main import get_command

from referee.cli.app import app
from referee.gating.looks.sequential import _by_betting
from referee.gating.question import GateQuestion
from referee.intervals.looks.answers import answer_log_weight
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


def write(folder, excess, start=0, new="new.csv"):
    """Write files whose candidate errs alone where `excess` is 1, the baseline where it is -1."""
    ids = range(start, start + len(excess))
    old = "\n".join(f"{i},0,{int(e < 0)}" for i, e in zip(ids, excess, strict=True))
    Path(folder, "old.csv").write_text(f"id,y,pred\n{old}\n")
    candidate = "\n".join(f"{i},{int(e > 0)}" for i, e in zip(ids, excess, strict=True))
    Path(folder, new).write_text(f"id,pred\n{candidate}\n")


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
            write(folder, drawn(rng, n, difference, discordance))
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


def nights_by_command(nights, cases, margin, difference, discordance, seed=0):
    """Return the exit codes of a ledger's nights on new cases, by the command."""
    rng = np.random.default_rng(seed)
    codes = []
    with tempfile.TemporaryDirectory() as folder:
        state = ("--sequential", Path(folder, "gate.ledger"), "--version", "v1")
        for night in range(nights):
            write(folder, drawn(rng, cases, difference, discordance), start=night * cases)
            codes.append(asked(folder, margin, *state))
    return codes


def looks_by_command(looks, n, margin, discordance, *, ledger, seed=0):
    """Return the exit codes of looks at the same cases by candidates at the margin.

    Each night's candidate is another one, its errors drawn anew.
    """
    rng = np.random.default_rng(seed)
    codes = []
    with tempfile.TemporaryDirectory() as folder:
        state = ("--sequential", Path(folder, "gate.ledger")) if ledger else ()
        for _ in range(looks):
            write(folder, drawn(rng, n, margin, discordance))
            codes.append(asked(folder, margin, *state))
            if 0 in codes:
                break
    return codes


def looks_by_table(looks, n, margin, discordance, sequences, seed=0):
    """Return in which share of sequences of looks at the same cases one is passed, and naively.

    The same decisions as the command's, by its tests and weights, from counts alone.
    """
    rng = np.random.default_rng(seed)

    @functools.cache
    def p_values(b, c):
        counts = PairedCounts(n - b - c, b, c, 0)
        opposite = mcnemar_exact(counts).p_value if c > b else 1.0
        return non_inferiority(counts, margin).p_value, opposite

    share = (discordance + margin) / 2
    law = [discordance - share, share, 1 - discordance]
    counted = naive = 0
    for _ in range(sequences):
        tables = [p_values(int(b), int(c)) for b, c, _ in rng.multinomial(n, law, looks)]
        naive += any(shown <= ALPHA for shown, _ in tables)
        counted += _passed_by_looks(tables)
    return counted / sequences, naive / sequences


def _passed_by_looks(tables):
    """Tell whether any look after the first run passes; slot 1 is the first run's."""
    answer, changes = "undecided", 0
    for look, (shown, opposite) in enumerate(tables[1:], start=1):
        alpha = ALPHA * np.exp(answer_log_weight(look, changes))
        if shown <= alpha:
            return True
        new = "fail" if opposite <= alpha else "undecided"
        changes += new != answer
        answer = new
    return False


def main():
    print("size at exactly the margin, one run")
    for n, margin in ((60, 0.1), (150, 0.05)):
        print(f"  n {n}, margin {margin}: enumerated {enumerated_size(n, margin):.4f}", flush=True)
    share = fixed_passes(400, 0.05, 0.05, 0.1, 300)
    print(f"  n 400, margin 0.05, discordance 0.1: {share:.3f} of 300 commands", flush=True)
    print("200 nights, a candidate at the margin of 0.05, discordance 0.1: ever passed")
    share = nights_of_new_cases(200, 50, 0.05, 0.1, 500)
    print(f"  50 new cases a night, ledger: {share:.3f} of 500 sequences", flush=True)
    ever = [0 in nights_by_command(200, 50, 0.05, 0.05, 0.1, seed=s) for s in range(4)]
    print(f"  the same by the command: {sum(ever)} of {len(ever)} sequences", flush=True)
    counted, naive = looks_by_table(200, 300, 0.05, 0.1, 1000)
    print(f"  the same 300 cases, ledger: {counted:.3f} of 1000 sequences", flush=True)
    print(f"  the same 300 cases, no ledger: {naive:.3f} of 1000 sequences", flush=True)
    ever = [0 in looks_by_command(200, 300, 0.05, 0.1, ledger=True, seed=s) for s in range(4)]
    print(f"  with a ledger by the command: {sum(ever)} of {len(ever)} sequences", flush=True)
    ever = [0 in looks_by_command(200, 300, 0.05, 0.1, ledger=False, seed=s) for s in range(4)]
    print(f"  without one by the command: {sum(ever)} of {len(ever)} sequences", flush=True)
    print("power of a candidate that is as good, margin 0.02, discordance 0.05")
    for n in (400, 600, 800):
        share = fixed_passes(n, 0.02, 0.0, 0.05, 120, seed=1)
        plan = non_inferiority_power(n, 0.02, 0.05)
        print(f"  n {n}: {share:.3f} of 120 commands, planned {plan:.3f}", flush=True)


if __name__ == "__main__":
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    main()
