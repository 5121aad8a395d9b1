"""
Kernels, and what is made of them
=================================

Sums, products and positive multiples of kernels are kernels again. Three functions that look like
kernels are none, and points show it.
"""

import matplotlib.pyplot as plt
import numpy as np

from referee import kernels

line = np.linspace(-3, 3, 121)[:, None]
chosen = [
    kernels.Gaussian(gamma=1.0),
    kernels.Gaussian(gamma=1.0) + 0.2 * kernels.Linear(),
    kernels.Gaussian(gamma=0.2) * kernels.Laplacian(gamma=1.0),
    0.1 * kernels.Polynomial(degree=2),
]
for kernel in chosen:
    plt.plot(line[:, 0], kernel.gram(line, [[1.0]])[:, 0], label=str(kernel))
plt.xlabel("x")
plt.ylabel("k(x, 1)")
plt.legend(fontsize=8)
plt.show()

# %%
# Is one minus the squared distance a kernel? Two points say no:

suspect, where = kernels.SUSPECTS["1 - |x - x'|^2"]
print(kernels.is_positive_definite(suspect, where))
