"""``dpcalc noise``: what integer noise on a count gives away, or the least noise that is enough."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dpcalc.cli.command import Command, Printed, certifier, given, limit, needed, unused
from dpcalc.cli.delta import said
from dpcalc.errors import DomainError
from dpcalc.numbers.lists import one_of
from dpcalc.questions import CERTIFICATE, FORMAL, LIMIT, ROUNDS, Argument

if TYPE_CHECKING:
    from dpcalc.mechanisms.noisy_count import NoisyCount
    from dpcalc.mechanisms.rounds import Rounds
    from dpcalc.numbers.bracket import Bracket

__all__ = ["COMMAND"]

#: Each kind of noise: the parameter that is solved for, and the others.
_KINDS = {
    "binomial": ("trials", ("probability",)),
    "poisson": ("mean", ()),
    "geometric": ("bound", ("ratio",)),
    "finite": ("masses", ()),
    "gaussian": ("sigma", ()),
    "laplace": ("scale", ("shape",)),
    "skellam": ("mu", ()),
    "rounded-laplace": ("scale", ()),
    "rounded-gaussian": ("sigma", ()),
}
_GIVEN = ("finite", "rounded-laplace", "rounded-gaussian")  # kinds of which the least is not solved for

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
    Argument(
        "shape", "of the discrete one: how many add up, or what share of the parties that make one up (default 1)"
    ),
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

    kind = one_of(options.kind, "kind", _KINDS)
    size, others = _KINDS[kind]
    named = dict.fromkeys(part for name, more in _KINDS.values() for part in (name, *more))
    unused(options, f"with {kind} noise", *(name for name in named if name not in (size, *others)))
    if getattr(options, size) is None:
        return _least(options, kind, size)
    released = _released(options, kind)
    if options.lam is None and options.epsilon is None:
        from dpcalc.choose.epsilon import epsilon

        needed(options, "delta")
        proof = certifier(options, epsilon, released, delta=options.delta, rtol=options.rtol)
        found = epsilon(released, delta=options.delta, rtol=options.rtol)
        lines = promise_lines("epsilon", found, at_most if options.rounds is None else both_ends)
        return Printed("\n".join(lines), promise("epsilon", found), files=proof(found))
    from dpcalc.privacy.delta import delta

    unused(options, f"with --{size} and a limit", "delta")
    proof = certifier(options, delta, released, **limit(options), rtol=options.rtol)
    worst = delta(released, **limit(options), rtol=options.rtol)
    lines, content = said(worst)
    return Printed("\n".join(lines), content, files=proof(worst))


def _released(options: Namespace, kind: str) -> NoisyCount | Rounds:
    from dpcalc.mechanisms.mechanism import MOST_ROUNDS
    from dpcalc.mechanisms.rounds import Rounds
    from dpcalc.numbers.rational import integer

    count = _count(options, kind)
    if options.rounds is None:
        return count
    return Rounds([(count, integer(options.rounds, "rounds", minimum=1, maximum=MOST_ROUNDS))])


def _count(options: Namespace, kind: str) -> NoisyCount:
    from dpcalc.mechanisms.noise import (
        Binomial,
        DiscreteGaussian,
        FiniteNoise,
        Geometric,
        NegativeBinomial,
        Poisson,
        RoundedGaussian,
        RoundedLaplace,
        Skellam,
    )
    from dpcalc.mechanisms.noisy_count import NoisyCount
    from dpcalc.numbers.rational import integer, positive

    noise: Any
    if kind == "binomial":
        noise = Binomial(options.trials, options.probability or "1/2")
    elif kind == "poisson":
        noise = Poisson(options.mean)
    elif kind == "finite":
        noise = FiniteNoise(options.masses)
    elif kind == "gaussian":
        noise = DiscreteGaussian(options.sigma)
    elif kind == "rounded-gaussian":
        noise = RoundedGaussian(options.sigma)
    elif kind == "rounded-laplace":
        noise = RoundedLaplace(options.scale)
    elif kind == "skellam":
        noise = Skellam(options.mu, options.mu)
    elif kind == "laplace":
        shape = options.shape or 1
        noise = NegativeBinomial(shape, shape, epsilon=1 / positive(options.scale, "scale"))
    elif options.ratio is not None:
        noise = Geometric(options.ratio, options.bound)
    elif options.epsilon is not None:
        share = positive(options.epsilon, "epsilon") / integer(options.sensitivity, "sensitivity", minimum=1)
        noise = Geometric.from_epsilon(share, options.bound)
    else:
        raise DomainError("ratio", ..., "--ratio, or --epsilon for its default")
    copies = integer(options.copies or 1, "copies", minimum=1, maximum=10_000)
    return NoisyCount(sum([noise] * copies), options.sensitivity)


def _least(options: Namespace, kind: str, size: str) -> Printed:
    from dpcalc.choose.least_noise import (
        least_bound,
        least_mean,
        least_mu,
        least_scale,
        least_sigma,
        least_trials,
    )
    from dpcalc.report import bracket, bracket_lines

    if kind in _GIVEN:
        needed(options, size)
    needed(options, "delta")
    unused(options, f"for the least {size}", "copies", "rounds", "certificate", "formal")
    target = {**limit(options), "delta": options.delta, "sensitivity": options.sensitivity}
    found: Bracket
    anywhere = {"poisson": least_mean, "gaussian": least_sigma, "laplace": least_scale, "skellam": least_mu}
    if kind in anywhere:
        found = anywhere[kind](**target, **given(rtol=options.rtol, shape=options.shape))
    else:
        unused(options, f"for the least {size}", "rtol")
        if kind == "binomial":
            found = least_trials(**target, **given(probability=options.probability))
        else:
            found = least_bound(**target, **given(ratio=options.ratio))
    return Printed("\n".join(bracket_lines(size, found)), bracket(size, found))


COMMAND = Command(
    "noise",
    "integer noise on a count: its delta or epsilon, or the least that is enough",
    _ARGUMENTS,
    _run,
    "noise --kind binomial --epsilon 1 --delta 1e-6",
)
