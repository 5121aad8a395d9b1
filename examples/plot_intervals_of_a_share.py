"""
How often intervals of a share cover
====================================

Wald's interval, the one in most textbooks, covers far less than 95 % where errors are rare. The
exact one never covers less. Coverage is summed over all outcomes, not simulated.
"""

import matplotlib.pyplot as plt
import numpy as np
import scipy.stats

n = 50
counts = np.arange(n + 1)
shares = np.linspace(0.005, 0.5, 200)
ends = {
    "Wald": [
        (k / n - h, k / n + h) for k in counts for h in [1.96 * np.sqrt(k / n * (1 - k / n) / n)]
    ],
    "Clopper-Pearson": [
        tuple(scipy.stats.binomtest(int(k), n).proportion_ci(0.95)) for k in counts
    ],
}
for name, pairs in ends.items():
    low, high = np.array(pairs).T
    covers = (low <= shares[:, None]) & (shares[:, None] <= high)
    coverage = (scipy.stats.binom.pmf(counts, n, shares[:, None]) * covers).sum(axis=1)
    print(f"{name}: at least {coverage.min():.3f}")
    plt.plot(shares, coverage, label=name)
plt.axhline(0.95, color="grey", linewidth=0.8)
plt.xlabel("true error")
plt.ylabel(f"coverage, {n} cases")
plt.legend()
plt.show()
