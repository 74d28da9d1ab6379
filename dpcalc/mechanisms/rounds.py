"""Several mechanisms run on the same people, one after the other or side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, field, replace
from functools import partial
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism, Parameter, declared, parameter
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, flag
from dpcalc.numbers.promise import ADAPTIVE, ALL, FIXED, ONE, Promise
from dpcalc.numbers.rational import Number, integer

_MOST_KINDS = 100
_ALLOWED = (
    "single-bit mechanisms, asymmetric bits, histograms, fleets, noisy counts, sampled clients, shuffles or "
    "thresholds, or pairs of one and how many times it is run"
)


def _run(rounds: Iterable[Mechanism | tuple[Mechanism, Number]], name: str) -> tuple[tuple[Mechanism, int], ...]:
    """What is run, and how many times."""
    allowed = f"from 1 to {_MOST_KINDS} {_ALLOWED}"
    listed = as_list(rounds, name, allowed, _MOST_KINDS)
    if not listed:
        raise DomainError(name, rounds, allowed)
    return tuple(map(_kind, listed))


@declared(refused="no rounds, more than 100 kinds of them or a million in all; records of several bits")
class Rounds(Mechanism):
    """Mechanisms run one after the other, or side by side, on the same people.

    A questionnaire of L independent yes/no answers, each pooled by itself and all released together, is
    ``Rounds([(KRandomization(n=n, q=q), L)], adaptive=False)``: the changed person may change every answer, and nothing
    is seen before all are given. Answers that exclude one another (one of d) are a ``UnaryEncoding``.

    ``Rounds`` within ``Rounds`` are flattened. Two counts on each of 30 days are ``Rounds([(Rounds([a, b]), 30)])``.
    The n of a ``Fleet`` must be public; the changed user may be of another group in every round; 100 to 10^4 users of
    several groups take up to a minute. For a ``Shuffle`` the ends of delta need not meet, as in one round.

    If datasets are fixed in advance, ``delta`` raises ``Undecided`` where it does not reach its relative width: expect
    that beyond two counts, unless n is small or large. All counts of one histogram are released at once.

    Attributes:
        kinds: pairs (mechanism, how many times), in the order given.
        ordered: whether they are run in the order of ``kinds``. False if rounds of several kinds are run repeatedly:
            the answers then hold for every order.

    >>> month = Rounds([(KRandomization(n=10**4, q="1/10"), 30)])
    >>> month.total
    30
    """

    family = "rounds.joint:Joint"

    rounds: Parameter[tuple[tuple[Mechanism, int], ...], Iterable[Mechanism | tuple[Mechanism, Number]]] = parameter(
        _run,
        "mechanisms, or pairs (mechanism, how many times), in the order in which they are run: where later datasets "
        "may depend on earlier counts, another order may show more",
    )
    _: KW_ONLY
    adaptive: Parameter[bool, bool] = parameter(
        flag,
        "whether later datasets may depend on earlier counts (adaptive composition); so it is if rounds among them are",
        default=True,
    )
    at_most: Parameter[int | None, Number | None] = parameter(
        partial(integer, minimum=1, maximum=MOST_ROUNDS),
        "for rounds of one kind: each person takes part in at most so many of them, and n counts those who take part "
        "in a round. Then delta is that of ``at_most`` rounds (proof notes, T7), and ``kinds`` has so many",
        default=None, kept=False,
    )  # fmt: skip
    kinds: tuple[tuple[Mechanism, int], ...] = field(init=False, compare=False)
    ordered: bool = field(init=False, compare=False)

    def _check(self, _given: Mapping[str, Any]) -> dict[str, Any]:
        kinds = tuple((one, each * times) for mechanism, times in self.rounds for one, each in mechanism.kinds)
        if self.at_most is not None:
            kinds = _taken(kinds, self.at_most)
        if len(kinds) > _MOST_KINDS:
            raise DomainError("rounds", f"{len(kinds):,} kinds in all", f"at most {_MOST_KINDS} kinds")
        counts = sum(times * one.changed for one, times in kinds)
        if counts > MOST_ROUNDS:
            raise DomainError("rounds", f"{counts:,} in all", f"at most {MOST_ROUNDS:,} rounds, or counts")
        inner = [(one, times) for one, times in self.rounds if isinstance(one, Rounds)]
        ordered = all(len(one.kinds) == 1 or (one.ordered and times == 1) for one, times in inner)
        return {
            "rounds": kinds if ordered or self.at_most is not None else self.rounds, "kinds": kinds,
            "adaptive": self.adaptive or any(one.adaptive for one, _ in inner), "ordered": ordered,
        }  # fmt: skip

    def altered(self, **parameters: Any) -> Rounds:
        """With other values of these parameters in each round."""
        return Rounds([(one.altered(**parameters), times) for one, times in self.rounds], adaptive=self.adaptive)

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

        A record that is deleted from histograms of asymmetric bits is absent in the same dataset in all rounds: of the
        sums for either dataset this is the larger one.

        Raises:
            NoSolution: the loss of a round has no bound.
        """
        each = [(_losses(mechanism), times) for mechanism, times in self.kinds]
        sums = [sum((losses[way] * times for losses, times in each), Enclosure.of(0)) for way in (0, 1)]
        total = Enclosure(max(one.lower for one in sums), max(one.upper for one in sums))
        attained_by, proven_for = (ONE, ALL) if self.total == 1 else (FIXED, ADAPTIVE)
        return Promise.that(total, attained_by=attained_by, proven_for=proven_for)

    @property
    def simplest(self) -> Mechanism:
        """What is run, if that is once (a histogram: if one count changes); one Gaussian mechanism for several.

        Their losses sum to a normal one: the squares of mu = 1/sigma add up, adaptive or not (proof notes, C4).
        """
        mechanism = self.kinds[0][0]
        if all(one.square for one, _ in self.kinds):
            return replace(mechanism, square=1 / sum(times / one.square for one, times in self.kinds))  # type: ignore[type-var]
        one = self.changed == 1 if isinstance(mechanism, KRandomization | UnaryEncoding) else self.total == 1
        return mechanism.simplest if one else self


