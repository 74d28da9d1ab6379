"""Ranges: what a statement is tried on, in words and case by case, and the ruling that follows.

A check answers for one case: whether it is so; or what the document has and what is true; or these two and what the
document should have. The range rules on all the answers together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from tests.notes.ledger.checking import sure
from tests.notes.ledger.claim import Finding, Known, Ruling

#: Right or wrong; (said, true); or (said, true, repaired).
Answer: TypeAlias = bool | tuple[Any, Any] | tuple[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Range:
    """The cases that a statement is tried on."""

    names: str  # the parts of a case, the arguments of a check; a single name is one argument
    words: str  # the range in words
    cases: Callable[[], Iterable[Any]]  # makes the cases
    whole: bool = False  # there are no other cases than these

    @classmethod
    def of(cls, names: str, words: str, *axes: Iterable[Any], whole: bool = False) -> Range:
        """Every combination of the values on the axes; a single axis has the cases themselves.

        >>> list(Range.of("n, k", "n, k <= 2", (1, 2), (1, 2)))
        [(1, 1), (1, 2), (2, 1), (2, 2)]
        """
        kept: list[tuple[Any, ...]] = []

        def cases() -> Iterable[Any]:
            kept[:] = kept or map(tuple, axes)  # not before they are needed
            return product(*kept) if len(kept) > 1 else kept[0]

        return cls(names, words, cases, whole)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cases())

    def where(self, words: str, kept: Callable[..., bool]) -> Range:
        """The cases that are kept; the words are added."""
        chosen = (case for case in self if kept(*self._parts(case)))
        return Range.of(self.names, f"{self.words}{words}", chosen, whole=self.whole)

    def _parts(self, case: Any) -> tuple[Any, ...]:
        return tuple(case) if "," in self.names else (case,)

    def shown(self, *parts: Any) -> str:
        """A case in words.

        >>> Range.of("n, k", "n, k <= 2", (1, 2), (1, 2)).shown(1, 2)
        'n = 1, k = 2'
        """
        if self.names == "case":
            return str(parts[0])
        return ", ".join(f"{name} = {part}" for name, part in zip(self.names.split(", "), parts, strict=True))

    def judge(
        self,
        check: Callable[..., Answer],
        *,
        only: Callable[..., bool] | None = None,
        sharp: bool = False,
        failing: Ruling | None = None,
        holds: bool = False,
        show: Callable[..., str] | None = None,
        given: Callable[[], bool] | None = None,
    ) -> Finding:
        """The ruling on the answers; the first wrong one is the witness.

        A ruling may only blame the document: where our own side fails, that is, the repair is wrong too, the
        restriction has an exception, or there was nothing to try, there is no finding.

        Args:
            check: the answer for one case.
            only: where the statement is to hold; it may fail elsewhere.
            sharp: it must fail elsewhere.
            failing: the ruling if an answer is wrong: corrected where there is a repair, else refuted.
            holds: all right is no proof for every value.
            show: a case in words.
            given: what the answers rest on, asked once.

        Raises:
            ArithmeticError: what is given is not so, a repair fails, it fails where it should hold, or no
                case.

        >>> small = Range.of("x", "|x| <= 2", range(-2, 3))
        >>> found = small.judge(lambda x: (x**2, x * x))
        >>> print(found.ruling, found.known, "|", found.tested)
        proven argued | |x| <= 2 (5 cases)
        >>> found = small.judge(lambda x: (x, abs(x)), only=lambda x: x >= 0, sharp=True)
        >>> print(found.ruling, "|", found.witness)
        holds only for | x = -2: -2 against 2
        >>> found = small.judge(lambda x: (2 * x, x + x + x, 3 * x))
        >>> print(found.ruling, "|", found.witness)
        corrected | x = -2: -4 against -6
        """
        sure(given is None or given(), f"what the check rests on is not so: {self.words}")
        text, witness, inside, count, repaired = show or self.shown, "", 0, 0, False
        for case in self:
            count += 1
            parts = self._parts(case)
            answer = check(*parts)
            said, true, *repair = answer if isinstance(answer, tuple) else (answer, True)
            right = bool(said == true)
            if repair and repair[0] != true:
                raise ArithmeticError(f"the repair fails at {text(*parts)}")
            if only is not None:
                within = only(*parts)
                inside += within
                if (within and not right) or (sharp and not within and right):
                    raise ArithmeticError(f"it does not hold exactly where it should, at {text(*parts)}")
            if not right and not witness:
                repaired = bool(repair)
                witness = text(*parts) + ("" if isinstance(true, bool) else f": {_value(said)} against {true}")
                if not repair and only is None:
                    break
        sure(count > 0 and (only is None or inside > 0), f"no case at all: {self.words}")
        tested = f"{self.words} ({count:,} case{'s' if count > 1 else ''})"
        known = Known.EXHAUSTED if self.whole else Known.ARGUED
        if not witness:
            return Finding(Ruling.HOLDS if holds or only else Ruling.PROVEN, known=known, tested=tested)
        if only is not None:
            return Finding(Ruling.ONLY_FOR, known=known, tested=tested, witness=witness)
        if repaired:
            return Finding(failing or Ruling.CORRECTED, known=known, tested=tested, witness=witness)
        return Finding(failing or Ruling.REFUTED, tested=self.words, witness=witness)


def alone(check: Callable[[], Finding], *, given: Callable[[], bool] | None = None) -> Finding:
    """The finding of a check that needs no cases; an ArithmeticError if what it rests on is not so."""
    sure(given is None or given(), "what the check rests on is not so")
    return check()


def _value(said: object) -> object:
    return "undefined" if said is None else said
