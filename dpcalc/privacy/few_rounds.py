r"""delta of a few rounds of few records, in rationals: the best datasets fixed beforehand, and the best strategy.

A round with m ones among the others has the outcomes s with P_m(s) and Q_m(s). Datasets fixed beforehand:

    delta = max over (m_1, ..., m_T) of sum over (s_1, ..., s_T) of [prod P_{m_t}(s_t) - lambda prod Q_{m_t}(s_t)]_+,

summed by the ratio P/Q of what was seen so far: outcomes of equal ratio are one. Where later datasets may depend on the
outcomes seen, the largest delta is V_T(lambda), with the first round of the list first,

    V_0(lambda) = [1 - lambda]_+,    V_t(lambda) = max_m sum_s P_m(s) V_{t-1}(lambda Q_m(s) / P_m(s)):

after an outcome s what is left to be told apart is P_m(s) times the rest under P, Q_m(s) times the rest under Q.

Flipping the meaning of both bits in a round turns its direction 1 over 0 at m into 0 over 1 at n - 1 - m: one direction
is enough in every round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from dpcalc.privacy.datasets import Datasets

__all__ = ["adaptive", "adaptive_cost", "fixed", "fixed_cost"]

#: A kind of round, and how many times it is run.
Kind = tuple[Datasets, int]
#: By the ratio P/Q of what was seen: the P mass.
_Seen = dict[Fraction, Fraction]


def fixed(kinds: Sequence[Kind], lams: Sequence[Fraction]) -> list[tuple[Fraction, tuple[int, ...]]]:
    """For every lambda the largest delta over datasets fixed beforehand, and the ones of each round that attain it.

    >>> fixed([(Datasets(Fraction(1, 4), 1, 5), 2)], [Fraction(3, 2)])
    [(Fraction(5517801, 33554432), (0, 0))]
    """
    best: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(-1), ())] * len(lams)
    for ones, seen in _choices(kinds):
        for i, lam in enumerate(lams):
            delta = sum((p * (1 - lam / ratio) for ratio, p in seen.items() if ratio > lam), Fraction(0))
            if delta > best[i][0]:
                best[i] = delta, ones
    return best


def adaptive(kinds: Sequence[Kind], lams: Sequence[Fraction]) -> list[Fraction]:
    """For every lambda the largest delta where datasets may depend on the outcomes seen.

    >>> adaptive([(Datasets(Fraction(1, 4), 1, 2), 1), (Datasets(Fraction(1, 10), 1, 1), 1)], [Fraction(3, 2)])
    [Fraction(891, 1280)]
    """
    rounds = [datasets for datasets, times in kinds for _ in range(times)]

    @cache
    def value(t: int, lam: Fraction) -> Fraction:
        if t == len(rounds):
            return max(1 - lam, Fraction(0))
        laws = (_outcomes(rounds[t], ones) for ones in range(rounds[t].others + 1))
        return max(sum((p * value(t + 1, lam / ratio) for ratio, p in law.items()), Fraction(0)) for law in laws)

    return [value(0, lam) for lam in lams]


def fixed_cost(kinds: Sequence[Kind]) -> float:
    """The logarithm of how many terms are summed, about."""
    return sum(_log_choose(x.others + times, times) + _ratios(x, times) for x, times in kinds)


def adaptive_cost(kinds: Sequence[Kind]) -> float:
    """The logarithm of how many terms are summed, at most."""
    return sum(times * math.log((x.others + 1) * (x.k * (x.others + 1) + 1)) for x, times in kinds)


def _ratios(datasets: Datasets, times: int) -> float:
    """The logarithm of how many ratios several rounds show; those of one record alone lie on a lattice."""
    each = datasets.k * (datasets.others + 1)
    return times * math.log(each + 1) if datasets.others else 2 * math.log(each * times + 1)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _choices(kinds: Sequence[Kind]) -> Iterator[tuple[tuple[int, ...], _Seen]]:
    """The ones of every round, rising among equal rounds, and what is seen."""
    rounds = [(i, datasets) for i, (datasets, times) in enumerate(kinds) for _ in range(times)]

    def extend(ones: tuple[int, ...], seen: _Seen) -> Iterator[tuple[tuple[int, ...], _Seen]]:
        if len(ones) == len(rounds):
            yield ones, seen
            return
        i, datasets = rounds[len(ones)]
        again = bool(ones) and rounds[len(ones) - 1][0] == i
        for m in range(ones[-1] if again else 0, datasets.others + 1):
            yield from extend((*ones, m), _times(seen, _outcomes(datasets, m)))

    return extend((), {Fraction(1): Fraction(1)})


def _times(seen: _Seen, more: _Seen) -> _Seen:
    found: _Seen = {}
    for ratio, p in seen.items():
        for other, r in more.items():
            found[ratio * other] = found.get(ratio * other, Fraction(0)) + p * r
    return found


@lru_cache(maxsize=1 << 10)
def _outcomes(datasets: Datasets, ones: int) -> _Seen:
    found: _Seen = {}
    pair = datasets.pair(ones)
    likely, unlikely = ((pair.others + own).pmf() for own in (pair.zero, pair.one))
    for p, q in zip(likely.weights, unlikely.weights, strict=True):
        ratio = Fraction(p, q)
        found[ratio] = found.get(ratio, Fraction(0)) + Fraction(p, likely.denominator)
    return found
