"""K16, section 5: what randomizing every record k times is said to buy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise

from sympy import limit, log, oo

from dpcalc import symbolic
from dpcalc.accuracy.estimator import variance
from dpcalc.choose.bracket import Bracket
from dpcalc.choose.least import least_q
from dpcalc.choose.local import local_q, local_sigma
from dpcalc.claims.checking import all_of, exhausted, identity, printed
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    ROUNDED_Q,
    rounded,
    variance_at_closed_q,
)
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import log as natural_log
from dpcalc.numbers.elementary import sqrt as root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.symbolic import k, lam, n, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_MILLIONTH = F(1, 10**6)
_COARSE = F(1, 10**4)  # relative width of searched answers


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
    says="Repeating k times gains precision in proportion to sqrt(k); for the same privacy the noise has to rise.",
    script="""
        from fractions import Fraction as F
        least = lambda k, root: F(9, k**2 * (root - 1) ** 2)  # Var of the estimate by (5.23), root = lambda^(1/k)
        assert least(1, 4) == 1 and least(2, 2) == F(9, 4)  # lambda = 4: the variance grows
        at = lambda k, q: 100 * q * (1 - q) / (k * (1 - 2 * q) ** 2)  # at the same q it is 1/k as large
        assert at(2, F(1, 5)) == at(1, F(1, 5)) / 2
    """,
)
def _gain_in_precision() -> Finding:
    """The gain of sqrt(k) is for the same q (s5.1-sqrt-k); with the q that (5.24) then demands there is a loss.

    At the bound (5.23) is an equality, Var = pqn/(k (p - q)^2) = z^2/(k^2 (lambda^(1/k) - 1)^2).

        sigma = z/(k (lambda^(1/k) - 1)),   whatever n is.

    With y = 1/k, k (lambda^(1/k) - 1) = (lambda^y - 1)/y is the slope of the convex function
    lambda^y between 0 and y: it falls with y, to ln lambda. So sigma *grows* with k, from
    z/(lambda - 1) to z/ln lambda.

    The loss is not due to the upper bound (5.13): the exact R_s, real s, has it too. The check
    derives the closed form of sigma from those of the variance and of q, takes its limit, and
    computes sigma for lambda = 2, k = 1..20.
    """
    form = symbolic.sigma_at_closed_q()
    derived = identity(form**2, variance_at_closed_q(), at={lam: 3, k: 2, n: 100, z: 3})
    ending = identity(limit(form, k, oo), z / log(lam), at={lam: 3, z: 3})
    if all_of(derived, ending).ruling.erratum:
        return all_of(derived, ending)
    if not all(_falls_at_same_q(count) for count in range(1, 21)):
        raise ArithmeticError("sigma does not fall like 1/sqrt(k) at the same q")
    sigmas = [local_sigma(lam=2, k=count) for count in range(1, 21)]
    if not all(a < b for a, b in pairwise(sigmas)):
        return Finding(ruling=Ruling.HOLDS, said="sigma falls like 1/sqrt(k)", over="lambda = 2, k = 1..20")
    ten, last = rounded(sigmas[9], 2), rounded(3 / natural_log(F(2)), 2)
    exact = _sigma(local_q(n=1000, lam=2, k=10, method="real", rtol=_COARSE), k=10)
    return Finding(
        ruling=Ruling.ONLY_FOR,
        said="sigma falls like 1/sqrt(k)",
        exact=f"at (5.24)'s q sigma = z/(k (lambda^(1/k) - 1)) grows, to {last} for lambda = 2",
        over="the same q",
        witness=f"lambda = 2: sigma = 3 at k = 1; {ten} at k = 10 by (5.24), {rounded(exact, 2)} with the exact R_s",
    )


def _falls_at_same_q(repeats: int) -> bool:
    """Whether the variance at q = 0.009 is that of k = 1 over k."""
    one, several = (variance(KRandomization(n=1000, q=ROUNDED_Q, k=count)) for count in (1, repeats))
    return several * repeats == one


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
    """The noise needed is 2.8 times as large at k = 2 already, and 13 times at k = 10.

    The least q of (5.24) at n = 1000, lambda = 2: 0.00876 at k = 1, 0.0243 at k = 2, 0.116 at
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
    """At the document's own bound (5.24) repeating loses precision; under other notions it gains.

    It depends on what has to stay the same.

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
