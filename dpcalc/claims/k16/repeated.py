"""K16, section 5: every record randomized k times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise, product
from math import comb, factorial, prod

from sympy import Expr, Poly, Rational, binomial, limit, log, oo, solve, sqrt, sympify

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate, variance
from dpcalc.claims.checking import all_of, exhausted, identity, named, printed, repaired, restricted, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import choose, in_odds, moments, observed, p, rounded, variance_at_closed_q
from dpcalc.counts.generating import coefficients
from dpcalc.mechanisms.pooled import log_concavity_in_ones, pmf
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import log as natural_log
from dpcalc.numbers.elementary import sqrt as root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.ratio import ratio, ratio_bound
from dpcalc.solvers.bracket import Bracket
from dpcalc.solvers.least import least_q
from dpcalc.solvers.local import local_q, local_sigma
from dpcalc.symbolic import k, lam, m, n, q, s, t, x, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_QS = (F(1, 10), F(1, 4), F(2, 5))
_MILLIONTH = F(1, 10**6)
_COARSE = F(1, 10**4)  # relative width of searched answers


# --- what repeating is said to buy --------------------------------------------------------------------------------


@ledger.claim(
    "s5-recalled",
    where="section 5, first paragraph",
    says="At n = 1000 and lambda = 2 the local bound has q = 0.009 and the estimate's deviation 3.",
)
def _recalled() -> Finding:
    """The closed form (4.45), 0.00876..., to the digits printed; at it the deviation is 3/(2 - 1),
    exactly.
    """
    deviation = local_sigma(lam=2)
    noise = printed("0.009", local_q(n=1000, lam=2).enclosure)
    if deviation != 3:
        return Finding(ruling=Ruling.CORRECTED, said="3", exact=f"{deviation}", witness=f"{deviation}")
    return noise


@ledger.claim(
    "s5-error-9",
    where="section 5, first paragraph",
    says="The estimate's error is then roughly 9 in either direction.",
    assuming="three standard deviations are meant",
)
def _error() -> Finding:
    """3 sigma = 3 * 3/(lambda - 1) = 9 at lambda = 2.

    With all records 1 the estimate cannot exceed n + qn/(p - q), 8.92 above n, as S <= n.
    """
    return printed("9", 3 * local_sigma(lam=2))


@ledger.claim(
    "s5-sqrt-k",
    where="section 5, second paragraph",
    says="Repeating k times gains precision in proportion to sqrt(k) at the same privacy.",
    assuming="same privacy: the same lambda in the document's own bound (5.24)",
    script="""
        from fractions import Fraction as F
        least = lambda k, root: F(9, k**2 * (root - 1) ** 2)  # Var of the estimate by (5.23), root = lambda^(1/k)
        assert least(1, 4) == 1 and least(2, 2) == F(9, 4)  # lambda = 4: the variance grows; the claim says 1/2
    """,
)
def _gain_in_precision() -> Finding:
    """At the bound (5.23) is an equality, Var = pqn/(k (p - q)^2) = z^2/(k^2 (lambda^(1/k) - 1)^2).

        sigma = z/(k (lambda^(1/k) - 1)),   whatever n is.

    With y = 1/k, k (lambda^(1/k) - 1) = (lambda^y - 1)/y is the slope of the convex function
    lambda^y between 0 and y: it falls with y, to ln lambda. So sigma *grows* with k, from
    z/(lambda - 1) to z/ln lambda. The sqrt(k) of (5.4) is for the same q.

    The loss is not due to the upper bound (5.13): the exact R_s, real s, has it too. The check
    derives the closed form of sigma from those of the variance and of q, takes its limit, and
    computes sigma for lambda = 2, k = 1..20.
    """
    form = symbolic.sigma_at_closed_q()
    derived = identity(form**2, variance_at_closed_q(), at={lam: 3, k: 2, n: 100, z: 3})
    ending = identity(limit(form, k, oo), z / log(lam), at={lam: 3, z: 3})
    for found in (derived, ending):
        if found.ruling is not Ruling.PROVEN:
            return found
    sigmas = [local_sigma(lam=2, k=count) for count in range(1, 21)]
    if not all(a < b for a, b in pairwise(sigmas)):
        return Finding(ruling=Ruling.HOLDS, said="sigma falls like 1/sqrt(k)", over="lambda = 2, k = 1..20")
    ten, last = rounded(sigmas[9], 2), rounded(3 / natural_log(F(2)), 2)
    exact = _sigma(local_q(n=1000, lam=2, k=10, method="real", rtol=_COARSE), k=10)
    return Finding(
        ruling=Ruling.REFUTED,
        said="sigma falls like 1/sqrt(k)",
        exact=f"sigma = z/(k (lambda^(1/k) - 1)) grows: 3 at k = 1, {ten} at k = 10, limit {last}",
        witness=f"lambda = 2: 3 at k = 1; {ten} at k = 10 by (5.24), {rounded(exact, 2)} with the exact R_s",
    )


@ledger.claim(
    "s5-slight-noise",
    where="section 5, second paragraph",
    says="Keeping the privacy while repeating takes a slight increase of the noise q.",
    assuming="slight: by less than a factor of 2",
    script="""
        from fractions import Fraction as F
        left = lambda q, k: q * (1 - q) * k * 1000 / (1 - 2 * q) ** 2  # (5.23), n = 1000, lambda = 2
        assert left(F(88, 10**4), 1) >= 9  # k = 1: q = 0.0088 is enough
        r = F(1072, 1000)  # 2^(1/10) is smaller
        assert r**10 > 2 and left(F(115, 10**3), 10) < 9 / (r - 1) ** 2  # k = 10: q = 0.115 is not
    """,
)
def _slight_noise() -> Finding:
    """The least q of (5.24) at n = 1000, lambda = 2: 0.00876 at k = 1, 0.0243 at k = 2, 0.116 at
    k = 10.

    (ln 2, 10^-6)-differential privacy takes 0.0476 at k = 1 and 0.182 at k = 10.
    """
    least = [local_q(n=1000, lam=2, k=count).enclosure for count in (1, 2, 10)]
    twice, tenfold = least[1] / least[0], least[2] / least[0]
    finding = exhausted(
        [twice, tenfold], lambda growth: growth < 2, over="k = 2 and k = 10",
        shown=("slight", f"{rounded(twice, 1)} times at k = 2, {rounded(tenfold, 1)} times at k = 10"),
    )  # fmt: skip
    ends = f"q = {rounded(least[0], 5)} at k = 1, {rounded(least[2], 5)} at k = 10"
    return replace(finding, witness=finding.witness and f"n = 1000, lambda = 2: {ends}")


@ledger.claim(
    "s5-insignificant",
    where="section 5, second paragraph",
    says="The increase of the noise is usually insignificant compared with the gain in precision.",
    assuming="the document's own bound (5.24)",
    script="""
        from fractions import Fraction as F
        sigma = lambda k, root: F(3, k * (root - 1))  # (5.23), with lambda = root^k
        assert all(sigma(k, r) > sigma(1, r**k) for k in range(2, 9) for r in (F(11, 10), F(3, 2), 2, 5))
    """,
)
def _insignificant() -> Finding:
    """There is no gain to compare with: z/(k (lambda^(1/k) - 1)) grows with k for every lambda > 1,
    so the noise always costs more than the k-fold reports bring. With r = lambda^(1/k) this is k
    (r - 1) < r^k - 1, Bernoulli's inequality.

    Under (ln 2, 10^-6)-differential privacy there is a gain, 1.22 times for k = 10, for 3.8 times
    the noise (s5-same-privacy).
    """
    cases = [(lam_, count) for lam_ in (F(11, 10), F(3, 2), F(2), F(10)) for count in (2, 3, 10, 100)]
    gaining = [case for case in cases if local_sigma(lam=case[0], k=case[1]) <= local_sigma(lam=case[0])]
    least = [local_q(n=1000, lam=2, k=count).enclosure for count in (1, 10)]
    sigmas = [local_sigma(lam=2, k=count) for count in (1, 10)]
    noise, precision = rounded(least[1] / least[0], 1), rounded(sigmas[0] / sigmas[1], 2)
    return Finding(
        ruling=Ruling.HOLDS if 2 * len(gaining) > len(cases) else Ruling.REFUTED,
        said="the gain outweighs the noise",
        exact=f"precision gained in {len(gaining)} of {len(cases)} cases",
        over="lambda in {1.1, 1.5, 2, 10}, k in {2, 3, 10, 100}",
        witness=f"n = 1000, lambda = 2, k = 10: q {noise} times, precision {precision} times as large",
    )


@ledger.claim(
    "s5-same-privacy",
    where="section 5, second paragraph",
    says="k times the reports buy precision while the privacy stays the same.",
    script="""
        from fractions import Fraction as F
        r = F(1415, 1000)
        assert r**2 > 2  # 2^(1/2) < r
        assert F(3, 2) / (r - 1) > 3  # sigma by (5.23) for lambda = 2: above this at k = 2, 3 at k = 1
    """,
)
def _same_privacy() -> Finding:
    """It depends on what has to stay the same.

    Under (5.24) precision is lost (s5-sqrt-k). Under (epsilon, delta)-differential privacy over
    every dataset, both orders, sigma at the least q is smaller for k = 10, as repeating removes the
    skew of the binomial, but it stays above that of the Gaussian mechanism. If the reciprocal ratio
    counts too in the window, with the exact R_s (s4.3-direction), there is a gain as well. None of
    them is a gain of sqrt(10) = 3.16.
    """
    one, ten = (_sigma(least_q(n=1000, k=count, lam=2, delta=_MILLIONTH, rtol=_COARSE), k=count) for count in (1, 10))
    both = [_sigma(local_q(n=1000, k=r, lam=2, method="real", sides=2, rtol=_COARSE), k=r) for r in (1, 10)]
    own = [local_sigma(lam=2, k=count) for count in (1, 10)]
    best = gaussian_sigma(lam=2, delta=_MILLIONTH, rtol=_COARSE)
    exact = (
        f"sigma at (ln 2, 10^-6): {rounded(one, 2)} at k = 1, {rounded(ten, 2)} at k = 10, Gaussian {rounded(best, 2)}"
    )
    window = " to ".join(rounded(sigma, 2) for sigma in both)
    if not (ten < one and both[1] < both[0]):
        return Finding(ruling=Ruling.REFUTED, said="precision grows", exact=exact, witness=exact)
    return Finding(
        ruling=Ruling.ONLY_FOR if own[1] > own[0] else Ruling.HOLDS,
        said="precision grows",
        exact=exact,
        over=f"(epsilon, delta), or both ratios in the window (sigma {window}); not (5.24)",
        witness=f"(5.24), lambda = 2: sigma = 3 at k = 1, {rounded(own[1], 2)} at k = 10",
    )


def _sigma(found: Bracket, *, k: int) -> Enclosure:
    """The estimate's deviation over a bracket of q; it grows with q."""
    low, high = (root(variance(KRandomization(n=1000, q=end, k=k))) for end in (found.lower, found.upper))
    return Enclosure(low.lower, high.upper)


