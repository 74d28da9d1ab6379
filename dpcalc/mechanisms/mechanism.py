"""What every mechanism is: a frozen description of what is run, on whose data, and who is a neighbour.

It computes nothing. The pairs of laws that its neighbouring datasets can show are its *family* (``families.table``);
every question is asked of the family.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from dpcalc.errors import NoSolution
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.promise import Promise

RELATIONS = ("replace", "delete")  #: the neighbouring relations of a histogram
NEIGHBOURS = partial(one_of, names=RELATIONS), '"replace" or "delete", see ``UnaryEncoding``'
MOST_ROUNDS = 10**6  #: the largest number of counts of one person that are composed


class Mechanism:
    """What is run, once or many times, on everybody's data."""

    __slots__ = ()

    #: Why there is no local epsilon, where there is none.
    unbounded: ClassVar[str] = "no epsilon gives delta = 0: the loss has no bound"

    @property
    def simplest(self) -> Mechanism:
        """An equivalent simpler mechanism, or this one."""
        return self

    @property
    def kinds(self) -> tuple[tuple[Mechanism, int], ...]:
        """The mechanisms that are run, and how many times each: by default self, once."""
        return ((self, 1),)

    @property
    def of_count(self) -> tuple[Mechanism, int]:
        """The mechanism of one count, and of how many it is one: for a histogram, those that a record changes."""
        return self, 1

    @property
    def counts(self) -> list[tuple[Mechanism, int]]:
        """The mechanisms of all counts that a person changes, in all rounds, and of how many counts each is."""
        return [(count, times * each) for one, times in self.kinds for count, each in [one.of_count]]

    @property
    def relations(self) -> set[str]:
        """The neighbouring relations of all that is run; none for a noisy count, whose sensitivity says it."""
        return {relation for one, _ in self.kinds for relation in one._own_relations}

    @property
    def _own_relations(self) -> set[str]:
        """The relations of this mechanism alone."""
        return {getattr(self, "neighbours", "replace")}

    @property
    def changed(self) -> int:
        """The largest number of counts that one record changes."""
        return 1

    @property
    def local_epsilon(self) -> Promise:
        """The least epsilon at which delta is 0, or an upper bound of it: no outcome has a larger privacy loss.

        Raises:
            NoSolution: there is none.
        """
        raise NoSolution(self.unbounded)
