"""K16, sections 2 and 3: the randomizer, differential privacy of the query and of a collection, anonymity.

Section 1 is an empty outline and claims nothing. The true side is the definition itself: every flip X of every bit with
its probability, q for X = 1 and p for X = 0. What is a polynomial in q of degree at most five is compared at the six
points 1/14, ..., 6/14, which makes it an identity in q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import prod
from typing import Any

from sympy import Rational, exp

from dpcalc import Enclosure, FiniteMechanism, symbolic
from dpcalc.notes.collections.membership import anonymity, presence, presence_ratio, record_epsilon
from dpcalc.notes.collections.records import Record, cells, query_pmf, report_probability
from dpcalc.notes.symbolic import L, k, q
from tests.notes.definition import histogram, histogram_neighbours, record_neighbours
from tests.notes.ledger.checking import sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling
from tests.oracles.vectors import added

ledger = Ledger("K16")
claim = ledger.claim
# fmt: off

def randomized(v: Sequence[int], flips: Sequence[int]) -> Record:  # R(v; X), by the definition's formula
    return tuple((1 - b) * x + b * (1 - x) for b, x in zip(v, flips, strict=True))

@cache
def report_law(v: Record, lie: F) -> dict[Record, F]:  # P[R(v) = s] for every s, added up over all flips
    flips = product((0, 1), repeat=len(v))
    return added((randomized(v, each), F(prod(lie if x else 1 - lie for x in each))) for each in flips)

@cache
def joint_law(records: tuple[Record, ...], lie: F) -> dict[tuple[Record, ...], F]:
    """P[(R(x_1), ..., R(x_n)) = (s_1, ..., s_n)]: all the bits flip independently."""
    if not records:
        return {(): F(1)}
    bits, law = len(records[0]), report_law(tuple(chain(*records)), lie)
    return {tuple(s[i : i + bits] for i in range(0, len(s), bits)): chance for s, chance in law.items()}

def meets(joint: dict[tuple[Record, ...], F], event: set[Record]) -> F:
    """The probability that some report lies in the event."""
    return sum((chance for reports, chance in joint.items() if not event.isdisjoint(reports)), F(0))

def collections(least: int) -> Iterator[tuple[Record, ...]]:
    """All collections of ``least`` to 3 records of 1 bit and of ``least`` to 2 records of 2 bits."""
    sizes = [(bits, size) for bits, most in ((1, 3), (2, 2)) for size in range(least, most + 1)]
    return chain.from_iterable(combinations_with_replacement(cells(bits), size) for bits, size in sizes)

def subsets(items: Sequence[Any]) -> Iterator[tuple[Any, ...]]:  # every subset but the empty one
    return chain.from_iterable(combinations(items, size) for size in range(1, len(items) + 1))

def left_out(records: tuple[Record, ...]) -> list[tuple[Record, ...]]:  # T_v for every v in T
    return [records[:i] + records[i + 1 :] for i in range(len(records))]

def largest_event_ratio(mechanism: FiniteMechanism) -> F:
    """The least factor c with P[M(x) in S] <= c P[M(y) in S] for all events S and neighbours x, y."""
    chances = [[sum((row[s] for s in event), F(0)) for event in subsets(range(len(row)))] for row in mechanism.matrix]
    return max(a / b for x, y in mechanism.ordered() for a, b in zip(chances[x], chances[y], strict=True))

SIX, THREE = tuple(F(j, 14) for j in range(1, 7)), (F(1, 10), F(1, 4), F(2, 5))
VECTORS = [v for bits in (1, 2, 3) for v in cells(bits)]
SMALL = Range.of("v, q", "all v of up to 3 bits, all s, q = 1/14, ..., 6/14", VECTORS, SIX)
UP_TO = "up to 3 records of 1 bit and up to 2 records of 2 bits"
BY_SIX = Range.of("T, q", f"all collections of {UP_TO}, all s, q = 1/14, ..., 6/14", collections(1), SIX)
BY_THREE = Range.of("T, q", f"all collections of {UP_TO}, all s, q = 1/10, 1/4, 2/5", collections(1), THREE)
TWO_UP = "all T of 2 or 3 records of 1 bit and of 2 records of 2 bits, all S, q = 1/10, 1/4, 2/5"
PAIRS_UP = Range.of("T, q", TWO_UP, collections(2), THREE)
BITS = Range.of("b, X", "b and X in {0, 1}", (0, 1), (0, 1), whole=True)
EVENTS = Range.of("T, q", "every event of the counts of up to 3 reports, q = 1/14, ..., 6/14",
    [((0,),), ((0,), (1,)), ((1,), (1,), (0,)), ((0, 1),)], SIX)
SIZES = Range.of("size, q", f"all databases of {UP_TO}, q = 1/10, 1/4, 2/5",
    ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2)), THREE)
THIRDS = Range.of("a, b", "S finite, P[A(x') = s] > 0 for s in S: three outcomes",
    *[tuple(product(range(1, 4), repeat=3))] * 2)

claim("s2-bit", BITS, lambda b, x: randomized((b,), (x,)) == ((b + x) % 2,))

@claim("s2-vector", SMALL)
def _(v: Record, lie: F) -> Answer:
    joint = report_law(v, lie)
    ones = [sum(chance for s, chance in joint.items() if s[place]) for place in range(len(v))]
    split = {s: prod(one if bit else 1 - one for one, bit in zip(ones, s, strict=True)) for s in joint}
    return split == joint and ones == [1 - lie if bit else lie for bit in v]

def reported(v: Record, lie: F, best: Callable[..., F]) -> list[Record]:
    """The reports of v that have the best probability."""
    law = {s: report_probability(v, s, q=lie) for s in cells(len(v))}
    return [s for s, chance in law.items() if chance == best(law.values())]

claim("s2-likeliest", SMALL, lambda v, lie: reported(v, lie, max) == [v])

claim("s2-least-likely", SMALL, lambda v, lie: reported(v, lie, min) == [tuple(1 - bit for bit in v)])

@claim("s2-presence", BY_SIX)
def _(records: tuple[Record, ...], lie: F) -> Answer:
    joint, vectors = joint_law(records, lie), cells(len(records[0]))
    said = [1 - prod(1 - report_probability(v, s, q=lie) for v in records) for s in vectors]
    return said == [meets(joint, {s}) for s in vectors] == [presence(s, records, q=lie) for s in vectors]

@claim("s3-definition")
def _() -> Finding:
    ignoring = FiniteMechanism([[F(1, 2)] * 2] * 2)
    needed, defined = largest_event_ratio(ignoring), ignoring.epsilon()
    sure(defined == Enclosure.of(0), "a query that ignores the database is not 0-private")
    return Finding(Ruling.CORRECTED if defined != Enclosure.of(needed) else Ruling.PROVEN,
        witness=f"a query that ignores the database needs epsilon >= {needed} as written, by definition {defined}")

@claim("s3-one-more", Range.of("bits", "databases of 1 to 3 records of 1 or 2 bits, q = 1/4", (1, 2)), holds=True)
def _(bits: int) -> Answer:
    lie, records = F(1, 4), cells(bits)
    databases = [x for n in (1, 2, 3) for x in combinations_with_replacement(records, n)]
    place = {x: i for i, x in enumerate(databases)}
    pairs = {(place[x], place[tuple(sorted((*x, y)))]) for x in databases if len(x) < 3 for y in records}
    drawn = [[sum(report_law(v, lie)[s] for v in x) / len(x) for s in records] for x in databases]
    laws = [query_pmf(x, q=lie) for x in databases]
    apart = all(len(databases[i]) < len(databases[j]) and laws[i].keys().isdisjoint(laws[j]) for i, j in pairs)
    private = 1 < FiniteMechanism(drawn, sorted(pairs)).lam() <= ((1 - lie) / lie) ** bits
    return apart and private and pairs == set(histogram_neighbours([histogram(x, records) for x in databases]))

@claim("s3-sum", EVENTS)
def _(records: tuple[Record, ...], lie: F) -> Answer:
    pmf, joint, vectors = query_pmf(records, q=lie), joint_law(records, lie), cells(len(records[0]))
    counted = {y: tuple(map(y.count, vectors)) for y in joint}
    events = map(set, subsets(list(pmf)))
    return all(sum(pmf[s] for s in e) == sum(joint[y] for y in joint if counted[y] in e) for e in events)

@claim("s3-max-ratio")
def _() -> Finding:
    quotients = [F(3, 2) * (1 - F(1, 2**i)) for i in range(1, 60)]  # of (3/2)(1 - 2^-i) 2^-i and 2^-i
    sure(F(3, 2) * (1 - F(1, 3)) == 1, "the two series do not sum to 1")
    sure(all(one < following < F(3, 2) for one, following in pairwise(quotients)), "the quotients do not rise to 3/2")
    finite = THIRDS.judge(at_most_the_largest)
    sure(finite.ruling is Ruling.PROVEN, "a quotient of finite sums is above the largest quotient")
    witness = "P[A(x') = i] = 2^-i, P[A(x) = i] = (3/2)(1 - 2^-i) 2^-i: quotients rise to 3/2, no maximum"
    return replace(finite, ruling=Ruling.ONLY_FOR, over="S finite, P[A(x') = s] > 0 for s in S", witness=witness)

def at_most_the_largest(a: tuple[int, ...], b: tuple[int, ...]) -> Answer:
    events = subsets(list(zip(a, b, strict=True)))
    return all(F(sum(x for x, _ in e), sum(y for _, y in e)) <= max(F(x, y) for x, y in e) for e in events)

@claim("s3-product", BY_SIX)
def _(records: tuple[Record, ...], lie: F) -> Answer:
    joint = joint_law(records, lie)
    return joint == {s: prod(report_probability(x, y, q=lie) for x, y in zip(records, s, strict=True)) for s in joint}

@claim("s3-one-row", BY_THREE)
def _(records: tuple[Record, ...], lie: F) -> Answer:
    laws = {x: joint_law((x, *records[1:]), lie) for x in cells(len(records[0]))}
    single = {(x, s): report_probability(x, s, q=lie) for x in laws for s in laws}
    first = records[0]
    return all(laws[first][s] / law[s] == single[first, s[0]] / single[x, s[0]] for x, law in laws.items() for s in law)

@claim("s3-record-suffices", SIZES)
def _(size: tuple[int, int], lie: F) -> Answer:
    n, bits = size
    records, databases = cells(bits), list(product(cells(bits), repeat=n))
    laws = [joint_law(x, lie) for x in databases]
    query = FiniteMechanism([[law[s] for s in databases] for law in laws], record_neighbours(databases))
    single = FiniteMechanism([[report_probability(x, s, q=lie) for s in records] for x in records])
    closed = exp(symbolic.local_epsilon().subs({k: 1, L: bits, q: Rational(lie)}))
    return bool(query.lam() == single.lam() and Rational(single.lam()) == closed)

@claim("s3-record-form")
def _() -> Finding:
    lie, eps = F(2, 5), F(1, 2)
    single = FiniteMechanism([[report_probability(x, s, q=lie) for s in cells(1)] for x in cells(1)])
    defined = bool(single.is_private(epsilon=eps)) and record_epsilon("0", "1", q=lie) <= eps
    sure(defined, "one bit with q = 2/5 is not private with epsilon = 1/2")
    return Finding(Ruling.CORRECTED if largest_event_ratio(single) > eps else Ruling.PROVEN,
        witness=f"one bit, q = 2/5, epsilon = 1/2: ratio {single.lam()} is above 1/2, but not above e^(1/2)")

@claim("s3-collection")
def _() -> Finding:
    whole, rest = (query_pmf(records, q="1/4") for records in (["0", "1"], ["1"]))
    sure(not any(outcome in rest for outcome in whole), "two collections of different size have an outcome in common")
    read = PAIRS_UP.judge(as_meeting)
    sure(read.ruling is Ruling.PROVEN, "read as 'meets', single vectors do not decide")
    witness = f"T = {{0, 1}}, S = every outcome of two reports: {sum(whole.values())} against 0"
    return replace(read, ruling=Ruling.CORRECTED, witness=witness)

def as_meeting(records: tuple[Record, ...], lie: F) -> Answer:
    whole, vectors = joint_law(records, lie), cells(len(records[0]))
    rests = [joint_law(rest, lie) for rest in left_out(records)]
    ratios = (meets(whole, set(s)) / meets(rest, set(s)) for rest in rests for s in subsets(vectors))
    return max(ratios) == presence_ratio(records, q=lie)

@claim("s3-anonymity", BY_THREE, known=Known.DEFINITION)
def _(records: tuple[Record, ...], lie: F) -> Answer:
    without = zip(records, [joint_law(rest, lie) for rest in left_out(records)], strict=True)
    least = min(meets(rest, {s}) / chance for v, rest in without for s, chance in report_law(v, lie).items())
    bounded = len(records) < 2 or presence_ratio(records, q=lie) <= 1 + 1 / least
    return least == anonymity(records, q=lie).value and bounded
