"""Any changed byte is found, and so is a change whose hashes were put right."""

import io
import json
import zipfile
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import referee
from referee.errors import InputError
from referee.vault import Bundle
from referee.vault.bundle.container import pack, unpack
from referee.vault.bundle.manifest import MANIFEST, Manifest

KINDS = ["predictions", "learners", "permutations", "data sets"]


@pytest.fixture
def check(tmp_path):
    """Verify bytes as a file."""

    def run(content):
        path = tmp_path / "kept.zip"
        path.write_bytes(content)
        return referee.verify(path)

    return run


def found(check, content):
    """Tell whether a bundle is refused, or failed."""
    try:
        return check(content).verdict.outcome.value == "fail"
    except InputError:
        return True


def files_of(content):
    return dict(unpack(content, "kept.zip").files)


def repacked(files):
    """Pack files with a manifest that suits them, as a careful forger would."""
    inner = {name: c for name, c in files.items() if name != MANIFEST}
    return pack({**inner, MANIFEST: Manifest.of(inner).content})


def with_table(content, name, change):
    files = files_of(content)
    buffer = io.BytesIO()
    change(pl.read_parquet(io.BytesIO(files[name]))).write_parquet(buffer)
    return repacked({**files, name: buffer.getvalue()})


def with_json(content, name, change):
    files = files_of(content)
    data = json.loads(files[name])
    change(data)
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return repacked({**files, name: text.encode(errors="surrogatepass")})


# Bytes.


@pytest.mark.slow
def test_every_byte_of_a_bundle_counts(make, check):
    content = Bundle.of(make("data sets")).content()
    assert not found(check, content)
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x20
        assert found(check, bytes(changed)), place


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(where=st.floats(0, 1, exclude_max=True), what=st.integers(1, 255))
def test_any_change_of_any_byte_is_found(make, check, kind, where, what):
    content = bytearray(_content(make, kind))
    content[int(where * len(content))] ^= what
    assert found(check, bytes(content))


_contents = {}


def _content(make, kind):
    if kind not in _contents:
        _contents[kind] = Bundle.of(make(kind)).content()
    return _contents[kind]


def test_no_part_of_a_bundle_passes_for_the_whole(make, check):
    content = _content(make, "data sets")
    for size in range(0, len(content), 23):
        assert found(check, content[:size]), size
    assert found(check, content[:-1])


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(where=st.floats(0, 1), more=st.binary(min_size=1, max_size=40))
def test_bytes_put_in_are_found(make, check, where, more):
    content = _content(make, "data sets")
    place = int(where * len(content))
    assert found(check, content[:place] + more + content[place:])


@pytest.mark.parametrize("kind", KINDS)
def test_the_changed_file_is_named(make, check, kind):
    content = _content(make, kind)
    for name, inner in files_of(content).items():
        place = content.index(inner) + len(inner) // 2
        changed = bytearray(content)
        changed[place] ^= 1
        made = check(bytes(changed))
        assert made.changed == (name,)
        assert f"{name}: changed" in made.verdict.sentence
        assert not made.values


# The archive around the files.


def plain_zip(files, compression=zipfile.ZIP_STORED, comment=b""):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files:
            archive.writestr(name, content)
        archive.comment = comment
    return buffer.getvalue()


def test_other_archives_of_the_same_files_are_found(make, check):
    content = _content(make, "predictions")
    files = files_of(content)
    for changed in (
        content + b"\0",
        b"#!/bin/sh\n" + content,
        plain_zip(files.items()),
        plain_zip(files.items(), comment=b"hello"),
        plain_zip(reversed(files.items())),
    ):
        made = check(changed)
        assert made.changed == ("the archive",), made.verdict.sentence


def test_an_entry_more_or_less_or_twice_is_found(make, check):
    files = files_of(_content(make, "predictions"))
    added = check(pack({**files, "note.txt": b"x"}))
    assert added.changed == ("note.txt",)
    assert "not in the manifest" in added.verdict.sentence
    fewer = {name: c for name, c in files.items() if name != "cases.parquet"}
    assert "cases.parquet: missing" in check(pack(fewer)).verdict.sentence
    renamed = {name.replace("cases", "Cases"): c for name, c in files.items()}
    assert set(check(pack(renamed)).changed) == {"cases.parquet", "Cases.parquet"}
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = plain_zip([*files.items(), ("results.json", files["results.json"])])
    assert "results.json: is there twice" in check(twice).verdict.sentence


