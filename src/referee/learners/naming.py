"""Naming: from a model's name on the command line to an estimator, and back to a short name."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import ModelError, nearest
from referee.learners.last_step import last_step

__all__ = ["CATALOGUE", "model_from_name", "name_of"]

CATALOGUE: dict[str, str] = {
    "majority": "sklearn.dummy:DummyClassifier(strategy='most_frequent')",
    "logistic": "sklearn.linear_model:LogisticRegression(max_iter=1000)",
    "lda": "sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
    "qda": "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis",
    "nb": "sklearn.naive_bayes:GaussianNB",
    "gaussian": "referee.learners:GaussianBayes(shrinkage='auto')",
    "knn": "sklearn.neighbors:KNeighborsClassifier",
    "1nn": "sklearn.neighbors:KNeighborsClassifier(n_neighbors=1)",
    "log-knn": "referee.learners.neighbours.knn:KNN(k='log')",
    "condensed-knn": "referee.learners.neighbours.reducing.condensed:CondensedKNN",
    "edited-knn": "referee.learners.neighbours.reducing.edited:EditedKNN",
    "prototype-knn": "referee.learners.neighbours.reducing.prototypes:PrototypeKNN",
    "nca-knn": "referee.learners.neighbours.nca:NcaKNN",
    "forward-selection": "referee.choosing.selection:Selected(learner='log-knn')",
    "backward-selection": (
        "referee.choosing.selection:Selected(learner='log-knn', direction='backward')"
    ),
    "svm": "sklearn.svm:SVC",
    "linear-svm": "sklearn.svm:LinearSVC(max_iter=10000)",
    "tree": "sklearn.tree:DecisionTreeClassifier",
    "forest": "sklearn.ensemble:RandomForestClassifier",
    "boosting": "sklearn.ensemble:HistGradientBoostingClassifier",
    "mean": "sklearn.dummy:DummyRegressor",
    "median": "sklearn.dummy:DummyRegressor(strategy='median')",
    "linear": "sklearn.linear_model:LinearRegression",
    "ridge": "sklearn.linear_model:RidgeCV",
    "knn-regressor": "sklearn.neighbors:KNeighborsRegressor",
    "tree-regressor": "sklearn.tree:DecisionTreeRegressor",
    "forest-regressor": "sklearn.ensemble:RandomForestRegressor",
    "boosting-regressor": "sklearn.ensemble:HistGradientBoostingRegressor",
    "mlp": "sklearn.neural_network:MLPClassifier(max_iter=1000, tol=0.001)",
}
"""Short name to what it stands for; nothing is imported before a model is asked for."""

_FORM = "write a short name such as 'knn' or package.module:ClassName(parameter=value, ...)"
_PARTS = re.compile(r"\s*(?P<name>[^()]+?)\s*(?P<call>\(.*\))?\s*", re.DOTALL)
_PATH = re.compile(r"(?P<module>[\w.]+):(?P<name>\w+)")


@dataclass(frozen=True)
class _Call:
    """A class and the arguments to make an instance with."""

    path: str
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]


def model_from_name(text: str) -> Any:
    """Return the model that a text names.

    Parameters
    ----------
    text : str
        A short name of `CATALOGUE`, or ``package.module:ClassName``; either may be followed by
        parameters in parentheses, whose values are literals. Nothing in it is evaluated.

    Returns
    -------
    estimator
        A new classifier or regressor.

    Examples
    --------
    >>> model_from_name("knn")
    KNeighborsClassifier()
    >>> model_from_name("svm(C=10, kernel='linear')")
    SVC(C=10, kernel='linear')
    >>> model_from_name("sklearn.neighbors:KNeighborsClassifier(n_neighbors=3)")
    KNeighborsClassifier(n_neighbors=3)
    >>> model_from_name("forrest")
    Traceback (most recent call last):
    ...
    referee.errors.ModelError: no model is called 'forrest'; did you mean 'forest'?
    """
    call = _parse(text)
    model_class = _import(call.path, text)
    _check_parameters(model_class, call, text)
    try:
        model = model_class(*call.positional, **call.keywords)
    except Exception as error:
        raise ModelError(
            f"model {text!r}: {model_class.__name__} refused its parameters "
            f"({type(error).__name__}: {error})",
            remedy="correct them",
        ) from error
    _check_kind(model, text)
    return model


def _inner(model: Any) -> Any:
    """Return the model that a search or wrapper was given; a forest's own trees are no such."""
    if isinstance(model, type) or not hasattr(model, "get_params"):
        return None
    try:
        given = model.get_params(deep=False)
    except Exception:  # a name must not fail; the fit will say what is wrong
        return None
    return given.get("estimator", given.get("learner"))


