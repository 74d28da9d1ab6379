"""Several mechanisms run on the same people, one after the other or side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, flag
from dpcalc.numbers.promise import ADAPTIVE, ALL, FIXED, ONE, Promise
from dpcalc.numbers.rational import Number, integer

_MOST_KINDS = 100
_ALLOWED = (
    "single-bit mechanisms, asymmetric bits, histograms, fleets, noisy counts, sampled clients, shuffles or "
    "thresholds, or pairs of one and how many times it is run"
)


@dataclass(frozen=True, slots=True, init=False)
class Rounds(Mechanism):
    """Mechanisms run one after the other, or side by side, on the same people.

    A questionnaire of L independent yes/no answers, each pooled by itself and all released together, is
    ``Rounds([(KRandomization(n=n, q=q), L)], adaptive=False)``: the changed person may change every answer, and nothing
    is seen before all are given. Answers that exclude one another (one of d) are a ``UnaryEncoding``.

    ``Rounds`` within ``Rounds`` are flattened.

    Args:
        rounds: mechanisms, or pairs (mechanism, how many times), in the order in which they are run: where later
            datasets may depend on earlier counts, another order may show more. Two counts on each of 30 days are
            ``Rounds([(Rounds([a, b]), 30)])``. The n of a ``Fleet`` must be public; the changed user may be of another
            group in every round; 100 to 10^4 users of several groups take up to a minute. For a ``Shuffle`` the ends of
            delta need not meet, as in one round.
        at_most: for rounds of one kind: each person takes part in at most so many of them, and n counts those who take
            part in a round. Then delta is that of ``at_most`` rounds (proof notes, T7), and ``kinds`` has so many.
        adaptive: whether later datasets may depend on earlier counts (adaptive composition). If not, the datasets are
            fixed in advance, and ``delta`` raises ``Undecided`` where it does not reach its relative width: expect that
            beyond two counts, unless n is small or large. All counts of one histogram are released at once.

    Attributes:
        kinds: pairs (mechanism, how many times), in the order given.
        adaptive: as above; True also if rounds among them are adaptive.
        ordered: whether they are run in the order of ``kinds``. False if rounds of several kinds are run repeatedly:
            the answers then hold for every order.

    Raises:
        DomainError: no rounds, more than 100 kinds of them or a million in all; records of several bits.

    >>> month = Rounds([(KRandomization(n=10**4, q="1/10"), 30)])
    >>> month.total
    30
    """

    kinds: tuple[tuple[Mechanism, int], ...]
    adaptive: bool
    ordered: bool = field(repr=False)

    def __init__(
        self,
        rounds: Iterable[Mechanism | tuple[Mechanism, Number]],
        *,
        adaptive: bool = True,
        at_most: Number | None = None,
    ):
        allowed = f"from 1 to {_MOST_KINDS} {_ALLOWED}"
        listed = as_list(rounds, "rounds", allowed, _MOST_KINDS)
        if not listed:
            raise DomainError("rounds", rounds, allowed)
        given = [_kind(one) for one in listed]
        inner = any(isinstance(one, Rounds) and one.adaptive for one, _ in given)
        kinds = tuple(kind for entry in given for kind in _flat(*entry))
        if at_most is not None:
            kinds = _taken(kinds, integer(at_most, "at_most", minimum=1, maximum=MOST_ROUNDS))
        if len(kinds) > _MOST_KINDS:
            raise DomainError("rounds", f"{len(kinds):,} kinds in all", f"at most {_MOST_KINDS} kinds")
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "adaptive", flag(adaptive, "adaptive") or inner)
        object.__setattr__(self, "ordered", all(_in_order(*entry) for entry in given))
        if self.changed > MOST_ROUNDS:
            raise DomainError("rounds", f"{self.changed:,} in all", f"at most {MOST_ROUNDS:,} rounds, or counts")

    def altered(self, **parameters: Any) -> Rounds:
        """With other values of these parameters in each round."""
        kinds = [(one.altered(**parameters), times) for one, times in self.kinds]
        made = Rounds(kinds, adaptive=self.adaptive)
        object.__setattr__(made, "ordered", self.ordered)
        return made

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in self.kinds)

    @property
    def changed(self) -> int:
        """The largest number of counts that one record changes, over all rounds."""
        return sum(times * mechanism.changed for mechanism, times in self.kinds)

    @property
    def beforehand(self) -> bool:
        """Whether all datasets are fixed before the first release."""
        return not self.adaptive or self.total == 1

    @property
    def local_epsilon(self) -> Promise:
        """The sum of the rounds' local epsilons: no outcome has a larger privacy loss.

        Raises:
            NoSolution: the loss of a round has no bound.
        """
        total = sum((mechanism.local_epsilon * times for mechanism, times in self.kinds), Enclosure.of(0))
        attained_by, proven_for = (ONE, ALL) if self.total == 1 else (FIXED, ADAPTIVE)
        return Promise.that(total, attained_by=attained_by, proven_for=proven_for)

    @property
    def simplest(self) -> Mechanism:
        """What is run, if that is once (a histogram: if one count changes); one Gaussian mechanism for several.

        Their losses sum to a normal one: the squares of mu = 1/sigma add up, adaptive or not (proof notes, C4).
        """
        mechanism = self.kinds[0][0]
        squares = [(one.square, times) for one, times in self.kinds if isinstance(one, GaussianMechanism)]
        if len(squares) == len(self.kinds):
            return GaussianMechanism(1 / sum((times / square for square, times in squares), Fraction(0)))
        one = self.changed == 1 if isinstance(mechanism, KRandomization | UnaryEncoding) else self.total == 1
        return mechanism.simplest if one else self


def _kind(entry: Mechanism | tuple[Mechanism, Number]) -> tuple[Mechanism, int]:
    """A mechanism and how many times it is run."""
    mechanism, times = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
    if not isinstance(mechanism, Mechanism):
        raise DomainError("rounds", entry, _ALLOWED)
    if not isinstance(mechanism, Rounds | UnaryEncoding):
        plain = mechanism.merged.simplest if isinstance(mechanism, Fleet) else mechanism.simplest
        mechanism = mechanism if isinstance(plain, Fleet) and isinstance(mechanism, Fleet) else plain
    if isinstance(mechanism, Fleet) and mechanism.hidden:
        raise DomainError("rounds", entry, 'only fleets of which n is public, neighbours="replace"')
    if isinstance(mechanism, KRandomization):
        mechanism.single_bit("Rounds")
    return mechanism, integer(times, "times", minimum=1, maximum=MOST_ROUNDS)


def _taken(kinds: tuple[tuple[Mechanism, int], ...], most: int) -> tuple[tuple[Mechanism, int], ...]:
    """The rounds in which a person takes part."""
    mechanism = kinds[0][0]
    if any(one != mechanism for one, _ in kinds):
        raise DomainError("at_most", most, "leave it out: which rounds are worst is known for rounds of one kind only")
    return ((mechanism, min(most, sum(times for _, times in kinds))),)


def _in_order(mechanism: Mechanism, times: int) -> bool:
    """Whether its rounds, run so many times, are run in the order in which ``_flat`` lists them."""
    return not isinstance(mechanism, Rounds) or (mechanism.ordered and (times == 1 or len(mechanism.kinds) == 1))


def _flat(mechanism: Mechanism, times: int) -> Iterator[tuple[Mechanism, int]]:
    """The kinds of nested rounds."""
    if isinstance(mechanism, Rounds):
        for one, each in mechanism.kinds:
            yield one, each * times
    else:
        yield mechanism, times