@ledger.claim(
    "s5-long-records",
    where="section 5, second paragraph",
    says="The gain is larger for long records of several bits.",
    assuming="records of L equal bits, 3 sigma of the mean likelihood ratio (section 6.1.2 stops before a bound)",
)
def _long_records() -> Finding:
    """Let g_k = lambda^(1/k) - 1, M_k = 1 + k n g_k^2/z^2 and w a report's likelihood ratio, E
    w^2 = (1/(pq) - 3)^L.

    The bound (1 + z sqrt((E w^2 - 1)/(kn)))^k <= lambda gives pq/(p - q)^2 = 1/(M_k^(1/L) - 1) for
    the least q, and sigma^2 is n/k times this:

        (sigma_1/sigma_k)^2 = k (M_k^(1/L) - 1)/(M_1^(1/L) - 1).

    k g_k falls with k (s5-sqrt-k), hence k g_k^2 does, and M_k < M_1. With y = 1/L: for 1 < a < b
    the quotient (a^y - 1)/(b^y - 1) falls in y, because u/(1 - e^(-u)) grows in u. So the gain
    grows with L. It starts below 1 at L = 1, a loss, and stays below sqrt(k), as M_k < M_1. The
    check computes it from the solver of the bound.
    """
    lengths = (1, 2, 3, 5, 10, 20)
    gains = [_squared_gain(length) for length in lengths]
    found = exhausted(
        pairwise(gains),
        lambda pair: pair[0] < pair[1] < 10,
        over="n = 1000, lambda = 2, k = 10, L in {1, 2, 3, 5, 10, 20}",
        shown=("larger for long records", ""),
        proven=True,
    )
    shown = ", ".join(f"{rounded(root(gains[i]), 2)} for L = {lengths[i]}" for i in (0, 1, -1))
    return replace(found, exact=f"sigma_1/sigma_10: {shown}")


def _squared_gain(bits: int) -> F:
    """(sigma_1/sigma_10)^2 at the upper ends of the two least q, known to 40 digits."""
    one, ten = (
        variance(KRandomization(n=1000, q=local_q(n=1000, lam=2, k=count, bits=bits).upper, k=count))
        for count in (1, 10)
    )
    return one / ten


# --- 5.1 the estimate ---------------------------------------------------------------------------------------------


