"""Outputs of promptfoo with providers of our own; needs node and an installed promptfoo.

Arguments: the folder to write to, and the program (node_modules/.bin/promptfoo).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from questions import answer, questions

PROVIDER = """
const fs = require('fs');
const path = require('path');
const answers = JSON.parse(fs.readFileSync(path.join(__dirname, 'answers.json')));
const asked = {};
module.exports = class {
  constructor(options) { this.name = options.config.name; }
  id() { return 'steady:' + this.name; }
  async callApi(prompt) {
    const text = prompt.split('\\n').pop();
    if (this.name === 'beta' && text === answers.broken) return { error: 'the connection broke' };
    const key = this.name + text;
    asked[key] = (asked[key] || 0) + 1;
    return { output: answers[this.name][text][asked[key] - 1] };
  }
};
"""

JUDGE = """
module.exports = class {
  id() { return 'judge:strict'; }
  async callApi(prompt) {
    const score = ([...prompt].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5) / 4;
    return { output: JSON.stringify({ pass: score >= 0.5, score, reason: 'as I see it' }) };
  }
};
"""


def main(folder: Path, program: Path) -> None:
    """Write a plain evaluation with two runs, and one marked by a judge."""
    asked = questions()[:9]
    answers = {
        name: {q.text: [answer(name, q, run) for run in (1, 2, 3)] for q in asked}
        for name in ("alpha", "beta")
    }
    tests = [
        {
            "vars": {"question": q.text},
            "metadata": {"subject": q.subject, "source": {"book": f"book {q.number % 4}"}},
            "assert": [
                {"type": "equals", "value": q.answer, "metric": "correct", "weight": 3},
                {"type": "regex", "value": "^[0-9]+$", "metric": "number"},
            ],
        }
        for q in asked
    ]
    providers = [
        {"id": "file://provider.js", "label": name, "config": {"name": name}}
        for name in ("alpha", "beta")
    ]
    plain = {"prompts": ["Solve:\n{{question}}"], "providers": providers, "tests": tests}
    judged = {
        "prompts": ["Solve:\n{{question}}", "Please be exact.\n{{question}}"],
        "providers": providers[:1],
        "defaultTest": {"options": {"provider": "file://judge.js"}},
        "tests": [
            {**test, "assert": [{"type": "llm-rubric", "value": "is right"}]} for test in tests[:4]
        ],
    }
    with tempfile.TemporaryDirectory() as work:
        place = Path(work)
        (place / "answers.json").write_text(json.dumps({**answers, "broken": asked[7].text}))
        (place / "provider.js").write_text(PROVIDER)
        (place / "judge.js").write_text(JUDGE)
        evaluate(place, "plain", plain, folder, program, "--repeat", "2")
        evaluate(place, "judged", judged, folder, program)


def evaluate(place: Path, name: str, config: dict, folder: Path, program: Path, *more: str) -> None:
    """Run promptfoo and keep its output without this machine's name and paths."""
    (place / f"{name}.json").write_text(json.dumps(config))
    quiet = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        "PROMPTFOO_CONFIG_DIR": str(place / "settings"),
    }
    command = [str(program), "eval", "-c", f"{name}.json", "--no-cache", "-j", "1", "--no-table"]
    output = place / f"{name}_output.json"
    subprocess.run(
        [*command, "-o", output.name, *more], cwd=place, env={**os.environ, **quiet}, check=False
    )
    content = json.loads(output.read_text().replace(str(place), "."))
    content["metadata"] = {"promptfooVersion": content["metadata"]["promptfooVersion"]}
    for result in content["results"]["results"]:
        for bulky in ("tokenUsage", "response"):
            result.pop(bulky, None)
        (result.get("gradingResult") or {}).pop("tokensUsed", None)
    (folder / f"{name}.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
