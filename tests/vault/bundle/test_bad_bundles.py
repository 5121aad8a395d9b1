"""Files that are no bundles: one clear message, exit 2, nothing unpacked, no memory filled."""

import io
import json
import zipfile

import polars as pl
import pytest

import referee
from referee.errors import InputError
from referee.vault import Bundle
from referee.vault.bundle import tables
from referee.vault.bundle.container import pack, unpack
from referee.vault.bundle.manifest import MANIFEST, Manifest


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def refusal(tmp_path, content):
    path = tmp_path / "kept.zip"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        referee.verify(path)
    assert [p.name for p in tmp_path.iterdir()] == ["kept.zip"]
    assert "kept.zip" in str(caught.value) or ".parquet" in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\3\4", b"PK\5\6" + b"\0" * 10])
def test_not_a_zip(tmp_path, content):
    assert "no zip archive, or only a part" in refusal(tmp_path, content)


def test_a_truncated_bundle(make, tmp_path):
    content = Bundle.of(make("predictions")).content()
    assert "only a part of one" in refusal(tmp_path, content[: len(content) // 2])


def test_a_foreign_zip(tmp_path):
    assert "no evidence bundle of referee" in refusal(tmp_path, zipped(a="1"))
    for foreign in ("{}", "[]", "no", '{"format": "x"}', '{"format": "referee evidence bundle"}'):
        assert "is not ours" in refusal(tmp_path, zipped(**{MANIFEST: foreign}))


def test_a_bundle_of_a_newer_format_says_so(make, tmp_path):
    files = dict(unpack(Bundle.of(make("predictions")).content(), "x").files)
    manifest = json.loads(files[MANIFEST])
    newer = json.dumps({**manifest, "version": 2}).encode()
    said = refusal(tmp_path, pack({**files, MANIFEST: newer}))
    assert "version 2 of the bundle format" in said
    assert "update referee" in said


def test_a_manifest_without_files(tmp_path):
    for listed in ("[1]", '{"a": 1}', '{"a": {"bytes": NaN, "sha256": ""}}', '{"\\ud800": {}}'):
        odd = f'{{"format": "referee evidence bundle", "version": 1, "files": {listed}}}'
        assert "does not list the files" in refusal(tmp_path, zipped(**{MANIFEST: odd}))


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/b", "..\\evil", ".."])
def test_names_that_lead_elsewhere(tmp_path, name):
    assert "do not unpack it" in refusal(tmp_path, zipped(**{name: "x", MANIFEST: "{}"}))


def test_compressed_entries_are_refused_before_they_unfold(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("predictions.parquet", b"\0" * 50_000_000)
    assert len(buffer.getvalue()) < 100_000
    assert "compressed or encrypted" in refusal(tmp_path, buffer.getvalue())


def test_too_many_entries(tmp_path):
    many = {f"f{k}": "" for k in range(100)}
    assert "100 entries" in refusal(tmp_path, zipped(**many))


def test_an_entry_that_claims_more_than_there_is(tmp_path):
    content = bytearray(pack({MANIFEST: b"x" * 100}))
    at = content.index(b"PK\1\2") + 20
    content[at : at + 8] = (2**31).to_bytes(4, "little") * 2
    assert "claims to hold" in refusal(tmp_path, bytes(content))


def repacked(make, **changed):
    files = dict(unpack(Bundle.of(make("predictions")).content(), "x").files) | changed
    del files[MANIFEST]
    return pack({**files, MANIFEST: Manifest.of(files).content})


def test_a_parquet_file_that_is_none(make, tmp_path):
    for odd in (b"", b"PAR1", b"PAR1" + b"\xff" * 500 + b"PAR1"):
        said = refusal(tmp_path, repacked(make, **{"predictions.parquet": odd}))
        assert "predictions.parquet cannot be read as a Parquet table" in said


def test_a_table_of_absurd_length(make, tmp_path, monkeypatch):
    # A constant column of many rows takes next to no room in Parquet; the bound is lowered here.
    monkeypatch.setattr(tables, "MOST_ROWS", 1_000_000)
    buffer = io.BytesIO()
    pl.select(pl.repeat(0, 2_000_000).alias("case")).write_parquet(buffer)
    assert len(buffer.getvalue()) < 100_000
    said = refusal(tmp_path, repacked(make, **{"predictions.parquet": buffer.getvalue()}))
    assert "2000000 rows" in said


def test_a_path_without_a_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        referee.verify(tmp_path / "none.zip")
    with pytest.raises(InputError, match="is a folder"):
        referee.verify(tmp_path)