@ledger.claim(
    "s5.1-count",
    where="section 5.1, first display",
    says="With T ones S = p kT + q (kn - kT).",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # n = k = T = 1: S is 1 with probability p, 0 with q
        assert p * 1 + q * 0 not in (0, 1)  # the right side is no value of S
        assert 1 * p + 0 * q == p * 1 + q * 0  # but its mean
    """,
)
def _count() -> Finding:
    """kT reports are 1 with probability p, the others with q. The right side is E S; S itself
    varies about it.
    """
    said = p * k * t + q * (k * n - k * t)
    shown = ("S = p kT + q (kn - kT)", "E S = p kT + q (kn - kT)")
    at = {q: F(1, 5), k: 2, n: 10, t: 3}
    mean = identity(said.subs(p, 1 - q), moments(t)[0], at=at, shown=shown, failing=Ruling.REFUTED)
    law = observed(1, 0, F(1, 4))
    if mean.ruling is not Ruling.PROVEN or max(law) == 1:
        return mean
    return Finding(
        ruling=Ruling.CORRECTED, said=shown[0], exact=shown[1],
        witness=f"n = k = T = 1, q = 1/4: the right side is 3/4, S = 0 and 1 have probabilities {law[0]} and {law[1]}",
    )  # fmt: skip


@ledger.claim("5.1", where="(5.1), section 5.1", says="T is estimated by (S - qkn)/(k (p - q)).")
def _estimate() -> Finding:
    """E S = p kT + q (kn - kT) solved for T. The check solves the mean of the generating function."""
    [solved] = solve(moments(t)[0] - s, t)
    said = ((s - q * k * n) / (k * (p - q))).subs(p, 1 - q)
    shown = ("(S - qkn)/(k (p - q))", "E S = S solved for T")
    at = {q: F(1, 5), k: 2, n: 10, s: 7}
    found = identity(said, solved, at=at, shown=shown)
    return all_of(found, identity(said, symbolic.estimate(), at=at, shown=shown))


@ledger.claim(
    "s5.1-divides",
    where="section 5.1, after (5.1)",
    says="The aggregator divides the estimate computed from kn records by k.",
)
def _divides() -> Finding:
    """(4.1) for kn records is (S - q kn)/(p - q) and estimates kT."""
    from_all = symbolic.estimate().subs(k, 1).subs(n, k * n)
    shown = ("1/k of the estimate from kn records", "(S - qkn)/(k (p - q))")
    return identity(from_all / k, symbolic.estimate(), at={q: F(1, 5), k: 2, n: 10, s: 7}, shown=shown)


@ledger.claim("5.2", where="(5.2), section 5.1", says="The estimate is unbiased, E T_hat = T.")
def _unbiased() -> Finding:
    """The estimate is linear in S, and E S solves to T. The check also averages it over the exact
    pmf.
    """
    mean = symbolic.estimate().subs(s, moments(t)[0])
    found = identity(mean, t, at={q: F(1, 5), k: 2, n: 10, t: 3}, shown=("E T_hat = T", "E T_hat = T"))
    if found.ruling is not Ruling.PROVEN:
        return found
    return exhausted(
        ((n, k, q, ones) for n, k, q in _mechanisms(3, 3) for ones in range(n + 1)),
        lambda case: _averaged(*case) == case[3],
        over="n, k = 1..3, q in {1/10, 1/4, 2/5}, every T", shown=("E T_hat = T", "E T_hat = T"), proven=True,
    )  # fmt: skip


def _averaged(n: int, k: int, q: F, ones: int) -> F:
    mechanism = KRandomization(n=n, q=q, k=k)
    return sum((weight * estimate(mechanism, s).value for s, weight in enumerate(pmf(mechanism, ones=ones))), F(0))


@ledger.claim(
    "5.3",
    where="(5.3), section 5.1",
    says="Var T_hat = qpn/(k^2 (p - q)^2) = qpn/(k (p - q)^2).",
    script="""
        from fractions import Fraction as F
        p, q, k = F(3, 4), F(1, 4), 2  # n = T = 1; T_hat = (S - qk)/(k (p - q)), S = 0, 1, 2
        law = {(s - q * k) / (k * (p - q)): w for s, w in enumerate((q * q, 2 * p * q, p * p))}
        true = sum(w * v * v for v, w in law.items()) - sum(w * v for v, w in law.items()) ** 2
        assert q * p / (k**2 * (p - q) ** 2) != true == q * p / (k * (p - q) ** 2)
    """,
)
def _variance() -> Finding:
    """Var S = pq kn for kn independent reports, divided by (k (p - q))^2: the first numerator lacks
    a k.

    The two fractions printed differ; the second one is right.
    """
    derived = moments(t)[1] / (k * (1 - 2 * q)) ** 2
    first, second = q * p * n / (k**2 * (p - q) ** 2), q * p * n / (k * (p - q) ** 2)
    shown = ("qpn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)", "qpkn/(k^2 (p - q)^2) = qpn/(k (p - q)^2)")
    found = in_odds(second, derived, reports=k, shown=shown, failing=Ruling.REFUTED)
    return all_of(found, in_odds(first, derived, reports=2, shown=shown))


@ledger.claim("5.4", where="(5.4), section 5.1", says="sigma(T_hat) = sqrt(qpn/(k (p - q)^2)).")
def _deviation() -> Finding:
    """The root of Var S/(k (p - q))^2. The check also takes the variance of the exact pmf."""
    said = sqrt(q * p * n / (k * (p - q) ** 2))
    shown = ("sqrt(qpn/(k (p - q)^2))", "sqrt(qpn/(k (p - q)^2))")
    for true in (sqrt(moments(t)[1]) / (k * (1 - 2 * q)), symbolic.sigma()):
        found = in_odds(said**2, true**2, reports=k, shown=shown)
        if found.ruling is not Ruling.PROVEN:
            return found
    return exhausted(
        ((n, k, q, ones) for n, k, q in _mechanisms(3, 3) for ones in range(n + 1)),
        lambda case: _spread(*case) == variance(KRandomization(n=case[0], q=case[2], k=case[1])),
        over="n, k = 1..3, q in {1/10, 1/4, 2/5}, every T", shown=(shown[0], shown[1]), proven=True,
    )  # fmt: skip


def _spread(n: int, k: int, q: F, ones: int) -> F:
    spread: F = pmf(KRandomization(n=n, q=q, k=k), ones=ones).variance / (k * (1 - 2 * q)) ** 2
    return spread


@ledger.claim(
    "s5.1-sqrt-k",
    where="section 5.1, after (5.4)",
    says="The deviation is smaller by sqrt(k) than with a single randomization.",
    assuming="the same q",
)
def _at_the_same_q() -> Finding:
    """Only k differs in (5.4). For the same privacy q has to grow too: see s5-sqrt-k."""
    said = symbolic.sigma().subs(k, 1) / sqrt(k)
    at = {q: F(1, 5), n: 100, k: 4}
    return identity(
        said**2, moments(t)[1] / (k * (1 - 2 * q)) ** 2, at=at, shown=("sigma_1/sqrt(k)", "sigma_1/sqrt(k)")
    )


# --- 5.2 the choice of the collection -----------------------------------------------------------------------------


@ledger.claim(
    "s5.2-all-ones",
    where="section 5.2, first sentence",
    says="The collection of ones maximizes the ratio at every observed count.",
    assuming="one record changes from 1 to 0; other collections may have the same ratio",
)
def _all_ones() -> Finding:
    """Repaired; the argument printed does not prove it (s5.2-products).

    Let A_M(s) be the probability of s ones when M of kn single reports have mean p and kn - M have
    mean q. Changing a record moves k of them, so with m ones before the change

        R_s(m) = A_{k(m-1)}(s)/A_{km}(s) = product over M = k(m-1)+1, ..., km of A_{M-1}(s)/A_M(s).

    By Theorem 4.1 for kn single-bit records every factor A_{M-1}(s)/A_M(s) grows, or stays, with M.
    For m + 1 each M is larger by k, so no factor is smaller: R_s(m) <= R_s(m + 1). The check
    verifies the product, the factors and R_s.
    """
    return exhausted(
        ((n, k, q, s) for n, k, q in _mechanisms(4, 3) for s in range(k * n + 1)),
        lambda case: _steps_grow(*case) and _rises_in_ones(*case),
        over="n = 1..4, k = 1..3, q in {1/10, 1/4, 2/5}, every s",
        shown=("R_s largest for m = n", "R_s grows with m"),
        proven=True,
    )


def _steps_grow(n: int, k: int, q: F, s: int) -> bool:
    """The one-report ratios grow in M, and k of them multiply to the ratio of a record."""
    laws = [coefficients(q, likely, k * n - likely)[s] for likely in range(k * n + 1)]
    steps = [before / after for before, after in pairwise(laws)]
    mechanism = KRandomization(n=n, q=q, k=k)
    whole = all(prod(steps[k * m : k * (m + 1)]) == ratio(mechanism, s, ones=m) for m in range(n))
    return whole and all(a <= b for a, b in pairwise(steps))


def _rises_in_ones(n: int, k: int, q: F, s: int) -> bool:
    ratios = [ratio(KRandomization(n=n, q=q, k=k), s, ones=others) for others in range(n)]
    return ratios == sorted(ratios)


@ledger.claim(
    "s5.2-Gm",
    where="section 5.2, first display",
    says="G_m = (q + px)^(km) (p + qx)^(k(n-m)) = [(q + px)^m (p + qx)^(n-m)]^k, with kn + 1 coefficients b_j.",
)
def _generating() -> Finding:
    """A report of a 1 has the generating function q + px, of a 0 p + qx; independent reports
    multiply, km and k(n - m) of them. The inner product has degree n, its power kn. The check
    multiplies out and enumerates all patterns of lies.
    """
    return exhausted(
        _small_collections(),
        lambda case: (
            _coefficients(symbolic.generating_function(), *case)
            == _coefficients(((q + (1 - q) * x) ** m * (1 - q + q * x) ** (n - m)) ** k, *case)
            == observed(case[2], case[0] - case[2], _QS[1], case[1])
        ),
        over="n = 1..3, k = 1..2, every m, q = 1/4",
        shown=("(q + px)^(km) (p + qx)^(k(n-m)) = [..]^k", "P(s), enumerated"),
        proven=True,
    )


@ledger.claim(
    "s5.2-Gm-1",
    where="section 5.2, second display",
    says="G_(m-1) = [sum over i = 0, ..., kn of a_i^(m-1) x^i]^k = sum over j = 0, ..., kn of b_j^(m-1) x^j.",
    script="""
        n, k, p, q = 1, 2, 3, 1  # m = 1: the collection changed has no ones; weights of p = 3/4, q = 1/4
        inner = [p, q]  # p + qx
        outer = [p * p, 2 * p * q, q * q]  # its square
        assert len(inner) - 1 == n != k * n == len(outer) - 1
    """,
)
def _generating_changed() -> Finding:
    """The inner sum is the expansion of (q + px)^(m-1) (p + qx)^(n-m+1), of degree n: i runs to n,
    as in the display before it, not to kn (harmless if a_i = 0 is understood for i > n).
    """
    return repaired(
        [case for case in _small_collections() if case[2] > 0 and case[1] > 1],
        said=unpacked(lambda n, k, m: k * n),
        repair=unpacked(lambda n, k, m: n),
        true=unpacked(lambda n, k, m: (len(_coefficients(symbolic.generating_function(), n, k, m - 1)) - 1) // k),
        over="n = 1..3, k = 2, every m",
        shown=("i = 0, ..., kn in the inner sum", "i = 0, ..., n"),
        show=named("n, k, m"),
    )


def _coefficients(form: Expr, records: int, repeats: int, ones: int) -> list[F]:
    """Of the powers of x, lowest first, at q = 1/4."""
    inserted = form.subs({q: Rational(1, 4), n: records, k: repeats, m: ones})
    return [F(int(c.p), int(c.q)) for c in reversed(Poly(inserted, x).all_coeffs())]


def _small_collections() -> list[tuple[int, int, int]]:
    """(n, k, m)."""
    return [(n, k, m) for n, k in product(range(1, 4), range(1, 3)) for m in range(n + 1)]


@ledger.claim(
    "s5.2-products",
    where="section 5.2, before (5.5)",
    says="The coefficients b_j are products of the a_i, with the same indices i for m and m - 1.",
    script="""
        from fractions import Fraction as F
        a = (F(1, 4), F(3, 4))  # n = m = 1, q = 1/4: a_0, a_1
        b_1 = sum(a[i] * a[1 - i] for i in (0, 1))  # k = 2
        assert b_1 == F(3, 8) and b_1 not in [u * v for u in a for v in a]
    """,
)
def _products() -> Finding:
    """The k-th power of a sum: b_j is the *sum* over all i_1 + ... + i_k = j of the products
    a_(i_1) ... a_(i_k).

    Ratios of sums do not inherit an inequality from the ratios of their terms in this way. The
    conclusion is true all the same (s5.2-all-ones).
    """
    return exhausted(
        ((n, k, j) for n, k in ((1, 2), (2, 2), (2, 3)) for j in range(k * n + 1)),
        unpacked(_is_product),
        over="(n, k) = (1, 2), (2, 2) and (2, 3), every j, q = 1/4",
        shown=("b_j = product of a_i", "b_j = sum of products of a_i"),
        show=named("n, k, j"),
    )


def _is_product(n: int, k: int, j: int) -> bool:
    """Whether b_j is a product of k of the a_i, whichever they are."""
    single = list(pmf(KRandomization(n=n, q=_QS[1]), ones=n))
    return pmf(KRandomization(n=n, q=_QS[1], k=k), ones=n)[j] in {prod(chosen) for chosen in product(single, repeat=k)}


@ledger.claim(
    "5.5",
    where="(5.5), section 5.2",
    says="b_j^m/b_j^(m+1) > b_j^(m-1)/b_j^m.",
    assuming="0 < m < n; the two ratios of products printed in between are the subject of s5.2-products",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # n = 2, k = 2, m = 1; j = 0: all four reports are 0
        b = [p**4, p**2 * q**2, q**4]  # for m - 1, m, m + 1 ones
        assert not b[1] / b[2] > b[0] / b[1]
    """,
)
def _strictly() -> Finding:
    """With >= it is s5.2-all-ones. At j = 0 and j = kn both sides are (p/q)^k or (q/p)^k: equal.

    Strict between: with the steps of s5.2-all-ones, A_M^2 - A_{M-1} A_{M+1} = (p^2 - q^2)^2
    (c_{j-1}^2 - c_j c_{j-2}), c the coefficients of a product of kn - 2 factors. For 0 < j < kn,
    c_{j-1} > 0, and the roots being real Newton's inequalities make the bracket positive (at the
    ends c_{-1} = c_{kn-1} = 0). The check compares exact coefficients.
    """
    return restricted(
        ((n, k, q, m, j) for n, k, q in _mechanisms(4, 3) for m in range(1, n) for j in range(k * n + 1)),
        said=unpacked(_strict_at),
        where=unpacked(lambda n, k, q, m, j: 0 < j < k * n),
        over="0 < j < kn; equal at j = 0 and j = kn",
        shown=("b_j^m/b_j^(m+1) > b_j^(m-1)/b_j^m", "> for 0 < j < kn, = at both ends"),
        show=named("n, k, q, m, j"),
    )


