"""Pictures of reductions and selections: what they show is what the data say."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from referee.choosing.selection import Selected
from referee.errors import InputError
from referee.learners.neighbours.knn import KNN
from referee.learners.neighbours.reducing import BoundaryKNN, CondensedKNN, PrototypeKNN
from referee.report.displays import ReductionDisplay
from referee.study import selection_bias


@pytest.fixture(autouse=True)
def drawn_and_closed():
    """Every picture can be drawn, and none stays open."""
    yield
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")


def cases(n=80):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + y[:, None], y


def test_reductions_against_the_rules_themselves():
    X, y = cases()
    rules = {"border": BoundaryKNN(), "hart": CondensedKNN(), "few": PrototypeKNN(2)}
    display = ReductionDisplay(X, y, rules, resolution=61).plot()
    assert display.changed_["border"] == 0
    assert display.changed_["few"] > 0
    assert len([ax for ax in display.figure_.axes if ax.get_visible()]) == 3
    title = display.figure_.axes[1].get_title()
    assert f"{display.fitted_['hart'].n_kept_} of 80 cases" in title


def test_one_reduction_on_given_axes():
    X, y = cases()
    _, ax = plt.subplots()
    display = ReductionDisplay(X, y, {"border": BoundaryKNN()}, resolution=41).plot(ax)
    assert display.ax_ is ax
    with pytest.raises(InputError, match="ax holds one panel, but there are 2 rules"):
        ReductionDisplay(X, y, {"a": BoundaryKNN(), "b": CondensedKNN()}, resolution=41).plot(ax)


def test_reductions_that_cannot_be_drawn():
    X, y = cases()
    with pytest.raises(InputError, match=r"two features can be drawn, got shape \(80, 1\)"):
        ReductionDisplay(X[:, :1], y, {"border": BoundaryKNN()})
    with pytest.raises(InputError, match="rules is empty"):
        ReductionDisplay(X, y, {})


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_selections_show_every_step_and_the_kept_one(direction):
    X, y = cases()
    X = np.column_stack([X, np.random.default_rng(1).normal(size=(80, 3))])
    path = Selected(KNN(3), direction=direction, random_state=0).fit(X, y).path_
    ax = path.plot()
    errors = {len(s.features): s.error.value for s in path.steps}
    line, kept = (bars.lines[0] for bars in ax.containers)
    assert dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) == errors
    assert kept.get_xdata()[0] == len(path.features)


def test_selection_bias():
    ax = selection_bias(n=20, features=10, kept=(1, 2), k=1, repetitions=2).plot()
    assert ax.get_xlabel() == "features selected"
    assert "among 10 features of noise" in ax.get_title(loc="left")
