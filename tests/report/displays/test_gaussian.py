"""Pictures of a Gaussian task: what is drawn is what the task says."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from referee.errors import InputError
from referee.report.displays.gaussian import GaussianTaskDisplay
from referee.study import EXAMPLES, GaussianTask, two_normals

THREE = GaussianTask([[0, 0], [3, 0], [1, 3]], np.eye(2), classes=("a", "b", "c"))


def paths(ax):
    """Return the points of all contour lines."""
    found = [p.vertices for c in ax.collections if hasattr(c, "levels") for p in c.get_paths()]
    return [v for v in found if len(v)]


def test_the_best_border_is_where_g_hat_is_zero():
    made = GaussianTaskDisplay(EXAMPLES[1], resolution=201).plot()
    (border,) = paths(made.ax_)
    span = np.ptp(EXAMPLES[1].g_hat(EXAMPLES[1].means))
    assert np.abs(EXAMPLES[1].g_hat(border)).max() < 0.02 * span


def test_the_border_of_a_linear_rule_is_its_line():
    task = two_normals(1.0, 2)
    X, y = task.sample(60, 0)
    model = LinearDiscriminantAnalysis().fit(X, y)
    made = GaussianTaskDisplay(task, X, y, classifiers={"linear": model}).plot()
    best, linear = paths(made.ax_)
    assert np.abs(best[:, 0]).max() < 1e-6
    assert np.abs(model.decision_function(linear)).max() < 1e-6


@pytest.mark.parametrize("show", ["borders", "density", "g_tilde", "g_bar", "g_hat"])
@pytest.mark.parametrize("number", EXAMPLES)
def test_every_view_of_the_examples(number, show):
    made = GaussianTaskDisplay.from_task(EXAMPLES[number], n=40, show=show)
    made.figure_.canvas.draw()
    assert made.ax_.get_legend() is not None


def test_all_views_and_models_of_many_kinds():
    X, y = THREE.sample(90, 0)
    models = {
        "tree": DecisionTreeClassifier(max_depth=3),
        "5 nearest": KNeighborsClassifier(5),
        "machine": SVC(),
    }
    for model in models.values():
        model.fit(X, y)
    made = GaussianTaskDisplay(THREE, X, y, classifiers=models, resolution=101).plot()
    names = [t.get_text() for t in made.ax_.get_legend().get_texts()]
    assert names[:4] == ["best border", "tree", "5 nearest", "machine"]
    assert sum(int(n.split("(")[1][:-1]) for n in names[4:]) == 90
    many = GaussianTaskDisplay(EXAMPLES[2], resolution=101).plot_all()
    titles = [a.get_title() for a in many.figure_.axes[:5]]
    assert [t.split("(")[0] for t in titles[1:4]] == [r"$\tilde g", r"$\bar g", r"$\hat g"]
    assert all(t.endswith("(+ is 1)") for t in titles[1:4])
    assert titles[4] == "sample and borders"


def test_messages():
    with pytest.raises(InputError, match="two features can be drawn, got 3"):
        GaussianTaskDisplay(two_normals(1.0, 3))
    with pytest.raises(InputError, match="X and y belong together"):
        GaussianTaskDisplay(EXAMPLES[1], X=[[0, 0]])
    with pytest.raises(InputError, match="did you mean 'density'"):
        GaussianTaskDisplay(EXAMPLES[1]).plot(show="densities")
    with pytest.raises(InputError, match="defined for two classes"):
        GaussianTaskDisplay(THREE).plot(show="g_bar")
