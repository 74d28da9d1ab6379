r"""The pooled count S of single-bit records: what the analyst sees.

With m ones among the n records, S has the generating function G_m(x) = (q + p x)^{k m} (p + q x)^{k (n - m)}.

Source: K16, sections 4.2.1 and 5.2.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable

from dpcalc.laws.generating_function import GeneratingFunction
from dpcalc.laws.log_concavity import Leading, LogConcavity, Search
from dpcalc.laws.pmf import Pmf, pmf_bytes
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.response import KRandomization, expect_bits
from dpcalc.numbers.lists import flag
from dpcalc.numbers.rational import Number, integer

_MOST_COMPARED = 2 * 10**10  # bytes of all pmfs: half a minute
_THEOREM = "by theorem 1.10, nothing computed"


def pmf(mechanism: KRandomization, *, ones: Number) -> Pmf:
    """The pmf of the pooled count S in 0, ..., k n with ``ones`` of the n records holding 1, exactly.

    Raises:
        DomainError: ones outside 0..n, or records of several bits.
        TooLarge: the weights would take more than about 2 GB.

    >>> m = KRandomization(n=100, q="3/10")
    >>> pmf(m, ones=100)[0] == m.q**100
    True
    """
    expect_bits(mechanism, "pmf")
    return pooled(mechanism, ones).pmf()


def generating_function(mechanism: KRandomization, *, ones: Number | None = None) -> GeneratingFunction:
    """G_m(x) = (q + p x)^{k m} (p + q x)^{k (n - m)} of the pooled count S, m = ``ones`` of the n records holding 1.

    Its coefficients are exact, as ``pmf`` has them, or enclosed where those would be too large. Without ``ones`` all
    records hold 1: K16's dataset.

    Raises:
        DomainError: ones outside 0..n, or records of several bits.

    Source: K16, sections 4.2.1 and 5.2.

    >>> G = generating_function(KRandomization(n=10**6, q="1/10", k=10), ones=500_000)
    >>> G.mean, G.coefficients.exact, print(G.coefficients[5_000_000])
    0.00042052211387006678...
    (Fraction(5000000, 1), False, None)
    """
    expect_bits(mechanism, "generating_function")
    return GeneratingFunction(pooled(mechanism, mechanism.n if ones is None else ones).kinds)


def pooled(mechanism: KRandomization, ones: Number) -> Pool:
    """The reports of all records, ``ones`` of them, in 0..n, holding 1."""
    return mechanism.group.pool(integer(ones, "ones", minimum=0, maximum=mechanism.n))


def log_concavity_in_ones(
    mechanism: KRandomization, *, strict: bool = False, compute: bool = False,
    progress: Callable[[float], None] | None = None,
) -> LogConcavity:  # fmt: skip
    r"""Whether P[S = i] is log-concave in the number m of ones, for every outcome i and every 0 < m < n.

    (a_i^m)^2 >= a_i^{m-1} a_i^{m+1}, K16 (4.5); ``strict`` asks for > as K16 prints it, which fails at i = 0 and
    at k n. The witness is the first pair (i, m) in order of m, then i. As it holds, P[S = i | m - 1] / P[S = i | m]
    grows with m: all records 1 are the dataset with the largest ratio, at every outcome.

    Unless ``compute`` asks for it nothing is computed: the verdict is a theorem, and its ``proof`` says so. These are
    Newton's inequalities, read across: to see one outcome i in numbers, ask for
    ``GeneratingFunction([(p, i), (q, k n - i)]).log_concavity(ultra=True)`` (proof notes, 1.10).

    Args:
        mechanism: n, q and k.
        strict: ask for > in place of >=.
        compute: compare the exact probabilities of every i and m, if all pmfs take less than some 20 GB one after the
            other: for n = 1000 and k = 1 it takes seconds. Else the verdict is the theorem's, and says so.
        progress: called now and then with the share of the datasets that is done.

    Raises:
        DomainError: records of several bits.

    Source: K16, (4.5), (4.6) and (5.5).

    >>> m = KRandomization(n=4, q="1/5", k=2)
    >>> found = log_concavity_in_ones(m)
    >>> found.holds, found.proof, log_concavity_in_ones(m, strict=True).witness
    (True, 'by theorem 1.10, nothing computed', (0, 1))
    >>> found = log_concavity_in_ones(m, compute=True)
    >>> found.holds, found.proof, found.tightest, found.margin
    (True, 'compared exactly, at every index', (0, 1), Enclosure(0))
    """
    expect_bits(mechanism, "log_concavity_in_ones")
    above = flag(strict, "strict")
    size = mechanism.n * pmf_bytes(mechanism.reports, mechanism.q.denominator)
    if flag(compute, "compute") and size <= _MOST_COMPARED:
        return _compared_in_ones(mechanism, above, progress)
    if above and mechanism.n > 1:  # else there is no 0 < m < n
        return LogConcavity(holds=False, witness=(0, 1), proof=_THEOREM)
    return LogConcavity(holds=True, proof=_THEOREM)


def _compared_in_ones(
    mechanism: KRandomization, strict: bool, progress: Callable[[float], None] | None
) -> LogConcavity:
    """By the exact pmfs of all datasets, three of which are held; they have one denominator."""
    search, margins = Search(strict), array("d")
    laws = ([Leading.of(a) for a in pooled(mechanism, m).pmf().weights] for m in range(mechanism.n + 1))
    before, here = next(laws), next(laws)
    for m, after in enumerate(laws, 1):
        least = math.inf
        for i, (y, x, z) in enumerate(zip(before, here, after, strict=True)):
            margin = search.margin((i, m), x, y, z)
            if margin is None:
                return LogConcavity(holds=False, witness=(i, m))
            if 0 < i < mechanism.reports:
                least = min(least, float(margin))
        margins.append(least)
        before, here = here, after
        if progress:
            progress(m / mechanism.n)
    return search.holds(margins)
