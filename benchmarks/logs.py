"""Reading evaluation logs: a large samples file beside polars' own scan, and an Inspect log.

The size of the samples file is 200 MB, or REFEREE_LOG_MB megabytes.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.race import Race
from referee.sources.logs import read_logs

__all__ = ["logs", "races"]

_DATE = "2026-01-02T03-04-05.678901"
_COLUMNS = ("doc_id", "filter", "exact_match", "doc_hash", "prompt_hash")


def races() -> Iterator[Race]:
    """Race the reader of samples files against scans of the same file by polars."""
    megabytes = int(os.environ.get("REFEREE_LOG_MB", "200"))
    with tempfile.TemporaryDirectory() as folder:
        path = _samples(Path(folder), megabytes * 1_000_000)
        for peer, scan in (("polars scan of the columns needed", _needed), ("of all", _all)):
            yield Race(
                f"lm-eval samples, {megabytes} MB",
                f"polars {pl.__version__}, {peer.removeprefix('polars ')}",
                lambda: read_logs(path, fields=["doc.subject"])[0],
                lambda scan=scan: scan(path),
                _same,
                goal=2.0,
                rounds=3,
            )


def logs() -> list[tuple[str, float, float, str]]:
    """Return what an Inspect log of 10 000 samples takes, its goal and its unit."""
    with tempfile.TemporaryDirectory() as folder:
        path = _inspect(Path(folder), 10_000)
        size = path.stat().st_size / 1e6
        seconds = [_cpu(path) for _ in range(3)]
    return [
        (
            f"Inspect log of 10 000 samples ({size:.1f} MB) from its summaries",
            seconds[0],
            2,
            "CPU s",
        ),
        ("the same, median of three", float(np.median(seconds)), 2, "CPU s"),
    ]


def _needed(path: Path) -> pl.DataFrame:
    subject = pl.col("doc").struct.field("subject")
    return pl.scan_ndjson(path).select(*_COLUMNS, subject).collect()


def _all(path: Path) -> pl.DataFrame:
    return pl.scan_ndjson(path).collect()


def _same(log, frame) -> None:  # type: ignore[no-untyped-def]
    assert np.array_equal(log.score, frame["exact_match"].to_numpy())
    assert log.item_hash.tolist() == frame["doc_hash"].to_list()


def _samples(folder: Path, size: int) -> Path:
    """Write a samples file of about this many bytes, of generated answers to long questions."""
    path = folder / f"samples_generated_{_DATE}.jsonl"
    with path.open("w") as file:
        number = 0
        while file.tell() < size:
            question = f"Question {number}: " + "Consider the following passage with care. " * 14
            line = {
                "doc_id": number,
                "doc": {"question": question, "answer": "42", "subject": f"s{number % 57}"},
                "target": "42",
                "arguments": {"gen_args_0": {"arg_0": question, "arg_1": {"until": ["\n"]}}},
                "resps": [["First I add, then I divide. " * 26]],
                "filtered_resps": ["42"],
                "filter": "none",
                "metrics": ["exact_match"],
                "doc_hash": f"{number:064x}",
                "prompt_hash": f"{number + 1:064x}",
                "target_hash": f"{7:064x}",
                "exact_match": float(number % 3 == 0),
            }
            file.write(json.dumps(line) + "\n")
            number += 1
    return path


def _inspect(folder: Path, n: int) -> Path:
    """Write an archive as Inspect does, from the header and first sample of a real one."""
    import zipfile_zstd  # noqa: F401

    data = Path(__file__).parents[1] / "tests" / "sources" / "logs" / "data" / "inspect"
    with zipfile.ZipFile(data / "alpha.eval") as archive:
        header = json.loads(archive.read("header.json"))
        summary = json.loads(archive.read("summaries.json"))[0]
        sample = archive.read("samples/q00_epoch_1.json")
    names = [f"question-{number}" for number in range(n)]
    header["eval"]["dataset"].update(samples=n, sample_ids=names)
    header["eval"]["config"]["epochs"] = 1
    summaries = [
        {**summary, "id": name, "input": f"{name} " + "What is 12 + 2? " * 40} for name in names
    ]
    path = folder / "large.eval"
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_ZSTANDARD) as archive:  # type: ignore[attr-defined]
        for name in names:
            archive.writestr(f"samples/{name}_epoch_1.json", sample)
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("header.json", json.dumps(header))
    return path


def _cpu(path: Path) -> float:
    start = time.process_time()
    (log,) = read_logs(path, fields=["metadata.subject"])
    assert log.n == 10_000
    return time.process_time() - start
