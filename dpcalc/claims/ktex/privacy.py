r"""KTEX, section 1: differential privacy of a query, through events and through single transcripts.

Statements about any query with finitely many transcripts are tried on pairs of distributions, those of A(x) and A(x'),
on three transcripts with probabilities in multiples of 1/4; lambda stands for exp(epsilon).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations_with_replacement, product
from math import prod
from typing import TypeAlias

from sympy import Matrix

from dpcalc.claims.checking import exhausted, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.enumeration import Vector, chance, counted, law, vectors
from dpcalc.claims.k16.privacy import one_more_is_a_notion
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.records import outcome_space
from dpcalc.privacy.collections.ratios import compare

__all__ = ["ledger"]

ledger = Ledger("KTEX")

#: A distribution on three transcripts.
_Law: TypeAlias = tuple[Fraction, ...]

_LIMITS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))
_EVENTS = tuple(tuple(s for s in range(3) if bits[s]) for bits in product((0, 1), repeat=3))
_RANGE = "three transcripts, probabilities in multiples of 1/4, e^eps = 1, 3/2, 2, 3"


@ledger.claim(
    "s1-dimension",
    where="section 1, second paragraph",
    says="As a query aggregates, its output space has generally fewer dimensions than the database.",
    assuming="for the query A of section 2; dimension: the number of coordinates that vary freely",
    script="""
        from itertools import product
        n, bits = 1, 3  # one record of three bits: three coordinates
        records = list(product((0, 1), repeat=bits))
        transcripts = {tuple(int(y == v) for v in records) for y in records}  # the counts of one report y
        assert all(s.count(1) == 1 == sum(s) for s in transcripts)  # unit vectors: 8 of them span 7 dimensions
        assert len(transcripts) - 1 == 7 > n * bits
    """,
)
def _fewer_coordinates() -> Finding:
    """With many bits and few records the counts vary in more coordinates than the bits of the database.

    The 2^L counts sum to n and are free otherwise: 2^L - 1 dimensions, against n L bits. That is fewer
    exactly for 2^L - 1 < n L, and for L = 20 takes more than 52,000 records.

    In another sense it never grows: a transcript is a function of the synthetic collection, and there
    are C(n + 2^L - 1, n) transcripts (multisets of n vectors) for 2^{nL} collections (lists), fewer for
    n >= 2.
    """

    def dimensions(size: tuple[int, int]) -> tuple[int, int]:
        n, bits = size
        lists = list(product(vectors(bits), repeat=n))
        transcripts = {counted(synthetic, bits) for synthetic in lists}
        fewer = len(transcripts) < len(lists) if n > 1 else len(transcripts) == len(lists)
        if transcripts != set(outcome_space(n=n, bits=bits)) or not fewer:
            raise ArithmeticError(f"the transcripts are not those counted at n = {n}, L = {bits}")
        return _dimension(transcripts), _dimension({tuple(chain(*synthetic)) for synthetic in lists})

    sizes = [(n, bits) for bits, n in product((3, 2, 1), range(1, 7)) if n * bits <= 6]
    return restricted(
        sizes, lambda size: dimensions(size)[0] < dimensions(size)[1], lambda size: 2 ** size[1] - 1 < prod(size),
        over="2^L - 1 < n L", sharp=True, shown=("fewer dimensions", "2^L - 1 against n L"),
        show=lambda size: "n = {}, L = {}: {} against {}".format(*size, *dimensions(size)),
    )  # fmt: skip


@ledger.claim(
    "s1-no-information",
    where="section 1, third paragraph",
    says="From a transcript of a differentially private query nothing can be learned about a single record.",
    script="""
        from fractions import Fraction as F
        p, q = F(3, 4), F(1, 4)  # L = 1, records x_1 and 1; x_1 is 0 or 1 with probability 1/2; both reports are 0
        given_0, given_1 = p * q, q * q
        posterior = given_0 / (given_0 + given_1)
        assert posterior == F(3, 4) != F(1, 2)
    """,
)
def _something_learned() -> Finding:
    """A transcript multiplies the odds of a record by up to e^eps: little is learned, but not nothing.

    By Bayes' rule the odds of x_1 = x' against x_1 = x are multiplied by P[A(x') = s]/P[A(x) = s].

    The definition keeps that factor between e^-eps and e^eps: little is learned, but nothing only if
    eps = 0. For the query A the factor does reach e^eps, however many records there are: see
    s3-epsilon.
    """
    q, n = Fraction(1, 4), 3
    sides = [((bit,), *((1,),) * (n - 1)) for bit in (0, 1)]
    zero, one = (law(side, q, 1) for side in sides)
    factors = {s: zero[s] / one[s] for s in one}
    most = compare(sides[1], sides[0], q=q).maximum
    if (min(factors.values()), max(factors.values())) != (1 / most, most):
        raise ArithmeticError("the factors do not reach what the definition allows")
    s = max(factors, key=lambda outcome: factors[outcome])
    return Finding(
        ruling=Ruling.PROVEN if set(factors.values()) == {Fraction(1)} else Ruling.REFUTED,
        said="the odds stay as they are", exact=f"multiplied by e^-eps to e^eps, e^eps = {most}",
        witness=f"q = {q}, n = {n}, L = 1, the others 1, x_1 = 0 or 1 with probability 1/2: after {s[0]} reports 0 and "
        f"{s[1]} reports 1 x_1 = 0 has probability {zero[s] / (zero[s] + one[s])}",
    )  # fmt: skip


@ledger.claim(
    "dpdef",
    where="(eq:dpdef), section 1",
    says="A is eps-private if P[A(x) in S] <= exp(eps) P[A(x') in S] for all events S and all neighbours.",
)
def _definition() -> Finding:
    """A definition, and the usual one; the check tests dpcalc, which has to find what it says.

    As any two neighbours are meant, it is asked for in both orders. The least exp(eps) is then the
    largest quotient of the two probabilities of an event. With eps for exp(eps), as in "Old stuff", the
    event S of all transcripts would ask for eps >= 1.
    """

    def holds(case: tuple[_Law, ...]) -> bool:
        quotients = [sum(b[s] for s in event) / sum(a[s] for s in event) for event in _EVENTS if event
                     for a, b in (case, case[::-1])]  # fmt: skip
        return FiniteMechanism(case).lam() == max(quotients) >= 1

    return exhausted(
        product(_laws(6, least=1), repeat=2), holds, over="three transcripts, probabilities in positive sixths",
        shown=("exp(eps)", "exp(eps)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s1-close",
    where="section 1, after the definition",
    says="The transcripts of two databases that differ in one row are close in distribution.",
)
def _close() -> Finding:
    """In total variation they are within (lambda - 1)/(lambda + 1), lambda = exp(eps).

    Let an event have the probabilities a and b. By (eq:dpdef) b >= a/lambda, and 1 - b <= lambda (1 -
    a) for its complement, so a - b is at most (1 - 1/lambda) a, which grows with a, and at most (lambda
    - 1)(1 - a), which falls: no more than where they meet, at a = lambda/(lambda + 1), b = 1/(lambda +
    1). Randomized response attains it, with a - b = p - q.
    """

    def holds(case: tuple[_Law, ...]) -> bool:
        pair = FiniteMechanism(case)
        limit = pair.lam()
        return pair.delta(lam=1).value <= (limit - 1) / (limit + 1)

    attained = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    if attained.delta(lam=1).value != (attained.lam() - 1) / (attained.lam() + 1):
        raise ArithmeticError("randomized response does not attain the bound")
    return exhausted(
        product(_laws(6, least=1), repeat=2), holds, over="three transcripts, probabilities in positive sixths",
        shown=("close", "within (e^eps - 1)/(e^eps + 1)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s1-one-more",
    where="section 1, after the definition",
    says="That x' has one record more than x is another notion of differing in one row, which is sometimes used.",
)
def _one_record_more() -> Finding:
    """It is another notion, and one in use: a record is added or left out, as in DW.

    A caveat: it does not suit the query A of section 2. The counts sum to the number of records, n for
    x and n + 1 for x', so that no transcript is possible for both, and no eps would satisfy (eq:dpdef).
    With this notion n has to be hidden, as it is where one report is drawn at random from all.
    """
    return exhausted(
        (1, 2), one_more_is_a_notion, over="databases of 1 to 3 records of 1 or 2 bits, q = 1/4",
        shown=("another notion", "another notion; not for A, whose transcripts tell n"),
    )  # fmt: skip


@ledger.claim(
    "s1-pmf",
    where="section 1, before and in the proof of the proposition",
    says="For finitely many transcripts P[A(x) in S] is the sum of P[A(x) = s] over s in S.",
)
def _additivity() -> Finding:
    """S is the disjoint union of its elements. Checked on A, by the synthetic collections whose counts are in S."""
    q = Fraction(1, 4)

    def holds(x: tuple[Vector, ...]) -> bool:
        synthetic = list(product(vectors(1), repeat=len(x)))
        weights = [prod((chance(a, b, q) for a, b in zip(x, y, strict=True)), start=Fraction(1)) for y in synthetic]
        space = list(outcome_space(n=len(x), bits=1))
        events = (tuple(s for s, bit in zip(space, chosen, strict=True) if bit)
                  for chosen in product((0, 1), repeat=len(space)))  # fmt: skip
        return all(
            sum((w for y, w in zip(synthetic, weights, strict=True) if counted(y, 1) in event), Fraction(0))
            == sum((law(x, q, 1)[s] for s in event), Fraction(0))
            for event in events
        )

    return exhausted(
        (x for n in (1, 2, 3) for x in combinations_with_replacement(vectors(1), n)), holds,
        over="A, n <= 3, L = 1, q = 1/4, every event", shown=("sum over S", "sum over S"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "P1",
    where="Proposition (prop:dpcnt), section 1",
    says="For finitely many transcripts A is eps-private if and only if (eq:dpcnt) holds for all s and neighbours.",
)
def _by_transcripts() -> Finding:
    """If the inequality holds for every s in S, add it up over S: it holds for S. Conversely take S = {s}.

    (The document divides where adding is enough: see s1-zero, s1-quotients.)
    """

    def holds(case: tuple[_Law, _Law, Fraction]) -> bool:
        a, b, limit = case
        private = _event_by_event(a, b, limit)
        library = FiniteMechanism([a, b]).is_private(lam=limit).holds
        both = private and _event_by_event(b, a, limit)
        return private == _transcript_by_transcript(a, b, limit) and both == library

    return exhausted(_cases(), holds, over=_RANGE, shown=("if and only if", "if and only if"), proven=True)


@ledger.claim(
    "dpcnt",
    where="(eq:dpcnt), section 1, and the end of the proof",
    says="P[A(x) = s] <= exp(eps) P[A(x') = s] is what (eq:dpdef) says for S = {s}.",
)
def _single_transcripts() -> Finding:
    """A(x) is in {s} if and only if A(x) = s. So (eq:dpdef), which is for all S, contains (eq:dpcnt)."""

    def holds(case: tuple[_Law, _Law, Fraction]) -> bool:
        a, b, limit = case
        alone = [event for event in _EVENTS if len(event) == 1]
        single = all(sum(a[s] for s in event) <= limit * sum(b[s] for s in event) for event in alone)
        return single == _transcript_by_transcript(a, b, limit) and (single or not _event_by_event(a, b, limit))

    return exhausted(_cases(), holds, over=_RANGE, shown=("S = {s}", "S = {s}"), proven=True)


@ledger.claim(
    "s1-zero",
    where="section 1, proof of the proposition, first case",
    says="If P[A(x') in S] = 0, then so is every P[A(x') = s], by (eq:dpcnt) every P[A(x) = s], and P[A(x) in S].",
    assuming="(eq:dpcnt) holds",
)
def _impossible_events() -> Finding:
    """A sum of numbers >= 0 vanishes only if each does; then 0 <= P[A(x) = s] <= exp(eps) 0, and their sum is 0 too."""

    def holds(case: tuple[_Law, _Law, Fraction]) -> bool:
        a, b, _ = case
        empty = [event for event in _EVENTS if not sum(b[s] for s in event)]
        return all(b[s] == 0 == a[s] for event in empty for s in event)

    cases = (case for case in _cases() if _transcript_by_transcript(*case))
    return exhausted(cases, holds, over=_RANGE, shown=("0", "0"), proven=True)


@ledger.claim(
    "s1-quotients",
    where="section 1, proof of the proposition, second case",
    says="If P[A(x') in S] > 0, the quotient for S is at most the largest one for s in S, which is at most exp(eps).",
    assuming="(eq:dpcnt) holds",
    script="""
        from fractions import Fraction as F
        here, there = (F(1, 2), F(1, 2), F(0)), (F(1, 4), F(3, 4), F(0))  # (eq:dpcnt) holds with exp(eps) = 2
        S = (0, 2)  # an event with P[A(x') in S] = 1/4
        undefined = [s for s in S if there[s] == 0]
        assert sum(there[s] for s in S) > 0 and all(a <= 2 * b for a, b in zip(here, there)) and undefined == [2]
    """,
)
def _quotients() -> Finding:
    """Where P[A(x') = s] = 0, so is P[A(x) = s], and the quotient is 0/0; for all other s it is the lemma.

    It is enough to leave these s out of S: neither probability changes. (Section 2's own space {0, ...,
    n}^{2^L} is full of them: every s that does not sum to n.)
    """

    def holds(case: tuple[_Law, _Law, Fraction, tuple[int, ...]]) -> bool:
        a, b, limit, event = case
        if not all(b[s] for s in event):
            return False
        largest = max(a[s] / b[s] for s in event)
        return sum(a[s] for s in event) / sum(b[s] for s in event) <= largest <= limit

    private = (case for case in _cases() if _transcript_by_transcript(*case))
    return restricted(
        ((*case, event) for case in private for event in _EVENTS if sum(case[1][s] for s in event)), holds,
        lambda case: all(case[1][s] > 0 for s in case[3]),
        over="events S of transcripts that are possible for x'",
        shown=("every S with P[A(x') in S] > 0", "S without the s that never occur"), show=_event_shown,
    )  # fmt: skip


@ledger.claim(
    "L1",
    where='section 1, "Lemma (need ref)"',
    says="A quotient of sums is at most the largest of the quotients of their terms.",
    assuming="terms >= 0, those below the line > 0",
)
def _largest_quotient() -> Finding:
    """With M the largest quotient a_s <= M b_s for every s; add up and divide by the sum of the b_s, which is > 0.

    (Likewise at least the smallest: the quotient of the sums is their mean with weights b_s.)
    """

    def holds(case: tuple[_Law, ...]) -> bool:
        quotients = [a / b for a, b in zip(*case, strict=True)]
        return all(
            min(quotients[s] for s in event)
            <= sum(case[0][s] for s in event) / sum(case[1][s] for s in event)
            <= max(quotients[s] for s in event)
            for event in _EVENTS if event
        )  # fmt: skip

    return exhausted(
        product(_laws(6, least=0), _laws(6, least=1)), holds, over="three terms in multiples of 1/6, every S",
        shown=("sum a/sum b <= max a/b", "sum a/sum b <= max a/b"), proven=True,
    )  # fmt: skip


# --- distributions on three transcripts ---------------------------------------------------------------------------


def _laws(parts: int, *, least: int) -> list[_Law]:
    """The distributions with probabilities in multiples of 1/parts, each at least ``least`` of them."""
    span = range(least, parts + 1)
    return [
        (Fraction(a, parts), Fraction(b, parts), Fraction(parts - a - b, parts))
        for a, b in product(span, span) if parts - a - b >= least
    ]  # fmt: skip


def _cases() -> Iterator[tuple[_Law, _Law, Fraction]]:
    return product(_laws(4, least=0), _laws(4, least=0), _LIMITS)


def _event_by_event(a: _Law, b: _Law, limit: Fraction) -> bool:
    return all(sum(a[s] for s in event) <= limit * sum(b[s] for s in event) for event in _EVENTS)


def _transcript_by_transcript(a: _Law, b: _Law, limit: Fraction) -> bool:
    return all(x <= limit * y for x, y in zip(a, b, strict=True))


def _event_shown(case: tuple[_Law, _Law, Fraction, tuple[int, ...]]) -> str:
    a, b, limit, event = case
    sides = ("(" + ", ".join(map(str, side)) + ")" for side in (a, b))
    return "A(x) {}, A(x') {}, exp(eps) = {}, S = {}: a quotient is 0/0".format(
        *sides, limit, {s + 1 for s in event}
    )  # fmt: skip


# --- dimensions ---------------------------------------------------------------------------------------------------


def _dimension(points: set[tuple[int, ...]]) -> int:
    """Of the smallest flat that contains the points."""
    origin, *others = sorted(points)
    return int(Matrix([[a - b for a, b in zip(point, origin, strict=True)] for point in others]).rank())
