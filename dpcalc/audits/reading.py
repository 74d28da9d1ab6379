"""Reads the rows of a table of promises, from a file or from Python. Numbers of a file stay text, as written.

=========  ===========================================================================================================
CSV        a heading with the names of columns, then a row for each promise
JSON       a list of rows, or an object
TOML       ``[[promise]]`` tables, or an object
YAML       the same as JSON, without aliases; needs PyYAML
=========  ===========================================================================================================

An object is one of three: ``{"promise": [rows]}``; a task of DAP; an entry of the registry of deployments.

*A task* has ``min_batch_size``, which is n; ``vdaf`` with its type, ``Prio3Count`` or ``Prio3Histogram``, and length;
and ``dp``, an object with the other columns of the row: q or bit_epsilon, epsilon, delta, neighbours.

*An entry* has a ``deployment``. Its name, ``privacy_loss``, ``dp_variant`` and ``deployment_model`` are read. It names
the noise in words only. So a further object ``dpcalc``, beside ``deployment``, has the columns of the mechanism.
"""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from dpcalc import files
from dpcalc.errors import DomainError, one_line
from dpcalc.numbers.lists import table_rows

#: A row: the values of its columns that are not empty.
Cells = dict[str, Any]

_MOST_BYTES = 10**7
_MOST_ROWS = 10_000
_MOST_EVENTS, _DEEPEST = 10**6, 20  # of a YAML file: keys, values, and where a list or an object begins and ends
_TABLE = "the path of a CSV, JSON, TOML or YAML file, a data frame, or a list of rows that are mappings"
_OBJECT = (
    'a list of rows, an object with "promise" (in TOML [[promise]] tables), a DAP task with "vdaf", '
    'or a registry entry with "deployment"'
)
_VDAFS = {"Prio3Count": "bits", "Prio3Histogram": "histogram"}
_MODELS = {"Central": "central", "Shuffle": "shuffle", "Local": "local"}
_VARIANTS = {"Pure DP": "pure", "Approximate DP": "approximate"}
_UNITS = {"User-level": "user", "Person-level": "user", "Individual-level": "user", "User-day-level": "user-round"}


def rows_of(table: Any) -> list[Cells]:
    """The rows of a file, a data frame or a list, without empty columns and the spaces around texts; at most 10,000."""
    read = _file(Path(table)) if isinstance(table, str | Path) else table
    rows = _object(read) if isinstance(read, Mapping) and read is not table else _listed(read)
    if not rows:
        raise DomainError("table", str(table), "a table with a row at least")
    stripped = ({name: x.strip() if isinstance(x, str) else x for name, x in row.items()} for row in rows)
    return [{name: x for name, x in row.items() if not _empty(x)} for row in stripped]


_listed = partial(table_rows, allowed=_TABLE, most=_MOST_ROWS)


def _empty(value: Any) -> bool:
    """Whether a cell is None, an empty text, or NaN, which data frames have for an empty cell."""
    return value is None or value == "" or (isinstance(value, float) and value != value)


# --- files --------------------------------------------------------------------------------------------------------


def _file(path: Path) -> Any:
    readers: dict[str, Callable[[str], Any]] = {  # numbers stay text
        ".csv": _csv, ".json": partial(json.loads, parse_float=str, parse_constant=str, object_pairs_hook=_once),
        ".toml": partial(tomllib.loads, parse_float=str), ".yaml": _yaml, ".yml": _yaml,
    }  # fmt: skip
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DomainError("table", str(path), f"a file name ending in {', '.join(readers)}")
    content = files.read(path, "table", most=_MOST_BYTES)
    try:
        found = reader(content.decode("utf-8-sig"))
    except (ValueError, RecursionError, csv.Error) as error:
        if isinstance(error, DomainError):
            raise
        why = " ".join(str(error).split())[:80]
        raise DomainError("table", str(path), f"a {path.suffix[1:].upper()} file, as UTF-8: {why}") from None
    return [] if found is None else found  # None: an empty YAML file


