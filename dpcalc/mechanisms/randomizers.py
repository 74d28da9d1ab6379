r"""Local randomizers of the field: one person's category x of d, reported at random; each a finite mechanism.

P[y | x] for reports y. With e = e^epsilon, the largest likelihood ratio, where it is a parameter:

*k-ary randomized response*   e/(e + d - 1) for y = x, else 1/(e + d - 1).
*linked unary encoding*       d bits, that of x set; a set bit stays set with p, another one becomes set with q. All d
                              bits are one report, so that an observer sees which of them belong together; with a
                              count for every bit instead it is ``UnaryEncoding``, which tells less.
*subset selection*            a set y of ``size`` categories, in proportion to e if x is in it, else to 1.
*Hadamard response*           one of K numbers, K the least power of two above d; in proportion to e for those where
                              row x + 1 of the Hadamard matrix is positive, half of them, else to 1.
*RAPPOR*                      linked unary encoding in two steps: a permanent response, every bit a fair coin with
                              probability f; then a set bit is reported as set with q, another one with p.

A given epsilon is irrational as e: the odds are then rounded down by a relative 1e-40 at most, to the private side.

Source: Kairouz, Bonawitz, Ramage 2016 (k-ary randomized response); Wang, Blocki, Li, Jha 2017 (unary encoding); Ye and
Barg 2017, Wang et al. 2016 (subset selection); Acharya, Sun, Zhang 2019, 1802.04705 (Hadamard response); Erlingsson,
Pihur, Korolova 2014 (Basic RAPPOR: q* = f (p + q)/2 + (1 - f) q and p* = f (p + q)/2 + (1 - f) p).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb
from typing import Any

from dpcalc.errors import DomainError, must_fit
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.mechanism import Real, Whole, declared, parameter
from dpcalc.numbers.elementary import FINE, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.promise import REPORT, Promise
from dpcalc.numbers.rational import Number, integer, positive, probability, ranged

_MOST_EPSILON = 10_000  # beyond, entries have tens of thousands of bits
_MOST_ENTRIES = 1 << 20  # categories times reports: some seconds


def k_ary_response(categories: Number, *, lam: Number | None = None, epsilon: Number | None = None) -> FiniteMechanism:
    """k-ary randomized response; also called generalized or direct.

    Args:
        categories: d, at least 2.
        lam: the odds of the truth against any other category, at least 1; give it or
        epsilon: their logarithm.

    Raises:
        DomainError: an argument out of range.
        TooLarge: more than 1,048,576 entries, 1,024 categories.

    >>> k_ary_response(3, lam=3).matrix[0]
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))
    """
    d, odds = integer(categories, "categories", minimum=2), _odds(lam, epsilon)
    _check(d, d)
    return _in_proportion(d, d, lambda x, y: x == y, odds)


def linked_unary_encoding(categories: Number, *, q: Number, p: Number | None = None) -> FiniteMechanism:
    """Unary encoding, all bits of a person in one report.

    Optimized unary encoding has p = 1/2. More than 16 categories are ``TooLarge``.

    Args:
        categories: d, at least 2.
        q: the probability that a bit that is not set is reported as set, 0 <= q < p.
        p: the probability that a set bit is reported as set; 1 - q unless given.

    >>> linked_unary_encoding(2, q="1/4").matrix[0]  # of the reports 00, 01, 10, 11
    (Fraction(3, 16), Fraction(1, 16), Fraction(9, 16), Fraction(3, 16))
    """
    low = probability(q, "q")
    high = 1 - low if p is None else probability(p, "p")
    if not low < high:
        name, value = ("q", q) if p is None else ("p", p)
        raise DomainError(name, value, "q < p: a set bit is the likelier to be reported as set")
    return _bits(integer(categories, "categories", minimum=2), high, low)


def subset_selection(
    categories: Number, size: Number, *, lam: Number | None = None, epsilon: Number | None = None
) -> FiniteMechanism:
    """Subset selection: a random set of categories, more likely one that holds the truth.

    The odds are those of each set with the truth against each without it. ``size`` is from 1 to d - 1; about d/(e + 1)
    is best. All else as in ``k_ary_response``.

    >>> subset_selection(3, 2, lam=3).matrix[0]  # of the sets 01, 02, 12
    (Fraction(3, 7), Fraction(3, 7), Fraction(1, 7))
    """
    d, odds = integer(categories, "categories", minimum=2), _odds(lam, epsilon)
    chosen = integer(size, "size", minimum=1, maximum=d - 1)
    _check(d, comb(d, min(chosen, d - chosen, 20)))  # 20 of 40 or more are too many anyway
    sets = list(combinations(range(d), chosen))
    return _in_proportion(d, len(sets), lambda x, y: x in sets[y], odds)


def hadamard_response(
    categories: Number, *, lam: Number | None = None, epsilon: Number | None = None
) -> FiniteMechanism:
    """Hadamard response, the one for high privacy.

    The odds are those of each report of the truth's half against each outside it. All else as in ``k_ary_response``.

    >>> hadamard_response(3, lam=3).matrix[0]
    (Fraction(3, 8), Fraction(1, 8), Fraction(3, 8), Fraction(1, 8))
    """
    d, odds = integer(categories, "categories", minimum=2), _odds(lam, epsilon)
    reports = 1 << d.bit_length()
    _check(d, reports)
    # Sylvester's matrix has the sign of the parity of the bits that row and column share
    return _in_proportion(d, reports, lambda x, y: ((x + 1) & y).bit_count() % 2 == 0, odds)


def rappor(categories: Number, *, f: Number, p: Number, q: Number) -> FiniteMechanism:
    """Basic RAPPOR's first report: permanent, then instantaneous randomized response of every bit.

    p and q are those of RAPPOR, not of ``linked_unary_encoding``. All else as there.

    Args:
        categories: d, at least 2.
        f: the probability that the permanent response to a bit is a fair coin, 0 <= f < 1.
        p: that a bit not set in the permanent response is reported as set, 0 <= p < q.
        q: that a set one is.

    >>> rappor(2, f="1/2", p="1/2", q="3/4") == linked_unary_encoding(2, q="9/16", p="11/16")
    True
    """
    mixed, low, high = ranged(f, "f", "a probability", 0, 1, "[)"), probability(p, "p"), probability(q, "q")
    if not low < high:
        raise DomainError("q", q, "p < q: a set bit is the likelier to be reported as set")
    coin = mixed * (low + high) / 2
    return _bits(
        integer(categories, "categories", minimum=2), coin + (1 - mixed) * high, coin + (1 - mixed) * low
    )  # fmt: skip


def _listed(rows: Iterable[str]) -> FiniteMechanism:
    """The laws of the inputs, each as text with commas."""
    return FiniteMechanism([row.split(",") for row in rows])


_INPUTS, _REPORT = {"categories": "inputs, at least 2"}, {"epsilon": "of one report", "lam": "e^epsilon instead"}
#: By their names in the command: what makes one, and its parameters there in words.
RANDOMIZERS: dict[str, tuple[Callable[..., FiniteMechanism], dict[str, str]]] = {
    "k-ary": (k_ary_response, {**_INPUTS, **_REPORT}),
    "unary": (linked_unary_encoding, {**_INPUTS, "q": "P[set | not set]", "p": "P[set | set] (default 1 - q)"}),
    "subset": (subset_selection, {**_INPUTS, "size": "categories in a set", **_REPORT}),
    "hadamard": (hadamard_response, {**_INPUTS, **_REPORT}),
    "rappor": (
        rappor,
        {**_INPUTS, "f": "how likely a permanent bit is a fair coin", "p": "P[set | not set in the permanent response]",
         "q": "P[set | set in the permanent response]"},
    ),
    "matrix": (_listed, {"rows": "the laws of the inputs, such as 3/4,1/4 1/4,3/4"}),
}  # fmt: skip


def _odds(lam: Number | None, epsilon: Number | None) -> Fraction:
    """e, or what is just below it."""
    given = Limit.of(lam=lam, epsilon=epsilon)
    if given.steer() > _MOST_EPSILON:
        name, value = ("lam", lam) if epsilon is None else ("epsilon", epsilon)
        raise DomainError(name, value, f"a local epsilon of at most {_MOST_EPSILON:,}")
    return given.ends.lower


def _in_proportion(rows: int, columns: int, likelier: Callable[[int, int], bool], odds: Fraction) -> FiniteMechanism:
    """P[y | x] in proportion to the odds where y is likelier, else to 1; in every row as often."""
    favoured = sum(likelier(0, y) for y in range(columns))
    other = 1 / (favoured * odds + columns - favoured)
    truth = odds * other
    return FiniteMechanism([[truth if likelier(x, y) else other for y in range(columns)] for x in range(rows)])


def _bits(categories: int, p: Fraction, q: Fraction) -> FiniteMechanism:
    """Every bit set with p for the person's category, with q for any other; reports counted up in binary."""
    _check(categories, 1 << min(categories, 20))
    others = range(categories)  # how many of the other bits may be set
    chances = [[one * q**j * (1 - q) ** (categories - 1 - j) for j in others] for one in (1 - p, p)]
    rows = []
    for place in reversed(range(categories)):
        own = (y >> place & 1 for y in range(1 << categories))
        rows.append([chances[bit][y.bit_count() - bit] for y, bit in enumerate(own)])
    return FiniteMechanism(rows)