def _strict_at(n: int, k: int, q: F, m: int, j: int) -> bool:
    mechanism = KRandomization(n=n, q=q, k=k)
    if not log_concavity_in_ones(mechanism):
        raise ArithmeticError(f"not even >= at {mechanism}")
    fewer, same, more = (pmf(mechanism, ones=ones).weights[j] for ones in (m - 1, m, m + 1))
    return same * same > fewer * more


# --- 5.3 the ratio and its bound ----------------------------------------------------------------------------------


@ledger.claim("5.6", where="(5.6), section 5.3", says="With all records 1, P(S = s) = C(kn, s) p^s q^(kn-s).")
def _binomial() -> Finding:
    """kn independent reports, each 1 with probability p. The check adds up all patterns of lies."""
    return exhausted(
        _outcomes(),
        lambda case: observed(case[0], 0, case[2], case[1])[case[3]] == _law_of_ones(*case),
        over=_ENUMERATED, shown=("C(kn, s) p^s q^(kn-s)", "P(s | D), enumerated"), proven=True,
    )  # fmt: skip


_ENUMERATED = "n, k = 1..6 with kn <= 6, q in {1/10, 1/4, 2/5}, every s"


def _law_of_ones(n: int, k: int, q: F, s: int) -> F:
    return comb(k * n, s) * (1 - q) ** s * q ** (k * n - s)


