"""The findings of a mistake and of its mend, told and drawn; the examples of findings use it."""

import re
import tempfile
import textwrap

import matplotlib.pyplot as plt


def mended(code, mistake, mend, **estimates):
    """Print the finding of the mistake, see that the mend has it not, and draw the estimates."""
    finding = next(f for f in mistake.findings if f.code == code)
    message = re.sub(rf"{tempfile.gettempdir()}/\w+/", "", finding.message)
    print(textwrap.fill(f"{code} {finding.title}: {message}", 90))
    if code in [f.code for f in mend.findings]:
        raise AssertionError(f"{code} is not mended")
    if estimates:
        drawn(**estimates)


def drawn(**estimates):
    """Draw each estimate with its interval, the first above."""
    plt.figure(figsize=(6.4, 0.9 + 0.4 * len(estimates)), layout="constrained")
    for place, estimate in enumerate(estimates.values()):
        if estimate.interval is not None:
            plt.plot([estimate.interval.low, estimate.interval.high], [place, place], color="C0")
        plt.plot(estimate.value, place, "o", color="C0")
    plt.yticks(range(len(estimates)), [name.replace("_", " ") for name in estimates])
    plt.ylim(len(estimates) - 0.5, -0.5)
    plt.margins(x=0.1)
    plt.xlabel(f"{estimate.name}, with its interval")
    plt.show()
