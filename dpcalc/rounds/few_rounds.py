r"""delta of a few rounds of few outcomes, in rationals: the best datasets fixed in advance, and the best strategy.

A round with m ones among the others has the outcomes s with P_m(s) and Q_m(s). Datasets fixed beforehand:

    delta = max over (m_1, ..., m_T) of sum over (s_1, ..., s_T) of [prod P_{m_t}(s_t) - lambda prod Q_{m_t}(s_t)]_+,

where outcomes with the same ratio P/Q are merged. If later datasets may depend on earlier outcomes, the largest delta
is V_T(lambda), with the first round of the list first,

    V_0(lambda) = [1 - lambda]_+,    V_t(lambda) = max_m sum_s P_m(s) V_{t-1}(lambda Q_m(s) / P_m(s)):

because after an outcome s the remaining rounds start from P_m(s) under P and from Q_m(s) under Q.

A round is known by its pairs: m is a dataset and a direction. Of symmetric bits one direction is enough, as
exchanging the meaning of both bits turns the direction 1 over 0 at m into 0 over 1 at n - 1 - m. If a round releases
several counts that change, m is a tuple, and its law a product. A deleted record is deleted in all rounds, so if the
direction decides which m are possible, it is the same in all.

This way is kept because no other one sees strategies: without it the ends of adaptive rounds of few records lie a tenth
to a third apart.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import islice
from operator import itemgetter
from typing import Any

from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.named import NamedPairs

_NOTHING = ListedPair((1,), (1,), 1)
_MOST = 2_000  # outcomes of all pairs of a family: beside one of more nothing else is affordable


class Choices(ABC):
    """The pairs that one round can show, by name."""

    __slots__ = ()

    @property
    def directions(self) -> Sequence[bool]:
        """Whether a deleted record is absent in the likelier dataset; both values, if that makes a difference."""
        return (False,)

    @abstractmethod
    def choices(self, absent: bool) -> Iterable[Any]:
        """All names."""

    @abstractmethod
    def pair(self, choice: Any) -> ListedPair:
        """The pair of a name."""

    @abstractmethod
    def log_combinations(self, times: int) -> float:
        """The logarithm of the number of choices for so many rounds in any order, impossible ones included."""

    @abstractmethod
    def log_ratios(self, times: int) -> float:
        """The logarithm of the number of ratios that so many rounds can show, at most."""


#: The pairs of a round, and how many times it is run.
_Kind = tuple[Choices, int]


@dataclass(frozen=True, slots=True)
class EveryPair(Choices):
    """The pairs of a family that lists them."""

    family: NamedPairs[Any]

    def choices(self, absent: bool) -> Iterable[Any]:
        """Datasets and directions."""
        return _every(self.family)

    def pair(self, choice: Any) -> ListedPair:
        """As listed."""
        return _every(self.family)[choice]

    def log_combinations(self, times: int) -> float:
        """Infinity where they are not listed."""
        return log_choose(len(every) + times - 1, times) if (every := _every(self.family)) else math.inf

    def log_ratios(self, times: int) -> float:
        """As if all were different."""
        return times * math.log(max((len(pair.likely) for pair in _every(self.family).values()), default=1))


@lru_cache(maxsize=64)
def _every(family: NamedPairs[Any]) -> dict[Any, ListedPair]:
    return dict(family.every(_MOST))


def fixed(kinds: Sequence[_Kind], lams: Sequence[Fraction]) -> list[tuple[Fraction, tuple[Any, ...]]]:
    """For every lambda the largest delta over datasets fixed in advance, and each round's choice that attains it.

    >>> from dpcalc.rounds.release import Release
    >>> from dpcalc.families.bits import Bits
    >>> fixed([(Release(Bits.symmetric(Fraction(1, 4), 1, 5)), 2)], [Fraction(3, 2)])
    [(Fraction(5517801, 33554432), ((0,), (0,)))]
    """
    every = _all(tuple(kinds))
    return [max(((pair.divergence(lam), chosen) for chosen, pair in every), key=itemgetter(0)) for lam in lams]


@lru_cache(maxsize=8)
def given(chosen: tuple[tuple[Choices, Any, int], ...]) -> ListedPair:
    """The outcomes of chosen datasets, each so many times."""
    every = (one.pair(choice) for one, choice, times in chosen for _ in range(times))
    return reduce(ListedPair.beside, every, _NOTHING)


@lru_cache(maxsize=8)
def _all(kinds: tuple[_Kind, ...]) -> list[tuple[tuple[Any, ...], ListedPair]]:
    """All choices, and their outcomes; cached, as one question asks for many lambdas."""
    rounds = _in_turn(kinds)
    return [(one, pair) for absent in _directions(rounds) for one, _, pair in sequences(rounds, absent)]


def adaptive(kinds: Sequence[_Kind], lams: Sequence[Fraction]) -> list[Fraction]:
    """For every lambda the largest delta if datasets may depend on earlier outcomes.

    >>> from dpcalc.rounds.release import Release
    >>> from dpcalc.families.bits import Bits
    >>> each = [Bits.symmetric(Fraction(1, 4), 1, 2), Bits.symmetric(Fraction(1, 10), 1, 1)]
    >>> adaptive([(Release(datasets), 1) for datasets in each], [Fraction(3, 2)])
    [Fraction(891, 1280)]
    """
    rounds = _in_turn(kinds)

    @cache
    def value(t: int, lam: Fraction, absent: bool) -> Fraction:
        each = _each(rounds[t], absent)
        if t == len(rounds) - 1:
            return max(pair.divergence(lam) for pair, _ in each)
        return max(sum((p * value(t + 1, lam * r, absent) for p, r in seen), Fraction(0)) for _, seen in each)

    return [max(value(0, lam, absent) for absent in _directions(rounds)) for lam in lams]


@lru_cache(maxsize=16)
def _each(one: Choices, absent: bool) -> list[tuple[ListedPair, list[tuple[Fraction, Fraction]]]]:
    """Every pair of a round, and P and Q/P of what P shows."""

    def seen(pair: ListedPair) -> list[tuple[Fraction, Fraction]]:
        return [(Fraction(p, pair.whole), Fraction(q, p)) for p, q in zip(pair.likely, pair.unlikely, strict=True) if p]

    return [(pair, seen(pair)) for pair in map(one.pair, one.choices(absent))]


def fixed_cost(kinds: Sequence[_Kind]) -> float:
    """The logarithm of the number of terms that all choices take, impossible combinations included; about."""
    return sum(x.log_combinations(times) + x.log_ratios(times) for x, times in kinds)


def adaptive_cost(kinds: Sequence[_Kind]) -> float:
    """The same for all strategies, at most."""
    return sum(times * (x.log_combinations(1) + x.log_ratios(1)) for x, times in kinds)


def log_choose(n: int, k: int) -> float:
    """The logarithm of a binomial coefficient."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _in_turn(kinds: Sequence[_Kind]) -> tuple[Choices, ...]:
    return tuple(one for one, times in kinds for _ in range(times))


def _directions(rounds: Sequence[Choices]) -> Sequence[bool]:
    return max((one.directions for one in rounds), key=len)


def sequences(rounds: Sequence[Choices], absent: bool) -> Iterator[tuple[tuple[Any, ...], int, ListedPair]]:
    """The choices of every round, in their order among equal rounds; the place of the last one; and the outcomes."""
    if not rounds:
        yield (), 0, _NOTHING
        return
    *before, last = rounds
    for chosen, i, pair in sequences(before, absent):
        least = i if before and before[-1] == last else 0
        for j, choice in islice(enumerate(last.choices(absent)), least, None):
            yield (*chosen, choice), j, pair.beside(last.pair(choice))