def name_of(model: Any) -> str:
    """Return a short name for an estimator: its class, or that of the model inside it.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> name_of(make_pipeline(StandardScaler(), SVC()))
    'SVC'
    """
    _, model = last_step(model)
    inner = _inner(model)
    name = model.__name__ if isinstance(model, type) else type(model).__name__
    if isinstance(inner, str):
        return f"{name}({inner})"
    if inner is not None and hasattr(inner, "fit"):
        return f"{name}({name_of(inner)})"
    return name


def _parse(text: str) -> _Call:
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise ModelError(f"model {text!r} is not a name; {_FORM}", concerning="model")
    name = parts["name"]
    positional, keywords = _arguments(parts["call"] or "()", text)
    if name in CATALOGUE:
        entry = _PARTS.fullmatch(CATALOGUE[name])
        assert entry is not None
        _, defaults = _arguments(entry["call"] or "()", name)
        return _Call(entry["name"], positional, {**defaults, **keywords})
    if _PATH.fullmatch(name):
        return _Call(name, positional, keywords)
    raise ModelError(_unknown(name), concerning="model")


def _unknown(name: str) -> str:
    if re.fullmatch(r"\w+(\.\w+)+", name):
        module, _, last = name.rpartition(".")
        return f"no model is called {name!r}; a class is named {module}:{last}"
    if ":" in name:
        return f"model {name!r} does not name a class; {_FORM}"
    return f"no model is called {name!r}{nearest(name, CATALOGUE)}"


def _arguments(call: str, text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Read ``(1, b='two')`` as literals."""
    try:
        tree = ast.parse("f" + call, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        raise ModelError(
            f"model {text!r}: {call!r} is not a list of parameters",
            remedy=("write (parameter=value, ...) with values such as 3, 'rbf', True or (10, 10)"),
        )
    keywords: dict[str, Any] = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise _not_literal(keyword.value, text, stars="**")
        keywords[keyword.arg] = _literal(keyword.value, text)
    return tuple(_literal(value, text) for value in tree.args), keywords


def _literal(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise _not_literal(node, text) from None


def _not_literal(node: ast.expr, text: str, stars: str = "") -> ModelError:
    return ModelError(
        f"model {text!r}: {stars + ast.unparse(node)!r} is not a literal",
        remedy=(
            "parameters take numbers, quoted strings, True, False, None, tuples, lists and "
            "dicts, as in sklearn.svm:SVC(C=10, kernel='rbf')"
        ),
    )


def _import(path: str, text: str) -> type:
    module_name, _, class_name = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise ModelError(
            f"model {text!r}: module {module_name!r} cannot be imported ({type(error).__name__}: "
            f"{error})",
            remedy="check its name and that it is installed",
        ) from error
    kind = getattr(module, class_name, None)
    if isinstance(kind, type):
        return kind
    if kind is not None:
        raise ModelError(
            f"model {text!r}: {class_name!r} of module {module_name!r} is a "
            f"{type(kind).__name__}, not a class",
            remedy="name a class",
        )
    classes = [name for name, value in vars(module).items() if isinstance(value, type)]
    raise ModelError(
        f"model {text!r}: module {module_name!r} has no class {class_name!r}",
        remedy=nearest(class_name, classes),
    )


def _check_parameters(model_class: type, call: _Call, text: str) -> None:
    try:
        parameters = inspect.signature(model_class).parameters.values()
    except (TypeError, ValueError):  # some compiled classes do not tell; the call will
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        return
    known = [p.name for p in parameters]
    for name in call.keywords:
        if name not in known:
            raise ModelError(
                f"model {text!r}: {model_class.__name__} has no parameter {name!r}",
                remedy=nearest(name, known),
            )


def _check_kind(model: Any, text: str) -> None:
    from referee.learners.kind import kind_of

    name = type(model).__name__
    lacking = [method for method in ("fit", "predict") if not hasattr(model, method)]
    if lacking:
        raise ModelError(
            f"model {text!r}: {name} has no {' and no '.join(lacking)} method, so it is not a "
            "classifier or regressor",
            concerning="model",
            remedy="name a class that has both",
        )
    if not hasattr(model, "get_params") or not kind_of(model):
        raise ModelError(
            f"model {text!r}: {name} is not a scikit-learn classifier or regressor",
            concerning="model",
            remedy=(
                "name one that is, or derive the class from sklearn.base.ClassifierMixin "
                "(RegressorMixin) and sklearn.base.BaseEstimator"
            ),
        )