def _kind(entry: Mechanism | tuple[Mechanism, Number]) -> tuple[Mechanism, int]:
    """A mechanism and how many times it is run."""
    mechanism, times = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
    if not isinstance(mechanism, Mechanism):
        raise DomainError("rounds", entry, _ALLOWED)
    if isinstance(mechanism, AsymmetricBits) and mechanism.neighbours == "delete":
        mechanism = mechanism.unary  # a record that is deleted is so in all rounds: it stays a histogram
    elif not isinstance(mechanism, Rounds | UnaryEncoding):
        plain = mechanism.merged.simplest if isinstance(mechanism, Fleet) else mechanism.simplest
        mechanism = mechanism if isinstance(plain, Fleet) and isinstance(mechanism, Fleet) else plain
    if isinstance(mechanism, Fleet) and mechanism.hidden:
        raise DomainError("rounds", entry, 'only fleets of which n is public, neighbours="replace"')
    if isinstance(mechanism, KRandomization):
        mechanism.single_bit("Rounds")
    return mechanism, integer(times, "times", minimum=1, maximum=MOST_ROUNDS)


def _losses(mechanism: Mechanism) -> tuple[Enclosure, Enclosure]:
    """The largest loss where a deleted record is there in the likelier dataset, and where it is in the other one."""
    if isinstance(mechanism, AsymmetricBits) and mechanism.neighbours == "delete":
        ones, zeros = mechanism.group.losses
        return ones * mechanism.k, zeros * mechanism.k
    return mechanism.local_epsilon, mechanism.local_epsilon


def _taken(kinds: tuple[tuple[Mechanism, int], ...], most: int) -> tuple[tuple[Mechanism, int], ...]:
    """The rounds in which a person takes part."""
    mechanism = kinds[0][0]
    if any(one != mechanism for one, _ in kinds):
        raise DomainError("at_most", most, "leave it out: which rounds are worst is known for rounds of one kind only")
    return ((mechanism, min(most, sum(times for _, times in kinds))),)
