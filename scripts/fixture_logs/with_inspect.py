"""Inspect logs, made by inspect_ai with its mock model; runs inside an environment that has it."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from pathlib import Path

import zipfile_zstd  # noqa: F401 - teaches zipfile the compression of .eval files
from inspect_ai import Epochs, Task, eval  # noqa: A004
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    PARTIAL,
    Score,
    accuracy,
    ci,
    match,
    mean,
    model_graded_qa,
    scorer,
    stderr,
)
from inspect_ai.solver import generate, solver
from questions import answer, questions, right, share


def samples() -> list[Sample]:
    """Return the questions; one metadata field is too long for the summaries."""
    return [
        Sample(
            id=f"q{q.number:02d}",
            input=q.text,
            target=q.answer,
            metadata={
                "subject": q.subject,
                "source": {"book": f"book {q.number % 4}"},
                "passage": {"text": "x" * 1200, "name": f"passage {q.number % 10}"},
            },
        )
        for q in questions()
    ]


def model(name: str, runs: dict[str, int]):
    """Return a mock model that answers as `questions.answer` says."""
    asked = {q.text: q for q in questions()}

    def respond(messages, tools, tool_choice, config):
        text = messages[-1].text
        runs[text] = runs.get(text, 0) + 1
        return output(name, f"ANSWER: {answer(name, asked[text], runs[text])}")

    return get_model(f"mockllm/steady/{name}", custom_outputs=respond)


def grader(name: str):
    """Return a mock judge whose grade depends on what it is asked and on its name."""

    def respond(messages, tools, tool_choice, config):
        grade = "CCCPI"[int(5 * share(name + messages[-1].text))]
        return output(name, f"GRADE: {grade}")

    return get_model(f"mockllm/steady/{name}", custom_outputs=respond)


def output(name: str, content: str) -> ModelOutput:
    """Return an output with its tokens counted, since counting them asks the network."""
    made = ModelOutput.from_content(model=f"steady/{name}", content=content)
    made.usage = ModelUsage(input_tokens=9, output_tokens=3, total_tokens=12)
    return made


@scorer(
    metrics=[
        accuracy(),
        mean(),
        stderr(),
        stderr(cluster="subject"),
        ci(),
        ci(cluster="subject"),
    ]
)
def sums():
    """Mark an answer as match() does, under a name of its own."""
    inner = match()

    async def score(state, target):
        return await inner(state, target)

    return score


@scorer(metrics={"correct": [mean(), stderr()], "brevity": [mean(), stderr()]})
def several():
    """Give two numbers for an answer."""

    async def score(state, target):
        good = target.text == state.output.completion.split()[-1]
        return Score(value={"correct": int(good), "brevity": share(state.output.completion)})

    return score


@scorer(metrics=[mean(), stderr()])
def letters():
    """Give C, P, N, I by turns and leave every seventh question without a value."""

    async def score(state, target):
        number = int(str(state.sample_id)[1:])
        if number % 7 == 6:
            return Score.unscored(reason="grader_failed")
        return Score(value=(CORRECT, PARTIAL, NOANSWER, INCORRECT)[number % 4])

    return score


@solver
def falling_over():
    """Raise an error on some questions."""

    async def solve(state, generate):
        if int(str(state.sample_id)[1:]) % 10 == 3:
            raise RuntimeError("the connection broke")
        return await generate(state)

    return solve


def run(task: Task, folder: Path, name: str, **options) -> Path:
    """Run a task and keep its log under a plain name."""
    work = folder / "work"
    chosen = options.pop("model", name)
    options.setdefault("log_format", "eval")
    (log,) = eval(
        task,
        model=model(chosen, {}),
        log_dir=str(work),
        max_samples=1,
        max_connections=1,
        display="none",
        log_model_api=False,
        **options,
    )
    target = folder / f"{name}{Path(log.location).suffix}"
    write_eval_log(slim(read_eval_log(log.location)), str(target))
    shutil.rmtree(work)
    return target


def slim(log: EvalLog) -> EvalLog:
    """Drop what no reader of scores needs, and where this machine keeps its files."""
    assert log.results is not None, log.error
    log.eval.revision = None
    for sample in log.samples or []:
        sample.events, sample.attachments, sample.store = [], {}, {}
        if sample.error is not None:
            sample.error.traceback = sample.error.traceback_ansi = ""
    return log


def main(folder: Path) -> None:
    """Write all Inspect logs and what Inspect itself says of them."""
    logs = [
        run(
            Task(dataset=samples(), solver=generate(), scorer=sums(), epochs=3, name="sums"),
            folder,
            name,
        )
        for name in ("alpha", "beta")
    ]
    logs.append(
        run(
            Task(
                dataset=samples()[:10],
                solver=generate(),
                scorer=sums(),
                epochs=Epochs(4, "max"),
                name="sums",
            ),
            folder,
            "reduced",
            model="alpha",
        )
    )
    logs.append(
        run(
            Task(dataset=samples()[:6], solver=generate(), scorer=sums(), epochs=2, name="sums"),
            folder,
            "plain",
            model="alpha",
            log_format="json",
        )
    )
    logs.append(
        run(
            Task(dataset=samples()[:10], solver=generate(), scorer=sums(), epochs=3, name="sums"),
            folder,
            "without_samples",
            model="alpha",
            log_samples=False,
        )
    )
    marked = Task(
        dataset=samples()[:10], solver=generate(), scorer=[several(), letters()], name="marks"
    )
    logs.append(run(marked, folder, "several", model="alpha"))
    broken = Task(dataset=samples()[:14], solver=falling_over(), scorer=sums(), name="sums")
    logs.append(run(broken, folder, "errors", model="beta", fail_on_error=False))
    for judge in ("strict", "kind"):
        graded = Task(
            dataset=samples()[:10],
            solver=generate(),
            scorer=model_graded_qa(partial_credit=True),
            name="qa",
        )
        logs.append(
            run(
                graded,
                folder,
                f"judged_{judge}",
                model="alpha",
                model_roles={"grader": grader(judge)},
            )
        )
    unfinished(folder / "errors.eval", folder / "unfinished.eval")
    oracle = {path.name: aggregates(path) for path in logs}
    (folder / "aggregates.json").write_text(json.dumps(oracle, indent=1, sort_keys=True) + "\n")


def unfinished(source: Path, target: Path) -> None:
    """Write a log as it stands while the evaluation is still running: journal, no header."""
    log = read_eval_log(str(source))
    log.status = "started"
    write_eval_log(log, str(target))
    kept = {}
    with zipfile.ZipFile(target) as archive:
        for name in archive.namelist():
            if name not in ("header.json", "summaries.json", "reductions.json"):
                kept[name] = archive.read(name)
    with zipfile.ZipFile(target, "w", compression=zipfile.ZIP_ZSTANDARD) as archive:
        for name, data in kept.items():
            archive.writestr(name, data)


def aggregates(path: Path) -> dict:
    """Return the scores Inspect computed, and the reduced value of each sample."""
    log = read_eval_log(str(path))
    assert log.results is not None
    return {
        "scores": [score.model_dump(mode="json") for score in log.results.scores],
        "samples": [log.results.total_samples, log.results.completed_samples],
        "right": sum(right(log.eval.model.split("/")[-1], q) for q in questions()),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
