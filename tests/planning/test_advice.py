"""Advice holds against the library itself: the commands exist, the methods are those auto takes."""

import re
import shlex
from itertools import combinations, product

import numpy as np
import pytest
import typer
from sklearn.naive_bayes import GaussianNB

import referee
from referee.cli.app import app
from referee.errors import InputError
from referee.planning import advise
from referee.planning.advice import open_questions
from referee.planning.questions import QUESTIONS


def all_ways(said=None):
    """Walk through every answer to every question that is asked."""
    said = said or {}
    left = open_questions(said)
    if not left:
        yield said
        return
    for choice in left[0].choices(said):
        yield from all_ways({**said, left[0].name: choice})


@pytest.fixture(scope="module")
def ways():
    """Return what is said on every way, and the advice at its end."""
    return [(said, advise(**said)) for said in all_ways()]


def test_every_way_ends_in_a_command_with_options_that_exist(ways):
    root = typer.main.get_command(app)
    for said, advice in ways:
        words = shlex.split(advice.command)[1:]
        command = root
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        options = {w for w in words if w.startswith("--")}
        assert options <= known, (said, options - known)


def test_every_way_has_at_most_six_questions_and_a_page_that_is_there(ways, pytestconfig):
    docs = pytestconfig.rootpath / "docs"
    for said, advice in ways:
        assert len(said) <= 6
        assert (docs / advice.page).exists()


def test_python_calls_name_public_functions(ways):
    for _, advice in ways:
        name = re.match(r"referee\.([\w.]+)\(", advice.python)[1]
        assert callable(referee.Vault if name.startswith("Vault") else getattr(referee, name))


TRUTH = np.tile([0, 1], 100)
NEW = np.r_[TRUTH[:190], 1 - TRUTH[190:]]
OLD = np.r_[TRUTH[:170], 1 - TRUTH[170:]]
GROUPS = np.repeat(np.arange(50), 4)


@pytest.mark.parametrize("together", ["no", "groups"])
def test_the_interval_of_predictions_is_the_one_auto_takes(together):
    groups = GROUPS if together == "groups" else None
    answer = referee.evaluate_predictions(TRUTH, NEW, groups=groups)
    advice = advise(have="predictions", say="good", together=together)
    assert advice.methods[0].name == answer.error.interval.method


@pytest.mark.parametrize("together", ["no", "groups"])
def test_the_test_of_two_models_is_the_one_auto_takes(together):
    groups = GROUPS if together == "groups" else None
    answer = referee.compare_predictions(TRUTH, {"new": NEW, "old": OLD}, groups=groups)
    advice = advise(have="predictions", say="better", together=together)
    assert advice.methods[0].name == answer.pairs[0].evidence.test
    assert advice.methods[1].name == answer.pairs[0].difference.interval.method


def test_the_interval_of_a_learner_is_the_one_auto_takes():
    X = np.random.default_rng(0).normal(size=(60, 2)) + TRUTH[:60, None]
    answer = referee.evaluate(GaussianNB(), X, TRUTH[:60], random_state=0)
    assert advise(have="model", say="good").methods[0].name == answer.error.interval.method


def test_contradictions_name_both_answers():
    with pytest.raises(InputError, match="kind ranking and have published contradict"):
        advise(have="published", kind="ranking")
    with pytest.raises(InputError, match="say structure and have predictions contradict"):
        advise(have="predictions", say="structure")
    with pytest.raises(InputError, match="with have nothing, say can only be better"):
        advise(have="nothing", say="rank")


def test_unknown_answers_are_listed():
    with pytest.raises(InputError, match="have must be one of model, predictions"):
        advise(have="cake")
    with pytest.raises(InputError, match="question 'hav' is unknown; did you mean 'have'"):
        advise(hav="model")


def test_the_questions_are_at_most_six():
    assert len(QUESTIONS) == 6


@pytest.mark.parametrize("size", [1, 2])
def test_a_first_choice_that_is_taken_contradicts_nothing_that_was_said(size):
    """Every set of answers is refused, or completed without a contradiction."""
    advised = 0
    for names in combinations(QUESTIONS, size):
        for values in product(*(QUESTIONS[name].known for name in names)):
            try:
                answers = advise(**dict(zip(names, values, strict=True))).answers
            except InputError:
                continue
            advised += 1
            assert all(QUESTIONS[n].clash(a, answers) is None for n, a in answers.items())
    assert advised > 10 * size


def test_two_answers_that_no_first_answer_joins_are_named():
    with pytest.raises(InputError, match="say structure and looks growing contradict"):
        advise(say="structure", looks="growing")
    with pytest.raises(InputError, match="together time and cases different contradict"):
        advise(kind="numbers", together="time", cases="different", looks="once")
