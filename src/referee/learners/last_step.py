"""The last step of a pipeline: the model that answers, behind whatever prepares its features."""

from __future__ import annotations

from typing import Any

__all__ = ["last_step"]


def last_step(model: Any) -> tuple[str, Any]:
    """Return the model at the end of a pipeline, and the prefix of its parameters.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> last_step(make_pipeline(StandardScaler(), SVC()))
    ('svc__', SVC())
    >>> last_step(SVC())
    ('', SVC())
    """
    if not getattr(model, "steps", None):
        return "", model
    name, last = model.steps[-1]
    prefix, inner = last_step(last)
    return f"{name}__{prefix}", inner
