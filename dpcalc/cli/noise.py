"""``dpcalc noise``: delta or epsilon of integer noise on a count, or the least noise that is enough."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from dpcalc.cli.asking import promised, said
from dpcalc.cli.command import Command, Printed, given, limit, limited, needed, unused
from dpcalc.errors import DomainError
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer, positive
from dpcalc.questions import CERTIFICATE, FORMAL, LIMIT, ROUNDS, Argument

if TYPE_CHECKING:
    from dpcalc.choose.least_noise import NoiseKind
    from dpcalc.mechanisms.noisy_count import NoisyCount


_ARGUMENTS = (
    Argument(
        "kind",
        "binomial, poisson, geometric (two-sided, truncated), finite, gaussian, laplace (both discrete), skellam, "
        "rounded-laplace or rounded-gaussian (continuous, to the nearest whole number)",
        needed=True,
    ),
    Argument("trials", "of binomial noise"),
    Argument("probability", "of one trial (default 1/2)"),
    Argument("mean", "of Poisson noise"),
    Argument("bound", "of geometric noise: the largest |x|"),
    Argument("ratio", "of geometric noise: P[x + 1]/P[x] (default e^(-epsilon/sensitivity))"),
    Argument("masses", "the probabilities of finite noise, in order", nargs="+"),
    Argument("sigma", "of discrete or rounded Gaussian noise"),
    Argument("scale", "of discrete or rounded Laplace noise: P[x + 1]/P[x] = e^(-1/scale), x > 0"),
    Argument("shape", "of the discrete one: r of a sum of r; at 0.9, 90%% of the parties add their share (default 1)"),
    Argument("mu", "of Skellam noise, a Poisson number less another: their mean"),
    Argument("copies", "how many independent noises of this kind add up (default 1)"),
    Argument("sensitivity", "by how much one person changes the count (default 1)", default="1"),
    ROUNDS._replace(help="how many such counts are released, of other data each time (default 1)"),
    *LIMIT,
    Argument("delta", "the target: the least epsilon is asked for; with --lam or --epsilon the least noise"),
    Argument("rtol", "relative width (default 1e-12 of delta, 1e-6 of the noise)"),
    CERTIFICATE,
    FORMAL,
)


def _run(options: Namespace) -> Printed:
    from dpcalc.choose.least_noise import NOISES

    name = one_of(options.kind, "kind", NOISES)
    kind = NOISES[name]
    every = dict.fromkeys(part for one in NOISES.values() for part in (one.size, *one.others))
    unused(options, f"with {name} noise", *(part for part in every if part not in (kind.size, *kind.others)))
    if getattr(options, kind.size) is None:
        return _least(options, kind)
    if limited(options):
        unused(options, f"with --{kind.size} and a limit", "delta")
    else:
        needed(options, "delta")
    return promised(options, _count(options, kind))


def _count(options: Namespace, kind: NoiseKind) -> NoisyCount:
    from dpcalc.mechanisms.noise import several
    from dpcalc.mechanisms.noisy_count import NoisyCount

    copies = integer(1 if options.copies is None else options.copies, "copies", minimum=1, maximum=10_000)
    described = given(**{name: vars(options)[name] for name in (kind.size, *kind.others)})
    if kind.size == "bound" and "ratio" not in described:
        if options.epsilon is None:
            raise DomainError("ratio", ..., "--ratio, or --epsilon for its default")
        changed = integer(options.sensitivity, "sensitivity", minimum=1)
        described["scale"] = changed / positive(options.epsilon, "epsilon")
    return NoisyCount(several(kind.make(**described), copies), options.sensitivity)


def _least(options: Namespace, kind: NoiseKind) -> Printed:
    from dpcalc.choose.least_noise import least_noise

    if kind.least is None:
        raise DomainError(kind.size, ..., f"--{kind.size}")
    needed(options, "delta")
    left_out = () if "rtol" in kind.solved_with else ("rtol",)
    unused(options, f"for the least {kind.size}", "copies", "rounds", "certificate", "formal", *left_out)
    more = given(**{name: vars(options)[name] for name in kind.solved_with})
    found = least_noise(options.kind, **limit(options), delta=options.delta, sensitivity=options.sensitivity, **more)
    lines, content = said(kind.size, found)
    return Printed("\n".join(lines), content)


COMMAND = Command(
    "noise",
    "integer noise on a count: its delta or epsilon, or the least that is enough",
    _ARGUMENTS,
    _run,
    "noise --kind binomial --epsilon 1 --delta 1e-6",
)