def _check(categories: int, reports: int) -> None:
    what = "the matrix of this randomizer"
    must_fit(what, categories * reports, _MOST_ENTRIES, "entries", instead="fewer categories")


_ANSWERS = partial(integer, minimum=2, maximum=10**15)
_MOST_REPORTS, _MOST_DATA = 100, 1_000  # of one source; counting takes a second


@declared()
class CategoryResponse:
    """One of k answers, reported through randomized response: k-ary randomized response, for k of any size.

    With the flip probability f the report is drawn evenly from all k answers (the true one included), else it is the
    truth. For k = 2, f = 2 q:

        P[truth] = 1 - f + f/k,    P[each other answer] = f/k,    e^epsilon = 1 + k (1 - f)/f.

    Source: Chrome's attribution reporting (WICG/attribution-reporting-api, ts/src/flexible-event/privacy.ts).

    >>> CategoryResponse(3, "0.6").odds
    Fraction(3, 1)
    """

    categories: Whole = parameter(_ANSWERS, "k, from 2 to 10^15")
    flip: Real = parameter(partial(positive, what="a probability", maximum=1), "f, 0 < f <= 1")

    @classmethod
    def private(
        cls, categories: Number, *, lam: Number | None = None, epsilon: Number | None = None
    ) -> CategoryResponse:
        """With the least flip probability, rounded up by a relative 1e-40 at most, that is epsilon-locally private.

        >>> CategoryResponse.private(2, lam=3).flip
        Fraction(1, 2)
        """
        k, limit = _ANSWERS(categories, "categories"), Limit.of(lam=lam, epsilon=epsilon)
        return cls(k, k / (k - 1 + limit.ends.lower))

    @property
    def truth(self) -> Fraction:
        """The probability of the true answer."""
        return 1 - self.flip + self.lie

    @property
    def lie(self) -> Fraction:
        """The probability of each other answer."""
        return self.flip / self.categories

    @property
    def odds(self) -> Fraction:
        """The largest likelihood ratio that a report shows."""
        return self.truth / self.lie

    @property
    def epsilon(self) -> Promise:
        """The local privacy parameter, the logarithm of the odds."""
        return Promise.that(log(self.odds), **REPORT)

    @property
    def capacity(self) -> Enclosure:
        """The largest mutual information of answer and report in bits, sum over answers y of P[y] log2(k P[y]).

        It is the capacity of the k-ary symmetric channel; by symmetry even inputs attain it.

        >>> print(CategoryResponse(2, "1/2").capacity)
        0.18872187554086713...
        """
        k, rtol = self.categories, FINE * (1 - self.flip) ** 2 if self.flip < 1 else FINE
        parts = (self.truth, k * self.truth), ((k - 1) * self.lie, k * self.lie)
        return sum((log(x, rtol) * weight for weight, x in parts), Enclosure.of(0)) / log(Fraction(2))


