"""The TOML file of a fleet: groups and dummies, whose keys are the arguments of ``Group`` and ``Dummies``.

Numbers with a point are read as text, so that 0.1 means 1/10. An error names the table of what is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dpcalc
from dpcalc import files
from dpcalc.errors import DomainError
from dpcalc.numbers.rational import integer

EXAMPLE = """\
# A fleet whose reports are pooled into one count; every group has its own n, q and k.
neighbours = "replace"    # one record is replaced; "add-remove" where n is hidden

[[group]]
n = 40_000                # users
honest = 38_000           # of them, how many are sure to report, and to flip; by default all
q = 0.01                  # flip probability, 0 < q < 1/2; "1/3" in quotes
k = 1                     # reports per user; by default 1

[[group]]                 # old clients
n = 10_000
q = 0.05
k = 2

# [[dummies]]             # reports of nobody
# count = 1_000           # as many as there are at least
# probability = "1/2"     # that one is 1; by default 1/2
"""

_MOST_BYTES = 10**6  # a fleet has at most 20 groups
_NEEDED = {"group": ("n", "q"), "dummies": ("count",)}
_KEYS = {"group": ("n", "q", "k", "honest"), "dummies": ("count", "probability")}
_TABLES = "[[group]] and [[dummies]] tables, such as dpcalc fleet --example prints"


def fleets(path: str) -> tuple[dpcalc.Fleet, dpcalc.Fleet]:
    """The fleet of all users, for estimates, and that of the honest ones, for privacy.

    Raises:
        DomainError: the file cannot be read or is no TOML; an unknown or missing key, or a value out of range.
    """
    name, content = Path(path).name, _read(path)
    with _within(name):
        _known(content, (*_KEYS, "neighbours"))
    groups = list(_made(name, content, "group", _group))
    dummies = list(_made(name, content, "dummies", lambda given: dpcalc.Dummies(**given)))
    if not groups:
        raise DomainError(f"{name}: group", ..., _TABLES)
    with _within(name):
        more = {"dummies": dummies, **{key: content[key] for key in content if key not in _KEYS}}
        everybody, honest = (dpcalc.Fleet(users, **more) for users in zip(*groups, strict=True))
        return everybody, honest


def _made(name: str, content: Mapping[str, Any], table: str, make: Callable[[Mapping[str, Any]], Any]) -> Iterator[Any]:
    """What the tables of one kind describe."""
    found = content.get(table, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise DomainError(f"{name}: {table}", found, _TABLES)
    for place, given in enumerate(found, 1):
        with _within(f"{name}, {table} {place}"):
            _known(given, _KEYS[table])
            for key in _NEEDED[table]:
                if key not in given:
                    raise DomainError(key, ..., f"{key} = ..., which every [[{table}]] has")
            yield make(given)


def _group(given: Mapping[str, Any]) -> tuple[dpcalc.Group, dpcalc.Group]:
    """All users of a group, and its honest ones."""
    found = dpcalc.Group(**{key: value for key, value in given.items() if key != "honest"})
    return found, found.of(integer(given.get("honest", found.n), "honest", minimum=1, maximum=found.n))


def _known(given: Mapping[str, Any], keys: Iterable[str]) -> None:
    for key in given:
        if key not in keys:
            raise DomainError(key, given[key], f"only {', '.join(keys)} here")


@contextmanager
def _within(place: str) -> Iterator[None]:
    """An error names the place."""
    try:
        yield
    except DomainError as error:
        raise DomainError(f"{place}: {error.argument}", error.value, error.allowed) from None


def _read(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(files.read(path, "file", most=_MOST_BYTES).decode("utf-8"), parse_float=str)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DomainError):
            raise
        why = " ".join(str(error).split())[:80]
        raise DomainError("file", path, f"a TOML file, as UTF-8: {why}") from None
