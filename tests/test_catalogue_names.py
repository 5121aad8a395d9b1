"""Nobody asks what a method is called: what depends on it is a field of the method.

A name of a catalogue that is compared in code outside of the file of its method is a branch that a
method from another package would miss.
"""

import ast
from pathlib import Path

import referee
from referee.checks import CHECKS
from referee.checks.scores import SCORE_CHECKS
from referee.intervals import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEAN_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
)
from referee.measures import MEASURES
from referee.resampling import SCHEMES
from referee.significance import ADJUSTMENTS, COMPARISON_TESTS, DATASET_TESTS
from referee.significance.score_tests import SCORE_TESTS
from referee.sources.logs.catalogue import FORMATS
from referee.vault.sealed.policies import CATALOGUE as POLICIES

ROOT = Path(referee.__file__).parent
CATALOGUES = (
    *(ADJUSTMENTS, AREA_INTERVALS, CHECKS, COMPARISON_TESTS, DATASET_TESTS, DIFFERENCE_INTERVALS),
    *(FORMATS, MEAN_INTERVALS, MEASURES, MEASURE_INTERVALS, POLICIES, RISK_INTERVALS, SCHEMES),
    *(SCORE_CHECKS, SCORE_TESTS),
)
NAMES = {
    name for catalogue in CATALOGUES for m in catalogue.values() for name in (m.name, *m.aliases)
}
ALLOWED = {
    # A plan that is read back from a bundle knows its scheme by name only; all ask the plan.
    "core/plan.py",
    # scikit-learn's scorers, one of which is called as our measure is.
    "fitting/search.py",
    # Columns of the compiled bootstrap.
    "intervals/one_set/bootstrap/curve_spread.py",
    # Experiments on methods that they name, which read their own tables.
    "study/bayes_error_study.py",
    "study/calibration/promises.py",
    "study/estimate_trial.py",
    "study/looks.py",
    "study/scores/experiment.py",
}


def compared(source):
    """Yield (line, text) of each text that a piece of code compares with something."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        else:
            continue
        for part in parts:
            listed = part.elts if isinstance(part, (ast.Tuple, ast.List, ast.Set)) else [part]
            for text in listed:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield node.lineno, text.value


def test_no_name_of_a_catalogue_is_compared():
    hits = {}
    for path in sorted(ROOT.rglob("*.py")):
        for line, text in compared(path.read_text(encoding="utf-8")):
            if text in NAMES:
                hits.setdefault(path.relative_to(ROOT).as_posix(), []).append((line, text))
    assert {file: at for file, at in hits.items() if file not in ALLOWED} == {}
    assert ALLOWED - set(hits) == set(), "no longer needed"


def test_comparisons_are_caught():
    code = 'if m.name == "auc" or m in ("error", "f1"):\n    match m:\n        case "holm": ...'
    assert sorted(text for _, text in compared(code)) == ["auc", "error", "f1", "holm"]
