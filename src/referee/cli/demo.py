"""referee demo: the main job on real data that ships with scikit-learn."""

from __future__ import annotations

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver
from referee.cli.terminal.screen import note

__all__ = ["demo"]


def demo(
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Judge a logistic regression on the Wisconsin breast-cancer data (569 patients)."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from referee.judging.evaluate import evaluate

    check_places(out, bundle, force=force)
    bunch = load_breast_cancer(as_frame=True)
    labels = bunch.target_names[bunch.target]
    note("569 patients, 30 features of cell nuclei; is a tumour benign or malignant?")
    result = evaluate(
        make_pipeline(StandardScaler(), LogisticRegression()),
        bunch.data,
        labels,
        pos_label="malignant",
        random_state=seed,
        name="logistic regression",
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)
