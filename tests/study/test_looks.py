"""Coverage under attack: every attack against the ladder, at the size of the promise if slow."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.intervals.looks import Grid, LadderState, ladder_look
from referee.study import looks
from referee.study.attacks import CATALOGUE
from referee.study.looks import HONEST


@pytest.fixture(scope="module")
def study():  # type: ignore[no-untyped-def]
    return looks(n=400, looks=150, repetitions=12)


def test_all_intervals_of_a_run_hold_at_once(study) -> None:  # type: ignore[no-untyped-def]
    # 12 runs at level .95: three failures have a chance of .02 and less.
    for name in (*CATALOGUE, HONEST):
        assert study.trial(name).coverage.value >= 10 / 12


def test_a_board_that_shows_every_score_is_climbed(study) -> None:  # type: ignore[no-untyped-def]
    for name in CATALOGUE:
        open_, ladder = study.trial(name, "every score"), study.trial(name)
        assert open_.gap.value > ladder.gap.value
        assert open_.coverage.value < 0.5
        assert open_.releases.value == 150
        assert ladder.releases.value <= Grid.of_share(400, baseline=0.5).cells


def test_honest_progress_is_seen_within_a_step(study) -> None:  # type: ignore[no-untyped-def]
    honest = study.trial(HONEST)
    assert honest.lag < 1
    assert honest.releases.value > 4
    assert abs(honest.gap.value) < 0.04


def test_linear_decoding_recovers_the_labels_once_there_are_enough_equations() -> None:
    study = looks(["decoding"], n=100, looks=120, repetitions=3)
    assert study.trial("decoding", "every score").gap.value == pytest.approx(0.5, abs=0.01)


def test_pictures_table_and_sentence(study) -> None:  # type: ignore[no-untyped-def]
    assert len(study.frame()) == 10
    assert [len(p.curves) for p in study.pictures] == [4, 4]
    assert len(study.pictures[0].curves[0].x) == len(study.at)
    for part in ("150 looks at 400 cases", "where every score is shown", "within 0.9"):
        assert part in study.conclusion
    alone = looks([HONEST], n=100, looks=10, repetitions=2)
    assert "best attack" not in alone.conclusion
    assert alone.pictures == ()


def test_every_attack_answers_with_signs() -> None:
    for attack in CATALOGUE.values():
        rng = np.random.default_rng(0)
        moves = attack.moves(50, 30, 6.0, rng)
        predictions = next(moves)
        grid, state = Grid.of_share(50, baseline=0.5), LadderState()
        for _ in range(29):
            assert set(np.unique(predictions)) <= {-1.0, 1.0}
            answer = ladder_look(grid, state, int((predictions > 0).sum()))
            state = answer.after
            predictions = moves.send(answer.released)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attacks": ["flip"]}, "attack 'flip' is unknown; did you mean 'flips'"),
        ({"looks": 1}, "looks must be at least 2"),
        ({"step": 0.5}, "step must be at least 1 standard error"),
        ({"repetitions": 1}, "repetitions must be a whole number of at least 2"),
        ({"n": 0}, "n must be a whole number of cases"),
    ],
)
def test_bad_input(arguments, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        looks(**arguments)


@pytest.mark.slow
def test_a_thousand_looks_at_a_thousand_cases() -> None:
    """The promise: coverage .95 for whole runs, a gap of at most .08, progress within a step."""
    study = looks(repetitions=200)
    for name in (*CATALOGUE, HONEST):
        assert study.trial(name).coverage.value >= 0.95
    assert max(study.trial(name).gap.value for name in CATALOGUE) <= 0.08
    assert study.trial("decoding", "every score").gap.value == pytest.approx(0.5, abs=0.005)
    assert study.trial(HONEST).lag < 1
