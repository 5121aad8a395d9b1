"""referee study calibration: writes table, page and picture, goes on, and says what is wrong."""

import pandas as pd
import pytest

SMALL = ("study", "calibration", "--cells", "auc .98, 10 + 10", "--methods", "delong")


def test_it_writes_and_goes_on(referee, folder):
    first = referee(*SMALL, "--repetitions", "20", "--out", "made")
    assert first.code == 0, first.err
    assert "rough look" in first.out
    assert "delong (fixed)" in first.out
    assert (folder / "made/images/calibration.png").read_bytes()[:4] == b"\x89PNG"
    page = (folder / "made/calibration.md").read_text(encoding="utf-8")
    assert "## delong\n" in page
    table = pd.read_csv(folder / "made/calibration.csv")
    assert table.repetitions.tolist() == [20]
    kept = folder / "made/draws/seed-0/auc-.98-10-+-10/ranking.csv"
    draws = pd.read_csv(kept)
    draws["delong high"] = 0.0  # a mark: what was drawn is kept as it is
    draws.to_csv(kept, index=False)
    second = referee(*SMALL, "--repetitions", "30", "--out", "made")
    assert "are not made again" in second.err
    again = pd.read_csv(kept)
    assert again.repetition.tolist() == list(range(30))
    assert (again["delong high"][:20] == 0).all()
    assert (again["delong high"][20:] > 0).all()
    fresh = referee(*SMALL, "--repetitions", "20", "--out", "made", "--fresh")
    assert "are not made again" not in fresh.err
    pd.testing.assert_frame_equal(pd.read_csv(folder / "made/calibration.csv"), table)


def test_so_far_tells_what_there_is(referee, folder):
    referee(*SMALL, "--repetitions", "20", "--out", "made")
    told = referee(*SMALL, "--so-far", "--out", "made")
    assert told.code == 0, told.err
    assert pd.read_csv(folder / "made/calibration.csv").repetitions.tolist() == [20]


def test_other_seeds_have_draws_of_their_own(referee, folder):
    referee(*SMALL, "--repetitions", "20", "--out", "made")
    other = referee(*SMALL, "--repetitions", "20", "--out", "made", "--seed", "1")
    assert "are not made again" not in other.err
    assert sorted(p.name for p in (folder / "made/draws").iterdir()) == ["seed-0", "seed-1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cells", "auc .97"), "cell 'auc .97' is unknown"),
        (("--methods", "delang"), "method 'delang' is unknown; did you mean 'delong'"),
        (("--repetitions", "1"), "repetitions must be a whole number of at least 2, got 1"),
        (("--jobs", "0"), "--jobs must not be 0"),
        (("--so-far",), "nothing was drawn yet"),
        (("--out", "iris.csv"), "iris.csv is a file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(referee, folder, options, message):
    outcome = referee(
        "study", "calibration", "--cells", "auc .98, 10 + 10", "--methods", "delong", *options
    )
    assert outcome.code == 2, outcome.out
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not (folder / "calibration-study" / "calibration.csv").exists()


def test_draws_of_something_else_are_refused(referee, folder):
    place = folder / "made/draws/seed-0/auc-.98-10-+-10"
    place.mkdir(parents=True)
    (place / "ranking.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    outcome = referee(*SMALL, "--out", "made")
    assert outcome.code == 2
    assert "holds no draws" in outcome.err
