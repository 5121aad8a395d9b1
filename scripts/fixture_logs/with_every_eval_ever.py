"""Every Eval Ever: a log converted by the project's own program, and ours checked by it.

Runs inside an environment that has every-eval-ever. Arguments: the folder of the other logs, and
the folder to write to.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

UUID = "00000000-0000-4000-8000-000000000001"
"""In place of the name the program invents, so that the file is called the same each time."""


def program(*arguments: str, where: Path | None = None) -> str:
    """Run the project's program and return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "every_eval_ever", *arguments],
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def main(logs: Path, folder: Path) -> None:
    """Convert one log, and check the files that referee wrote."""
    (results,) = (logs / "lm_eval" / "steady__alpha").glob("results_*.json")
    with tempfile.TemporaryDirectory() as work:
        program(
            "convert",
            "lm_eval",
            f"--log_path={results}",
            f"--output_dir={work}/data",
            "--include_samples",
            "--source_organization_name=referee",
            "--evaluator_relationship=other",
        )
        (aggregate,) = Path(work).glob("data/sums_written/*/*/*.json")
        for path in (aggregate, aggregate.with_name(f"{aggregate.stem}_samples.jsonl")):
            target = folder / path.name.replace(aggregate.stem, UUID)
            target.write_text(path.read_text().replace(aggregate.stem, UUID))
    written = folder / "written"
    paths = sorted(str(p.relative_to(written)) for p in written.rglob("*") if p.is_file())
    verdict = program("validate", *paths, where=written)
    summary = next(line for line in verdict.splitlines() if "passed" in line)
    if " 0 failed" not in summary or " 0 warnings" not in summary:
        raise SystemExit(verdict)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
