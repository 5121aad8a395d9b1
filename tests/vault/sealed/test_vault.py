"""Looks against scikit-learn's measures, computed from labels that the test knows."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from jsonschema import Draft202012Validator
from sklearn import metrics

import referee
from referee import Vault
from referee.errors import InputError, Refusal
from referee.intervals import clopper_pearson
from referee.intervals.looks import Grid, look_interval
from referee.report.json import results_schema

sys.path.insert(0, str(Path(__file__).parent))
from vaults import by_threshold, data, make


def truth(vault):
    """Return the labels of the sealed cases, which this test knows by their inputs."""
    X, y = data(400)
    return np.array([y[np.argmin(np.abs(X[:, 0] - x))] for x in vault.test_inputs["x0"]])


@pytest.fixture
def vault(tmp_path):
    return make(tmp_path, n=400)


MEASURES = {
    "error": lambda y, p: np.mean(y != p),
    "accuracy": metrics.accuracy_score,
    "tpr": metrics.recall_score,
    "tnr": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "fpr": lambda y, p: 1 - metrics.recall_score(y, p, pos_label=0),
    "fnr": lambda y, p: 1 - metrics.recall_score(y, p),
    "cost": lambda y, p: np.mean(2 * ((y == 0) & (p == 1)) + 7 * ((y == 1) & (p == 0))),
}
OF_SCORES = {"auc": metrics.roc_auc_score, "brier": metrics.brier_score_loss}


@pytest.mark.parametrize("name", [*MEASURES, *OF_SCORES])
def test_one_look_shows_the_score_that_scikit_learn_computes(tmp_path, name):
    options = {"costs": (2, 7)} if name == "cost" else {}
    vault = make(tmp_path, n=400, policy="once", measure=name, baseline=None, **options)
    x = vault.test_inputs["x0"]
    if name in MEASURES:
        answers = (x > 1.2).astype(int)
        look, right = vault.score(answers), MEASURES[name](truth(vault), answers.to_numpy())
    else:
        scores = 1 / (1 + np.exp(-2 * (x - 1)))
        look, right = vault.score(scores), OF_SCORES[name](truth(vault), scores)
    assert look.released == pytest.approx(right, abs=1e-12)
    assert look.interval.low < right < look.interval.high
    assert look.interval.low == look.naive_interval.low
    assert look.interval.high == look.naive_interval.high
    with pytest.raises(Refusal, match="the only look was used"):
        vault.score(answers if name in MEASURES else scores)


def test_one_look_has_the_exact_interval(tmp_path):
    vault = make(tmp_path, n=400, policy="once")
    answers = by_threshold(vault)
    wrong = int(np.sum(truth(vault) != answers.to_numpy()))
    exact = clopper_pearson(wrong, 200)
    look = vault.score(answers)
    assert (look.interval.low, look.interval.high) == pytest.approx(
        (exact.low, exact.high), abs=1e-9
    )


@pytest.mark.parametrize("name", [*MEASURES, *OF_SCORES])
def test_a_ladder_shows_the_grid_and_nothing_else(tmp_path, name):
    """Whatever is shown follows from the cell of the grid in which the true score lies."""
    options = {"costs": (2, 7)} if name == "cost" else {}
    vault = make(tmp_path, n=400, measure=name, baseline=None, **options)
    grid = vault.header.grid
    best = 0
    for k, at in enumerate((3.0, 2.0, 1.5, 1.4, 1.0, 0.9), 1):
        x = vault.test_inputs["x0"]
        if name in MEASURES:
            offered = (x > at).astype(int)
            value = MEASURES[name](truth(vault), offered.to_numpy())
        else:
            offered = 1 / (1 + np.exp(-(x - at) / (1 + at)))
            value = OF_SCORES[name](truth(vault), offered)
        look = vault.score(offered)
        rung = grid.rung(grid.loss(value))
        if rung <= best:
            assert look.released is None
            cell = grid.not_improved(best)
        else:
            assert look.released == grid.value(rung)
            cell, best = grid.cell(rung), rung
        both = grid.interval(cell, k, look.releases - (look.released is not None))
        assert look.interval.low == pytest.approx(both.interval.low, abs=1e-12)
        assert look.interval.high == pytest.approx(both.interval.high, abs=1e-12)
        assert look.naive_interval.high == pytest.approx(both.naive.high, abs=1e-12)
        assert look.interval.low - 1e-9 <= value <= look.interval.high + 1e-9
    assert vault.check().verdict.shown


def test_two_scores_of_one_cell_give_the_same_answer_to_the_last_letter(tmp_path):
    """One case more or less, inside the cell: reports, JSON and ledger cannot differ."""
    made = []
    for k in range(2):
        (tmp_path / str(k)).mkdir()
        vault = make(tmp_path / str(k), n=400)
        right = truth(vault)
        grid = vault.header.grid
        wrong = int(grid.cell(3).low) + k
        assert grid.rung(wrong) == grid.rung(wrong + 1 - 2 * k) == 3
        answers = right.copy()
        answers[:wrong] = 1 - answers[:wrong]
        record = json.loads(vault.score(answers, name="m").to_json())
        different = {"vault", "time", "predictions", "commitment"}
        made.append({name: value for name, value in record.items() if name not in different})
    assert made[0] == made[1]


def test_the_number_of_looks_fixed_beforehand_gives_later_looks_shorter_intervals(tmp_path):
    looks = []
    for k, options in enumerate(({}, {"looks": 5})):
        (tmp_path / str(k)).mkdir()
        vault = make(tmp_path / str(k), n=400, **options)
        for _ in range(4):
            vault.score(by_threshold(vault, 9.0))
        looks.append(vault.score(by_threshold(vault)))
    assert looks[1].interval.width < looks[0].interval.width
    cell = looks[1].ends
    counts = (round(cell[0] * 200), round(cell[1] * 200))
    by_hand = look_interval(*counts, 200, 5, 0, vault.header.grid.cells, looks=5).interval
    assert looks[1].interval.high == pytest.approx(by_hand.high, abs=1e-12)


def test_baselines_come_from_the_training_cases(tmp_path):
    X, _ = data(400)
    y = np.array([0] * 300 + [1] * 60 + [2] * 40)
    cases = {"error": 0.25, "accuracy": 0.75}
    for name, value in cases.items():
        vault = Vault.seal(
            X, y, out=tmp_path / name, key=tmp_path / f"{name}.key", measure=name, policy="ladder"
        )
        assert vault.header.baseline.value == pytest.approx(value)
        n = vault.n
        assert vault.header.grid == Grid.of_share(
            n, baseline=value, greater_is_better=name == "accuracy"
        )
    brier = Vault.seal(X, y, out=tmp_path / "b", key=tmp_path / "b.key", measure="brier")
    assert brier.header.baseline.value == pytest.approx(1 - 0.75**2 - 0.15**2 - 0.1**2)


def test_the_brier_score_of_three_classes(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 1)), np.array(["a", "b", "c"] * 100)
    vault = Vault.seal(X, y, out=tmp_path / "v", key=tmp_path / "k", measure="brier", test=0.5)
    raw = rng.random((vault.n, 3))
    p = raw / raw.sum(axis=1, keepdims=True)
    frame = pd.DataFrame(p, columns=["b", "a", "score c"], index=vault.test_inputs.index)
    look = vault.score(frame)
    vault.open()
    labels = pd.read_csv(tmp_path / "v" / "labels.csv")["target"].to_numpy()
    right = p[:, [1, 0, 2]] - (labels[:, None] == np.array(["a", "b", "c"]))
    assert look.released == pytest.approx(np.mean(np.sum(right**2, axis=1)), abs=1e-12)


FORMS = {
    "Series by id": lambda v, p: p.sample(frac=1, random_state=0),
    "Series without ids": lambda v, p: pd.Series(p.to_numpy()),
    "array": lambda v, p: p.to_numpy(),
    "list": lambda v, p: p.tolist(),
    "texts": lambda v, p: [str(x) for x in p],
    "floats": lambda v, p: p.to_numpy().astype(float),
    "mapping": lambda v, p: dict(reversed(list(p.items()))),
    "frame by index": lambda v, p: p.to_frame("prediction").sample(frac=1, random_state=1),
    "frame by column": lambda v, p: pd.DataFrame(
        {"id": p.index, "prediction": p.to_numpy(), "note": "x"}
    ).sample(frac=1),
    "polars frame": lambda v, p: pl.DataFrame({"id": p.index.tolist(), "p": p.tolist()}).reverse(),
    "polars series": lambda v, p: pl.Series(p.tolist()),
}


@pytest.mark.parametrize("form", FORMS)
def test_predictions_in_every_form_are_the_same_submission(vault, tmp_path, form):
    answers = by_threshold(vault)
    vault.score(answers)
    vault.score(FORMS[form](vault, answers))
    one, other = (look.predictions for look in vault.status().looks)
    assert one == other


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "jsonl"])
def test_predictions_from_files(vault, tmp_path, kind):
    answers = by_threshold(vault)
    vault.score(answers)
    frame = pl.DataFrame({"id": answers.index.tolist(), "label": answers.tolist()}).sample(
        fraction=1, shuffle=True
    )
    path = tmp_path / f"answers.{kind}"
    write = {
        "csv": frame.write_csv,
        "tsv": lambda p: frame.write_csv(p, separator="\t"),
        "parquet": frame.write_parquet,
        "jsonl": frame.write_ndjson,
    }
    write[kind](path)
    vault.score(path)
    one, other = vault.status().looks
    assert one.predictions == other.predictions
    assert other.name == "answers"


def test_opening_ends_it(vault):
    vault.score(by_threshold(vault))
    path = vault.open()
    opened = pd.read_csv(path, index_col="id")["target"]
    assert opened.tolist() == truth(vault).tolist()
    salt = json.loads((vault.directory / "opening.json").read_text())["salt"]
    from referee.vault.sealed.labels.commitment import commitment

    again = commitment(bytes.fromhex(salt), vault.header.ids, [str(c) for c in opened])
    assert again == vault.header.commitment
    with pytest.raises(Refusal, match=r"was opened on .* answers no more looks; seal a new"):
        vault.score(by_threshold(vault))
    with pytest.raises(InputError, match=r"labels.csv exists already; move it away"):
        vault.open()
    for name in ("labels.csv", "opening.json"):
        (vault.directory / name).unlink()
    vault.open()
    check = vault.check()
    assert check.verdict.shown
    assert check.entries == 4
    path.write_text(path.read_text().replace("\n1,", "\n01,", 1))
    assert "labels.csv does not hold the labels that were sealed" in vault.check().problems


def test_a_vault_without_its_head_can_be_opened(vault):
    vault.head_file.unlink()
    vault.open()
    assert vault.check().verdict.shown


@pytest.mark.parametrize(
    "make_result",
    [
        lambda v: v.score(by_threshold(v)),
        lambda v: (v.score(by_threshold(v)), v.score(by_threshold(v)))[1],
        lambda v: v.status(),
        lambda v: (v.score(by_threshold(v)), v.score(by_threshold(v, 9.0)), v.status())[-1],
        lambda v: v.check(),
    ],
)
def test_results_are_reported_like_any(vault, tmp_path, make_result):
    result = make_result(vault)
    Draft202012Validator(json.loads(results_schema())).validate(json.loads(result.to_json()))
    assert result.verdict.sentence.split()[0] in str(result)
    assert "<html" not in result._repr_html_()
    result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert result.to_markdown()
    assert result.to_latex()
    saved = result.save(tmp_path / "report")
    assert sorted(p.name for p in saved.iterdir())[-3:] == [
        "report.html",
        "results.json",
        "table.tex",
    ]


def test_a_look_can_be_drawn(vault):
    import matplotlib.pyplot as plt

    axes = vault.score(by_threshold(vault)).plot()
    assert axes is not None
    plt.close("all")


def test_public_names_and_a_light_import(vault):
    assert referee.Vault is Vault
    assert isinstance(vault.score(by_threshold(vault)), referee.Look)
    code = "import sys, referee; print('cryptography' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_what_train_and_test_inputs_hold(vault):
    assert vault.train.shape == (200, 2)
    assert vault.train["target"].dtype.kind == "i"
    assert vault.test_inputs.shape == (200, 1)
    assert vault.test_inputs.index.tolist() == [str(k) for k in range(1, 201)]
    assert "target" not in vault.test_inputs
    seen = set(vault.train["x0"]) & set(vault.test_inputs["x0"])
    assert not seen


@pytest.mark.parametrize("labels", [["01", "2"], ["NA", "a"], [" a", "b"], ["", "b"], ["1e3", "2"]])
def test_labels_that_a_reader_would_not_see_are_refused(tmp_path, labels):
    X, _ = data(40)
    with pytest.raises(InputError, match=r"rows 0, 2, .*a label that would be read as another"):
        Vault.seal(X, labels * 20, out=tmp_path / "v", key=tmp_path / "k")
    assert list(tmp_path.iterdir()) == []


KINDS = ([0, 1], [-1, 1], [True, False], ["a", "b, c"], ["two\nlines", "ö"])


@pytest.mark.parametrize("labels", KINDS, ids=str)
@pytest.mark.parametrize("ids", [None, "007", "a", "1e", "x\ny", "10000000000000000001"])
def test_ids_and_labels_of_every_kind_go_there_and_back(tmp_path, labels, ids):
    X, _ = data(40)
    names = None if ids is None else [f"{ids}{k:03d}" for k in range(40)]
    vault = Vault.seal(
        X, np.array(labels * 20), ids=names, out=tmp_path / "v", key=tmp_path / "k", test=0.5,
        policy="ladder", baseline=0.5,
    )  # fmt: skip
    fitted = vault.train["target"].to_numpy()
    vault.score(pd.Series(fitted[:20], index=vault.test_inputs.index))
    frame = pd.read_csv(tmp_path / "v" / "test.csv", dtype=str)[["id"]]
    frame.assign(prediction=[str(a) for a in fitted[:20]]).to_csv(tmp_path / "p.csv", index=False)
    vault.score(tmp_path / "p.csv")
    one, other = vault.status().looks
    assert one.predictions == other.predictions
    vault.open()
    assert vault.check().verdict.shown


def test_ids_that_would_be_read_as_infinite_numbers_are_refused(tmp_path):
    X, y = data(40)
    ids = [f"1e5{k:03d}" for k in range(40)]
    with pytest.raises(InputError, match=r"column 'id': '1e5000' would be read as a number that"):
        Vault.seal(X, y, ids=ids, out=tmp_path / "v", key=tmp_path / "k")


def test_names_that_sqlite_cannot_keep(vault):
    look = vault.score(by_threshold(vault), name="half \udce9 \x00 \x1b[31m")
    assert "half" in look.name
    assert vault.check().verdict.shown
    assert "\x1b" not in str(look)


def test_cases_of_a_class_are_not_next_to_each_other_in_test_csv(tmp_path):
    """A table sorted by class must not show its labels by the order of test.csv."""
    X = np.arange(400.0)[:, None]
    y = np.repeat([0, 1], 200)
    vault = Vault.seal(X, y, out=tmp_path / "v", key=tmp_path / "k", test=0.5, random_state=0)
    order = vault.test_inputs["x0"].to_numpy() >= 200
    changes = np.count_nonzero(order[1:] != order[:-1])
    assert 60 < changes < 140
