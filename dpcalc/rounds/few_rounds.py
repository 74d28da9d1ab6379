r"""delta of a few rounds of few records, in rationals: the best datasets fixed in advance, and the best strategy.

A round with m ones among the others has the outcomes s with P_m(s) and Q_m(s). Datasets fixed beforehand:

    delta = max over (m_1, ..., m_T) of sum over (s_1, ..., s_T) of [prod P_{m_t}(s_t) - lambda prod Q_{m_t}(s_t)]_+,

where outcomes with the same ratio P/Q are merged. If later datasets may depend on earlier outcomes, the largest delta
is V_T(lambda), with the first round of the list first,

    V_0(lambda) = [1 - lambda]_+,    V_t(lambda) = max_m sum_s P_m(s) V_{t-1}(lambda Q_m(s) / P_m(s)):

because after an outcome s the remaining rounds start from P_m(s) under P and from Q_m(s) under Q.

Exchanging the meaning of both bits in a round turns its direction 1 over 0 at m into 0 over 1 at n - 1 - m, so one
direction is enough in every round. If a round releases several counts that change, m is a tuple, and its law a product.
A deleted record is deleted in all rounds, so if the direction decides which m are possible, it is the same in all.

This way is kept because no other one sees strategies: without it the ends of adaptive rounds of few records lie a tenth
to a third apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from operator import itemgetter

from dpcalc.pairs.listed import ListedPair
from dpcalc.rounds.release import Release, directions
from dpcalc.worst.datasets import Datasets

#: The counts of a round, and how many times it is run.
_Kind = tuple[Release, int]
#: The ones of the counts of a round.
Ones = tuple[int, ...]
#: The P mass of the outcomes with each ratio P/Q.
_Seen = dict[Fraction, Fraction]
_NOTHING: _Seen = {Fraction(1): Fraction(1)}


def fixed(kinds: Sequence[_Kind], lams: Sequence[Fraction]) -> list[tuple[Fraction, tuple[Ones, ...]]]:
    """For every lambda the largest delta over datasets fixed in advance, and each round's ones that attain it.

    >>> fixed([(Release(Datasets.symmetric(Fraction(1, 4), 1, 5)), 2)], [Fraction(3, 2)])
    [(Fraction(5517801, 33554432), ((0,), (0,)))]
    """
    every = _all(tuple(kinds))
    return [max(((seen.divergence(lam), ones) for ones, seen in every), key=itemgetter(0)) for lam in lams]


@lru_cache(maxsize=8)
def given(kinds: tuple[tuple[Datasets, int], ...], ones: int) -> list[ListedPair]:
    """The outcomes of counts with the same number of ones, all in one direction, and all in the other."""
    found = []
    for all_ones in ([ones] * len(kinds), [datasets.others - ones for datasets, _ in kinds]):
        seen = _NOTHING
        for (datasets, times), m in zip(kinds, all_ones, strict=True):
            seen = reduce(_times, [_outcomes(datasets, m)] * times, seen)
        found.append(_shown(seen))
    return found


@lru_cache(maxsize=8)
def _all(kinds: tuple[_Kind, ...]) -> list[tuple[tuple[Ones, ...], ListedPair]]:
    """Every choice of ones, and its outcomes; cached, as one question asks for many lambdas."""
    return [(ones, _shown(seen)) for ones, seen in _choices(kinds)]


def _shown(seen: _Seen) -> ListedPair:
    """The masses under both laws."""
    return ListedPair.of(seen, {ratio: p / ratio for ratio, p in seen.items()})


def adaptive(kinds: Sequence[_Kind], lams: Sequence[Fraction]) -> list[Fraction]:
    """For every lambda the largest delta if datasets may depend on earlier outcomes.

    >>> each = [Datasets.symmetric(Fraction(1, 4), 1, 2), Datasets.symmetric(Fraction(1, 10), 1, 1)]
    >>> adaptive([(Release(datasets), 1) for datasets in each], [Fraction(3, 2)])
    [Fraction(891, 1280)]
    """
    rounds = [release for release, times in kinds for _ in range(times)]

    @cache
    def value(t: int, lam: Fraction, absent: bool) -> Fraction:
        if t == len(rounds):
            return max(1 - lam, Fraction(0))
        laws = (_law(rounds[t].datasets, ones) for ones in rounds[t].choices(absent))
        return max(
            sum((p * value(t + 1, lam / ratio, absent) for ratio, p in law.items()), Fraction(0)) for law in laws
        )

    return [max(value(0, lam, absent) for absent in directions(rounds)) for lam in lams]


def given_cost(kinds: Sequence[tuple[Datasets, int]]) -> float:
    """The logarithm of the number of terms that one choice of ones takes, about."""
    return sum(_ratios(datasets, times) for datasets, times in kinds)


def fixed_cost(kinds: Sequence[_Kind]) -> float:
    """The same for all choices, impossible combinations included."""
    return sum(
        _log_choose(x.datasets.others + x.counts * times, x.counts * times) + _ratios(x.datasets, x.counts * times)
        for x, times in kinds
    )


def adaptive_cost(kinds: Sequence[_Kind]) -> float:
    """The logarithm of the number of terms that all strategies take, at most."""
    return sum(
        times * (_log_choose(x.datasets.others + x.counts, x.counts) + _ratios(x.datasets, x.counts))
        for x, times in kinds
    )


def _ratios(datasets: Datasets, times: int) -> float:
    """The logarithm of the number of ratios that several counts can show; with one record they lie on a lattice."""
    each = datasets.k * (datasets.others + 1)
    return times * math.log(each + 1) if datasets.others else 2 * math.log(each * times + 1)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _choices(kinds: Sequence[_Kind]) -> Iterator[tuple[tuple[Ones, ...], _Seen]]:
    """The ones of every round, rising among equal rounds, and the outcomes."""
    rounds = [(i, release) for i, (release, times) in enumerate(kinds) for _ in range(times)]

    def extend(absent: bool, ones: tuple[Ones, ...], seen: _Seen) -> Iterator[tuple[tuple[Ones, ...], _Seen]]:
        if len(ones) == len(rounds):
            yield ones, seen
            return
        i, release = rounds[len(ones)]
        again = bool(ones) and rounds[len(ones) - 1][0] == i
        for m in release.choices(absent):
            if not again or m >= ones[-1]:
                yield from extend(absent, (*ones, m), _times(seen, _law(release.datasets, m)))

    for absent in directions(release for release, _ in kinds):
        yield from extend(absent, (), _NOTHING)


def _times(seen: _Seen, more: _Seen) -> _Seen:
    found: _Seen = {}
    for ratio, p in seen.items():
        for other, r in more.items():
            found[ratio * other] = found.get(ratio * other, Fraction(0)) + p * r
    return found


@lru_cache(maxsize=1 << 10)
def _law(datasets: Datasets, ones: Ones) -> _Seen:
    """The outcomes of one round's counts."""
    return reduce(_times, (_outcomes(datasets, m) for m in ones), _NOTHING)


@lru_cache(maxsize=1 << 10)
def _outcomes(datasets: Datasets, ones: int) -> _Seen:
    found: _Seen = {}
    pair = datasets.pair(ones)
    likely, unlikely = ((pair.others + own).pmf() for own in (pair.zero, pair.one))
    for p, q in zip(likely.weights, unlikely.weights, strict=True):
        ratio = Fraction(p, q)
        found[ratio] = found.get(ratio, Fraction(0)) + Fraction(p, likely.denominator)
    return found
