import gc
import json
from fractions import Fraction
from pathlib import Path

import bench_counts
import bench_delta
import pytest
import run
from measure import check, machine, medians, peak_of

RESULTS = Path(run.__file__).with_name("results.json")
SMALLEST = min(bench_delta.EPSILONS)


@pytest.fixture(scope="module")
def smallest():
    """Every benchmark at its smallest size, answers checked; without dp-accounting.

    Before each sample garbage is collected: not among all that the other tests keep.
    """
    gc.freeze()
    yield {
        "machine": machine(["numpy", "dp-accounting"]),
        "counts": bench_counts.run(n=100, small=1_000, large=10_000, repeats=1),
        "delta": bench_delta.run(sizes=[SMALLEST], peer=False, memory=False, repeats=1),
        "growth": bench_delta.growth(sizes=[SMALLEST], repeats=1),
    }
    gc.unfreeze()


def test_the_smallest_sizes_run(smallest):
    assert set(smallest["delta"][f"{SMALLEST}"]["seconds"]) == set(bench_delta.TASKS)
    assert "10^3" in run.table(smallest)


def test_a_least_q_certifies_few_maxima(smallest):
    assert 1 <= max(smallest["delta"][f"{SMALLEST}"]["certified maxima in a least q"].values()) <= 6


def test_the_second_route_is_the_definition():
    """Against the sum over all outcomes, for lambda within 1e-40 of e^epsilon."""
    n, q, epsilon = 5, Fraction(1, 10), Fraction(1, 2)
    found = bench_delta.by_tails(n, epsilon, q)
    lam = bench_delta.exp(epsilon, bench_delta.EXACT).lower
    without, with_one = (bench_counts.coefficients(q, bit, n - bit) for bit in (0, 1))
    falling = sum(max(Fraction(0), x - lam * y) for x, y in zip(without, with_one, strict=True))
    rising = sum(max(Fraction(0), y - lam * x) for x, y in zip(without, with_one, strict=True))
    assert float(found) == pytest.approx(float(max(falling, rising)), rel=1e-14)


def test_wrong_answers_stop_a_benchmark(monkeypatch):
    with pytest.raises(AssertionError, match="wrong answer: 2 = 3"):
        check(False, "2 = 3")
    monkeypatch.setattr(bench_delta, "delta_one", lambda n: bench_delta.by_tails(n, Fraction(1, 2)))
    with pytest.raises(AssertionError, match="delta, n = 1000"):
        bench_delta.run(sizes=[SMALLEST], peer=False, memory=False, repeats=1)


def test_measures_are_of_what_runs():
    calls = []
    assert medians({"slow": lambda: calls.append(sum(range(10**6)))}, repeats=3)["slow"] > 0
    assert len(calls) >= 4
    assert peak_of("block = bytearray(64 << 20)") - peak_of("pass") > 50


def test_the_table_shown_is_that_of_the_results():
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert run.table(results) == RESULTS.with_suffix(".md").read_text(encoding="utf-8")
    assert run.statements(results) == results["statements"]
