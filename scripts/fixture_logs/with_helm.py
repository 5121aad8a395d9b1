"""Runs of HELM with its simple client; runs inside an environment that has crfm-helm."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, AdapterSpec
from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.augmentations.perturbation import PerturbationSpec
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.metrics.common_metric_specs import get_exact_match_metric_specs
from helm.benchmark.model_deployment_registry import (
    ClientSpec,
    ModelDeployment,
    register_model_deployment,
)
from helm.benchmark.run import run_benchmarking
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioSpec,
)
from helm.clients.simple_client import SimpleClient
from helm.common.authentication import Authentication
from questions import answer, questions

KEPT = ("exact_match", "quasi_exact_match", "num_output_tokens")


class Sums(Scenario):
    """Questions about sums; the first five are for training."""

    name = "sums"
    description = "Sums."
    tags = ("arithmetic",)

    def get_instances(self, output_path: str) -> list[Instance]:
        """Return the questions as HELM keeps them."""
        return [
            Instance(
                input=Input(text=q.text),
                references=[Reference(Output(text=q.answer), tags=[CORRECT_TAG])],
                split=TRAIN_SPLIT if q.number < 5 else TEST_SPLIT,
                id=f"id{q.number}",
                sub_split=q.subject,
            )
            for q in questions()
        ]


class Steady(SimpleClient):
    """HELM's client for debugging, with answers that never change."""

    def invoke_model(self, raw_request):
        """Answer the last question of the prompt."""
        asked = {q.text: q for q in questions()}
        lines = raw_request["prompt"].split("\n")
        last = next(line for line in reversed(lines) if line.startswith("Question: "))
        text = last.removeprefix("Question: ")
        # A question whose letters were changed on purpose is not recognised.
        question = asked.get(text)
        run = 1 + len(lines[0]) % 3
        given = answer(raw_request["engine"], question, run) if question else "?"
        return {"completions": [given] * raw_request["num_completions"]}


def spec(name: str) -> RunSpec:
    """Return a run of one model: two training trials, the original and one perturbation."""
    return RunSpec(
        name=f"sums:model=steady_{name}",
        scenario_spec=ScenarioSpec(class_name="with_helm.Sums"),
        adapter_spec=AdapterSpec(
            method=ADAPT_GENERATION,
            instructions="Please solve these.",
            input_prefix="Question: ",
            output_prefix="\nAnswer: ",
            max_train_instances=2,
            num_train_trials=2,
            num_outputs=1,
            max_eval_instances=12,
            model=f"steady/{name}",
            model_deployment=f"steady/{name}",
            max_tokens=5,
            stop_sequences=["\n"],
        ),
        metric_specs=get_exact_match_metric_specs(),
        data_augmenter_spec=DataAugmenterSpec(
            perturbation_specs=[
                PerturbationSpec(
                    class_name="helm.benchmark.augmentations.lowercase_perturbation.LowerCasePerturbation",
                    args={},
                )
            ],
            should_augment_train_instances=False,
            should_include_original_train=True,
            should_skip_unchanged_train=True,
            should_augment_eval_instances=True,
            should_include_original_eval=True,
            should_skip_unchanged_eval=True,
            seeds_per_instance=1,
        ),
        groups=["sums"],
    )


def main(folder: Path) -> None:
    """Write one run of each model."""
    register_builtin_configs_from_helm_package()
    for name in ("alpha", "beta"):
        register_model_deployment(
            ModelDeployment(
                name=f"steady/{name}",
                model_name=f"steady/{name}",
                tokenizer_name="simple/tokenizer1",
                max_sequence_length=2048,
                client_spec=ClientSpec(class_name="with_helm.Steady"),
            )
        )
    with tempfile.TemporaryDirectory() as work:
        run_benchmarking(
            [spec(name) for name in ("alpha", "beta")],
            auth=Authentication(""),
            url=None,
            local_path=work,
            num_threads=1,
            output_path=work,
            suite="fixture",
            dry_run=False,
            skip_instances=False,
            cache_instances=False,
            cache_instances_only=False,
            skip_completed_runs=False,
            exit_on_error=True,
            runner_class_name=None,
            disable_cache=True,
        )
        for run in (Path(work) / "runs" / "fixture").iterdir():
            if run.name.startswith("sums"):
                target = folder / run.name.split("_")[-1]
                target.mkdir(parents=True)
                for kept in ("run_spec", "scenario_state", "per_instance_stats", "stats"):
                    trim(run / f"{kept}.json", target / f"{kept}.json")


def trim(source: Path, target: Path) -> None:
    """Copy a file without its indentation and without most of HELM's forty measures."""
    content = json.loads(source.read_text())
    if source.stem == "per_instance_stats":
        for case in content:
            case["stats"] = [stat for stat in case["stats"] if stat["name"]["name"] in KEPT]
    if source.stem == "stats":
        content = [stat for stat in content if stat["name"]["name"] in KEPT]
        content = [stat for stat in content if "perturbation" not in stat["name"]]
    for state in content["request_states"] if source.stem == "scenario_state" else ():
        state["result"] = {"success": True, "embedding": [], "completions": [], "cached": False}
    target.write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
