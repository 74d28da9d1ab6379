"""What every mechanism is: a frozen description of what is run, on whose data, and who is a neighbour.

It has no arithmetic of its own. The pairs of laws that its neighbouring datasets can show are its *family*
(``families.table``); every question is asked of the family.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from dpcalc.numbers.promise import Promise

RELATIONS = ("replace", "delete")  #: of a histogram: what tells neighbouring datasets apart
MOST_ROUNDS = 10**6  #: how many counts of one person are composed at most


class Mechanism(ABC):
    """What is run, once or many times, on everybody's data."""

    __slots__ = ()

    @property
    def simplest(self) -> Mechanism:
        """An equivalent simpler mechanism, or this one."""
        return self

    @property
    def kinds(self) -> tuple[tuple[Mechanism, int], ...]:
        """What is run, and how many times each: itself once."""
        return ((self, 1),)

    @property
    def of_count(self) -> tuple[Mechanism, int]:
        """A mechanism by itself, and how many times it is run: of a histogram each count that changes is one."""
        return self, 1

    @property
    def counts(self) -> list[tuple[Mechanism, int]]:
        """What is released by itself, and how often: rounds, and of a histogram the counts that change."""
        return [(count, times * each) for one, times in self.kinds for count, each in [one.of_count]]

    @property
    def relations(self) -> set[str]:
        """What tells neighbouring datasets apart; none where the parameters say so, as those of a noisy count."""
        return {relation for one, _ in self.kinds for relation in one._own_relations}

    @property
    def _own_relations(self) -> set[str]:
        """Of one kind."""
        return {getattr(self, "neighbours", "replace")}

    @property
    def changed(self) -> int:
        """How many counts one record changes at most."""
        return 1

    @property
    @abstractmethod
    def local_epsilon(self) -> Promise:
        """The least epsilon at which delta is 0, or a bound of it: no outcome leaks more."""
