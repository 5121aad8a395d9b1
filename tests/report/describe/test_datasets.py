"""The page of a comparison over several data sets."""

import pandas as pd

import referee
from referee.report import to_text


def test_scores_and_means_have_the_same_decimals_and_p_values_three():
    names = ["a", "b", "c", "d", "e"]
    scores = pd.DataFrame(
        {"old": [0.05333, 0.02247, 0.06327, 0.2448, 0.1], "new": [0.04, 0.01, 0.05, 0.2, 0.05]},
        index=names,
    )
    page = to_text(referee.compare_datasets(scores=scores, measure="error"))
    scored = page.split("\nScores\n")[1].split("\n\n")[0]
    cells = [word for line in scored.splitlines() for word in line.split() if "." in word]
    assert len(cells) == scores.size
    assert {len(cell.split(".")[1]) for cell in cells} == {4}
    assert "the smallest p possible is .062" in " ".join(page.split())
    means = page.split("\nAverage ranks\n")[1].split("\n\n")[0].splitlines()[2:4]
    assert [line.split()[2] for line in means] == ["0.07000", "0.09677"]


def test_published_scores_in_per_cent_keep_their_decimals():
    scores = pd.DataFrame({"old": [97.5, 88.1, 79.0], "new": [98.0, 89.25, 80.0]})
    page = to_text(referee.compare_datasets(scores=scores, measure="accuracy"))
    assert "97.50" in page
    assert "89.25" in page
