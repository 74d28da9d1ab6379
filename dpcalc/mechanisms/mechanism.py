"""What every mechanism is: a frozen value that says what is run, on whose data, and who is a neighbour.

It computes nothing. The pairs of laws that its neighbouring datasets can show are its *family*, which it names; every
question is asked of the family (``families.table``).

A parameter stands in one line: its name, its type, what is allowed, what it is, its default.

    @declared(kw_only=True)
    class Coins:
        n: Whole = parameter(*RECORDS)
        q: Real = parameter(CHANCE, "of a 1")
        k: Whole = parameter(partial(integer, minimum=1), "reports per record, >= 1", default=1)

Its constructor takes any number as it is written, reads it, and keeps the whole number or the rational; what is not
allowed is a ``DomainError`` that names the parameter. What is allowed of several together is said in ``_check``, which
may return what follows from them, by name: parameters, and fields that are none. The docstring gets the words of each,
and the value prints as Python makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, dataclass_transform

from dpcalc.errors import DomainError, NoSolution
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.lists import as_list, one_of
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between

_SIMPLE, _DIGITS = 1000, 17  # a fraction of a larger denominator prints as a decimal, if it is one of so few digits
RELATIONS = ("replace", "delete")  #: the neighbouring relations of a histogram
NEIGHBOURS = partial(one_of, names=RELATIONS), '"replace" or "delete", see ``UnaryEncoding``'
MOST_ROUNDS = 10**6  #: the largest number of counts of one person that are composed

_Kept = TypeVar("_Kept")
_Given = TypeVar("_Given")
_Kind = TypeVar("_Kind")


class Parameter(Generic[_Kept, _Given]):
    """As type checkers see a parameter: what is given to the constructor, and what is kept."""

    def __get__(self, value: object, kind: Any = None) -> _Kept: ...  # type: ignore[empty-body]
    def __set__(self, value: object, given: _Given) -> None: ...


Whole: TypeAlias = Parameter[int, Number]
Real: TypeAlias = Parameter[Fraction, Number]
Name: TypeAlias = Parameter[str, str]

CHANCE = partial(between, low=0, high=1, what="a probability")


def parameter(
    read: Callable[..., _Kept], words: str, *, default: Any = MISSING, kept: bool = True
) -> Parameter[_Kept, Any]:
    """A parameter.

    Args:
        read: takes what was given and the parameter's name; returns what is kept, or raises ``DomainError``.
        words: what it is, and what is allowed, for the docstring.
        default: what is given if nothing is; None, which is not read, where the parameter may be left out.
        kept: False if it only says another one: it is None again after ``_check``.
    """
    return field(  # type: ignore[no-any-return]
        default=default, compare=kept, metadata={"read": read, "words": words}
    )


def unread(value: Any, name: str) -> Any:
    """What ``_check`` reads."""
    return value


def instance(kind: Any, allowed: str) -> Callable[[Any, str], Any]:
    """What reads a value of a class, or of a union: it is kept as it is; ``allowed`` is what to give, for the error."""

    def read(value: Any, name: str) -> Any:
        if not isinstance(value, kind):
            raise DomainError(name, value, allowed)
        return value

    return read


def instances(kind: type[_Kept], allowed: str, *, least: int = 0, most: int) -> Callable[[Any, str], tuple[_Kept, ...]]:
    """What reads a list of so many values of a class; ``allowed`` is what to give, for the error."""

    def read(values: Any, name: str) -> tuple[_Kept, ...]:
        listed = as_list(values, name, allowed)
        if not least <= len(listed) <= most or not all(isinstance(one, kind) for one in listed):
            raise DomainError(name, values, allowed)
        return tuple(listed)

    return read


@dataclass_transform(frozen_default=True, field_specifiers=(parameter, field))
def declared(
    *, kw_only: bool = False, slots: bool = True, refused: str = "an argument out of range"
) -> Callable[[type[_Kind]], type[_Kind]]:
    """A frozen class of parameters, in their order; ``refused`` says what is not allowed.

    It prints as it is typed. ``_check``, if the class has it, is called when all are read; it is given what they were
    read from, by name.
    """

    def made(kind: type[_Kind]) -> type[_Kind]:
        def read(made: Any) -> None:
            given = {name: getattr(made, name) for name in reads}
            for name, value in given.items():
                if value is not None or name not in optional:
                    object.__setattr__(made, name, reads[name](value, name))
            found = {} if check is None else check(made, given) or {}
            for name, value in (dict.fromkeys(unkept) | found).items():
                object.__setattr__(made, name, value)

        kind.__post_init__ = read  # type: ignore[attr-defined]
        if "__repr__" not in vars(kind):
            kind.__repr__ = _typed  # type: ignore[method-assign]
        check = getattr(kind, "_check", None)
        done = dataclass(frozen=True, slots=slots, kw_only=kw_only, repr=False)(kind)
        parameters = [one for one in fields(done) if one.init]  # type: ignore[arg-type]
        reads = {one.name: one.metadata["read"] for one in parameters}
        unkept = [one.name for one in parameters if not one.compare]
        optional = {one.name for one in parameters if one.default is None}
        words = {one.name: one.metadata["words"] for one in parameters}
        if "words" not in vars(kind):
            done.words = words  # type: ignore[attr-defined]
        told, listed = (kind.__doc__ or "").rstrip(), "".join(f"\n        {name}: {x}." for name, x in words.items())
        done.__doc__ = f"{told}\n\n    Args:{listed}\n\n    Raises:\n        DomainError: {refused}.\n    "
        return done

    return made


def _typed(made: Any) -> str:
    """Such a value as Python would make it again, rationals in quotes; what has its default is left out."""
    told = ((one, getattr(made, one.name)) for one in fields(made) if one.compare)
    listed = (f"{one.name}={shown(value)}" for one, value in told if value != one.default)
    return f"{type(made).__name__}({', '.join(listed)})"


def shown(value: Any) -> str:
    """The value as it is typed."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        listed = [*map(shown, value)]
        return f"({', '.join(listed)}{',' * (len(listed) == 1)})"
    if type(value) is not Fraction:
        return repr(value)
    text = rounded(value, _DIGITS, 1) if value.denominator > _SIMPLE else str(value)
    return f"'{text if Fraction(text) == value else value}'"


class Mechanism:
    """What is run, once or many times, on everybody's data."""

    __slots__ = ()

    #: The module and the class of its family, which stands on a higher floor and is loaded when it is asked first.
    family: ClassVar[str]
    #: The neighbouring relation; none where it does not matter.
    neighbours: Any = "replace"
    #: Square of the noise multiplier where the privacy loss is normal, as that of several such rounds is.
    square: Any = None
    #: Why there is no local epsilon, where there is none.
    unbounded: ClassVar[str] = "no epsilon gives delta = 0: the loss has no bound"

    def altered(self, **parameters: Any) -> Self:
        """The same with other values of these parameters: of rounds in each of them, of a fleet n for all its users."""
        return replace(self, **parameters)  # type: ignore[type-var]

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
        return {one.neighbours for one, _ in self.kinds} - {""}

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
        if self.simplest is not self:
            return self.simplest.local_epsilon
        raise NoSolution(self.unbounded)
