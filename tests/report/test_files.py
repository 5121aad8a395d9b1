"""Writing to disk: all of it or nothing."""

import json
import os
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import polars as pl
import pytest

import referee
from referee.errors import InputError
from referee.report import check_directory, describe, to_html, write_result, write_text
from referee.report import files as module

NAMES = ["figures", "predictions.parquet", "report.html", "results.json", "table.tex"]


def everything(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


def _names(result):
    """Return what is to be written; a result without an interval has no picture."""
    drawn = describe(result).pictures
    return NAMES if drawn else NAMES[1:]


def test_writes_files_that_agree_with_the_result(result, tmp_path):
    write_result(result, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == _names(result)
    assert not [p for p in tmp_path.iterdir() if p.name != "out"]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page == to_html(result)
    assert (tmp_path / "out" / "results.json").read_text(encoding="utf-8") == result.to_json()
    assert (tmp_path / "out" / "table.tex").read_text(encoding="utf-8") == result.to_latex()
    back = pl.read_parquet(tmp_path / "out" / "predictions.parquet")
    frame = result.predictions.frame()
    assert back.columns == list(frame.columns)
    for column in frame.columns:
        assert back[column].to_list() == frame[column].tolist()


def test_missing_parents_are_made(make, tmp_path):
    write_result(make("plain"), tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c" / "report.html").is_file()


def test_an_empty_directory_is_used(make, tmp_path):
    (tmp_path / "out").mkdir()
    write_result(make("plain"), tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == NAMES


def test_a_directory_that_is_not_empty_is_refused_and_left_alone(make, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not empty.*force=True"):
        write_result(make("plain"), tmp_path / "out")
    assert everything(tmp_path) == ["out", "out/mine.txt"]


def test_force_replaces_its_own_files_only(make, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    (out / "results.json").write_text("old")
    write_result(make("plain"), out, force=True)
    assert (out / "mine.txt").read_text() == "mine"
    assert json.loads((out / "results.json").read_text())["kind"] == "evaluation"
    assert sorted(p.name for p in out.iterdir()) == sorted([*NAMES, "mine.txt"])


@pytest.mark.parametrize("where", ["file", "file/below"])
def test_a_file_in_the_way_is_refused_and_left_alone(make, tmp_path, where):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError):
        write_result(make("plain"), tmp_path / where)
    assert everything(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_directory_without_permission_is_refused(make, tmp_path, monkeypatch):
    # Permissions do not bind every user (root), so the refusal of the system is played.
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    locked = tmp_path / "locked"
    locked.mkdir()
    monkeypatch.setattr(module.tempfile, "mkstemp", denied)
    monkeypatch.setattr(module.tempfile, "TemporaryDirectory", denied)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_result(make("plain"), locked / "out")
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_text(locked / "a.html", "x")
    assert everything(locked) == []


def test_a_failure_half_way_leaves_nothing_behind(make, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_write_predictions", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_result(make("plain"), tmp_path / "out")
    assert everything(tmp_path) == []


def test_write_text_replaces_a_file_and_leaves_nothing_else(tmp_path):
    (tmp_path / "a.html").write_text("old")
    write_text(tmp_path / "a.html", "new ✓")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == "new ✓"
    assert everything(tmp_path) == ["a.html"]


def test_write_text_onto_a_directory_or_into_none_leaves_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "none" / "a.html"):
        with pytest.raises(InputError, match="cannot be written"):
            write_text(path, "x")
    assert everything(tmp_path) == ["folder"]


def test_figures_are_numbered_and_stand_by_themselves(make, tmp_path):
    out = make("emoji").save(tmp_path / "out")
    pictures = sorted((out / "figures").glob("*.svg"))
    assert [p.name for p in pictures] == [
        "01-headline.svg",
        "02-measures.svg",
        "03-confusion-matrix.svg",
        "04-what-this-number-of-cases-can-detect.svg",
    ]
    papers = sorted((out / "figures").glob("*.pdf"))
    assert [p.stem for p in papers] == [p.stem for p in pictures]
    assert len(everything(out / "figures")) == 2 * len(pictures)
    again = make("emoji").save(tmp_path / "again") / "figures"
    for picture in pictures:
        assert ElementTree.parse(picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        assert (again / picture.name).read_bytes() == picture.read_bytes()
    for paper in papers:
        assert paper.read_bytes().startswith(b"%PDF-")
        assert b"/Type3" not in paper.read_bytes()  # fonts that publishers refuse
        assert (again / paper.name).read_bytes() == paper.read_bytes()


def test_figures_are_of_the_kinds_that_are_asked_for(make, tmp_path):
    folder = make("plain").save(tmp_path / "out", figures=["png"]) / "figures"
    assert {p.suffix for p in folder.iterdir()} == {".png"}
    assert plt.imread(folder / "01-headline.png").shape[1] > 800  # 300 dots an inch
    make("plain").save(tmp_path / "out", figures="svg", force=True)
    assert {p.suffix for p in folder.iterdir()} == {".svg"}
    with pytest.raises(InputError, match="figures must be of 'svg', 'pdf', 'png', got 'gif'"):
        make("plain").save(tmp_path / "no", figures=["svg", "gif"])
    assert not (tmp_path / "no").exists()


def test_figures_of_an_earlier_report_do_not_stay(make, tmp_path):
    folder = tmp_path / "out" / "figures"
    folder.mkdir(parents=True)
    (folder / "09-old.svg").write_text("old")
    (folder / "mine.svg").write_text("mine")
    make("plain").save(tmp_path / "out", force=True)
    left = sorted(p.name for p in folder.iterdir())
    assert left[:2] == ["01-headline.pdf", "01-headline.svg"]
    assert left[-1] == "mine.svg"
    assert "09-old.svg" not in left


def test_a_place_without_permission_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(module.os, "access", lambda *_: False)
    with pytest.raises(InputError, match="permission denied"):
        check_directory(tmp_path / "out")


def test_the_working_directory_is_used_if_it_is_empty(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_result(make("plain"), ".")
    assert sorted(p.name for p in tmp_path.iterdir()) == NAMES


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed_and_stays(make, tmp_path, there):
    if there:
        (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write_result(make("plain"), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert sorted(p.name for p in (tmp_path / "real").iterdir()) == NAMES
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"]


def test_a_mount_point_is_written_into(make, tmp_path, monkeypatch):
    # As a mount point answers: it cannot be removed or replaced, nor moved into from outside.
    mount = tmp_path / "mount"
    mount.mkdir()
    remove, rename, replace = os.rmdir, os.rename, os.replace

    def kept(path, *rest, **options):
        if os.fspath(path) == str(mount):
            raise OSError(16, "Device or resource busy")
        return remove(path, *rest, **options)

    def within(move):
        def moved(source, goal, **options):
            inside = [os.fspath(p).startswith(f"{mount}/") for p in (source, goal)]
            if inside[0] != inside[1]:
                raise OSError(18, "Invalid cross-device link")
            return move(source, goal, **options)

        return moved

    monkeypatch.setattr(os, "rmdir", kept)
    monkeypatch.setattr(os, "rename", within(rename))
    monkeypatch.setattr(os, "replace", within(replace))
    write_result(make("plain"), mount)
    assert sorted(p.name for p in mount.iterdir()) == NAMES
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mount"]


def test_force_removes_what_the_new_result_does_not_write(make, tmp_path):
    out = make("plain").save(tmp_path / "out")
    (out / "mine.txt").write_text("mine")
    write_result(referee.sample_size(n=100), out, force=True)
    assert not (out / "predictions.parquet").exists()
    assert (out / "mine.txt").read_text() == "mine"


def test_force_leaves_a_table_that_no_report_wrote(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "predictions.parquet").write_text("mine")
    write_result(referee.sample_size(n=100), out, force=True)
    assert (out / "predictions.parquet").read_text() == "mine"


def test_force_brings_the_earlier_report_back_if_the_new_one_cannot_be_put_there(make, tmp_path):
    out = make("plain").save(tmp_path / "out")
    (out / "results.json").write_text("old")
    (out / "predictions.parquet").unlink()
    (out / "predictions.parquet").mkdir()
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match="cannot be written"):
        write_result(make("emoji"), out, force=True)
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before
    assert sorted(p.name for p in out.iterdir()) == NAMES
