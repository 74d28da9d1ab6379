r"""delta of a few rounds of few outcomes, in rationals: the best datasets fixed in advance, and the best strategy.

A round with m ones among the others has the outcomes s with P_m(s) and Q_m(s). Datasets fixed beforehand:

    delta = max over (m_1, ..., m_T) of sum over (s_1, ..., s_T) of [prod P_{m_t}(s_t) - lambda prod Q_{m_t}(s_t)]_+,

where outcomes with the same ratio P/Q are merged. If later datasets may depend on earlier outcomes, the largest delta
is V_T(lambda), with the first round of the list first,

    V_0(lambda) = [1 - lambda]_+,    V_t(lambda) = max_m sum_s P_m(s) V_{t-1}(lambda Q_m(s) / P_m(s)):

because after an outcome s the remaining rounds start from P_m(s) under P and from Q_m(s) under Q.

A round is known by its pairs: m is a dataset and a direction. Of symmetric bits one direction is enough, as
exchanging the meaning of both bits turns the direction 1 over 0 at m into 0 over 1 at n - 1 - m. If a round releases
several counts that change, m is a tuple, and its law a product.

This way is kept because no other one sees strategies: without it the ends of adaptive rounds of few records lie a tenth
to a third apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias

from dpcalc.pairs.listed import ListedPair

#: What one round can show: pairs by name; none where there are too many.
Pairs: TypeAlias = tuple[tuple[Any, ListedPair], ...]
#: The pairs of a round, and how many times it is run.
Kind: TypeAlias = tuple[Pairs, int]

_NOTHING = ListedPair((1,), (1,), 1)


def fixed(kinds: Sequence[Kind], lams: Sequence[Fraction]) -> list[tuple[Fraction, tuple[Any, ...]]]:
    """For every lambda the largest delta over datasets fixed in advance, and each round's choice that attains it.

    >>> from dpcalc.families.bits import Bits
    >>> fixed([(tuple(Bits.symmetric(Fraction(1, 4), 1, 5).every(100)), 2)], [Fraction(3, 2)])
    [(Fraction(5517801, 33554432), (0, 0))]
    """
    every = list(sequences(_in_turn(kinds)))
    return [max(((pair.divergence(lam), chosen) for chosen, _, pair in every), key=itemgetter(0)) for lam in lams]


def adaptive(kinds: Sequence[Kind], lams: Sequence[Fraction]) -> list[Fraction]:
    """For every lambda the largest delta if datasets may depend on earlier outcomes.

    >>> from dpcalc.families.bits import Bits
    >>> each = [Bits.symmetric(Fraction(1, 4), 1, 2), Bits.symmetric(Fraction(1, 10), 1, 1)]
    >>> adaptive([(tuple(one.every(100)), 1) for one in each], [Fraction(3, 2)])
    [Fraction(891, 1280)]
    """
    rounds = [[(pair, _seen(pair)) for _, pair in one] for one in _in_turn(kinds)]

    @cache
    def value(t: int, lam: Fraction) -> Fraction:
        if t == len(rounds) - 1:
            return max(pair.divergence(lam) for pair, _ in rounds[t])
        return max(sum((p * value(t + 1, lam * r) for p, r in seen), Fraction(0)) for _, seen in rounds[t])

    return [value(0, lam) for lam in lams]


def _seen(pair: ListedPair) -> list[tuple[Fraction, Fraction]]:
    """P and Q/P of what P shows."""
    return [(Fraction(p, pair.whole), Fraction(q, p)) for p, q in zip(pair.likely, pair.unlikely, strict=True) if p]


def fixed_cost(kinds: Sequence[Kind]) -> float:
    """The logarithm of the number of terms that all choices take, about."""
    return sum(log_choose(len(x) + times - 1, times) + _log_ratios(x, times) if x else math.inf for x, times in kinds)


def adaptive_cost(kinds: Sequence[Kind]) -> float:
    """The same for all strategies, at most."""
    return sum(times * (math.log(len(x)) + _log_ratios(x, 1)) if x else math.inf for x, times in kinds)


def _log_ratios(one: Pairs, times: int) -> float:
    """The logarithm of the number of ratios that so many rounds can show, at most."""
    most = max(len(pair.likely) for _, pair in one)
    if len(one) == 1 and _geometric(one[0][1]):
        return min(times, 2) * math.log(times * (most - 1) + 1)
    return times * math.log(most)


def _geometric(pair: ListedPair) -> bool:
    """Whether its ratios are a geometric sequence, as those of one record's bits."""
    each = [*zip(pair.likely, pair.unlikely, strict=True)]
    return all(p * r * b**2 == q**2 * a * c for (p, a), (q, b), (r, c) in zip(each, each[1:], each[2:], strict=False))


def log_choose(n: int, k: int) -> float:
    """The logarithm of a binomial coefficient."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _in_turn(kinds: Sequence[Kind]) -> list[Pairs]:
    return [one for one, times in kinds for _ in range(times)]


def sequences(rounds: Sequence[Pairs]) -> Iterator[tuple[tuple[Any, ...], int, ListedPair]]:
    """The choices of every round, in their order among equal rounds; the place of the last one; and the outcomes."""
    if not rounds:
        yield (), 0, _NOTHING
        return
    *before, last = rounds
    for chosen, i, pair in sequences(before):
        least = i if before and before[-1] == last else 0
        for j, (choice, more) in enumerate(last[least:], least):
            yield (*chosen, choice), j, pair.beside(more)