def _once(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """An object, in which no name may stand twice: one of the two values would be ignored."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"{_twice(name for name, _ in pairs)} stands twice in one object")
    return found


def _twice(names: Iterable[Any]) -> str:
    """The first name that stands twice."""
    return one_line(next(name for name, times in Counter(names).items() if times > 1))


def _csv(text: str) -> list[Cells]:
    lines = csv.reader(StringIO(text), strict=True, skipinitialspace=True)
    heading = [name.strip().lower() for name in next(lines, [])]
    if len(set(heading)) < len(heading):
        raise DomainError("table", _twice(heading), "each column once")
    if len(heading) == 1 and re.search("[;\t]", heading[0]):
        raise DomainError("table", heading[0], "columns with commas between them")
    rows = []
    for row in lines:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(heading):
            raise DomainError(
                f"table, line {lines.line_num}", f"{len(row)} cells", f"{len(heading)} cells, as the heading has"
            )
        rows.append(dict(zip(heading, row, strict=True)))
    return rows


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise DomainError("table", "YAML", "JSON, or pip install 'dpcalc-exact[yaml]'") from None

    try:
        return _document(yaml, yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _document(yaml: Any, events: Iterable[Any]) -> Any:
    """The one document of a YAML file; numbers stay text. Its size is that of the file, as aliases are refused."""
    documents: list[Any] = []
    inside = [documents]  # the lists that are being filled, each in the one before; a mapping is the list of its
    # keys and values until it ends
    for count, event in enumerate(events):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("an alias (*), which can make a short file long: write out what it stands for")
        if count > _MOST_EVENTS or len(inside) > _DEEPEST:
            raise ValueError(f"more than {_MOST_EVENTS:,} values, or more than {_DEEPEST} inside one another")
        if isinstance(event, yaml.ScalarEvent):
            inside[-1].append(event.value)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            inside.append([])
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            found = inside.pop()
            inside[-1].append(_mapping(found) if isinstance(event, yaml.MappingEndEvent) else found)
    if len(documents) > 1:
        raise ValueError(f"{len(documents):,} documents; one is read")
    return documents[0] if documents else None


def _mapping(found: list[Any]) -> dict[Any, Any]:
    names = found[::2]
    if not all(isinstance(name, str) for name in names):
        raise ValueError("a key that is no text")
    return _once(list(zip(names, found[1::2], strict=True)))


# --- objects ------------------------------------------------------------------------------------------------------


def _object(read: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if "promise" in read:
        return _listed(read["promise"])
    if "vdaf" in read:
        return [_task(read)]
    if "deployment" in read:
        return [_entry(read)]
    raise DomainError("table", ", ".join(map(str, read)) or "an empty object", _OBJECT)


def _task(read: Mapping[str, Any]) -> Cells:
    """The row of a DAP task: every report of the smallest batch is taken to come from an honest client."""
    vdaf = _within(read, "vdaf")
    mechanism = _translated(vdaf.get("type"), _VDAFS)
    cells: Cells = {"mechanism": mechanism, "n": read.get("min_batch_size"), **_within(read, "dp")}
    if "length" in vdaf:
        cells["categories"] = vdaf["length"]
    return cells


def _entry(read: Mapping[str, Any]) -> Cells:
    deployment = _within(read, "deployment")
    basic, loss = _within(deployment, "basic"), _within(deployment, "privacy_loss")
    stated = {
        "name": basic.get("name"),
        **{name: _within(loss, "privacy_parameters").get(name) for name in ("epsilon", "delta")},
        "unit": _translated(loss.get("privacy_unit"), _UNITS),
        "model": _translated(_within(deployment, "deployment_model").get("model_name"), _MODELS),
        "variant": _translated(_within(deployment, "dp_variant").get("variant_name"), _VARIANTS),
    }
    if stated["variant"] == "pure" and _empty(stated["delta"]):
        stated["delta"] = 0
    return {**stated, **_within(read, "dpcalc")}


def _within(read: Mapping[str, Any], name: str) -> Cells:
    found = read.get(name) or {}
    if not isinstance(found, Mapping):
        raise DomainError(name, found, "an object")
    return dict(found)


def _translated(word: Any, words: Mapping[str, str]) -> Any:
    """The word of a row for it; a word that has none stays as it is, and is refused later."""
    return words.get(word, word) if isinstance(word, str) else word
