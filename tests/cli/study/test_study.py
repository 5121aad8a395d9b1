"""referee study: every verb writes a table and a picture, goes on, and says what is wrong."""

import re

import pandas as pd
import pytest

PNG = b"\x89PNG"
SMALL = ("study", "bayes-error", "--per-class", "20", "--repetitions", "3", "--jobs", "1")
TWO = ("--method", "resubstitution", "--method", "holdout")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def one_line(outcome):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("referee: ")
    return outcome.err


def is_picture(path):
    return path.read_bytes()[:4] == PNG and path.stat().st_size > 5000


def test_bayes_error_writes_and_goes_on(referee, folder):
    first = referee(*SMALL, *TWO, "--dims", "2", "--out", "made")
    assert first.code == 0, first.err
    assert "true risk" in first.out
    assert "bracket holds in expectation" in " ".join(first.out.split())
    assert is_picture(folder / "made" / "bayes-error.png")
    before = pd.read_csv(folder / "made" / "bayes-error.csv")
    assert before.method.tolist() == ["resubstitution", "holdout", "true risk"]
    before.loc[0, "mean"] = 0.5  # a mark: rows that exist are kept as they are
    before.to_csv(folder / "made" / "bayes-error.csv", index=False)
    second = referee(*SMALL, *TWO, "--dims", "2,3", "--out", "made")
    assert "are not run again" in second.err
    after = pd.read_csv(folder / "made" / "bayes-error.csv")
    assert after.dimension.tolist() == [2] * 3 + [3] * 3
    assert after.loc[0, "mean"] == 0.5
    fresh = referee(*SMALL, *TWO, "--dims", "2,3", "--out", "made", "--fresh")
    assert "are not run again" not in fresh.err
    anew = pd.read_csv(folder / "made" / "bayes-error.csv")
    assert anew.loc[0, "mean"] < 0.5
    pd.testing.assert_frame_equal(anew.iloc[1:], after.iloc[1:])


def test_every_axis_is_printed(referee, folder):
    outcome = referee(*SMALL[:2], *SMALL[4:], *TWO, "--dims", "2", "--bayes", "0.1,.2",
                      "--per-class", "20,30", "--out", "made")  # fmt: skip
    assert outcome.code == 0, outcome.err
    for axis in ("Bayes error", "cases in each class"):
        assert f"\nMean estimates against {axis}, " in outcome.out
    assert "against dimension" not in outcome.out
    assert len(pd.read_csv(folder / "made" / "bayes-error.csv")) == 12


def test_settings_of_an_earlier_run_stay_in_the_table(referee, folder):
    referee(*SMALL, *TWO, "--dims", "2", "--out", "made")
    referee(*SMALL, *TWO, "--dims", "3", "--out", "made")
    assert set(pd.read_csv(folder / "made" / "bayes-error.csv").dimension) == {2, 3}


def test_going_on_with_more_repetitions(referee, folder):
    referee(*SMALL, *TWO, "--dims", "2", "--out", "made")
    more = referee(*SMALL, *TWO, "--dims", "2", "--repetitions", "4", "--out", "made")
    assert more.code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--dims", "2,x"), "--dims must be numbers with commas between, got '2,x'"),
        (("--dims", "2.5"), "--dims must be numbers"),
        (("--dims", ","), "must each hold at least one value"),
        (("--bayes", "0.5"), "strictly between 0 and 1/2, got 0.5"),
        (("--bayes", "10%"), "--bayes must be numbers"),
        (("--per-class", "3"), "per_class must be at least 10"),
        (("--method", "looo"), "did you mean 'loo'"),
        (("--repetitions", "1"), "repetitions must be a whole number of at least 2, got 1"),
    ],
)
def test_bayes_error_says_what_is_wrong(options, message, referee, folder):
    outcome = referee(*SMALL, "--dims", "2", *options, "--out", "made")
    assert message in one_line(outcome)


