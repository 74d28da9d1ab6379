"""``dpcalc shuffle``: delta or epsilon of a shuffled local randomizer, from both sides."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module
from typing import TYPE_CHECKING

from dpcalc.cli.asking import promised
from dpcalc.cli.command import Command, Printed, limited, needed, unused
from dpcalc.errors import DomainError
from dpcalc.numbers.lists import one_of
from dpcalc.questions import CERTIFICATE, LIMIT, ROUNDS, Argument, N

if TYPE_CHECKING:
    from dpcalc.mechanisms.finite import FiniteMechanism

_LOCAL = ("local-lam", "local-epsilon")
#: Each randomizer: the public function, the options that it needs, and those that may be given.
_RANDOMIZERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "k-ary": ("k_ary_response", ("categories",), _LOCAL),
    "unary": ("linked_unary_encoding", ("categories", "q"), ("p",)),
    "subset": ("subset_selection", ("categories", "size"), _LOCAL),
    "hadamard": ("hadamard_response", ("categories",), _LOCAL),
    "rappor": ("rappor", ("categories", "f", "p", "q"), ()),
    "matrix": ("FiniteMechanism", ("rows",), ()),
}


_ARGUMENTS = (
    Argument("randomizer", ", ".join(_RANDOMIZERS), needed=True),
    N,
    Argument("categories", "inputs, at least 2"),
    Argument("local-epsilon", "of k-ary, subset, hadamard: of one report"),
    Argument("local-lam", "its odds e^epsilon instead"),
    Argument("size", "of subset: categories in a set"),
    Argument("q", "of unary: P[set | not set]; of rappor: P[set | set in the permanent response]"),
    Argument("p", "of unary: P[set | set] (default 1 - q); of rappor: P[set | not set]"),
    Argument("f", "of rappor: how likely a permanent bit is a fair coin"),
    Argument("rows", "of matrix: the laws of the inputs, such as 3/4,1/4 1/4,3/4", nargs="+"),
    ROUNDS,
    *LIMIT,
    Argument("delta", "instead of a limit: the least epsilon for this delta"),
    Argument("rtol", "relative width of each end (default 1e-4 of delta, 1e-3 of epsilon)"),
    CERTIFICATE._replace(
        help="of few people: write the answer with its proof there; check.py checks it with Python alone"
    ),
)


def _run(options: Namespace) -> Printed:
    from dpcalc.mechanisms.shuffle import Shuffle

    once = Shuffle(_randomizer(options), n=options.n)
    if limited(options):
        unused(options, "with a limit", "delta")
    return promised(options, once, n=once.n)


def _randomizer(options: Namespace) -> FiniteMechanism:
    kind, given = one_of(options.randomizer, "randomizer", _RANDOMIZERS), vars(options)
    function, necessary, possible = _RANDOMIZERS[kind]
    needed(options, *necessary)
    names = {name for _, *both in _RANDOMIZERS.values() for one in both for name in one}
    unused(options, f"with {kind}", *sorted(names - {*necessary, *possible}))
    if possible == _LOCAL and all(given[name] is None for name in _LOCAL):
        raise DomainError("local-epsilon", ..., "--local-epsilon or --local-lam")
    described = {name.removeprefix("local-"): given[name] for name in (*necessary, *possible)}
    if "rows" in described:
        described = {"matrix": [row.split(",") for row in options.rows]}
    made: FiniteMechanism = getattr(import_module("dpcalc"), function)(**described)
    return made


COMMAND = Command(
    "shuffle",
    "a shuffled local randomizer: its delta or epsilon from both sides",
    _ARGUMENTS,
    _run,
    "shuffle --randomizer k-ary --categories 3 --local-epsilon 1 --n 1000 --epsilon 0.5",
)
