"""``dpcalc noise``: delta or epsilon of integer noise on a count, or the least noise that is enough."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from dpcalc.cli.command import Command, Printed, given, limit, limited, needed, promised, repeated, unused
from dpcalc.cli.delta import said
from dpcalc.errors import DomainError
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import integer, positive
from dpcalc.questions import CERTIFICATE, FORMAL, LIMIT, ROUNDS, Argument

if TYPE_CHECKING:
    from dpcalc.mechanisms.noise import Noise
    from dpcalc.mechanisms.noisy_count import NoisyCount
    from dpcalc.numbers.bracket import Bracket


class _Kind(NamedTuple):
    """One kind of noise.

    Attributes:
        make: the noise that the options describe; it is given the module dpcalc and the options.
        size: the option of the parameter that is solved for.
        others: the other options of this noise.
        least: the name of the solver; None if there is none and the size must be given.
    """

    make: Callable[[Any, Namespace], Noise]
    size: str
    others: tuple[str, ...] = ()
    least: str | None = None


def _laplace(dp: Any, options: Namespace) -> Any:
    shape = positive(1 if options.shape is None else options.shape, "shape")
    rate = 1 / positive(options.scale, "scale")
    return dp.NegativeBinomial(shape, shape, epsilon=rate)


def _geometric(dp: Any, options: Namespace) -> Any:
    if options.ratio is not None:
        return dp.Geometric(options.ratio, options.bound)
    if options.epsilon is None:
        raise DomainError("ratio", ..., "--ratio, or --epsilon for its default")
    share = positive(options.epsilon, "epsilon") / integer(options.sensitivity, "sensitivity", minimum=1)
    return dp.Geometric.from_epsilon(share, options.bound)


_KINDS = {
    "binomial": _Kind(
        lambda dp, options: dp.Binomial(options.trials, "1/2" if options.probability is None else options.probability),
        "trials", ("probability",), "least_trials",
    ),
    "poisson": _Kind(lambda dp, options: dp.Poisson(options.mean), "mean", ("rtol",), "least_mean"),
    "geometric": _Kind(_geometric, "bound", ("ratio",), "least_bound"),
    "finite": _Kind(lambda dp, options: dp.FiniteNoise(options.masses), "masses"),
    "gaussian": _Kind(lambda dp, options: dp.DiscreteGaussian(options.sigma), "sigma", ("rtol",), "least_sigma"),
    "laplace": _Kind(_laplace, "scale", ("shape", "rtol"), "least_scale"),
    "skellam": _Kind(lambda dp, options: dp.Skellam(options.mu, options.mu), "mu", ("rtol",), "least_mu"),
    "rounded-laplace": _Kind(lambda dp, options: dp.RoundedLaplace(options.scale), "scale"),
    "rounded-gaussian": _Kind(lambda dp, options: dp.RoundedGaussian(options.sigma), "sigma"),
}  # fmt: skip

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
    from dpcalc.report import at_most, both_ends, promise, promise_lines

    name = one_of(options.kind, "kind", _KINDS)
    kind = _KINDS[name]
    every = dict.fromkeys(part for one in _KINDS.values() for part in (one.size, *one.others))
    unused(options, f"with {name} noise", *(part for part in every if part not in (kind.size, *kind.others, "rtol")))
    if getattr(options, kind.size) is None:
        return _least(options, kind)
    if limited(options):
        unused(options, f"with --{kind.size} and a limit", "delta")
    else:
        needed(options, "delta")
    name, found, _, files = promised(options, repeated(options, _count(options, kind)))
    if name == "delta":
        lines, content = said(found)
    else:
        lines = promise_lines(name, found, at_most if options.rounds is None else both_ends)
        content = promise(name, found)
    return Printed("\n".join(lines), content, files=files)


def _count(options: Namespace, kind: _Kind) -> NoisyCount:
    from dpcalc.mechanisms.noise import several
    from dpcalc.mechanisms.noisy_count import NoisyCount

    copies = integer(1 if options.copies is None else options.copies, "copies", minimum=1, maximum=10_000)
    noise = kind.make(import_module("dpcalc"), options)
    return NoisyCount(several(noise, copies), options.sensitivity)


def _least(options: Namespace, kind: _Kind) -> Printed:
    from dpcalc.report import bracket, bracket_lines

    if kind.least is None:
        raise DomainError(kind.size, ..., f"--{kind.size}")
    needed(options, "delta")
    left_out = () if "rtol" in kind.others else ("rtol",)
    unused(options, f"for the least {kind.size}", "copies", "rounds", "certificate", "formal", *left_out)
    solver: Callable[..., Bracket] = getattr(import_module("dpcalc"), kind.least)
    more = given(**{name: vars(options)[name] for name in kind.others})
    found = solver(**limit(options), delta=options.delta, sensitivity=options.sensitivity, **more)
    return Printed("\n".join(bracket_lines(kind.size, found)), bracket(kind.size, found))


COMMAND = Command(
    "noise",
    "integer noise on a count: its delta or epsilon, or the least that is enough",
    _ARGUMENTS,
    _run,
    "noise --kind binomial --epsilon 1 --delta 1e-6",
)