def test_a_file_that_is_no_study(referee, folder):
    (folder / "made").mkdir()
    (folder / "made" / "bayes-error.csv").write_text("a,b\n1,2\n")
    said = one_line(referee(*SMALL, "--dims", "2", "--out", "made"))
    assert "no table of this study; use --fresh or another --out" in said
    (folder / "made" / "bayes-error.csv").write_text("")
    assert "use --fresh" in one_line(referee(*SMALL, "--dims", "2", "--out", "made"))


@pytest.mark.parametrize(("number", "bayes"), [(1, 0.034547), (3, 0.016168)])
def test_example(number, bayes, referee, folder):
    outcome = referee("study", "example", number, "--out", "made", "--n", "60")
    assert outcome.code == 0, outcome.err
    table = pd.read_csv(folder / "made" / f"example-{number}.csv")
    assert table.rule.tolist() == ["Bayes rule", "quadratic", "linear"]
    assert table.risk[0] == pytest.approx(bayes, abs=5e-7)
    assert (table.risk[1:] > bayes).all()
    assert f"{bayes:.6f}" in outcome.out
    assert is_picture(folder / "made" / f"example-{number}.png")


def test_there_are_three_examples(referee, folder):
    said = one_line(referee("study", "example", 4))
    assert said == "referee: example must be 1, 2 or 3, got 4\n"
    assert not (folder / "study-example").exists()


def test_bracket(referee, folder):
    asked = ("study", "bracket", "iris.csv", "--target", "species", "--out", "made")
    unused = [part for name in ("plant", "weight", "day") for part in ("--drop", name)]
    outcome = referee(*asked, *unused)
    assert outcome.code == 0, outcome.err
    assert "The Bayes error may lie between" in outcome.out
    table = pd.read_csv(folder / "made" / "bracket.csv")
    assert table.end.tolist() == ["lower", "upper"] * 2 + ["upper"]
    assert table.value[:4].between(0, 0.15).all()
    assert table.value[4] == pytest.approx(2 / 3, abs=0.01)
    assert is_picture(folder / "made" / "bracket.png")


FEW = ("--repetitions", "4", "--jobs", "1", "--out", "made")


@pytest.mark.parametrize(
    ("verb", "options", "columns", "said"),
    [
        ("luntz-brailovsky", ("--n", "20", "--task", "xor"), "quantity", "training on 10"),
        ("optimism", ("--settings", "1,9", "--task", "example-1"), "neighbours", "at neighbours 1"),
        ("optimism", ("--settings", "1,3", "--family", "depth"), "depth", "at depth 3"),
        ("bounds", ("--sizes", "30,60", "--delta", ".1"), "margin", "With 60 cases the VC bound"),
        ("consistency", ("--sizes", "30,60", "--task", "rings"), "log_neighbours", "With 60 cases"),
    ],
)
def test_claims_of_the_notes(verb, options, columns, said, referee, folder):
    outcome = referee("study", verb, *options, *FEW)
    assert outcome.code == 0, outcome.err
    assert said in " ".join(outcome.out.split())
    assert columns in pd.read_csv(folder / "made" / f"{verb}.csv").columns
    assert is_picture(folder / "made" / f"{verb}.png")


def test_a_damaged_table_is_made_anew_where_it_is_damaged(referee, folder):
    asked = (*SMALL, *TWO, "--dims", "2,3", "--out", "made")
    referee(*asked)
    path = folder / "made" / "bayes-error.csv"
    whole = pd.read_csv(path)
    damaged = pd.concat([whole, whole]).astype(object)
    damaged.iloc[[0, 6], damaged.columns.get_loc("mean")] = "abc"
    damaged.to_csv(path, index=False)
    outcome = referee(*asked)
    assert outcome.code == 0, outcome.err
    pd.testing.assert_frame_equal(
        pd.read_csv(path).sort_values(["dimension", "method"], ignore_index=True),
        whole.sort_values(["dimension", "method"], ignore_index=True),
    )
    whole.drop(columns="se").to_csv(path, index=False)
    refused = referee(*asked)
    assert refused.code == 2
    assert "it has no column 'se'" in refused.err


