"""
Two solvers of one support vector machine
=========================================

SMO moves two coefficients at a time, coordinate ascent one. Both reach the same optimum; the
duality gap says how far they still are.
"""

import matplotlib.pyplot as plt

import referee
from referee import kernels
from referee.learners import SVM
from referee.study import two_normals

X, y = two_normals(1.0, 3).sample(150, random_state=0)
solved = {
    name: SVM(kernels.Linear() + 1, bias=False, solver=name, record=True).fit(X, y)
    for name in ("smo", "scda")
}
for name, model in solved.items():
    solution = model.solutions_[0]
    print(f"{name}: objective {solution.objective:.4f}, gap {solution.gap:.1e}")
referee.TraceDisplay(solved).plot()
plt.show()
