"""Logs of lm-evaluation-harness, made with its dummy model; runs in an environment that has it."""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from pathlib import Path

from lm_eval import simple_evaluate
from lm_eval.api.registry import register_model
from lm_eval.loggers import EvaluationTracker
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager
from questions import answer, questions

DATE = "2026-01-02T03-04-05.678901"
"""In place of the time of day, so that a log has the same name whenever it is made."""

CHECKING = 4
"""The run by whose answers a model checks others', so that it errs on other questions than before.
"""

TASKS = {
    "sums_choice": """
task: sums_choice
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
fewshot_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}\\nAnswer:"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: gold
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
  - {{metric: acc_norm, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
""",
    "sums_written": """
task: sums_written
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"], do_sample: false}}
filter_list:
  - name: strict-match
    filter:
      - {{function: regex, regex_pattern: "#### (\\\\-?[0-9]+)"}}
      - {{function: take_first}}
  - name: flexible-extract
    filter:
      - {{function: regex, regex_pattern: "(-?[0-9]+)", group_select: -1}}
      - {{function: take_first}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
""",
    "sums_checked": """
task: sums_checked
dataset_path: json
dataset_kwargs: {{data_files: {{test: {checks}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}} Is it {{{{claim}}}}?\\nAnswer:"
doc_to_choice: ["no", "yes"]
doc_to_target: gold
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
""",
    "sums_voted": """
task: sums_voted
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
repeats: 5
doc_to_text: "{{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"], do_sample: true, temperature: 1.0}}
filter_list:
  - name: maj@5
    filter:
      - {{function: regex, regex_pattern: "(-?[0-9]+)", group_select: -1}}
      - {{function: majority_vote}}
      - {{function: take_first}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
""",
    "sums_rolling": """
task: sums_rolling
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{{{question}}}}"
metric_list:
  - {{metric: word_perplexity, aggregation: weighted_perplexity, higher_is_better: false}}
metadata: {{version: 1.0}}
""",
}


@register_model("steady")
class Steady(DummyLM):
    """The harness's dummy model with answers that never change."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.asked = {q.text: q for q in questions()}
        self.runs: dict[str, int] = {}

    @classmethod
    def create_from_arg_string(cls, arg_string, additional_config=None):  # noqa: D102
        return cls(arg_string.split("/")[-1])

    @classmethod
    def create_from_arg_obj(cls, arg_dict, additional_config=None):  # noqa: D102
        return cls(arg_dict["pretrained"].split("/")[-1])

    def _question(self, context: str):
        return self.asked[re.findall(r"What is [^?]*\?", context)[-1]]

    def _said(self, context: str) -> str:
        question = self._question(context)
        claim = re.search(r"Is it (-?\d+)\?", context)
        if claim is None:
            return answer(self.name, question)
        return "yes" if answer(self.name, question, run=CHECKING) == claim[1] else "no"

    def loglikelihood(self, requests, disable_tqdm=False):  # noqa: D102
        given = []
        for request in requests:
            context, continuation = request.args
            good = continuation.strip() == self._said(context)
            given.append((-1.0 if good else -9.0 - len(continuation) / 100, good))
        return given

    def generate_until(self, requests, disable_tqdm=False):  # noqa: D102
        given = []
        for request in requests:
            question = self._question(request.args[0])
            self.runs[question.text] = run = self.runs.get(question.text, 0) + 1
            # Every fourth answer lacks the mark that the strict filter looks for.
            mark = "" if question.number % 4 == 3 else "#### "
            given.append(f"I think {mark}{answer(self.name, question, run)}")
        return given


def documents(path: Path) -> None:
    """Write the questions as a data set of one split."""
    rows = [
        {
            "question": q.text,
            "choices": list(q.choices),
            "answer": q.answer,
            "gold": q.gold,
            "subject": q.subject,
            "source": {"book": f"book {q.number % 4}"},
        }
        for q in questions()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def checks(path: Path) -> None:
    """Write two questions of each subject with an answer to be checked, right or wrong."""
    rows = []
    for q in questions()[:12]:
        right = q.number % 3 > 0
        rows.append(
            {
                "question": q.text,
                "claim": q.answer if right else q.choices[(q.gold + 2) % 4],
                "gold": int(right),
                "subject": q.subject,
                "source": {"book": f"book {q.number % 4}"},
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(folder: Path, tasks: list[str], manager: TaskManager, **options) -> None:
    """Evaluate and save results and samples as the command line of the harness does."""
    tracker = EvaluationTracker(output_path=str(folder))
    results = simple_evaluate(
        tasks=tasks,
        task_manager=manager,
        log_samples=True,
        bootstrap_iters=100,
        evaluation_tracker=tracker,
        **options,
    )
    samples = results.pop("samples")
    for private in ("pretty_env_info", "git_hash", "upper_git_hash"):
        results.pop(private, None)
    for config in results["configs"].values():
        config.pop("dataset_kwargs", None)
        config["metadata"].pop("config_source", None)
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])
    for path in folder.rglob(f"*{tracker.date_id}*"):
        path.rename(path.with_name(path.name.replace(tracker.date_id, DATE)))


def main(folder: Path) -> None:
    """Write the logs of two steady models, of a few-shot run and of the plain dummy."""
    random.seed(1)
    with tempfile.TemporaryDirectory() as work:
        data = Path(work) / "questions.jsonl"
        documents(data)
        checked = Path(work) / "checks.jsonl"
        checks(checked)
        for name, text in TASKS.items():
            (Path(work) / f"{name}.yaml").write_text(text.format(data=data, checks=checked))
        manager = TaskManager(include_path=work, include_defaults=False)
        for name in ("alpha", "beta"):
            steady = {"model": "steady", "model_args": f"pretrained=steady/{name}"}
            run(folder, ["sums_choice", "sums_written", "sums_checked"], manager, **steady)
        beta = {"model": "steady", "model_args": "pretrained=steady/beta"}
        run(folder / "fewshot", ["sums_choice"], manager, num_fewshot=2, limit=10, **beta)
        run(folder / "voted", ["sums_voted"], manager, limit=8, **beta)
        dummy = {"model": "dummy", "model_args": "pretrained=dummy"}
        run(folder, ["sums_choice", "sums_rolling"], manager, limit=10, **dummy)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