def test_no_jobs_and_nothing_left_behind(referee, folder):
    said = one_line(referee("study", "bayes-error", "--dims", "2", "--jobs", "0", "--out", "made"))
    assert "must not be 0" in said
    assert not (folder / "made").exists()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("luntz-brailovsky", "--task", "imbalance"), "would lack a class"),
        (("bounds", "--delta", ".6"), "delta must lie strictly between 0 and 1/2"),
        (
            ("consistency", "--task", "ring"),
            "task must be a task or the name of one, got 'ring'; did",
        ),
        (("consistency", "--sizes", "2"), "sizes must be whole numbers of at least 3"),
        (("consistency", "--sizes", "a"), "--sizes must be numbers with commas between"),
        (("bounds", "--delta", "0"), "delta must lie strictly between 0 and 1/2, got 0.0"),
        (("bounds", "--sizes", "0"), "sizes must"),
        (("bounds", "--sizes", ","), "sizes must"),
        (("optimism", "--settings", ","), "settings is empty"),
        (("optimism", "--family", "dept"), "did you mean 'depth'"),
        (("luntz-brailovsky", "--folds", "7"), "n must be a multiple of the folds"),
        (("luntz-brailovsky", "--model", "lada"), "lda"),
    ],
)
def test_claims_say_what_is_wrong(asked, message, referee, folder):
    assert message in one_line(referee("study", *asked, *FEW))
    assert not (folder / "made").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.csv", "--target", "species"), "nowhere.csv"),
        (("iris.csv", "--target", "specie"), "species"),
        (("iris.csv", "--target", "species", "--level", "95"), "level"),
    ],
)
def test_bracket_says_what_is_wrong(arguments, message, referee, folder):
    assert message in one_line(referee("study", "bracket", *arguments, "--out", "made"))


@pytest.mark.parametrize(
    "asked",
    [
        (*SMALL, *TWO, "--dims", "2"),
        ("study", "consistency", "--sizes", "20", "--repetitions", "2", "--jobs", "1"),
        ("study", "example", "1"),
        ("study", "bracket", "iris.csv", "--target", "species"),
    ],
)
def test_an_out_that_cannot_be_written(asked, referee, folder):
    (folder / "file").write_text("in the way")
    for out in ("file", "file/below"):
        said = one_line(referee(*asked, "--out", out))
        assert "cannot be written" in said or "file is a file" in said


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        ("bayes-error", ("--dims", "--bayes", "--per-class", "--fresh", "--jobs", "--out")),
        ("example", ("--n", "--seed", "--out")),
        ("bracket", ("--target", "--groups", "--level", "--out")),
        ("luntz-brailovsky", ("--task", "--model", "--folds", "--out")),
        ("optimism", ("--task", "--family", "--settings", "--out")),
        ("bounds", ("--task", "--sizes", "--delta", "--out")),
        ("consistency", ("--task", "--sizes", "--repetitions", "--out")),
    ],
)
def test_help(verb, options, referee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert verb in referee("study", "--help").out
    outcome = referee("study", verb, "--help")
    assert outcome.code == 0
    assert all(option in plain(outcome.out) for option in options)


def test_the_page_of_a_study_tells_seed_and_command(referee, folder):
    asked = ("study", "optimism", "--settings", "1,3", "--n", "20", "--repetitions", "2",
             "--jobs", "1", "--seed", "7", "--out", "made")  # fmt: skip
    outcome = referee(*asked)
    assert outcome.code == 0, outcome.err
    page = (folder / "made" / "report.html").read_text(encoding="utf-8")
    assert "<dt>seed</dt><dd>7</dd>" in page
    assert f"<dt>command</dt><dd>referee {' '.join(asked)}</dd>" in page
