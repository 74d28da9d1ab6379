"""The two pictures of ``about/house.md``, drawn from computed values.

python notebooks/house_pictures.py
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import matplotlib.pyplot as plt

import dpcalc as dp

HERE = Path(__file__).resolve().parent
MECHANISM = dp.KRandomization(n=60, q="1/5")
ALPHA = 0.25
BLUE, ORANGE, GREEN = "#0072B2", "#B86E00", "#00795A"


def profile(lam: float) -> float:
    """The largest sum of [P - lambda Q]_+ over all datasets, for any lambda > 0."""
    return float(dp.delta(MECHANISM, lam=lam)) if lam >= 1 else 1 - lam + lam * profile(1 / lam)


def phi(lam: float) -> float:
    """1 - h(lambda) - lambda alpha."""
    return 1 - profile(lam) - lam * ALPHA


def chords() -> None:
    """The profile and a polygon above it; the masses of the pair whose profile the polygon is."""
    places = [1.0, 1.2, 1.44, 1.728, 2.0736]
    values = [profile(lam) for lam in places]
    slopes = [(b - a) / (y - x) for (x, y), (a, b) in zip(pairwise([0, *places]), pairwise([1, *values]), strict=True)]
    bends = [after - before for before, after in pairwise([*slopes, 0.0])]
    fine = [1 + i / 100 for i in range(111)]
    _, (above, below) = plt.subplots(2, sharex=True, figsize=(7, 5), layout="constrained")
    above.plot(fine, [profile(lam) for lam in fine], color=BLUE, label="delta")
    above.plot(places, values, "s-", color=ORANGE, label="the polygon through five of its points")
    above.set_ylabel("delta")
    below.vlines(places, 0, bends, color=ORANGE, linewidth=4, label="Q mass at the loss log(lambda)")
    below.set(xlabel="lambda", ylabel="how much the slope rises", xticks=places)
    for frame in (above, below):
        frame.legend(frameon=False)
    plt.savefig(HERE / "chords.png", dpi=100)


def two_lines() -> None:
    """phi, computed at four places, and the lines that cross above its largest value."""
    places = [0.8, 0.98, 1.4, 1.7]
    fine = [0.75 + i / 100 for i in range(101)]
    _, frame = plt.subplots(figsize=(7, 3.5), layout="constrained")
    frame.plot(fine, [phi(lam) for lam in fine], color=BLUE, label="phi")
    frame.plot(places, [phi(lam) for lam in places], "o", color=BLUE, label="computed")
    for first, second, end, name in (
        (0.8, 0.98, 1.2, "the two points before"),
        (1.7, 1.4, 0.98, "the two points after"),
    ):
        slope = (phi(second) - phi(first)) / (second - first)
        line = [phi(first) + slope * (to - first) for to in (first, end)]
        frame.plot([first, end], line, "--", color=ORANGE if end > 1 else GREEN, label=f"the line through {name}")
    frame.set(xlabel="lambda", ylabel="phi")
    frame.legend(frameon=False, loc="lower center")
    plt.savefig(HERE / "phi.png", dpi=100)


if __name__ == "__main__":
    plt.style.use(HERE / "pictures.mplstyle")
    chords()
    two_lines()
