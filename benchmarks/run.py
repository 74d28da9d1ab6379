"""Run every benchmark; write results.json and results.md beside this file.

pip install -e '.[bench]' && OPENBLAS_NUM_THREADS=1 python benchmarks/run.py

Matrix products take one thread: a second one that waits counts as processor time, also while the next case is timed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median_low
from typing import Any

import bench_counts
import bench_delta
import bench_first
import bench_peer
from measure import machine

__all__ = ["statements", "table"]

_LIBRARIES = ("python-flint", "mpmath", "numpy", "sympy", "dp-accounting", "scipy")
_PEER = {  # our task and dp-accounting's
    "δ(ε), one dataset": ("delta, one dataset", "dp-accounting, delta"),
    "– given only outcomes within 15σ": ("delta, one dataset", "dp-accounting, delta, window"),
    "– each further ε (ours: of a profile of 200)": ("delta, one dataset, further", "dp-accounting, delta, once built"),
    "δ(ε), all datasets": ("delta, all datasets", "dp-accounting, delta"),
    "ε(δ), one dataset": ("epsilon, one dataset", "dp-accounting, epsilon"),
    "– each further δ of a built distribution": ("epsilon, one dataset, further", "dp-accounting, epsilon, once built"),
    "ε(δ), all datasets": ("epsilon, all datasets", "dp-accounting, epsilon"),
    "least q, all datasets": ("least q, all datasets", "dp-accounting, least q"),
}

_One = Mapping[str, Any]  # what was measured for one n and k


def table(results: Mapping[str, Any]) -> str:
    """The results as a markdown table of ratios."""
    sizes = results["delta"]
    ks = list(next(iter(sizes.values())))

    def row(name: str, cell: Callable[[_One], str], k: str) -> str:
        return f"| {name} | {' | '.join(cell(one[k]) for one in sizes.values())} |"

    def ratio(above: str, below: str) -> Callable[[_One], str]:
        return lambda one: _short(_quotient(one["seconds"], above, below))

    def growth(task: str) -> str:
        seconds = list(results["growth"][task].values())
        return " | ".join(_short(time / seconds[0]) for time in seconds)

    powers, blank = " | ".join(f"10^{len(n) - 1}" for n in sizes), " |" * len(sizes)
    lines = [f"| n | {powers} |", f"| :-- {'| --: ' * len(sizes)}|"]
    for k in ks:
        lines.append(f"| **time of dp-accounting (one dataset) / dpcalc, {k}** |{blank}")
        lines += [row(name, ratio(theirs, ours), k) for name, (ours, theirs) in _PEER.items()]
    for regime, found in results.get("peer", {}).items():
        lines.append(f"| **time of dp-accounting (one dataset) / dpcalc (all datasets), k = 1, {regime}** |{blank}")
        cells = [found.get(n, {}).get("seconds", {}) for n in sizes]
        for task in bench_peer.TASKS:
            for way in bench_peer.WAYS:
                if not any(way in one.get(task, {}) for one in cells):
                    continue
                shown = [_short(_quotient(one.get(task, {}), way, bench_peer.OURS)) for one in cells]
                lines.append(f"| {_symbols(task)}, {regime}; {way} | {' | '.join(shown)} |")
    lines.append(f"| **other ratios, {ks[0]}** |{blank}")
    lines.append(row("peak memory, dp-accounting / dpcalc", _memory, ks[0]))
    lines.append(
        row("δ(ε), dp-accounting / exact", lambda one: _short(one.get("dp-accounting delta / exact"), 4), ks[0])
    )
    first = f"10^{len(next(iter(sizes))) - 1}"
    for name in results["growth"]:
        lines.append(f"| dpcalc's time / at {first}: {name.replace('delta', 'δ(ε)')} | {growth(name)} |")
    fresh = [f"{name} {seconds:.2g}" for name, seconds in results.get("first", {}).items()]
    waited = [f"Seconds of processor time of a fresh process: {', '.join(fresh)}.", ""] if fresh else []
    return "\n".join([*lines, "", *waited, _reading(results), ""])


def statements(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is promised of speed and memory, each with its limit and what was measured; only of what was."""
    counts, growth = results["counts"], results["growth"]
    ratios = counts["ratios"]
    cells = {(int(n), k): one for n, ks in results["delta"].items() for k, one in ks.items()}
    one, worst, peer = "delta, one dataset", "delta, all datasets", "dp-accounting, delta"
    ahead = [
        found
        for (n, _), cell in cells.items() if n >= 10**3
        for name, pair in _PEER.items() if "15σ" not in name
        if (found := _quotient(cell["seconds"], *reversed(pair))) is not None
    ]  # fmt: skip
    small = [cell["seconds"][ours] for (n, _), cell in cells.items() if n == 10**2 for ours, _ in _PEER.values()]
    million = cells.get((10**6, "k = 1"), {}).get("seconds", {})
    tail = max(part["large / small"] for name, part in counts["tails"].items() if name.endswith("sigma"))
    powering = counts["coefficients"]["FLINT powering / coefficients"]
    products = counts["coefficients"]["log-concavity / two products, FLINT integers"]
    peaks = [peak for cell in cells.values() for task, peak in cell.get("peak MB", {}).items() if task != peer]
    rows: list[tuple[str, str, float, float | None]] = [
        ("FLINT powering / coefficients, n = 5,000", ">=", 5, powering),
        ("log-concavity / two products per coefficient", "<=", 1, products),
        ("all ratios / a plain recurrence, n = 1,000, k = 50", "<=", 1.3, ratios["ratios / plain recurrence"]),
        ("50,001 enclosed ratios beside 500 ones, seconds", "<=", 3, ratios["seconds"]["beside as many zeros"]),
        ("binomial tail, n = 10^12 / 10^4", "<=", 3, tail),
        ("delta, one dataset, n = 10^12 / 10^3", "<=", 3, _quotient(growth[one], f"{10**12}", f"{10**3}")),
        ("dp-accounting / dpcalc, every question, n >= 10^3", ">=", 1, min(ahead, default=None)),
        ("dp-accounting / dpcalc, most questions, n >= 10^3", ">=", 3, median_low(ahead) if ahead else None),
        ("every question at n = 10^2, milliseconds", "<=", 0.5, 1000 * max(small) if small else None),
        ("dp-accounting / dpcalc, delta, one dataset, n = 10^6", ">=", 100, _quotient(million, peer, one)),
        ("dp-accounting (one) / dpcalc (all), delta, n = 10^6", ">=", 5, _quotient(million, peer, worst)),
        ("delta, all datasets, n = 10^9 / 10^6", "<=", 5, _quotient(growth[worst], f"{10**9}", f"{10**6}")),
        (
            "certified maxima in a least q", "<=", 6,
            max(cell["certified maxima in a least q"] for cell in cells.values()),
        ),
        ("peak memory of dpcalc, MB", "<=", 300, max(peaks, default=None)),
    ]  # fmt: skip
    return [
        {
            "statement": f"{text} {sign} {limit}",
            "measured": value,
            "met": value >= limit if sign == ">=" else value <= limit,
        }
        for text, sign, limit, value in rows
        if value is not None
    ]