@ledger.claim(
    "5.7",
    where="(5.7), section 5.3",
    says="With one record changed to 0, P(S = s) = "
    "sum over i of C(k(n-1), s-i) p^(s-i) q^(k(n-1)-s+i) C(k, i) p^(k-i) q^i.",
)
def _convolution() -> Finding:
    """Of the s ones i come from the changed record, all of them lies, and s - i from the k(n - 1)
    reports of the others.

    The check adds up all patterns of lies.
    """
    return exhausted(
        _outcomes(),
        lambda case: _law_changed(*case) == sum(_others(*case, i) * _own(*case, i) for i in _part(*case)),
        over=_ENUMERATED, shown=("sum over i of others times own", "P(s | D_m), enumerated"), proven=True,
    )  # fmt: skip


def _law_changed(n: int, k: int, q: F, s: int) -> F:
    return observed(n - 1, 1, q, k)[s]


def _part(n: int, k: int, q: F, s: int) -> Iterator[int]:
    """The i whose binomial coefficients are not 0."""
    return (i for i in range(k + 1) if 0 <= s - i <= k * (n - 1))


def _others(n: int, k: int, q: F, s: int, i: int) -> F:
    return comb(k * (n - 1), s - i) * (1 - q) ** (s - i) * q ** (k * (n - 1) - s + i)


def _own(n: int, k: int, q: F, s: int, i: int) -> F:
    return comb(k, i) * (1 - q) ** (k - i) * q**i


@ledger.claim(
    "5.8",
    where="(5.8), section 5.3",
    says="= sum over i of C(k(n-1), s-i) C(k, i) p^(s+k-2i) q^(kn-s-(k-2i)).",
)
def _collected() -> Finding:
    """p^(s-i) p^(k-i) = p^(s+k-2i) and q^(k(n-1)-s+i) q^i = q^(kn-s-(k-2i))."""
    return exhausted(
        _outcomes(),
        lambda case: _law_changed(*case) == sum(_joint(*case, i) for i in _part(*case)),
        over=_ENUMERATED, shown=("p^(s+k-2i) q^(kn-s-(k-2i))", "P(s | D_m), enumerated"), proven=True,
    )  # fmt: skip


def _joint(n: int, k: int, q: F, s: int, i: int) -> F:
    ways = comb(k * (n - 1), s - i) * comb(k, i)
    return ways * (1 - q) ** (s + k - 2 * i) * q ** (k * n - s - (k - 2 * i))


@ledger.claim(
    "5.9",
    where="(5.9), section 5.3",
    says="R_s = sum over i of C(k(n-1), s-i) C(k, i)/C(kn, s) (p/q)^(k-2i).",
)
def _ratio() -> Finding:
    """(5.8) over (5.6): the powers leave p^(k-2i)/q^(k-2i).

    The check divides enumerated probabilities, and compares the closed form in falling factorials
    and the exact ratio.
    """
    closed = {
        (records, repeats, lie): Poly(symbolic.ratio(repeats).subs({n: records, q: Rational(lie)}), s)
        for records, repeats, lie in {case[:3] for case in _outcomes()}
    }
    return exhausted(
        _outcomes(),
        lambda case: (
            _law_changed(*case) / observed(case[0], 0, case[2], case[1])[case[3]]
            == _ratio_said(*case)
            == ratio(KRandomization(n=case[0], k=case[1], q=case[2]), case[3])
            == closed[case[:3]].eval(case[3])
        ),
        over=_ENUMERATED,
        shown=("sum of C(k(n-1), s-i) C(k, i)/C(kn, s) (p/q)^(k-2i)", "P(s | D_m)/P(s | D), enumerated"),
        proven=True,
    )


def _ratio_said(n: int, k: int, q: F, s: int) -> F:
    odds = (1 - q) / q
    return sum((choose(k * (n - 1), s - i) * comb(k, i) * odds ** (k - 2 * i) for i in range(k + 1)), F(0)) / comb(
        k * n, s
    )


@ledger.claim(
    "5.10",
    where="(5.10), section 5.3",
    says="C(k(n-1), s-i)/C(kn, s) = (kn-k)!/(kn)! s!/(s-i)! (kn-s)!/(kn-s-(k-i))! "
    "= prod_{j<i} (s-j) prod_{j<k-i} (kn-s-j) / prod_{j<k} (kn-j).",
)
def _quotient() -> Finding:
    """C(kn-k, s-i) = (kn-k)!/((s-i)! (kn-s-(k-i))!), times s! (kn-s)!/(kn)!; each quotient of
    factorials is a falling product. Where s < i or kn - s < k - i the left side and the products
    are 0 and the factorials have no meaning. The capital S of the products printed is s.
    """
    return exhausted(
        _terms(),
        lambda case: _left(*case) == _falling(*case) == _factorials(*case),
        over="n, k = 1..4, every s and i", shown=("three members are equal", "they are"), proven=True,
    )  # fmt: skip


