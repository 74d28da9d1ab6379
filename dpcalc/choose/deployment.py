"""What is collected from everybody, and how often, before n and q are chosen: the solvers vary these two.

A bit or a one-hot histogram, in one round or several, or a vector of bits in one round; with k reports each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from dpcalc.errors import DomainError
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, RELATIONS, Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.lists import flag, one_of
from dpcalc.numbers.rational import LARGEST, Number, integer
from dpcalc.pairs.family import Family

if TYPE_CHECKING:  # a single bit needs neither
    from dpcalc.mechanisms.asymmetric import AsymmetricBits
    from dpcalc.mechanisms.rounds import Rounds
    from dpcalc.mechanisms.unary import UnaryEncoding

_Once = TypeVar("_Once", bound=Mechanism)
_ANY = Fraction(1, 4)  # where the flip probability does not matter


@dataclass(frozen=True, slots=True)
class Deployment:
    """A mechanism whose n and q are still open.

    Attributes:
        k: reports per record.
        rounds: how many times everybody reports.
        histogram: the arguments of ``UnaryEncoding`` besides n, q and k; None for bits.
        bits: of a record; with more than one it is reported as a vector.
        numbers: whether the bit is a number from 0 to 1, rounded at random (``RoundedNumbers``): as private as any bit.
    """

    k: int
    rounds: int
    histogram: dict[str, Any] | None
    bits: int = 1
    numbers: bool = False

    @classmethod
    def of(
        cls,
        *,
        k: Number = 1,
        rounds: Number = 1,
        categories: Number | None = None,
        ones: Number = 1,
        neighbours: str = "replace",
        bits: Number = 1,
        at_most: Number | None = None,
        numbers: bool = False,
    ) -> Deployment:
        """From the arguments of a solver.

        Raises:
            DomainError: one of them is out of range.
        """
        repeats = integer(k, "k", minimum=1, maximum=LARGEST)
        times = integer(rounds, "rounds", minimum=1, maximum=MOST_ROUNDS)
        if categories is None and integer(ones, "ones", minimum=1) != 1:
            raise DomainError("ones", ones, "only 1 without categories: a single bit")
        if one_of(neighbours, "neighbours", RELATIONS) != RELATIONS[0] and categories is None:
            raise DomainError("neighbours", neighbours, f"only {RELATIONS[0]} without categories: a bit is replaced")
        if at_most is not None and categories is None:
            raise DomainError("at_most", at_most, "leave it out without categories: a single bit")
        histogram = None if categories is None else {"categories": categories, "ones": ones, "neighbours": neighbours}
        if histogram and at_most is not None:
            histogram["at_most"] = at_most
        length = integer(bits, "bits", minimum=1)
        if length > 1 and (times > 1 or histogram):
            raise DomainError("bits", bits, "bits = 1 for rounds and histograms")
        if flag(numbers, "numbers") and (length > 1 or histogram):
            raise DomainError("numbers", numbers, "leave it out: numbers are rounded to single bits")
        found = cls(repeats, times, histogram, length, numbers)
        found.once(1, _ANY)  # checks the other arguments
        return found

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of a solver, besides k."""
        return {"rounds": self.rounds, **(self.histogram or {}), **({"bits": self.bits} if self.bits > 1 else {})}

    @property
    def single_bit(self) -> bool:
        """Whether it is one bit, reported in one round."""
        return self.rounds == 1 and self.histogram is None and self.bits == 1

    @property
    def single_count(self) -> bool:
        """Whether a record changes one count, and once: a single bit does, and a one-hot record that is deleted."""
        return self.single_bit or self.rounds == self.bits == self.once(1, _ANY).changed == 1

    @property
    def one_count(self) -> str:
        """The count whose standard deviation sigma is, in words."""
        owner = "a category's" if self.histogram else "one bit's" if self.bits > 1 else "the"
        counted = "the estimated sum of numbers from 0 to 1" if self.numbers else f"{owner} estimated count"
        return f"{counted} in one round" if self.rounds > 1 else counted

    @property
    def unit(self) -> str:
        """The unit of sigma; sums of numbers have none."""
        return "" if self.numbers else "records"

    @property
    def together(self) -> str:
        """What a promise covers, in words, if there is more than one round."""
        return f", all {self.rounds:,} rounds together" if self.rounds > 1 else ""

    @property
    def of_each(self) -> str:
        """What is flipped with q, in words, if it is more than one bit."""
        flipped = " of every category's bit" if self.histogram else " of every bit" if self.bits > 1 else ""
        return f"{flipped} in every round," if self.rounds > 1 else flipped

    def __str__(self) -> str:
        words, once = [], self.once(1, _ANY)
        if not isinstance(once, KRandomization):
            held = f"at most {once.ones}" if once.at_most else "one" if once.ones == 1 else once.ones
            words.append(f"{held}-hot histogram of {once.categories} categories ({once.neighbours})")
        if self.bits > 1:
            words.append(f"{self.bits} bits each")
        if self.numbers:
            words.append("a number from 0 to 1 rounded at random")
        if self.rounds > 1:
            words.append(f"{self.rounds:,} rounds")
        return ", ".join(words)

    def mechanism(self, n: Number, q: Number) -> KRandomization | UnaryEncoding | Rounds:
        """The mechanism; ``Rounds`` only if there are several."""
        return self._repeated(self.once(n, q))

    def asymmetric(self, n: Number, chances: tuple[Number, Number]) -> AsymmetricBits | Rounds:
        """The mechanism with asymmetric reports: (a, b) are the chances of a 1 if the bit is 1, and if it is 0.

        Raises:
            DomainError: a chance is out of range; a record holds several categories.
        """
        from dpcalc.mechanisms.asymmetric import AsymmetricBits

        more = dict(self.histogram or {})
        if "at_most" in more:
            raise DomainError("at_most", more["at_most"], "leave it out with a and b: one-hot records")
        if (held := integer(more.pop("ones", 1), "ones", minimum=1)) != 1:
            raise DomainError("ones", held, "only 1 with a and b: one-hot records")
        return self._repeated(AsymmetricBits(n=n, chances=chances, k=self.k, **more))

    def _repeated(self, once: _Once) -> _Once | Rounds:
        if self.rounds == 1:
            return once
        from dpcalc.mechanisms.rounds import Rounds

        return Rounds([(once, self.rounds)])

    def once(self, n: Number, q: Number) -> KRandomization | UnaryEncoding:
        """The mechanism of one round."""
        if self.histogram is None:
            return KRandomization(n=n, q=q, k=self.k, bits=self.bits)
        from dpcalc.mechanisms.unary import UnaryEncoding

        return UnaryEncoding(n=n, q=q, k=self.k, **self.histogram)

    def family(self, n: int, q: Fraction) -> Family[Any]:
        """The family of the mechanism."""
        return family(self.mechanism(n, q))

    @property
    def exposed(self) -> int:
        """How many reported bits of one person differ between neighbours, in all rounds."""
        return self.k * self.rounds * self.once(1, _ANY).changed * self.bits