@pytest.mark.parametrize("name", ["note.txt", "report.html", "extra.parquet", "results.JSON"])
def test_a_file_more_is_found_though_the_manifest_lists_it(make, check, name):
    files = files_of(_content(make, "predictions"))
    content = files["cases.parquet"] if name.endswith(".parquet") else b"all is well"
    made = check(repacked({**files, name: content}))
    assert made.verdict.outcome.value == "fail"
    assert f"{name}: it is no part of" in made.verdict.sentence


def test_a_manifest_written_otherwise_is_found(make, check):
    files = files_of(_content(make, "predictions"))
    squeezed = json.dumps(json.loads(files[MANIFEST])).encode()
    assert check(pack({**files, MANIFEST: squeezed})).changed == (MANIFEST,)


# Changes whose hashes were put right.


def leaves(value, path=()):
    if isinstance(value, (dict, list)) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def altered(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "."
    return 0.5 if value in (None, [], {}) else np.nextafter(value, np.inf)


def put(data, path, value):
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


@pytest.mark.parametrize("kind", [*KINDS, "priors and costs", "unpaired", "bootstrap"])
def test_a_value_changed_in_the_results_is_found_and_named(make, check, kind):
    content = _content(make, kind)
    every = list(leaves(json.loads(files_of(content)["results.json"])))
    # The last digit of a number, one letter of a text: places over the whole file.
    for path, value in every[:: max(1, len(every) // 16)]:
        change = partial(put, path=path, value=altered(value))
        made = check(with_json(content, "results.json", change))
        assert made.verdict.outcome.value == "fail", path
        assert len(made.differing) == 1, path
        assert str(path[-1]) in made.differing[0].path
        assert made.differing[0].path in made.verdict.sentence


def test_a_value_left_out_or_put_in_is_found(make, check):
    content = _content(make, "predictions")
    fewer = check(with_json(content, "results.json", lambda d: d["estimates"].pop("accuracy")))
    assert fewer.differing[0].stated == "absent"
    more = check(with_json(content, "results.json", lambda d: d.update(p_value=0.01)))
    assert (more.differing[0].path, more.differing[0].recomputed) == ("p_value", "absent")


def one_more_right(table):
    """Give the first wrong answer the right label."""
    row = (table["predicted"] != table["truth"]).arg_true()[0]
    said = table["predicted"].to_list()
    said[row] = table["truth"][row]
    return table.with_columns(pl.Series("predicted", said))


@pytest.mark.parametrize("kind", ["predictions", "learners", "three given", "cv", "unpaired"])
def test_other_predictions_are_found(make, check, kind):
    made = check(with_table(_content(make, kind), "predictions.parquet", one_more_right))
    assert made.verdict.outcome.value == "fail"
    assert made.differing or made.changed


def test_the_error_of_other_predictions_is_told(make, check):
    e = make("predictions")
    content = with_table(_content(make, "predictions"), "predictions.parquet", one_more_right)
    made = check(content)
    by_path = {v.path: v for v in made.differing}
    assert by_path["estimates.error.value"].stated == e.error.value
    assert by_path["estimates.error.value"].recomputed == pytest.approx(e.error.value - 1 / 120)


@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [
        ("predictions", "predictions.parquet", lambda t: t.with_columns(score=-pl.col("score"))),
        ("predictions", "predictions.parquet", lambda t: t.with_columns(seen=pl.lit(1))),
        ("predictions", "predictions.parquet", lambda t: t.reverse()),
        ("predictions", "predictions.parquet", lambda t: t.head(100)),
        ("predictions", "predictions.parquet", lambda t: t.drop("predicted")),
        ("predictions", "predictions.parquet", lambda t: t.with_columns(note=pl.lit("x"))),
        ("predictions", "predictions.parquet", lambda t: t.with_columns(predicted=pl.lit(7))),
        ("predictions", "cases.parquet", lambda t: t.with_columns(truth=1 - pl.col("truth"))),
        ("predictions", "cases.parquet", lambda t: t.with_columns(case=pl.col("case") + 1)),
        ("predictions", "cases.parquet", lambda t: t.head(100)),
        ("given weights", "cases.parquet", lambda t: t.with_columns(weight=1 / pl.col("weight"))),
        ("given groups", "cases.parquet", lambda t: t.drop("group")),
        ("given groups", "cases.parquet", lambda t: t.with_columns(group=pl.col("case") // 2)),
        ("cv", "plan.parquet", lambda t: t.reverse()),
        ("cv", "plan.parquet", lambda t: t.with_columns(row=(pl.col("row") + 1) % 60)),
        ("cv", "plan.parquet", lambda t: t.with_columns(row=pl.col("row") + 1000)),
        ("cv", "plan.parquet", lambda t: t.with_columns(repetition=pl.lit(0))),
        ("cv", "plan.parquet", lambda t: t.with_columns(part=pl.lit("other"))),
        ("cv", "plan.parquet", lambda t: t.filter(pl.col("set") == "test")),
        ("cv", "plan.parquet", lambda t: t.clear()),
        ("cv", "plan.parquet", lambda t: t.drop("set")),
        ("permutations", "null.parquet", lambda t: t.with_columns(value=pl.col("value") * 0)),
        ("permutations", "null.parquet", lambda t: t.head(30)),
        ("permutations", "null.parquet", lambda t: t.rename({"value": "v"})),
        ("data sets", "scores.parquet", lambda t: t.with_columns(pl.col("score a") - 0.2)),
        ("data sets", "scores.parquet", lambda t: t.with_columns(dataset=pl.lit("x"))),
        ("data sets", "scores.parquet", lambda t: t.drop("score b")),
    ],
)
def test_other_evidence_is_found(make, check, kind, name, change):
    made = check(with_table(_content(make, kind), name, change))
    assert made.verdict.outcome.value == "fail"


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("predictions", ("asked", "settings", "level"), 0.9),
        ("predictions", ("asked", "settings", "level"), 95),
        ("predictions", ("asked", "settings", "seed"), 1),
        ("predictions", ("asked", "settings", "interval"), "wilson"),
        ("predictions", ("asked", "settings", "max_error"), 0.5),
        ("predictions", ("asked", "positive"), 0),
        ("predictions", ("asked", "name"), "another"),
        ("predictions", ("asked", "data"), "0" * 16),
        ("predictions", ("asked", "measures"), ["error"]),
        ("predictions", ("asked", "classes"), [0]),
        ("predictions", ("asked", "classes"), None),
        ("predictions", ("asked", "plan"), {}),
        ("predictions", ("asked", "extra"), 1),
        ("predictions", ("asked",), []),
        ("predictions", ("kind",), "comparison"),
        ("predictions", ("kind",), "wish"),
        ("predictions", ("versions",), {"numpy": "1"}),
        ("predictions", ("versions",), [1]),
        ("predictions", ("versions",), {"numpy": 2}),
        ("predictions", ("machine",), None),
        ("predictions", ("command",), ["a"]),
        ("predictions", ("asked", "name"), "\ud800"),
        ("predictions", ("asked", "settings", "level"), float("nan")),
        ("predictions", ("extra",), 1),
        ("cv", ("asked", "known_findings"), [{"code": "R001"}]),
        ("cv", ("asked", "plan", "n"), 50),
        ("learners", ("asked", "question", "rope"), 0.01),
        ("learners", ("asked", "question", "measure"), "luck"),
        ("learners", ("asked", "names"), ["nb", "nb"]),
        ("learners", ("asked", "paired"), False),
        ("stopped", ("asked", "stop_after"), None),
        ("permutations", ("asked", "hypothesis"), "features"),
        ("data sets", ("asked", "greater_is_better"), False),
        ("data sets", ("asked", "level"), 0.5),
    ],
)
def test_another_request_is_found(make, check, kind, path, value):
    made = check(with_json(_content(make, kind), "request.json", lambda d: put(d, path, value)))
    assert made.verdict.outcome.value == "fail"


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{", b"\xff\xfe", b'{"a": NaN}', b'{"a": "\\ud800"}', b"[" * 5000]
)
@pytest.mark.parametrize("name", ["results.json", "request.json"])
def test_what_is_no_json_is_found(make, check, name, text):
    files = files_of(_content(make, "predictions"))
    assert found(check, repacked({**files, name: text}))
