"""``dpcalc noise`` and ``dpcalc shuffle``: an option names a kind of noise or randomizer; each has its own options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import dpcalc
from dpcalc.cli.asking import promised, said
from dpcalc.cli.command import Command, Printed, given, limit, limited, needed, unused
from dpcalc.errors import DomainError
from dpcalc.mechanisms.noise import NOISES, Noise, several
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer
from dpcalc.questions import CERTIFICATE, FORMAL, LIMIT, ROUNDS, Argument, N


def _of_kind(options: Namespace, kind: str, kinds: Mapping[str, Sequence[str]], what: str = "") -> dict[str, Any]:
    """The options of this kind that were given; those of other kinds are refused."""
    others = dict.fromkeys(name for names in kinds.values() for name in names if name not in kinds[kind])
    unused(options, f"with {kind}{what}", *others)
    return given(**{name: vars(options)[name] for name in kinds[kind]})


# --- noise --------------------------------------------------------------------------------------------------------


def _parameters() -> Iterator[Argument]:
    """The options of all kinds; an option of several says what it is of each."""
    said = dict[str, list[str]]()
    for kind in NOISES.values():
        for name, words in kind.words.items():
            said.setdefault(name, []).append(f"of {kind.name} noise: {words}".replace("`", "").replace("%", "%%"))
    for name, each in said.items():
        yield Argument(name, "; ".join(each), nargs="+" if name == "masses" else None)


_OF_NOISE = (
    Argument("kind", f"one of {', '.join(NOISES)}", needed=True),
    *_parameters(),
    Argument("copies", "how many independent noises of this kind add up (default 1)"),
    Argument("sensitivity", "by how much one person changes the count (default 1)", default="1"),
    ROUNDS._replace(help="how many such counts are released, of other data each time (default 1)"),
    *LIMIT,
    Argument("delta", "the target: the least epsilon is asked for; with --lam or --epsilon the least noise"),
    Argument("rtol", "relative width (default 1e-12 of delta, 1e-6 of the noise)"),
    CERTIFICATE,
    FORMAL,
)


def _noise(options: Namespace) -> Printed:
    kind = NOISES[one_of(options.kind, "kind", NOISES)]
    described = _of_kind(options, kind.name, {name: [*one.words] for name, one in NOISES.items()}, " noise")
    size, *others = kind.words
    if size not in described:
        return _least(options, kind, size, others)
    if limited(options):
        unused(options, f"with --{size} and a limit", "delta")
        changed = integer(options.sensitivity, "sensitivity", minimum=1)
        described = kind.completed(described, Limit.of(**limit(options)), changed)
    else:
        needed(options, "delta")
    copies = integer(1 if options.copies is None else options.copies, "copies", minimum=1, maximum=10_000)
    return promised(options, dpcalc.NoisyCount(several(kind.made(**described), copies), options.sensitivity))


def _least(options: Namespace, kind: type[Noise], size: str, others: Sequence[str]) -> Printed:
    if kind.least is None:
        raise DomainError(size, ..., f"--{size}")
    needed(options, "delta")
    whole = ["rtol"] if isinstance(kind.least, int) else []
    unused(options, f"for the least {size}", "copies", "rounds", "certificate", "formal", *whole)
    more = given(**{name: vars(options)[name] for name in (*others, "rtol", "sensitivity")})
    found = dpcalc.least_noise(kind.name, **limit(options), delta=options.delta, **more)
    lines, content = said(size, found)
    return Printed("\n".join(lines), content)


NOISE = Command(
    "noise",
    "integer noise on a count: its delta or epsilon, or the least that is enough",
    _OF_NOISE,
    _noise,
    "noise --kind binomial --epsilon 1 --delta 1e-6",
)


# --- shuffled randomizers -----------------------------------------------------------------------------------------

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
_OF_SHUFFLE = (
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


def _shuffle(options: Namespace) -> Printed:
    function, necessary, possible = _RANDOMIZERS[one_of(options.randomizer, "randomizer", _RANDOMIZERS)]
    needed(options, *necessary)
    names = {name: (*both[1], *both[2]) for name, both in _RANDOMIZERS.items()}
    described = _of_kind(options, options.randomizer, names)
    if possible == _LOCAL and not described.keys() & set(_LOCAL):
        raise DomainError("local-epsilon", ..., "--local-epsilon or --local-lam")
    described = {name.removeprefix("local-"): value for name, value in described.items()}
    if "rows" in described:
        described = {"matrix": [row.split(",") for row in options.rows]}
    once = dpcalc.Shuffle(getattr(dpcalc, function)(**described), n=options.n)
    if limited(options):
        unused(options, "with a limit", "delta")
    return promised(options, once, n=once.n)


SHUFFLE = Command(
    "shuffle",
    "a shuffled local randomizer: its delta or epsilon from both sides",
    _OF_SHUFFLE,
    _shuffle,
    "shuffle --randomizer k-ary --categories 3 --local-epsilon 1 --n 1000 --epsilon 0.5",
)
