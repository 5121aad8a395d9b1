"""Tables that are counted where they are, against the same tables in memory."""

import json
import os

import numpy as np
import polars as pl
import pytest

from referee import compare_predictions, evaluate_predictions
from referee.core.predictions import Predictions
from referee.errors import InputError, TableError
from referee.judging import streamed
from referee.sources import joined_stream, ranked_stream, stream

RNG = np.random.default_rng(0)
TRUTH = RNG.choice(["no", "perhaps", "yes"], 5000, p=[0.5, 0.2, 0.3])
A = np.where(RNG.random(5000) < 0.2, RNG.permutation(TRUTH), TRUTH)
B = np.where(RNG.random(5000) < 0.25, RNG.permutation(TRUTH), TRUTH)
SCORE = RNG.random(5000)
FRAME = pl.DataFrame({"truth": TRUTH, "a": A, "b": B, "score": SCORE, "who": np.arange(5000) // 5})


@pytest.fixture(params=["lazy", "parquet", "csv", "tsv", "folder", "pattern"])
def source(request, tmp_path):
    """Return the same table in every form it can come in."""
    if request.param == "lazy":
        return FRAME.lazy()
    if request.param in ("csv", "tsv"):
        path = tmp_path / f"table.{request.param}"
        FRAME.write_csv(path, separator="," if request.param == "csv" else "\t")
        return path
    if request.param == "parquet":
        FRAME.write_parquet(tmp_path / "table.parquet")
        return str(tmp_path / "table.parquet")
    for number in range(3):
        FRAME[number * 2000 : (number + 1) * 2000].write_parquet(tmp_path / f"{number}.parquet")
    return tmp_path if request.param == "folder" else str(tmp_path / "*.parquet")


def _numbers(evaluation):
    return {name: (e.value, e.n, e.interval) for name, e in evaluation.estimates.items()}


def test_evaluation_is_that_of_the_arrays(source):
    ours = evaluate_predictions(source, "a", pos_label="yes")
    memory = evaluate_predictions(TRUTH, A, pos_label="yes")
    assert _numbers(ours) == _numbers(memory)
    assert ours.guessing == memory.guessing or ours.guessing.value == memory.guessing.value
    assert ours.verdict.sentence == memory.verdict.sentence
    assert ours.confusion().equals(memory.confusion())


def test_comparison_is_that_of_the_arrays(source):
    ours = compare_predictions(source, {"first": "a", "second": "b"})
    memory = compare_predictions(TRUTH, {"first": A, "second": B})
    assert ours.pairs[0].counts == memory.pairs[0].counts
    assert ours.evidence.p_value == memory.evidence.p_value
    assert ours.difference.interval == memory.difference.interval
    assert ours.verdict.sentence == memory.verdict.sentence


def test_other_columns_are_read():
    lazy = FRAME.lazy().filter(pl.col("truth") != "perhaps", pl.col("a") != "perhaps")
    frame = lazy.collect()
    more = {"pos_label": "yes", "y_score": "score", "groups": "who"}
    ours = evaluate_predictions(lazy, "a", **more)
    arrays = {"y_score": frame["score"].to_numpy(), "groups": frame["who"].to_numpy()}
    memory = evaluate_predictions(frame["truth"], frame["a"], pos_label="yes", **arrays)
    assert _numbers(ours) == _numbers(memory)
    three = compare_predictions(FRAME.lazy(), {"a": "a", "b": "b"}, measure="mcc")
    assert (
        three.difference.value
        == compare_predictions(TRUTH, {"a": A, "b": B}, measure="mcc").difference.value
    )


def test_reports_and_frames_of_a_counted_table(tmp_path):
    e = evaluate_predictions(FRAME.lazy(), "a", pos_label="yes")
    memory = evaluate_predictions(TRUTH, A, pos_label="yes")
    assert str(e).splitlines()[:4] == str(memory).splitlines()[:4]
    assert e.per_class().equals(memory.per_class())
    e.to_html(tmp_path / "page.html")
    assert memory.verdict.sentence[:40] in (tmp_path / "page.html").read_text()
    assert e.error.at(level=0.9).interval == memory.error.at(level=0.9).interval
    drawn, known = (x.error.at(method="percentile").interval for x in (e, memory))
    assert (drawn.low, drawn.high) == pytest.approx((known.low, known.high), abs=0.002)


def test_a_missing_label_is_named():
    broken = FRAME.with_columns(
        pl.when(pl.int_range(pl.len()) == 4321).then(None).otherwise(pl.col("a")).alias("a")
    )
    with pytest.raises(TableError, match=r"column 'a' .* is missing in 1 rows, .* row 4321"):
        evaluate_predictions(broken.lazy(), "a")


def test_an_unknown_column_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(TableError, match="has no column 'truht'; did you mean 'truth'"):
        evaluate_predictions(FRAME.lazy(), "a", truth="truht")
    with pytest.raises(InputError, match="there is no table at"):
        evaluate_predictions(tmp_path / "nothing.parquet", "a")


def test_files_of_different_types_are_refused(tmp_path):
    pl.DataFrame({"truth": [0, 1], "a": [0, 1]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"truth": ["0", "1"], "a": ["0", "1"]}).write_parquet(tmp_path / "2.parquet")
    said = r"column 'truth' holds Int64 in .*1.parquet and String in .*2.parquet"
    with pytest.raises(TableError, match=said):
        evaluate_predictions(tmp_path, "a")


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    FRAME.write_parquet(tmp_path / "t.parquet")
    real = pl.LazyFrame.collect

    def touched(self, **more):
        table = real(self, **more)
        os.utime(tmp_path / "t.parquet", ns=(1, 1))
        return table

    monkeypatch.setattr(pl.LazyFrame, "collect", touched)
    with pytest.raises(TableError, match="changed while it was read"):
        evaluate_predictions(tmp_path / "t.parquet", "a")


def test_ids_are_no_classes(monkeypatch):
    monkeypatch.setattr(stream, "_MOST_KINDS", 1000)
    with pytest.raises(TableError, match="so they hold no classes"):
        evaluate_predictions(FRAME.lazy(), "who")


def test_long_files_are_counted_by_the_command_line(tmp_path, monkeypatch, capsys):
    from referee.cli import main

    FRAME.write_csv(tmp_path / "t.csv")
    command = ["evaluate-predictions", str(tmp_path / "t.csv"), "--truth", "truth", "--pred", "a"]
    said = []
    for most in (10**9, 1):
        monkeypatch.setattr(stream, "LONG", most)
        monkeypatch.setattr("sys.argv", ["referee", *command, "--pos-label", "yes", "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
        said.append((ended.value.code, json.loads(capsys.readouterr().out)))
    (one, read), (two, counted) = said
    assert one == two == 0
    assert _results(counted) == _results(read)


def _results(said):
    """Return estimates and verdict; the fingerprint of the data is of counts, or of cases."""
    result = said[0]
    return result["estimates"], result["verdict"]


def _assert_alike(ours, memory, rel):
    """Check values to rounding, and ends of intervals to `rel`."""
    assert list(ours.estimates) == list(memory.estimates)
    for name, estimate in ours.estimates.items():
        known = memory.estimates[name]
        assert estimate.value == pytest.approx(known.value, rel=1e-12), name
        assert estimate.n == known.n
        assert estimate.interval.method == known.interval.method
        assert estimate.interval.low == pytest.approx(known.interval.low, rel=rel), name
        assert estimate.interval.high == pytest.approx(known.interval.high, rel=rel), name
    assert ours.verdict.sentence == memory.verdict.sentence


def _own(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


TWO = FRAME.filter(pl.col("truth") != "perhaps", pl.col("a") != "perhaps")


@pytest.mark.parametrize(
    "asked",
    [
        {"costs": (1, 5)},
        {"priors": {"no": 0.9, "yes": 0.1}},
        {"priors": {"no": 0.9, "yes": 0.1}, "costs": (1, 5)},
        {"claim": "mcc >= 0.5"},
        {"interval": "wilson"},
        {"interval": "percentile"},
        {"measures": [_own]},
    ],
    ids=lambda asked: "-".join(asked),
)
def test_whatever_is_asked_of_a_counted_table_is_that_of_the_arrays(asked):
    ours = evaluate_predictions(TWO.lazy(), "a", pos_label="yes", **asked)
    memory = evaluate_predictions(TWO["truth"], TWO["a"], pos_label="yes", **asked)
    _assert_alike(ours, memory, rel=1e-12)


def test_costs_of_very_many_cases_come_from_sums(monkeypatch):
    from referee.judging.estimating import measuring

    asked = {"pos_label": "yes", "costs": (1, 5)}
    memory = evaluate_predictions(TWO["truth"], TWO["a"], **asked).estimates["cost"]
    monkeypatch.setattr(measuring, "_SPELLED_OUT", 0)
    ours = evaluate_predictions(TWO.lazy(), "a", **asked).estimates["cost"]
    assert (ours.value, ours.n) == (pytest.approx(memory.value, rel=1e-12), memory.n)
    assert ours.interval.low == pytest.approx(memory.interval.low, rel=1e-9)
    assert ours.interval.high == pytest.approx(memory.interval.high, rel=1e-9)


@pytest.fixture(scope="module")
def scored():
    """Return a table of 60 000 scored cases with ties, as arrays and as a LazyFrame."""
    rng = np.random.default_rng(1)
    truth = (rng.random(60_000) < 0.3).astype(int)
    score = np.clip(rng.normal(size=60_000) * 0.2 + 0.3 + 0.3 * truth, 0, 1)
    score[::3] = score[::3].round(2)
    predicted = (score > 0.45).astype(int)
    frame = pl.DataFrame({"truth": truth, "pred": predicted, "score": score})
    return truth, predicted, score, frame


@pytest.mark.parametrize("scale", [1.0, 7.0], ids=["probabilities", "scores"])
def test_scores_that_are_not_read_give_the_numbers_of_the_arrays(scored, scale, monkeypatch):
    truth, predicted, score, frame = scored
    memory = evaluate_predictions(truth, predicted, y_score=score * scale)
    monkeypatch.setattr(streamed, "MOST_READ", 0)
    monkeypatch.setattr(ranked_stream, "FETCHED", 7000)
    monkeypatch.setattr(ranked_stream.RankedStream.falling, "__kwdefaults__",
                        {"fetched": 7000, "bins": 64})  # fmt: skip
    lazy = frame.with_columns(pl.col("score") * scale).lazy()
    ours = evaluate_predictions(lazy, "pred", y_score="score")
    assert ("log_loss" in ours.estimates) == (scale == 1.0)
    _assert_alike(ours, memory, rel=1e-6)
    assert "area under ROC" in str(ours)


def test_a_score_that_is_no_number_is_named(scored, monkeypatch):
    monkeypatch.setattr(streamed, "MOST_READ", 0)
    *_, frame = scored
    for odd, said in ((None, "missing"), (float("nan"), "nan"), (float("inf"), "inf")):
        broken = frame.with_columns(
            pl.when(pl.int_range(pl.len()) == 777)
            .then(odd)
            .otherwise(pl.col("score"))
            .alias("score")
        )
        with pytest.raises(TableError, match=rf"in 1 rows, the first of them row 777 \({said}\)"):
            evaluate_predictions(broken.lazy(), "pred", y_score="score")


def test_measures_that_need_every_score_are_read(scored, monkeypatch):
    monkeypatch.setattr(streamed, "MOST_READ", 0)
    truth, predicted, score, frame = scored
    ours = evaluate_predictions(frame[:900].lazy(), "pred", y_score="score", measures=[_own])
    memory = evaluate_predictions(
        truth[:900], predicted[:900], y_score=score[:900], measures=[_own]
    )
    assert _numbers(ours) == _numbers(memory)


def test_a_tally_is_no_table_of_cases():
    table = Predictions.of(TRUTH, A)
    e = evaluate_predictions(FRAME.lazy(), "a")
    assert e.predictions.n == table.n
    assert np.array_equal(e.predictions.cell_counts, table.cell_counts)
    assert len(e.predictions.truth) == 9


@pytest.fixture
def apart():
    """Return the two models' tables in different orders, with ids."""
    ids = np.array([f"case {i}" for i in range(5000)])
    one = pl.DataFrame({"id": ids, "truth": TRUTH, "p": A})
    two = pl.DataFrame({"id": ids, "p": B}).sample(fraction=1.0, shuffle=True, seed=0)
    return one, two


def _compared(one, two):
    return compare_predictions(
        {"first": one.lazy(), "second": two.lazy()}, {"first": "p", "second": "p"}, on="id"
    )


@pytest.mark.parametrize("part", [10**6, 700])
def test_tables_joined_by_ids_are_compared_as_arrays(apart, part, monkeypatch):
    monkeypatch.setattr(joined_stream.JoinedStream.kinds, "__defaults__", (part,))
    ours = _compared(*apart)
    memory = compare_predictions(TRUTH, {"first": A, "second": B})
    assert ours.pairs[0].counts == memory.pairs[0].counts
    assert ours.evidence.p_value == memory.evidence.p_value
    assert ours.difference.interval == memory.difference.interval
    assert ours.verdict.sentence == memory.verdict.sentence


def test_ids_that_stand_in_one_table_only_are_named(apart):
    one, two = apart
    with pytest.raises(TableError, match=r"'case 0', .*'case 9' and 2 more \(tables of 5000 and"):
        _compared(one, two.filter(~pl.col("id").is_in([f"case {i}" for i in range(12)])))
    with pytest.raises(TableError, match=r"ids stand more than once, 'case 3'; keep one row"):
        _compared(pl.concat([one, one[3:4]]), two)
    torn = two.with_columns(truth=pl.lit("no"))
    with pytest.raises(TableError, match=r"disagree about 'truth' of ids 'case"):
        _compared(one, torn)
    with pytest.raises(InputError, match="on is missing"):
        compare_predictions({"a": one.lazy(), "b": two.lazy()}, {"a": "p", "b": "p"})


def test_a_label_that_is_no_class_is_told_with_its_rows():
    frame = pl.DataFrame({"truth": ["a", "b"] * 20, "a": ["b"] * 37 + ["c"] * 3})
    with pytest.raises(InputError, match=r"column 'a' has the label 'c' in 3 rows, which is not"):
        evaluate_predictions(frame.lazy(), "a")


def test_one_column_of_scores_is_no_probability_of_three_classes(monkeypatch):
    asked = {"pos_label": "yes"}
    memory = evaluate_predictions(TRUTH, A, y_score=SCORE, **asked)
    monkeypatch.setattr(streamed, "MOST_READ", 0)
    ours = evaluate_predictions(FRAME.lazy(), "a", y_score="score", **asked)
    assert list(ours.estimates) == list(memory.estimates)
    assert not {"log_loss", "brier"} & set(ours.estimates)
