"""``dpcalc noise`` and ``dpcalc shuffle``: an option names a kind of noise or randomizer; each has its own options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

import dpcalc
from dpcalc.cli.asking import promised, said
from dpcalc.cli.command import Command, Printed, given, limit, limited, needed, typed_as, unused
from dpcalc.errors import DomainError
from dpcalc.mechanisms.noise import NOISES, Noise, several
from dpcalc.mechanisms.randomizers import RANDOMIZERS
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer
from dpcalc.questions import CERTIFICATE, FORMAL, LIMIT, ROUNDS, Argument, N


def _of_kind(options: Namespace, kind: str, kinds: Mapping[str, Iterable[str]], what: str = "") -> dict[str, Any]:
    """The options of this kind that were given; those of other kinds are refused."""
    others = dict.fromkeys(name for names in kinds.values() for name in names if name not in kinds[kind])
    unused(options, f"with {kind}{what}", *others)
    return given(**{name: vars(options)[name] for name in kinds[kind]})


def _parameters(kinds: Mapping[str, Mapping[str, str]], what: str = "") -> Iterator[Argument]:
    """The options of all kinds; an option of several says what it is of each."""
    said = dict[str, dict[str, list[str]]]()
    for kind, described in kinds.items():
        for name, words in described.items():
            said.setdefault(name, {}).setdefault(words.replace("`", "").replace("%", "%%"), []).append(kind)
    for name, each in said.items():
        told = "; ".join(f"of {', '.join(names)}{what}: {words}" for words, names in each.items())
        yield Argument(name, told, nargs="+" if name in ("masses", "rows") else None)


# --- noise --------------------------------------------------------------------------------------------------------


_NOISES = {name: kind.words for name, kind in NOISES.items()}
_OF_NOISE = (
    Argument("kind", f"one of {', '.join(NOISES)}", needed=True),
    *_parameters(_NOISES, " noise"),
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
    described = _of_kind(options, kind.name, _NOISES, " noise")
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

#: The limit of one report is an option beside that of the promise.
_LOCAL = {"epsilon": "local-epsilon", "lam": "local-lam"}
_RANDOMIZERS = {
    kind: {_LOCAL.get(name, name): words for name, words in described.items()}
    for kind, (_, described) in RANDOMIZERS.items()
}
_OF_SHUFFLE = (
    Argument("randomizer", ", ".join(RANDOMIZERS), needed=True),
    N,
    *_parameters(_RANDOMIZERS),
    ROUNDS,
    *LIMIT,
    Argument("delta", "instead of a limit: the least epsilon for this delta"),
    Argument("rtol", "relative width of each end (default 1e-4 of delta, 1e-3 of epsilon)"),
    CERTIFICATE._replace(
        help="of few people: write the answer with its proof there; check.py checks it with Python alone"
    ),
)


def _shuffle(options: Namespace) -> Printed:
    kind = one_of(options.randomizer, "randomizer", RANDOMIZERS)
    make, words = RANDOMIZERS[kind]
    needed(options, *(name for name, one in signature(make).parameters.items() if one.default is one.empty))
    described = _of_kind(options, kind, _RANDOMIZERS)
    if "epsilon" in words and not described.keys() & set(_LOCAL.values()):
        raise DomainError("local-epsilon", ..., "--local-epsilon or --local-lam")
    with typed_as(_LOCAL):
        randomizer = make(**{name.removeprefix("local-"): x for name, x in described.items()})
    once = dpcalc.Shuffle(randomizer, n=options.n)
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
