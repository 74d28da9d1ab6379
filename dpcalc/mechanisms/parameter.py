"""A parameter stands in one line: its name, its type, what is allowed, what it is, its default.

A mechanism, or a noise, is a frozen value of such parameters:

    @declared(kw_only=True)
    class Coins:
        n: Whole = parameter(*RECORDS)
        q: Real = parameter(CHANCE, "of a 1")
        k: Whole = parameter(partial(integer, minimum=1), "reports per record, >= 1", default=1)

Its constructor takes any number as it is written, reads it, and keeps the whole number or the rational; what is not
allowed is a ``DomainError`` that names the parameter. What is allowed of several together is said in ``_check``. The
docstring gets the words of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar, dataclass_transform

from dpcalc.errors import DomainError
from dpcalc.numbers.rational import Number, between

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


def parameter(read: Callable[..., _Kept], words: str, *, default: Any = MISSING) -> Parameter[_Kept, Any]:
    """A parameter.

    Args:
        read: takes what was given and the parameter's name; returns what is kept, or raises ``DomainError``.
        words: what it is, and what is allowed, for the docstring.
        default: what is given if nothing is.
    """
    return field(default=default, metadata={"read": read, "words": words})  # type: ignore[no-any-return]


def instance(kind: Any, allowed: str) -> Callable[[Any, str], Any]:
    """What reads a value of a class, or of one of several: it is kept as it is.

    Args:
        kind: the class, or a union.
        allowed: what to give, for the error.
    """

    def read(value: Any, name: str) -> Any:
        if not isinstance(value, kind):
            raise DomainError(name, value, allowed)
        return value

    return read


def in_check(value: Any, _: str) -> Any:
    """What keeps a parameter as it is given: its range depends on others, and ``_check`` reads it."""
    return value


def unless_none(read: Callable[..., _Kept]) -> Callable[[Any, str], _Kept | None]:
    """What reads a parameter that may be left out."""
    return lambda value, name: None if value is None else read(value, name)


@dataclass_transform(frozen_default=True, field_specifiers=(parameter,))
def declared(
    *, kw_only: bool = False, repr: bool = True, refused: str = "an argument out of range"
) -> Callable[[type[_Kind]], type[_Kind]]:
    """A frozen class of parameters, in their order; ``refused`` says what is not allowed, the rest is ``dataclass``'s.

    ``_check``, if the class has it, is called when all are read; it is given what they were read from, by name.
    """

    def made(kind: type[_Kind]) -> type[_Kind]:
        def read(made: Any) -> None:
            given = {name: getattr(made, name) for name in reads}
            for name, value in given.items():
                object.__setattr__(made, name, reads[name](value, name))
            if check is not None:
                check(made, given)

        kind.__post_init__ = read  # type: ignore[attr-defined]
        check = getattr(kind, "_check", None)
        done = dataclass(frozen=True, slots=True, kw_only=kw_only, repr=repr)(kind)
        reads = {one.name: one.metadata["read"] for one in fields(done)}  # type: ignore[arg-type]
        words = "".join(f"\n        {one.name}: {one.metadata['words']}." for one in fields(done))  # type: ignore[arg-type]
        told = (kind.__doc__ or "").rstrip()
        done.__doc__ = f"{told}\n\n    Args:{words}\n\n    Raises:\n        DomainError: {refused}.\n    "
        return done

    return made


def quoted(made: Any, *without: str) -> str:
    """Such a value as Python would make it again, rationals in quotes; what has its default, or is ``without``, is left
    out.
    """
    told = ((one, getattr(made, one.name)) for one in fields(made) if one.name not in without)
    shown = (f"{one.name}={_shown(value)}" for one, value in told if value != one.default)
    return f"{type(made).__name__}({', '.join(shown)})"


def _shown(value: Any) -> str:
    if type(value) is tuple:
        return f"({', '.join(map(_shown, value))})"
    return f"'{value}'" if type(value) is Fraction else repr(value)