def _left(n: int, k: int, s: int, i: int) -> F:
    return F(choose(k * (n - 1), s - i), comb(k * n, s))


def _falling(n: int, k: int, s: int, i: int) -> F:
    return F(
        prod(s - j for j in range(i)) * prod(k * n - s - j for j in range(k - i)), prod(k * n - j for j in range(k))
    )


def _factorials(n: int, k: int, s: int, i: int) -> F:
    if s < i or k * n - s < k - i:
        return F(0)
    return (
        F(factorial(k * n - k), factorial(k * n))
        * F(factorial(s), factorial(s - i))
        * F(factorial(k * n - s), factorial(k * n - s - (k - i)))
    )


def _terms() -> Iterator[tuple[int, int, int, int]]:
    """(n, k, s, i)."""
    return ((n, k, s, i) for n, k in product(range(1, 5), repeat=2) for s in range(k * n + 1) for i in range(k + 1))


@ledger.claim(
    "5.11",
    where="(5.11), section 5.3",
    says="For positive A, B, e with A < B, (A - e)/(B - e) < A/B.",
    script="""
        from fractions import Fraction as F
        A, B, e = 1, 2, 3
        assert F(A - e, B - e) == 2 > F(A, B)
    """,
)
def _shrinking() -> Finding:
    """A/B - (A - e)/(B - e) = e (B - A)/(B (B - e)), which is positive exactly for e < B
    (undefined at e = B).

    It is used with e = j < k <= kn = B, where it holds.
    """
    halves = [F(j, 2) for j in range(1, 9)]
    return restricted(
        ((a, b, e) for a, b, e in product(halves, repeat=3) if a < b and e != b),
        said=unpacked(lambda a, b, e: (a - e) / (b - e) < a / b),
        where=unpacked(lambda a, b, e: e < b),
        over="e < B",
        shown=("all positive e", "e < B; > for e > B"),
        show=named("A, B, e"),
    )


@ledger.claim(
    "5.12",
    where="(5.12), section 5.3",
    says="prod_{j<i} (s-j) prod_{j<k-i} (kn-s-j) / prod_{j<k} (kn-j) < s^i (kn-s)^(k-i)/(kn)^k.",
    script="""
        from fractions import Fraction as F
        n, k, s, i = 1, 2, 1, 1
        assert F(s * (k * n - s), k * n * (k * n - 1)) == F(1, 2)
        assert F(1, 2) > F(s**i * (k * n - s) ** (k - i), (k * n) ** k) == F(1, 4)
    """,
)
def _termwise() -> Finding:
    """(5.11) puts (s-j)/(kn-j) below s/(kn), but only for a numerator and a denominator with the
    same j.

    For 0 < i < k both products of the numerator start at j = 0 and the denominator runs on to
    j = k - 1: for k = 2 and i = 1

        s (kn-s)/(kn (kn-1)) > s (kn-s)/(kn)^2.

    For i = 0 and i = k it holds, with "=" for k = 1 and at s = 0, kn. What it is used for, (5.13),
    is true: Maclaurin's inequality bounds the sum, not its terms. The check reads "<" as "<=".
    """
    larger = [case for case in _terms() if _falling(*case) > _power_term(*case)]
    predicted = all((n, 2, s, 1) in larger for n in range(1, 5) for s in range(1, 2 * n))
    if not larger or not predicted or any(i in (0, k) for _, k, _, i in larger):
        return Finding(ruling=Ruling.HOLDS, said="every term is bounded", over="n, k = 1..4", witness=str(larger))
    n, k, s, i = first = larger[0]
    return Finding(
        ruling=Ruling.REFUTED,
        said="every term is bounded",
        exact=f"not for 0 < i < k: {len(larger)} terms with n, k <= 4 are larger",
        witness=f"n = {n}, k = {k}, s = {s}, i = {i}: {_falling(*first)} > {_power_term(*first)}",
    )


def _power_term(n: int, k: int, s: int, i: int) -> F:
    return F(s**i * (k * n - s) ** (k - i), (k * n) ** k)


@ledger.claim(
    "5.13",
    where="(5.13), section 5.3",
    says="R_s < sum over i of (s/(kn))^i (1 - s/(kn))^(k-i) C(k, i) (p/q)^(k-2i).",
    script="""
        from fractions import Fraction as F
        from math import comb
        ways = lambda n, k, s, i: F(comb(k * n - k, s - i) if s >= i else 0, comb(k * n, s)) * comb(k, i)  # (5.9)
        mixed = lambda n, k, s, i: F(s, k * n) ** i * (1 - F(s, k * n)) ** (k - i) * comb(k, i)
        total = lambda term, n, k, s: sum(term(n, k, s, i) * F(3) ** (k - 2 * i) for i in range(k + 1))  # p/q = 3
        assert all(total(ways, *at) == total(mixed, *at) for at in [(3, 1, 1), (3, 1, 2), (2, 2, 0), (2, 2, 4)])
    """,
)
def _maclaurin() -> Finding:
    """True with <=, by Maclaurin's inequality and not by (5.12).

    Let N = kn and w_1, ..., w_N be the odds of the reports: q/p for each of the s ones, p/q for
    each 0. In (5.9) C(N-k, s-i) C(k, i)/C(N, s) = C(s, i) C(N-s, k-i)/C(N, k): both are the chance
    that k of the N reports, drawn without replacement, hold i ones. So R_s is the mean of the
    products of k of the w over all k-subsets, and the bound is a power by the binomial theorem:

        R_s = e_k(w)/C(N, k),    bound = (s/N q/p + (1 - s/N) p/q)^k = (mean of w)^k.

    e_k(w)/C(N, k) <= (mean w)^k: among all w >= 0 with the same sum some w maximizes e_k, and
    e_k > 0 there. Were w_1 != w_2, put their mean in both places: in e_k = w_1 w_2 X + (w_1 + w_2)
    Y + Z, with X = e_(k-2), Y, Z of the others, only the product w_1 w_2 changes, and it grows;
    X > 0 for k >= 2, as k weights are positive. So e_k would grow. At the maximum all w are equal,
    where e_k = C(N, k) (mean w)^k.

    Equality holds exactly for k = 1 and where all w are equal, s = 0 and s = kn.
    """
    closed = _same_for_repeats(_bound_said, symbolic.ratio_bound(), "sum of C(k, i) (s/(kn))^i ...")
    if closed.ruling is not Ruling.PROVEN:
        return closed
    return restricted(
        ((n, k, q, s) for n, k, q in _mechanisms(5, 4) for s in range(k * n + 1)),
        said=unpacked(_below_bound),
        where=unpacked(lambda n, k, q, s: k >= 2 and 0 < s < k * n),
        over="k >= 2 and 0 < s < kn; <= always",
        shown=("R_s < (mean of w)^k", "<=; = for k = 1, s = 0, s = kn"),
        show=named("n, k, q, s"),
    )


