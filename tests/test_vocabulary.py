"""Arguments in the words of whoever asked; the options that stand for them exist."""

import pickle

import pytest
from joblib import Parallel, delayed
from typer.main import get_command

from referee.cli.app import app
from referee.vocabulary import FLAGS, OPTIONS, VOCABULARIES, arg, in_these_words, named, speaking


@pytest.mark.parametrize(
    ("argument", "value", "python", "options"),
    [
        ("by", "loo", "by='loo'", "--by loo"),
        ("folds", 5, "folds=5", "--by 5"),
        ("measures", ["auc"], "measures=['auc']", "--measure auc"),
        ("costs", (1, 10), "costs=(1, 10)", "--costs 1 10"),
        ("header", False, "header=False", "--no-header"),
        ("force", True, "force=True", "--force"),
        ("claim", "non-inferior", "claim='non-inferior'", "--claim non-inferior"),
        ("stratify", False, "stratify=False", "--by loo"),
        ("inner_by", 3, "by=3", "--inner-folds 3"),
        ("relabelling", "sampled", "labels='sampled'", "--labels sampled"),
        ("learner", "knn", "learner='knn'", "learner='knn'"),
    ],
)
def test_an_argument_with_its_value(argument, value, python, options):
    assert arg(argument, value) == python
    with speaking(OPTIONS):
        assert arg(argument, value) == options


def test_an_argument_alone():
    assert (arg("groups"), named("pos_label"), arg("draws")) == ("groups=", "pos_label", "draws=")
    with speaking(OPTIONS):
        assert (arg("groups"), named("pos_label")) == ("--groups", "--pos-label")
        assert (arg("draws"), named("draws")) == ("draws=", "draws")


def every_flag(command):
    """Return the flags of a command and of all below it."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for below in getattr(command, "commands", {}).values():
        yield from every_flag(below)


def test_every_option_of_the_vocabulary_exists():
    known = set(every_flag(get_command(app)))
    assert set(FLAGS.values()) - known == set()
    whole = ("--greater-is-better", "--smaller-is-better", "--no-header")
    assert set(whole) <= known


def test_workers_speak_as_they_are_spoken_to():
    with speaking(OPTIONS):
        ask = in_these_words(named)
        said = Parallel(n_jobs=2, backend="threading")(delayed(ask)("level") for _ in range(2))
    assert said == ["--level", "--level"]
    assert pickle.loads(pickle.dumps(ask))("level") == "--level"
    assert named("level") == "level"


def test_every_vocabulary_is_found_by_its_name():
    assert {name: words.name for name, words in VOCABULARIES.items()} == {
        "python": "python",
        "options": "options",
    }
