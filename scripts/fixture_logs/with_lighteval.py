"""Details of lighteval, made with its dummy model; runs inside an environment that has it."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.metrics.metrics import Metrics
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.registry import Registry
from lighteval.tasks.requests import Doc
from questions import answer, questions

DATE = "2026-01-02T03-04-05.678901"


def sums_prompt(line: dict, task_name: str) -> Doc:
    """Turn a line of the data set into a question."""
    return Doc(
        task_name=task_name,
        query=f"{line['question']}\nAnswer:",
        choices=[f" {choice}" for choice in line["choices"]],
        gold_index=line["gold"],
        specific={"subject": line["subject"]},
    )


class Steady(DummyModel):
    """The dummy model of lighteval, with answers that never change."""

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        """Give the answer the best logarithm."""
        asked = {q.text: q for q in questions()}
        name = self.config.model_name.split("/")[-1]
        given = []
        for doc in docs:
            chosen = answer(name, asked[doc.query.split("\n")[0]])
            logs = [-1.0 if c.strip() == chosen else -9.0 for c in doc.choices]
            given.append(
                ModelResponse(input=doc.query, logprobs=logs, argmax_logits_eq_gold=[False] * 4)
            )
        return given


def main(folder: Path) -> None:
    """Write the results and details of two models."""
    # Loading the tasks that come with lighteval would fetch files.
    Registry._load_from_files = staticmethod(lambda *_: {})
    Registry._load_from_subdirs = staticmethod(lambda *_: {})
    with tempfile.TemporaryDirectory() as work:
        data = Path(work) / "sums"
        data.mkdir()
        rows = [
            {
                "question": q.text,
                "choices": list(q.choices),
                "gold": q.gold,
                "subject": q.subject,
            }
            for q in questions()
        ]
        (data / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        tasks = Path(work) / "tasks.py"
        tasks.write_text(f"from with_lighteval import task\nTASKS_TABLE = [task({str(data)!r})]\n")
        for name in ("alpha", "beta"):
            evaluate(name, tasks, Path(work) / "out")
        keep(Path(work) / "out", folder)


def task(data: str) -> LightevalTaskConfig:
    """Return the task: four choices, marked by the best logarithm."""
    return LightevalTaskConfig(
        name="sums",
        prompt_function=sums_prompt,
        hf_repo=data,
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        few_shots_split="test",
        few_shots_select="sequential",
        metrics=[Metrics.loglikelihood_acc],
        generation_size=1,
        stop_sequence=[],
    )


def evaluate(name: str, tasks: Path, out: Path) -> None:
    """Run lighteval for one model."""
    tracker = EvaluationTracker(output_dir=str(out), save_details=True)
    pipeline = Pipeline(
        tasks="sums|0",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(tasks)
        ),
        evaluation_tracker=tracker,
        model=Steady(DummyModelConfig(model_name=f"steady/{name}", cache_dir=str(out / "cache"))),
    )
    pipeline.evaluate()
    pipeline.save_and_push_results()


def keep(out: Path, folder: Path) -> None:
    """Copy results and details under a fixed date and without this machine's paths."""
    for path in [*out.rglob("details_*.parquet"), *out.rglob("results_*.json")]:
        date = path.stem.split("_")[-1]
        target = folder / str(path.relative_to(out)).replace(date, DATE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        if path.suffix == ".json":
            results = json.loads(target.read_text())
            for config in results["config_tasks"].values():
                config.pop("hf_repo", None)
            results["config_general"]["model_config"].pop("cache_dir", None)
            target.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
