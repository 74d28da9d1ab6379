"""Coefficients, ratios, log-concavity and binomial tails against FLINT, numpy, a plain recurrence, themselves."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb, isqrt
from typing import Any

import numpy as np
from flint import fmpz, fmpz_poly
from measure import check, medians, peak_of

from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.pool import Pool, binomial_at_most
from dpcalc.laws.terms import _block
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.ratios import ratios

__all__ = ["run"]

Q = Fraction(1, 10)
LIE = Fraction(269, 1000)  # K16's bound at n = 1000, k = 50, lambda = 2
FEW = 5  # the most reports a record of which FLINT's powers fit: at n = 1000, k = 50 they would need 6 GB
ALIKE = 1e-6  # the relative error of a ratio in doubles up to which it counts as found
SIGMAS = (1, 6)  # standard deviations below the mean at which the tails are taken
RTOL = Fraction(1, 10**12)


def run(
    *, n: int = 5_000, small: int = 10**4, large: int = 10**12, records: int = 1_000, k: int = 50, repeats: int = 9
) -> dict[str, Any]:
    """Seconds and ratios; answers are checked first."""
    return {
        "coefficients": _coefficients(n, repeats),
        "tails": _tails(small, large, repeats),
        "ratios": _ratios(records, k, repeats),
    }


def _powering(n: int) -> fmpz_poly:
    """(1 + 9 x)^m (9 + x)^(n - m), m = n/2."""
    m = n // 2
    return fmpz_poly([1, 9]) ** m * fmpz_poly([9, 1]) ** (n - m)


def _coefficients(n: int, repeats: int) -> dict[str, Any]:
    pmf = Pool.of((1 - Q, n // 2), (Q, n - n // 2)).pmf()
    check([int(c) for c in _powering(n)] == list(pmf.weights), f"coefficients, n = {n}")
    check(log_concavity(pmf).holds, f"log-concavity, n = {n}")
    flint = [fmpz(weight) for weight in pmf.weights]

    def products(terms: Any) -> None:
        for i in range(1, len(terms) - 1):
            terms[i] * terms[i], terms[i - 1] * terms[i + 1]

    seconds = medians(
        {
            "coefficients": lambda: Pool.of((1 - Q, n // 2), (Q, n - n // 2)).pmf(),
            "FLINT powering": lambda: _powering(n),
            "log-concavity": lambda: log_concavity(pmf),
            "two products, FLINT integers": lambda: products(flint),
            "two products, Python integers": lambda: products(pmf.weights),
        },
        repeats=repeats,
    )
    check_time = seconds["log-concavity"]
    return {
        "n": n,
        "seconds": seconds,
        "FLINT powering / coefficients": seconds["FLINT powering"] / seconds["coefficients"],
        "log-concavity / two products, FLINT integers": check_time / seconds["two products, FLINT integers"],
        "log-concavity / two products, Python integers": check_time / seconds["two products, Python integers"],
    }


def _tail(n: int, sigmas: int) -> Enclosure:
    return binomial_at_most(n, Q, n // 10 - sigmas * isqrt(9 * n // 100))


def _tails(small: int, large: int, repeats: int) -> dict[str, Any]:
    results: dict[str, Any] = {"small": small, "large": large}
    for sigmas in SIGMAS:
        for n in (small, large):
            ours, second = _tail(n, sigmas), Pool.of((Q, n)).at_most(n // 10 - sigmas * isqrt(9 * n // 100), rtol=RTOL)
            check(max(ours.lower, second.lower) <= min(ours.upper, second.upper), f"tail, n = {n}, {sigmas} sigma")
        tasks = {"small": partial(_tail, small, sigmas), "large": partial(_tail, large, sigmas)}
        seconds = medians(tasks, repeats=repeats)
        results[f"{sigmas} sigma"] = {"seconds": seconds, "large / small": seconds["large"] / seconds["small"]}
    return results


# --- the privacy ratios of all outcomes ---------------------------------------------------------------------------


def _recurrence(n: int, k: int, q: Fraction) -> list[float]:
    """R_s for all records 1, the plain way (proof notes, 1.9)."""
    u, v = q.numerator, q.denominator - q.numerator
    low, high, total = u * u, v * v, n * k
    whole = comb(total, k) * (u * v) ** k
    before, now = 0, comb(total, k) * v ** (2 * k)
    found = [now / whole]
    for s in range(total):
        ahead = high * (total - s)
        before, now = now, ((ahead - low * s - k * (high - low)) * now + low * s * before) // ahead
        found.append(now / whole)
    return found


def _powers(n: int, k: int, q: Fraction) -> list[float]:
    """The same from the coefficients of (v + u x)^k (u + v x)^(n k - k) and (u + v x)^(n k), powers made by FLINT."""
    u, v = q.numerator, q.denominator - q.numerator
    zero, one = fmpz_poly([v, u]), fmpz_poly([u, v])
    above, below = zero**k * one ** (n * k - k), one ** (n * k)
    return [int(above[s]) / int(below[s]) for s in range(n * k + 1)]


def _in_numpy(n: int, k: int, q: Fraction) -> Any:
    """The same in doubles, from pmfs whose logarithms are sums; where a pmf underflows it is no number."""

    def binomial(size: int, p: float) -> Any:
        i = np.arange(1, size + 1)
        steps = np.log((size + 1 - i) / i) + np.log(p / (1 - p))
        return np.exp(size * np.log1p(-p) + np.concatenate([[0.0], np.cumsum(steps)]))

    lie, total = float(q), n * k
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.convolve(binomial(total - k, 1 - lie), binomial(k, lie)) / binomial(total, 1 - lie)


def _ratios(n: int, k: int, repeats: int) -> dict[str, Any]:
    """Of n records with k reports, all 1, as doubles; and enclosed where half of them are 1 and pmfs would not fit."""
    few, beside = min(k, FEW), n // 2

    def doubles(k: int) -> Any:
        _block.cache_clear()
        return ratios(KRandomization(n=n, q=LIE, k=k)).floats()

    def enclosures() -> list[Any]:
        _block.cache_clear()
        return list(ratios(mechanism, ones=beside))

    mechanism, exact = KRandomization(n=n, q=LIE, k=k), doubles(k)
    check(exact.tolist() == _recurrence(n, k, LIE), f"ratios, n = {n}, k = {k}")
    check(doubles(few).tolist() == _powers(n, few, LIE), f"FLINT's ratios, n = {n}, k = {few}")
    seconds = medians(
        {
            "ratios": lambda: doubles(k),
            "plain recurrence": lambda: _recurrence(n, k, LIE),
            "numpy": lambda: _in_numpy(n, k, LIE),
            "few": lambda: doubles(few),
            "few, FLINT powering": lambda: _powers(n, few, LIE),
            "beside as many zeros": enclosures,
        },
        repeats=repeats,
    )
    question = f"import dpcalc as dp; r = dp.ratios(dp.KRandomization(n={n}, q='{LIE}', k={k}), ones={beside}); list(r)"
    return {
        "n": n,
        "k": k,
        "few": few,
        "outcomes that numpy finds": int((abs(_in_numpy(n, k, LIE) - exact) <= ALIKE * exact).sum()),
        "enclosed beside as many zeros": not ratios(mechanism, ones=beside).exact,
        "seconds": seconds,
        "ratios / plain recurrence": seconds["ratios"] / seconds["plain recurrence"],
        "ratios / numpy": seconds["ratios"] / seconds["numpy"],
        "FLINT powering / ratios": seconds["few, FLINT powering"] / seconds["few"],
        "peak MB": peak_of(question.replace(f", ones={beside}", "").replace("list(r)", "r.floats()")),
        "peak MB beside as many zeros": peak_of(question),
    }
