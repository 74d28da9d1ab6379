"""Coefficients, ratios, log-concavity and binomial tails against FLINT, a plain recurrence and themselves."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isqrt
from typing import Any

from flint import fmpz, fmpz_poly
from measure import check, medians, peak_of

from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.pmf import coefficients
from dpcalc.laws.pool import Pool
from dpcalc.laws.tails import binomial_at_most
from dpcalc.laws.terms import _block
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.ratios import ratios

__all__ = ["run"]

Q = Fraction(1, 10)
LIE = Fraction(269, 1000)  # K16's bound at n = 1000, k = 50, lambda = 2
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
    pmf = coefficients(Q, n // 2, n - n // 2)
    check([int(c) for c in _powering(n)] == list(pmf.weights), f"coefficients, n = {n}")
    check(log_concavity(pmf).holds, f"log-concavity, n = {n}")
    flint = [fmpz(weight) for weight in pmf.weights]

    def products(terms: Any) -> None:
        for i in range(1, len(terms) - 1):
            terms[i] * terms[i], terms[i - 1] * terms[i + 1]

    seconds = medians(
        {
            "coefficients": lambda: coefficients(Q, n // 2, n - n // 2),
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
        seconds = medians(
            {"small": lambda at=sigmas: _tail(small, at), "large": lambda at=sigmas: _tail(large, at)}, repeats=repeats
        )
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


def _ratios(n: int, k: int, repeats: int) -> dict[str, Any]:
    """Of n records with k reports, all 1, as doubles; and enclosed where half of them are 1 and pmfs would not fit."""
    mechanism, beside = KRandomization(n=n, q=LIE, k=k), n // 2

    def doubles() -> Any:
        _block.cache_clear()
        return ratios(mechanism).floats()

    def enclosures() -> list[Any]:
        _block.cache_clear()
        return list(ratios(mechanism, ones=beside))

    check(doubles().tolist() == _recurrence(n, k, LIE), f"ratios, n = {n}, k = {k}")
    seconds = medians(
        {"ratios": doubles, "plain recurrence": lambda: _recurrence(n, k, LIE), "beside as many zeros": enclosures},
        repeats=repeats,
    )
    question = f"import dpcalc as dp; r = dp.ratios(dp.KRandomization(n={n}, q='{LIE}', k={k}), ones={beside}); list(r)"
    return {
        "n": n,
        "k": k,
        "enclosed beside as many zeros": not ratios(mechanism, ones=beside).exact,
        "seconds": seconds,
        "ratios / plain recurrence": seconds["ratios"] / seconds["plain recurrence"],
        "peak MB beside as many zeros": peak_of(question),
    }
