"""What every user reports, as a mechanism: as it is given, or from the words of a solver or of a command.

A bit or a one-hot histogram, in one round or several, or a vector of bits in one round; flipped with one q, or with the
chances a and b of asymmetric reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from dpcalc.errors import DomainError
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, RELATIONS, Mechanism
from dpcalc.mechanisms.response import Flipped, KRandomization, RoundedNumbers
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import LARGEST, Number, between, integer


def collected(
    *, n: Number = 1, q: Number | None = None, a: Number | None = None, b: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    bits: Number = 1, at_most: Number | None = None,
) -> Mechanism:  # fmt: skip
    """The mechanism; ``Rounds`` only if there are several.

    Raises:
        DomainError: an argument out of range; none or both of q and of a and b.
    """
    repeats, length = integer(k, "k", minimum=1, maximum=LARGEST), integer(bits, "bits", minimum=1)
    times = integer(rounds, "rounds", minimum=1, maximum=MOST_ROUNDS)
    shape = dict[str, Any]()
    if categories is not None:
        shape = {"categories": categories, "neighbours": neighbours}
    elif integer(ones, "ones", minimum=1) != 1:
        raise DomainError("ones", ones, "only 1 without categories: a single bit")
    elif one_of(neighbours, "neighbours", RELATIONS) != RELATIONS[0]:
        raise DomainError("neighbours", neighbours, f"only {RELATIONS[0]} without categories: a bit is replaced")
    elif at_most is not None:
        raise DomainError("at_most", at_most, "leave it out without categories: a single bit")
    if length > 1 and (times > 1 or shape):
        raise DomainError("bits", bits, "bits = 1 for rounds and histograms")
    once: Mechanism
    if a is None and b is None:
        if q is None:
            raise DomainError("q", ..., "it, or a and b")
        if shape:
            from dpcalc.mechanisms.unary import UnaryEncoding  # a single bit needs it not

            once = UnaryEncoding(n=n, q=q, k=repeats, ones=ones, at_most=at_most, **shape)
        else:
            once = KRandomization(n=n, q=q, k=repeats, bits=length)
    else:
        from dpcalc.mechanisms.unary import AsymmetricBits

        if q is not None:
            raise DomainError("q", q, "leave it out: a and b say how often a report is flipped")
        if a is None or b is None:
            raise DomainError("a" if a is None else "b", ..., "a and b")
        one, zero = between(a, "a", 0, 1, "a probability"), between(b, "b", 0, 1, "a probability")
        if not zero < one:
            raise DomainError("b", b, f"a probability with 0 < b < a = {one}")
        if at_most is not None:
            raise DomainError("at_most", at_most, "leave it out with a and b: one-hot records")
        if (single := integer(ones, "ones", minimum=1)) != 1:
            raise DomainError("ones", single, "only 1 with a and b: one-hot records")
        once = AsymmetricBits(n=n, chances=(one, zero), k=repeats, **shape)
    if times == 1:
        return once
    from dpcalc.mechanisms.rounds import Rounds

    return Rounds([(once, times)])


def asked_about(given: Number | Mechanism, name: str, unknown: Mapping[str, Number], **words: Any) -> Any:
    """The mechanism that a solver asks about, at any value of what is sought.

    Args:
        given: the mechanism, or the parameter ``name`` of the one that ``words`` describe.
        name: of that parameter.
        unknown: what is sought, with such a value.
        words: as ``collected`` takes them.

    Raises:
        DomainError: of ``collected``; words beside a mechanism, or one whose reports are not all flipped with a q.
    """
    if not isinstance(given, Mechanism):
        return collected(**{name: given, **unknown, **words})
    for word, value in words.items():
        if value not in (None, 1, "replace"):
            raise DomainError(word, value, "leave it out: the mechanism says it")
    asked = given.simplest if isinstance(given, RoundedNumbers) else given
    if not all(isinstance(one, Flipped) for one, _ in asked.kinds):
        raise DomainError("mechanism", given, "bits, numbers or a histogram flipped with one q, or rounds of these")
    return asked.altered(**unknown)


def exposed(mechanism: Any) -> int:
    """How many reported bits of one person differ between neighbours, in all rounds; of reports flipped with one q."""
    return sum(one.exposed * times for one, times in mechanism.kinds)


def is_bit(mechanism: Mechanism) -> TypeGuard[KRandomization]:
    """Whether it is one bit, reported in one round."""
    return isinstance(mechanism, KRandomization) and mechanism.bits == 1
