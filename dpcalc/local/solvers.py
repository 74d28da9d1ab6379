r"""The notes' local bound: the least q at which outcomes within z standard deviations keep their ratio within lambda.

The window, R and 1/R are those of ``local.own_windows``, which has the largest ratio itself ("lattice"), and the bounds
those of ``local.bounds``. For records of L bits, all of them equal and one changed to its opposite, z standard
deviations are those of the ratio: "closed" of the mean likelihood ratio of the reports, "variance" of R itself; in a
"box" of every s_l. L = 1 and k = 1 make closed, variance and real the same. With ``sides=2`` the reciprocal ratio
counts too: it is the larger one.

None of them is differential privacy: outcomes outside the window are not looked at (see ``exceedance``,
``identical_exceedance``), and delta is not bounded (see ``delta``, ``vector_delta``).

On the lattice a larger q may fail where a smaller one holds, because the worst integer jumps. The answer is the q from
which on the bound holds for *every* larger q; ``Bracket.first`` says where it holds first.

The dataset of ones has the largest R at each *fixed* outcome; but the window moves with the dataset, and the lowest
outcome of another one's may show a larger R. For single reports the two-sided closed bound covers every dataset if
z >= sqrt 2, and not always below (proof notes, L5).

Source: K16, (4.33)-(4.45), (5.14)-(5.24), and for L bits section 6.1.2, which stops before its bound.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcalc.accuracy.estimator import variance
from dpcalc.errors import DomainError, must_fit
from dpcalc.local.bounds import HALF, Bound, BoxBound, ClosedBound, ProductBound, RealEnd, VarianceBound, edge
from dpcalc.local.own_windows import MOST, OwnWindows, PairGroup, Windows
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import FINE, compound, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between, deviations, integer

#: The bounds of a method; "lattice" has the largest ratio itself. The first method is the default.
_BOUNDS: dict[str, dict[str, type[Bound] | None]] = {
    "all-ones": {
        "closed": ClosedBound, "variance": VarianceBound, "real": RealEnd, "lattice": None, "box": BoxBound,
    },
    "every": {"lattice": None, "closed": ClosedBound, "product": ProductBound},
}  # fmt: skip
_SEVERAL = ("closed", "variance", "box")
_ROUGH = Fraction(1, 10**6)  # of the top of a search on the lattice: a wider range holds thousands of windows more
_RTOL = Fraction(1, 10**12)
_MAX_K = 1_000  # terms of R_s, evaluated some hundred times
_MOST_BITS = 64  # per record, of a box: the numbers have as many times the digits of q
_LARGEST = 1 << 12  # bits of lambda: the steps to where Var R is small enough take milliseconds each


def classical_q(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, bits: Number = 1
) -> Bracket:
    """The least q at which no outcome at all shows a ratio above lambda.

    One record's k reports show at most (p/q)^(k bits): K16 changes all bits of a record, RAPPOR's h hash functions
    differ in 2 h bits. So the least q is 1/(1 + lambda^(1/(k bits))), exact where it is rational, else to about 40
    digits.

    Raises:
        DomainError: none or both of lam and epsilon; epsilon = 0; k or bits < 1.
        TooLarge: lambda is beyond 2^1,000,000, or epsilon beyond about 690,000.

    Source: K16, (4.46), (4.47) and section 3.

    >>> classical_q(lam=2).value, print(classical_q(lam=2, k=2))
    0.41421356237309504...
    (Fraction(1, 3), None)
    """
    power = integer(k, "k", minimum=1) * integer(bits, "bits", minimum=1)
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    one = limit.root(power)
    ends = [1 / (1 + end) for end in (one.upper, one.lower)]
    values = [1 + compound(1 / q - 2, power, FINE**2) for q in ends]
    return Bracket(lower=ends[0], upper=ends[1], at_lower=values[0], at_upper=values[1])


def local_q(
    n: Number,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    k: Number = 1,
    bits: Number = 1,
    sigmas: Number = 3,
    method: str | None = None,
    sides: Number = 1,
    dataset: str = "all-ones",
    rtol: Number = _RTOL,
) -> Bracket:
    """The least q from which on the notes' local bound holds: with all records 1, unless every dataset is asked for.

    Args:
        n: records.
        lam: the ratio limit lambda > 1; give it or
        epsilon: its logarithm.
        k: reports per record.
        bits: L, bits per record.
        sigmas: z, half the width of the window in standard deviations.
        method: for all records 1 "closed", the default, or "variance", and for single bits "real" or "lattice", for
            several bits and k = 1 "box"; for every dataset "lattice", the default, "closed" or "product".
        sides: 1 for the ratio only, as in the notes; 2 for the reciprocal too.
        dataset: "all-ones", as in the notes: nothing is said of other datasets. "every": no dataset exceeds the limit
            at a whole outcome of its own window; with "lattice" the bracket's ``witness`` is one that fails at its
            lower end.
        rtol: relative width of the bracket; "closed" has about 40 digits.

    Raises:
        DomainError: an argument out of range; method "closed" for all records 1, sides = 2 and k > 1, where no closed
            form is known; a method that the datasets or records of several bits do not have, and "box" for k > 1; every
            dataset with several bits.
        NoSolution: the bound holds for every q.
        TooLarge: k > 1,000 but for "closed"; more than 64 bits for "box"; lambda beyond 2^4,096 for "variance".
        Undecided: rtol is beyond reach, or, for every dataset, too many ratios would be needed: z < sqrt 2 or lambda
            near 1, and tens of thousands of reports, or millions of records with many reports; or, for "lattice" with
            all records 1 and sides = 2, too many ranges: few records with many reports, and lambda from 1e10 on. The
            error has what is proven, as its ``enclosure``.

    Source: K16, (4.45), (5.24).

    >>> print(format(local_q(n=1000, lam=2), "30"))
    0.00876406756758793394379327849968...
    >>> print(local_q(n=1000, lam=2, bits=5))
    0.23454540995497092...
    >>> print(local_q(n=1000, lam=2, bits=5, method="box"))
    0.25480734157126...
    >>> found = local_q(n=1000, lam=2, k=50, dataset="every")
    >>> print(found, found.witness, sep="; ")
    0.264183628451...; 1 one, s = 12,937: R = 2.0000774...
    >>> print(local_q(n=1000, lam=2, k=50, dataset="every", method="product"))
    0.2641954436260...
    """
    records, repeats, length = (integer(x, name, minimum=1) for x, name in ((n, "n"), (k, "k"), (bits, "bits")))
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    z = deviations(sigmas)
    side = integer(sides, "sides", minimum=1, maximum=2)
    known = _BOUNDS[one_of(dataset, "dataset", tuple(_BOUNDS))]
    every = dataset == "every"
    method = next(iter(known)) if method is None else one_of(method, "method", known)
    if every and length > 1:
        raise DomainError("dataset", dataset, '"all-ones" for bits > 1, where windows are of the ratio')
    if length > 1 and method not in _SEVERAL:
        raise DomainError("method", method, '"closed", "variance" or "box" for bits > 1')
    if method == "box" and (length == 1 or repeats > 1):
        raise DomainError("method", method, '"box" for bits > 1 and k = 1')
    if method == "closed" and side == 2 and repeats > 1 and not every:
        allowed = '"variance" for sides = 2 and k > 1'
        single = f'"real", "lattice" or {allowed}, or dataset = "every", which has one'
        raise DomainError("method", method, single if length == 1 else allowed)
    if method != "closed":
        must_fit("the exact ratio", repeats, _MAX_K, "terms (k)", instead='method="closed"')
    if method == "box":
        must_fit("the box of outcomes", length, _MOST_BITS, "bits per record", instead='method="closed"')
    if method == "variance":
        must_fit("lambda", bits_for(1 / limit.ends.upper), _LARGEST, "bits", instead='method="closed"')
    width = between(rtol, "rtol", 0, 1, "a relative width")
    kind = known[method]
    if kind is None:
        return over_windows(records, repeats, limit, z, side, width, every=every)
    given: dict[str, Any] = {"every": every, "rtol": FINE} if kind is ClosedBound else {"rtol": width}
    return kind(
        total=records * repeats, k=repeats, sigmas=z, sides=side, limit=limit, length=length, **given
    ).bracket()  # fmt: skip


def local_sigma(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, sigmas: Number = 3,
    dataset: str = "all-ones", n: Number | None = None, sides: Number = 1, method: str | None = None,
) -> Enclosure:  # fmt: skip
    """The standard deviation of the estimate at the bound, in records.

    At the closed bound it is z / (k (lambda^{1/k} - 1)) for all records 1, and z / (k (1 - lambda^{-1/k})) for every
    dataset and one side, whatever n is: the first grows with k, the other falls, both towards z/ln(lambda). At
    "lattice" and "product" of every dataset it depends on n.

    Args:
        lam: the ratio limit lambda > 1; give it or
        epsilon: its logarithm.
        k: reports per record.
        sigmas: z, as in ``local_q``.
        dataset: "all-ones" (one side, closed) or "every".
        n: records, for every dataset; not for its closed bound.
        sides: 1 or, for every dataset, 2, as in ``local_q``.
        method: of every dataset: "lattice" (default), "closed" or "product".

    Raises:
        DomainError: an argument out of range; epsilon = 0; n, sides or a method for all records 1, or no n where it is
            needed.

    And whatever ``local_q`` raises.

    Source: K16, (4.42), (5.23).

    >>> print(local_sigma(lam=2)), print(local_sigma(lam=2, k=10))
    3
    4.1798178518738898...
    (None, None)
    >>> print(local_sigma(lam=2, dataset="every", n=50))
    5.416705687452...
    >>> print(local_sigma(lam=2, k=10, dataset="every", method="closed"))
    4.4798178518738898...
    """
    repeats, z = integer(k, "k", minimum=1), deviations(sigmas)
    side = integer(sides, "sides", minimum=1, maximum=2)
    every = one_of(dataset, "dataset", tuple(_BOUNDS)) == "every"
    if every and method is not None:
        one_of(method, "method", _BOUNDS["every"])
    if every and method != "closed":
        if n is None:
            raise DomainError("n", ..., "the number of records, for every dataset")
        at = local_q(n=n, lam=lam, epsilon=epsilon, k=k, sigmas=sigmas, sides=sides, dataset=dataset, method=method)
        low, high = (sqrt(variance(KRandomization(n=n, q=q, k=k))) for q in (at.lower, at.upper))
        return Enclosure(low.lower, high.upper)
    for name, value in {"n": n, "sides": None if side == 1 else sides, "method": method}.items():
        if value is not None and not every:
            raise DomainError(name, value, f'no {name} for all records 1; dataset = "every" takes it')
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    found = ClosedBound(total=repeats, k=repeats, sigmas=z, sides=side, limit=limit, rtol=FINE, every=every)
    return 1 / (repeats * found.gamma())


def over_windows(
    n: int, k: int, limit: Limit, z: Fraction, sides: int, rtol: Fraction = _RTOL, *, every: bool = True,
    most: int = MOST,
) -> Bracket:  # fmt: skip
    """``local_q`` on the lattice, of every dataset or of all records 1, within so many steps of ratios.

    Raises:
        NoSolution: the bound holds for every q.
        Undecided: the steps are not enough.
    """
    KRandomization(n=n, q=HALF / 2, k=k)  # refuses more reports than are searched
    of_all = ProductBound if every else RealEnd
    bound = of_all(total=n * k, k=k, sigmas=z, sides=sides, limit=limit, rtol=max(rtol, _ROUGH))
    top = min(bound.ends()[1], classical_q(**limit.argument, k=k).value)
    windows = [Windows(n=n, k=k, sigmas=z, neighbour=neighbour) for neighbour in (False, True)][:sides]
    datasets = [(1, n)] * 2 if every else [(n, n), (1, 1)]
    pairs = [PairGroup(one, *ones, Fraction(0), top) for one, ones in zip(windows, datasets, strict=False)]
    search = OwnWindows(pairs, limit, rtol, most)
    found = search.bracket()
    if not isinstance(bound, RealEnd):
        return found
    first = _first(search, bound, rtol)
    if limit.lam == (1 / found.upper - 1) ** k and any(
        one.windows.least(one.first, found.lower, found.lower)
        == one.windows.least(one.first, found.upper, found.upper)
        == 0
        for one in pairs
    ):  # the outcome with the ratio (p/q)^k, which falls, lies in the window all along
        at = Enclosure.of(limit.lam)
        return Bracket(lower=found.upper, upper=found.upper, at_lower=at, at_upper=at, first=first)
    return replace(found, witness=None, first=first)


def _first(search: OwnWindows, end: RealEnd, rtol: Fraction) -> Bracket:
    """Where the lattice bound holds first."""
    z, total, k = end.sigmas, end.total, end.k

    def fails(low: Fraction, high: Fraction) -> bool:
        return search.fails(low, high) or end.fails_inside(low, high)

    if end.sides == 1:
        # Up to this q only the outcome without zeros lies in the window, and R = (q/p)^k < 1: it holds for smaller q.
        lower, upper = Fraction(0), 1 / (total * (1 + z) ** 2)
    else:
        # Up to z^2/(N + z^2) that outcome lies in the window, with the reciprocal ratio (p/q)^k.
        everywhere = min(z**2 / (total + z**2), 1 / (1 + end.limit.root(k).upper))
        lower, upper = edge(fails, lambda q: search.holds(q, q), start=everywhere / 2, end=HALF, rtol=rtol)
    at_lower = search.largest(lower)[0] if lower else Enclosure.of(0)
    return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=search.largest(upper)[0])
