"""Results of every kind, and with every kind of awkward name."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.resampling import Bootstrap

SCRIPT = "<script>alert(1)</script>"


def predicted(labels, name="the model", **options):
    """Return an evaluation of answers to cases of these classes, a quarter of them wrong."""
    truth = np.repeat(np.arange(len(labels)), 8)
    answers = np.where(np.arange(len(truth)) % 4 == 0, (truth + 1) % len(labels), truth)
    names = np.array(labels)
    return referee.evaluate_predictions(names[truth], names[answers], name=name, **options)


def fitted(model, **options):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 30))
    return referee.evaluate(
        model, rng.normal(size=(60, 2)) + y[:, None], y, random_state=0, **options
    )


MAKERS = {
    "plain": lambda: predicted(["a", "b"]),
    "script": lambda: predicted([SCRIPT, "b&b"], name=SCRIPT, pos_label=SCRIPT),
    "quotes": lambda: predicted(
        ["\"'>", "{{ 7 * 7 }}"], name="{% raw %}\" onload='x'", pos_label="\"'>"
    ),
    "long": lambda: predicted(["x" * 300, "y " * 200], name="m" * 400, pos_label="x" * 300),
    "forty": lambda: predicted([f"class {k}" for k in range(40)]),
    "right to left": lambda: predicted(["חולה", "سليم"], name="نموذج", pos_label="חולה"),
    "emoji": lambda: predicted(["🐱", "👩‍👩‍👧‍👦"], name="🤖🇩🇪", pos_label="🐱"),
    "markup": lambda: predicted(["a|b", "*b*_c_`d`"], name="50% & $5 #1 {x} ~ ^ \\ [bold]x[/bold]"),
    "no errors": lambda: referee.evaluate_predictions([0, 1] * 60, [0, 1] * 60),
    "all errors": lambda: referee.evaluate_predictions([0, 1] * 60, [1, 0] * 60),
    "constant": lambda: referee.evaluate_predictions([0, 1] * 60, [0] * 120),
    "level": lambda: referee.evaluate_predictions([0, 1] * 60, [0] * 120, level=0.999),
    "cv": lambda: fitted(GaussianNB(), by="3x4"),
    "holdout": lambda: fitted(GaussianNB(), by="holdout"),
    "bootstrap": lambda: fitted(GaussianNB(), by=Bootstrap(10)),
    "interpolator": lambda: fitted(KNeighborsClassifier(1), by=Bootstrap(10)),
    "resubstitution": lambda: fitted(KNeighborsClassifier(1), by="resubstitution"),
    "groups": lambda: fitted(GaussianNB(), groups=np.arange(60) // 3),
}
_made = {}


@pytest.fixture(params=MAKERS)
def result(request):
    if request.param not in _made:
        _made[request.param] = MAKERS[request.param]()
    return _made[request.param]


@pytest.fixture
def make():
    return lambda name: _made.setdefault(name, MAKERS[name]())
