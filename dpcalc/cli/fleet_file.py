"""The TOML file of a fleet: groups and dummies, whose keys are the arguments of ``Group`` and ``Dummies``.

Numbers with a point are read as text, so that 0.1 means 1/10. An error names the line of what is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dpcalc import files
from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Dummies, Fleet, Group
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
_KEYS = {"group": ("n", "q", "k", "honest"), "dummies": ("count", "probability")}
_NEEDED = {"group": ("n", "q"), "dummies": ("count",)}
_TABLES = "[[group]] and [[dummies]] tables, such as dpcalc fleet --example prints"

_Made = TypeVar("_Made")


class FleetFile:
    """The fleet of a file.

    Attributes:
        everybody: the fleet of all users, for estimates.
        honest: the fleet of the honest users, for privacy.

    Raises:
        DomainError: the file cannot be read or is no TOML; an unknown or missing key, or a value out of range.
    """

    def __init__(self, path: str) -> None:
        self._name, (self._lines, content) = Path(path).name, _read(path)
        self._known("", 1, content, ("group", "dummies", "neighbours"))
        tables = {table: self._tables(content, table) for table in _KEYS}
        if not tables["group"]:
            raise DomainError(f"{self._name}: group", ..., _TABLES)
        groups = [self._made("group", i, partial(_group, one)) for i, one in enumerate(tables["group"], 1)]
        dummies = [self._made("dummies", i, partial(Dummies, **one)) for i, one in enumerate(tables["dummies"], 1)]
        honest = [one.get("honest", one["n"]) for one in tables["group"]]
        more = {"dummies": dummies, **({"neighbours": content["neighbours"]} if "neighbours" in content else {})}
        self.everybody = self._made("", 1, lambda: Fleet(groups, **more))
        self.honest = self._made("", 1, lambda: Fleet(groups, honest=honest, **more))

    def _tables(self, content: Mapping[str, Any], table: str) -> list[dict[str, Any]]:
        """All tables of a name, with their keys checked."""
        found = content.get(table, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise DomainError(f"{self._name}: {table}", found, _TABLES)
        for i, one in enumerate(found, 1):
            self._known(table, i, one, _KEYS[table])
            for key in _NEEDED[table]:
                if key not in one:
                    raise DomainError(f"{self._at(table, i)}: {key}", ..., f"{key} = ..., which every [[{table}]] has")
        return found

    def _known(self, table: str, place: int, given: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in given:
            if key not in keys:
                raise DomainError(f"{self._at(table, place, key)}: {key}", given[key], f"only {', '.join(keys)} here")

    def _made(self, table: str, place: int, make: Callable[[], _Made]) -> _Made:
        """The value; an error names the line."""
        try:
            return make()
        except DomainError as error:
            at = self._at(table, place, error.argument)
            raise DomainError(f"{at}: {error.argument}", error.value, error.allowed) from None

    def _at(self, table: str, place: int, key: str = "") -> str:
        """The file, with the line of the key in this table or else of the table's heading, if one is found."""
        seen, inside, found = 0, not table, None
        for number, line in enumerate(self._lines, 1):
            bare = re.sub(r"\s|#.*", "", line)
            if bare.startswith("["):
                seen += bare == f"[[{table}]]"
                inside = bare == f"[[{table}]]" and seen == place
                found = number if inside else found
            elif inside and key and re.match(rf"""["']?{re.escape(key)}["']?=""", bare):
                found = number
        return self._name if found is None else f"{self._name}, line {found}"


def _read(path: str) -> tuple[list[str], dict[str, Any]]:
    """The lines of a file, and its content."""
    try:
        lines = files.read(path, "file", most=_MOST_BYTES).decode("utf-8").splitlines()
        return lines, tomllib.loads("\n".join(lines), parse_float=str)
    except (ValueError, RecursionError) as error:
        if isinstance(error, DomainError):
            raise
        why = " ".join(str(error).split())[:80]
        raise DomainError("file", path, f"a TOML file, as UTF-8: {why}") from None


def _group(given: Mapping[str, Any]) -> Group:
    found = Group(**{name: value for name, value in given.items() if name != "honest"})
    integer(given.get("honest", found.n), "honest", minimum=1, maximum=found.n)
    return found