def _bound_said(repeats: int) -> Expr:
    share = s / (k * n)
    return sympify(
        sum(
            share**i
            * (1 - share) ** (repeats - i)
            * binomial(repeats, i)
            * p ** (repeats - 2 * i)
            / q ** (repeats - 2 * i)
            for i in range(repeats + 1)
        )
    )


def _below_bound(n: int, k: int, q: F, s: int) -> bool:
    mechanism = KRandomization(n=n, k=k, q=q)
    exact, bound = ratio(mechanism, s), ratio_bound(mechanism, s)
    if exact > bound:
        raise ArithmeticError(f"Maclaurin's inequality fails at {mechanism}, s = {s}")
    return exact < bound


# --- 5.3 three sigma below the mean -------------------------------------------------------------------------------


@ledger.claim(
    "s5.3-window",
    where="section 5.3, display after (5.13)",
    says="Three deviations below the mean, s = pkn - 3 sqrt(pqkn).",
)
def _end() -> Finding:
    """Mean pkn and variance pqkn, as S sums kn independent reports; the check takes both from log G
    at x = 1.
    """
    mean, spread = moments(n)
    shown = ("pkn - 3 sqrt(pqkn)", "E S - 3 sqrt(Var S)")
    return in_odds(_END, mean - 3 * sqrt(spread), reports=k, shown=shown)


_END = p * k * n - 3 * sqrt(p * q * k * n)
_AT_END = "bound (5.13) at pkn - 3 sqrt(pqkn)"


@ledger.claim("5.14", where="(5.14), section 5.3", says="That s is put into the bound (5.13).")
def _inserted() -> Finding:
    """A substitution. The check compares with the bound in its closed form, for k = 1..3."""
    return _chain(
        "((pkn - 3 sqrt(pqkn))/(kn))^i ...",
        lambda i, j: ((p * k * n - 3 * sqrt(p * q * k * n)) / (k * n)) ** i
        * (1 - (p * k * n - 3 * sqrt(p * q * k * n)) / (k * n)) ** j
        * p ** (j - i) / q ** (j - i)
    )  # fmt: skip


@ledger.claim(
    "5.15",
    where="(5.15), section 5.3",
    says="= sum over i of (p - 3 sqrt(pq/(kn)))^i (1 - p + 3 sqrt(pq/(kn)))^(k-i) C(k, i) (p/q)^(k-2i).",
)
def _shares() -> Finding:
    """Term by term, as sqrt(pqkn)/(kn) = sqrt(pq/(kn))."""
    return _chain(
        "(p - 3 sqrt(pq/(kn)))^i ...",
        lambda i, j: (p - 3 * sqrt(p * q / (k * n))) ** i
        * (1 - p + 3 * sqrt(p * q / (k * n))) ** j
        * p ** (j - i) / q ** (j - i)
    )  # fmt: skip


@ledger.claim(
    "5.16",
    where="(5.16), section 5.3",
    says="= sum over i of (q/p)^i (p - 3 sqrt(pq/(kn)))^i (p/q)^(k-i) (q + 3 sqrt(pq/(kn)))^(k-i) C(k, i).",
)
def _split() -> Finding:
    """Term by term, as (p/q)^(k-2i) = (q/p)^i (p/q)^(k-i) and 1 - p = q."""
    return _chain(
        "(q/p)^i (p - 3 sqrt(pq/(kn)))^i ...",
        lambda i, j: q**i / p**i * (p - 3 * sqrt(p * q / (k * n))) ** i
        * p**j / q**j * (q + 3 * sqrt(p * q / (k * n))) ** j
    )  # fmt: skip


@ledger.claim(
    "5.17",
    where="(5.17), section 5.3",
    says="= sum over i of C(k, i) (q - 3q sqrt(q/(pkn)))^i (p + 3p sqrt(p/(qkn)))^(k-i).",
)
def _absorbed() -> Finding:
    """Term by term: (q/p) sqrt(pq/(kn)) = q sqrt(q/(pkn)) and (p/q) sqrt(pq/(kn)) = p
    sqrt(p/(qkn)).
    """
    return _chain(
        "(q - 3q sqrt(q/(pkn)))^i ...",
        lambda i, j: (q - 3 * q * sqrt(q / (p * k * n))) ** i * (p + 3 * p * sqrt(p / (q * k * n))) ** j,
    )


@ledger.claim("5.18", where="(5.18), section 5.3", says="= (q - 3q sqrt(q/(pkn)) + p + 3p sqrt(p/(qkn)))^k.")
def _summed() -> Finding:
    """The binomial theorem."""
    said = q - 3 * q * sqrt(q / (p * k * n)) + p + 3 * p * sqrt(p / (q * k * n))
    return _power("(q - 3q sqrt(q/(pkn)) + p + ...)^k", said)


@ledger.claim("5.19", where="(5.19), section 5.3", says="= (q + p + 3p sqrt(p/(qkn)) - 3q sqrt(q/(pkn)))^k.")
def _reordered() -> Finding:
    """The same sum in another order."""
    said = q + p + 3 * p * sqrt(p / (q * k * n)) - 3 * q * sqrt(q / (p * k * n))
    return _power("(q + p + 3p sqrt(p/(qkn)) - ...)^k", said)


@ledger.claim("5.20", where="(5.20), section 5.3", says="= (1 + 3 (p - q)/sqrt(qpkn))^k.")
def _short() -> Finding:
    """p sqrt(p/q) - q sqrt(q/p) = (p^2 - q^2)/sqrt(pq) = (p - q)/sqrt(pq), as p + q = 1.

    The check compares with (5.13) at the end of the window and with the closed form of this bound.
    """
    said, text = 1 + 3 * (p - q) / sqrt(q * p * k * n), "(1 + 3 (p - q)/sqrt(qpkn))^k"
    found = _power(text, said)
    if found.ruling is not Ruling.PROVEN:
        return found
    base, exponent = symbolic.window_bound().subs(z, 3).as_base_exp()
    same = in_odds(said, base, reports=k, shown=(text, _AT_END))
    return same if exponent == k else Finding(ruling=Ruling.REFUTED, exact=str(exponent), witness=str(exponent))


