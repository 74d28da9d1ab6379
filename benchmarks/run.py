"""Run every benchmark; write results.json and results.md beside this file.

pip install -e '.[bench]' && python benchmarks/run.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bench_counts
import bench_delta
from measure import machine

__all__ = ["statements", "table"]

_LIBRARIES = ("python-flint", "mpmath", "numpy", "sympy", "dp-accounting", "scipy")
_PEER = {  # our task and dp-accounting's
    "δ(ε), one dataset": ("delta, one dataset", "dp-accounting, delta"),
    "– given only outcomes within 15σ": ("delta, one dataset", "dp-accounting, delta, window"),
    "– each further ε of a built distribution": ("delta, one dataset", "dp-accounting, delta, once built"),
    "δ(ε), all datasets, to 1 %": ("delta, all datasets", "dp-accounting, delta"),
    "ε(δ), one dataset": ("epsilon, one dataset", "dp-accounting, epsilon"),
    "ε(δ), all datasets": ("epsilon, all datasets", "dp-accounting, epsilon"),
    "least q, all datasets": ("least q, all datasets", "dp-accounting, least q"),
}


def table(results: dict[str, Any]) -> str:
    """The results as a markdown table of ratios."""
    sizes = results["delta"]

    def row(name: str, cell: Any) -> str:
        return f"| {name} | {' | '.join(cell(one) for one in sizes.values())} |"

    def faster(ours: str, theirs: str) -> Any:
        return lambda one: _short(one["seconds"][theirs] / one["seconds"][ours]) if theirs in one["seconds"] else "–"

    def growth(task: str) -> str:
        seconds = list(results["growth"][task].values())
        return " | ".join(_short(time / seconds[0]) for time in seconds)

    powers = " | ".join(f"10^{len(n) - 1}" for n in sizes)
    lines = [
        f"| n | {powers} |",
        f"| :-- {'| --: ' * len(sizes)}|",
        row("**time of dp-accounting (one dataset) / dpcalc**", lambda _: ""),
        *(row(name, faster(*pair)) for name, pair in _PEER.items()),
        row("**other ratios**", lambda _: ""),
        row("peak memory, dp-accounting / dpcalc", _memory),
        row("δ(ε), dp-accounting / exact", lambda one: _short(one.get("dp-accounting delta / exact"), 4)),
        f"| dpcalc's time / at 10^3: δ(ε), one dataset | {growth('delta, one dataset')} |",
        f"| dpcalc's time / at 10^3: δ(ε), all datasets | {growth('delta, all datasets')} |",
        row("maxima certified for a least q, k = 1, 10", _maxima),
    ]
    return "\n".join([*lines, "", _reading(results), ""])


def statements(results: dict[str, Any]) -> list[dict[str, Any]]:
    """What is promised of speed and memory, each with its limit and what was measured."""
    counts, sizes = results["counts"], results["delta"]
    seconds, growth = sizes[f"{10**6}"]["seconds"], results["growth"]
    one, worst, peer = "delta, one dataset", "delta, all datasets", "dp-accounting, delta"
    maxima = max(max(size["certified maxima in a least q"].values()) for size in sizes.values())
    ours = max(peak for size in sizes.values() for task, peak in size["peak MB"].items() if task != peer)
    tail = max(part["large / small"] for name, part in counts["tails"].items() if name.endswith("sigma"))
    powering = counts["coefficients"]["FLINT powering / coefficients"]
    products = counts["coefficients"]["log-concavity / two products, FLINT integers"]
    rows: list[tuple[str, str, float, float]] = [
        ("FLINT powering / coefficients, n = 5,000", ">=", 5, powering),
        ("log-concavity / two products per coefficient", "<=", 1, products),
        ("binomial tail, n = 10^12 / 10^4", "<=", 3, tail),
        ("delta, one dataset, n = 10^12 / 10^3", "<=", 3, growth[one][f"{10**12}"] / growth[one][f"{10**3}"]),
        ("dp-accounting / dpcalc, delta, one dataset, n = 10^6", ">=", 100, seconds[peer] / seconds[one]),
        ("dp-accounting (one) / dpcalc (all), delta, n = 10^6", ">=", 5, seconds[peer] / seconds[worst]),
        ("delta, all datasets, n = 10^9 / 10^6", "<=", 5, growth[worst][f"{10**9}"] / growth[worst][f"{10**6}"]),
        ("certified maxima in a least q", "<=", 6, maxima),
        ("peak memory of dpcalc, MB", "<=", 300, ours),
    ]
    return [
        {
            "statement": f"{text} {sign} {limit}",
            "measured": value,
            "met": value >= limit if sign == ">=" else value <= limit,
        }
        for text, sign, limit, value in rows
    ]


def _memory(one: dict[str, Any]) -> str:
    peaks = dict(one.get("peak MB", {}))
    theirs = peaks.pop("dp-accounting, delta", None)
    return _short(theirs and theirs / max(peaks.values()))


def _maxima(one: dict[str, Any]) -> str:
    return ", ".join(str(count) for count in one["certified maxima in a least q"].values())


def _reading(results: dict[str, Any]) -> str:
    counts, tails = results["counts"]["coefficients"], results["counts"]["tails"]
    libraries = results["machine"]["libraries"]
    return (
        "Above 1, dpcalc is the faster or smaller. k = 1, q = 1/10, δ near 1e-9; medians of interleaved repeats. "
        f"dp-accounting {libraries['dp-accounting']} builds its distribution (grid 1e-4, pessimistic, both directions, "
        "outcomes below e^-60 dropped for speed) and is asked once, the two pmfs not counted; for the least q it is "
        "rebuilt, pmfs too, at each q of a root search. Its δ errs by the grid, its ε by up to 1e-4; dpcalc proves 12 "
        "digits of δ for one dataset and 6 of ε and q.\n\n"
        f"Counts: the {counts['n']:,} coefficients of k = 1, m = n/2 take FLINT's polynomial powering "
        f"{_short(counts['FLINT powering / coefficients'])} times our time; checking their log-concavity costs "
        f"{_short(counts['log-concavity / two products, FLINT integers'])} of two FLINT products per coefficient; a "
        f"binomial tail at n = 10^12 costs {_short(tails['1 sigma']['large / small'])} (1σ) and "
        f"{_short(tails['6 sigma']['large / small'])} (6σ) of one at 10^4."
    )


def _short(ratio: float | None, digits: int = 2) -> str:
    if ratio is None:
        return "–"
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.{digits}g}"


def main() -> None:
    """Measure and write."""
    results: dict[str, Any] = {"machine": machine(_LIBRARIES)}
    results |= {"counts": bench_counts.run(), "delta": bench_delta.run(), "growth": bench_delta.growth()}
    results["statements"] = statements(results)
    here = Path(__file__).parent
    (here / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (here / "results.md").write_text(table(results), encoding="utf-8")


if __name__ == "__main__":
    main()
