"""What does an answer rest on? On theorems of the proof notes, whose functions ran for it; on FLINT's types, and on the
modules that compute in doubles.

``proofs.toml`` says which functions rest on which theorem, and by which names Coq has proven it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_PROOFS = Path(__file__).parents[1] / "proofs.toml"
_CHECKED = "machine_checked"  # the key of the names in Coq
_ROUNDED = "UNIT"  # the unit roundoff: every function that bounds roundings uses it


#: What an answer rests on: for a JSON document.
Axioms = dict[str, Any]


def lines(rests: Axioms) -> list[str]:
    """The text of it."""
    checked = [f"{label} ({', '.join(names)})" for label, names in rests["machine_checked"].items()]
    return [
        f"rests on: {', '.join(rests['theorems'])} of the proof notes, and what their proofs cite",
        f"machine-checked of these, as far as the notes say: {', '.join(checked) or 'none'}",
        f"FLINT's numbers: {', '.join(rests['flint']) or 'none'}",
        f"doubles, each rounding bounded: {', '.join(rests['doubles']) or 'none'}",
    ]


def watched(ask: Callable[[], Any]) -> tuple[Any, Axioms]:
    """The answer, and what the functions that ran for it rest on."""
    ran = dict[CodeType, Mapping[str, Any]]()  # the globals of the module, by code

    def see(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_flags & CO_OPTIMIZED:  # a function, not the body of a module or class
            ran[frame.f_code] = frame.f_globals

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        found = ask()
    finally:
        sys.setprofile(before)
    return found, _axioms({code: world for code, world in ran.items() if _module(world)})


def _axioms(ran: Mapping[CodeType, Mapping[str, Any]]) -> Axioms:
    import tomllib

    proofs = tomllib.loads(_PROOFS.read_text("utf-8"))
    names = {part for code, world in ran.items() for part in _starts(f"{_module(world)}.{code.co_qualname}")}
    theorems = [label for label, functions in proofs.items() if names & functions.keys()]
    used = [world.get(name) for code, world in ran.items() for name in code.co_names]
    return {
        "theorems": theorems,  # labels of the proof notes, in their order
        "machine_checked": {label: proofs[label][_CHECKED] for label in theorems if _CHECKED in proofs[label]},
        "flint": sorted({x.__name__ for x in used if isinstance(x, type) and x.__module__.startswith("flint.")}),
        "doubles": sorted({_module(world) for code, world in ran.items() if _ROUNDED in code.co_names}),
    }


def _module(world: Mapping[str, Any]) -> str:
    """The name of a module within dpcalc; empty for other modules."""
    return str(world.get("__name__", "")).partition("dpcalc.")[2]


def _starts(name: str) -> Iterable[str]:
    """``a.B.c``, ``a.B`` and ``a``: a pinned class counts as run when one of its methods ran."""
    parts = name.split(".")
    return (".".join(parts[:size]) for size in range(1, len(parts) + 1))