def _quotient(seconds: Mapping[str, float], above: str, below: str) -> float | None:
    return seconds[above] / seconds[below] if above in seconds and below in seconds else None


def _memory(one: _One) -> str:
    peaks = dict(one.get("peak MB", {}))
    theirs = peaks.pop("dp-accounting, delta", None)
    return _short(theirs and theirs / max(peaks.values()))


def _reading(results: Mapping[str, Any]) -> str:
    counts, tails = results["counts"]["coefficients"], results["counts"]["tails"]
    libraries, ratios = results["machine"]["libraries"], results["counts"]["ratios"]
    outcomes = ratios["n"] * ratios["k"] + 1
    return (
        "Above 1, dpcalc is the faster or smaller. q = 1/10, δ near 1e-6; medians of "
        "interleaved repeats, each answer of dpcalc from empty caches unless it is a further one. "
        f"dp-accounting {libraries['dp-accounting']} builds its distribution (grid 1e-4, pessimistic, both directions, "
        "outcomes below e^-60 dropped for speed) and is asked once, the two pmfs not counted; for the least q it is "
        "rebuilt, pmfs too, at each q of a root search. Its δ errs by the grid, its ε by up to 1e-4; dpcalc proves 12 "
        "digits of δ for one dataset and 4 for all, 6 of ε and q.\n\n"
        f"Counts: the {counts['n']:,} coefficients of k = 1, m = n/2 take FLINT's polynomial powering "
        f"{_short(counts['FLINT powering / coefficients'])} times our time; checking their log-concavity costs "
        f"{_short(counts['log-concavity / two products, FLINT integers'])} of two FLINT products per coefficient; a "
        f"binomial tail at n = 10^12 costs {_short(tails['1 sigma']['large / small'])} (1σ) and "
        f"{_short(tails['6 sigma']['large / small'])} (6σ) of one at 10^4.\n\n"
        f"The privacy ratios of all {outcomes:,} outcomes of n = {ratios['n']:,}, k = {ratios['k']}, as doubles, with "
        f"all records 1: {_short(ratios['ratios / plain recurrence'])} times as long as a plain recurrence of "
        f"integers, {ratios['peak MB']:.0f} MB. numpy's doubles take 1/{_short(ratios['ratios / numpy'])} of the time "
        f"and find {ratios['outcomes that numpy finds']:,} of them to six digits: the other pmfs underflow. FLINT's "
        f"powers take {_short(ratios['FLINT powering / ratios'])} times as long at k = {ratios['few']}, and do not "
        f"fit at k = {ratios['k']}. Beside as many zeros as ones the ratios are enclosed, in "
        f"{_short(ratios['seconds']['beside as many zeros'])} seconds and "
        f"{ratios['peak MB beside as many zeros']:.0f} MB."
    )


def _symbols(task: str) -> str:
    return task.replace("delta", "δ(ε)").replace("epsilon", "ε(δ)")


def _short(ratio: float | None, digits: int = 2) -> str:
    if ratio is None:
        return "–"
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.{digits}g}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--largest", type=float, default=max(bench_delta.SIZES), help="the largest n (default 10^12)")
    parser.add_argument("--part", choices=_PARTS, help="measure this part only, and keep the others' results")
    asked = parser.parse_args()
    here = Path(__file__).parent
    results: dict[str, Any] = {}
    if asked.part:
        results = json.loads((here / "results.json").read_text(encoding="utf-8"))
    for name, measured in _PARTS.items():
        if asked.part in (None, name):
            results[name] = measured([n for n in bench_delta.SIZES if n <= asked.largest])
    results["machine"] = machine(_LIBRARIES)
    results["statements"] = statements(results)
    (here / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (here / "results.md").write_text(table(results), encoding="utf-8")


#: What is measured of these n.
_PARTS: dict[str, Callable[[list[int]], Any]] = {
    "counts": lambda sizes: bench_counts.run(),
    "delta": lambda sizes: bench_delta.run(sizes=sizes),
    "growth": lambda sizes: bench_delta.growth(sizes=sizes),
    "first": lambda sizes: bench_first.run(),
    "peer": lambda sizes: bench_peer.run(sizes=[n for n in sizes if n in bench_peer.SIZES]),
}


if __name__ == "__main__":
    main()