@ledger.claim(
    "5.21",
    where="(5.21), section 5.3",
    says="R_s < (1 + 3 (p - q)/sqrt(qpkn))^k for the outcomes down to s, and this is to be at most lambda.",
    script="""
        from fractions import Fraction as F
        n, k, p, q = 100, 1, F(9, 10), F(1, 10)  # sqrt(qpkn) = 3, s = 90 - 9 = 81
        exact = F(n - 81, n) * p / q + F(81, n) * q / p
        assert not exact < (1 + 3 * (p - q) / 3) ** k and exact == F(9, 5)
    """,
)
def _bounded() -> Finding:
    """The bound of (5.13) falls in s, so for s >= pkn - 3 sqrt(pqkn), R_s <= (5.13) at s <= (5.20).

    Both are equalities only where s is the end of the window itself, and k = 1 or s = 0: then "<"
    fails. The check takes kn a square and q = 1/(1 + r^2), where the root is rational, and
    q = kn/(kn + 9), where the window ends at s = 0.
    """
    return restricted(
        _windows(),
        said=unpacked(_below_window_bound),
        where=unpacked(lambda n, k, q, s: k >= 2 and s > 0),
        over="k >= 2 and s > 0; <= always",
        shown=("R_s < (1 + 3 (p - q)/sqrt(qpkn))^k", "<=; = for k = 1 at s = pn - 3 sqrt(pqn)"),
        show=named("n, k, q, s"),
    )


def _windows() -> Iterator[tuple[int, int, F, int]]:
    """(n, k, q, s), s >= 0 in the lower half of the window, sqrt(pqkn) being rational."""
    for records, repeats in ((100, 1), (2, 2), (50, 2), (3, 3), (12, 3), (25, 4), (5, 5), (6, 6)):
        total = records * repeats
        for lie in (F(1, 10), F(1, 5), F(1, 17), F(total, total + 9)):
            if lie < F(1, 2):
                mean, reach = (1 - lie) * total, 3 * _exact_root(lie * (1 - lie) * total)
                yield from ((records, repeats, lie, seen) for seen in range(total) if mean - reach <= seen <= mean)


def _exact_root(square: F) -> F:
    return root(square).value


def _below_window_bound(n: int, k: int, q: F, s: int) -> bool:
    exact = ratio(KRandomization(n=n, k=k, q=q), s)
    bound = (1 + 3 * (1 - 2 * q) / _exact_root(q * (1 - q) * k * n)) ** k
    if exact > bound:
        raise ArithmeticError(f"the bound fails at n = {n}, k = {k}, q = {q}, s = {s}")
    return exact < bound


@ledger.claim(
    "5.22",
    where="(5.22), section 5.3",
    says="(1 + 3 (p - q)/sqrt(qpkn))^k <= lambda keeps the ratio within lambda down to three deviations.",
)
def _sufficient() -> Finding:
    """By (5.21) with <=. It is sufficient, not necessary, for k > 1, as R_s is below its bound.

    The check takes lambda equal to the bound, and every outcome of the lower half of the window;
    above the mean R_s is smaller still.
    """
    bound = symbolic.window_bound().subs(z, 3)
    return exhausted(
        _windows(),
        lambda case: bool(
            Rational(ratio(KRandomization(n=case[0], k=case[1], q=case[2]), case[3]))
            <= bound.subs({n: case[0], k: case[1], q: Rational(case[2])})
        ),
        over="8 pairs n, k, up to 4 values of q, every s in the lower half of the window",
        shown=("then R_s <= lambda", "then R_s <= lambda"),
        proven=True,
    )


@ledger.claim(
    "5.23",
    where="(5.23), section 5.3",
    says="So qpkn/(p - q)^2 >= 9/(lambda^(1/k) - 1)^2.",
    assuming="lambda > 1",
)
def _squared() -> Finding:
    """The k-th root of (5.22) is y <= lambda^(1/k) - 1 with y = 3 (p - q)/sqrt(qpkn) > 0; square
    and invert, where 9/y^2 = qpkn/(p - q)^2. An equivalence for lambda > 1.
    """
    base, _ = symbolic.window_bound().subs(z, 3).as_base_exp()
    said = q * p * k * n / (p - q) ** 2
    return in_odds(said, 9 / (base - 1) ** 2, reports=k, shown=("qpkn/(p - q)^2", "9/(bound^(1/k) - 1)^2"))


@ledger.claim(
    "5.24",
    where="(5.24), section 5.3",
    says="The least q is (1 - 1/sqrt(1 + 4c))/2 with c = 9/((lambda^(1/k) - 1)^2 kn).",
    assuming="lambda > 1, 0 < q < 1/2",
)
def _closed_form() -> Finding:
    """(5.23) is v >= c with v = pq/(p - q)^2 = pq/(1 - 4pq), which grows with q; v = c where
    p - q = 1/sqrt(1 + 4c).

    Put into v, the printed q must give c back; the closed form and the solver must agree with it.
    """
    c = 9 / ((lam ** (1 / k) - 1) ** 2 * k * n)
    said = (1 - 1 / sqrt(1 + 4 * c)) / 2
    at, shown = {lam: 4, n: 100, k: 2}, ("(1 - 1/sqrt(1 + 4c))/2", "(1 - 1/sqrt(1 + 4c))/2")
    back = (q * (1 - q) / (1 - 2 * q) ** 2).subs(q, said)
    met = identity(back, c, at=at, shown=shown)
    solved = local_q(n=100, k=2, lam=4).enclosure
    squared = 1 / (1 - 2 * solved) * (1 / (1 - 2 * solved))  # 1 + 4 * 9/200
    if not squared.lower <= F(59, 50) <= squared.upper:
        return Finding(ruling=Ruling.CORRECTED, said=shown[0], exact=f"{solved}", witness="n = 100, k = 2, lambda = 4")
    return all_of(met, identity(said, symbolic.closed_q().subs(z, 3), at=at, shown=shown))


# --- helpers ------------------------------------------------------------------------------------------------------


def _mechanisms(users: int, repeats: int) -> Iterator[tuple[int, int, F]]:
    """(n, k, q)."""
    return ((n, k, q) for n, k, q in product(range(1, users + 1), range(1, repeats + 1), _QS))


def _outcomes() -> Iterator[tuple[int, int, F, int]]:
    """(n, k, q, s) with few enough reports to enumerate."""
    sizes = ((n, k) for n, k in product(range(1, 7), repeat=2) if n * k <= 6)
    return ((n, k, q, s) for n, k in sizes for q in _QS for s in range(k * n + 1))


def _chain(text: str, term: Callable[[int, int], Expr]) -> Finding:
    """The sum over i + j = k of C(k, i) times the term printed, against the bound at the end of the
    window.
    """
    return _same_for_repeats(
        lambda repeats: sum(binomial(repeats, i) * term(i, repeats - i) for i in range(repeats + 1)),
        symbolic.ratio_bound().subs(s, _END),
        text,
    )


def _power(text: str, base: Expr) -> Finding:
    """``base`` to the k, against the bound at the end of the window."""
    return _same_for_repeats(lambda repeats: base**repeats, symbolic.ratio_bound().subs(s, _END), text)


def _same_for_repeats(said: Callable[[int], Expr], true: Expr, text: str) -> Finding:
    """For k = 1, 2, 3, where the general step is in the docstring of the check."""
    return all_of(
        *(in_odds(said(count).subs(k, count), true, reports=count, shown=(text, _AT_END)) for count in (1, 2, 3))
    )