def event_states(reports: Number, data: Iterable[Any]) -> int:
    """How many different sets of reports an event-level source can send: the k of its randomized response.

    Args:
        reports: how many reports in all, from 0 to 100.
        data: for each value of the trigger data a pair (windows, buckets): in how many time windows its reports are
            sent, and how many of them there may be; up to 1,000 pairs.

    Raises:
        DomainError: an argument out of range.

    Source: Chrome's attribution reporting. j reports of one value fall into w windows in C(j + w - 1, j) ways.

    >>> event_states(3, [(3, 3)] * 8), event_states(1, [(1, 1)] * 2)  # Chrome's navigation and event sources
    (2925, 3)
    """
    total = integer(reports, "reports", minimum=0, maximum=_MOST_REPORTS)
    allowed = f"up to {_MOST_DATA:,} pairs (windows, buckets)"
    ways = [1] + [0] * total  # by how many reports were sent
    for pair in as_list(data, "data", allowed, _MOST_DATA):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise DomainError("data", pair, allowed)
        windows = integer(pair[0], "windows", minimum=1, maximum=_MOST_REPORTS)
        buckets = min(integer(pair[1], "buckets", minimum=0), total)
        own = [comb(j + windows - 1, j) for j in range(buckets + 1)]
        ways = [sum(own[j] * ways[i - j] for j in range(min(i, buckets) + 1)) for i in range(total + 1)]
    return sum(ways)
