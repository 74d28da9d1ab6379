"""``dpcalc tradeoff``: what an attacker gains, as the least share of misses for a share of false alarms."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from dpcalc.cli.command import Answer, Command, add_k, add_q, add_users, check_plot, given, mechanism, plotted

__all__ = ["COMMAND"]


def _arguments(parser: ArgumentParser) -> None:
    add_users(parser)
    add_q(parser)
    add_k(parser)
    parser.add_argument("--false-positive", required=True, dest="false-positive", help="share of false alarms, 0 to 1")
    parser.add_argument("--prior", help="the attacker's belief before; prints the belief after an alarm too")
    parser.add_argument("--ones", help="only the datasets with this many ones among the other n - 1 records")
    parser.add_argument("--rtol", help="relative width aimed at (default 1e-4)")
    parser.add_argument("--plot", metavar="FILE", help="draw the whole curve to a .png, .pdf or .svg file")


def _run(options: Namespace) -> Answer:
    from dpcalc.numbers.promise import wider
    from dpcalc.privacy.tradeoff import tradeoff
    from dpcalc.report import least, most

    check_plot(options)
    alpha = vars(options)["false-positive"]
    curve = tradeoff(mechanism(options), ones=options.ones, **given(rtol=options.rtol))
    missed, advantage, mu = curve.false_negative(alpha), curve.advantage, curve.gaussian_mu(alpha)
    content: dict[str, Any] = {"false_negative": missed, "advantage": advantage, "mu": mu}
    lines = [
        f"false negatives >= {least(missed)}",
        f"membership advantage = {advantage}",
        f"mu (Gaussian, at this point) = {mu}",
    ]
    if options.prior is not None:
        content["posterior"] = curve.posterior(options.prior, alpha)
        lines.append(f"posterior <= {most(content['posterior'])}")
    notes = {"false negatives": wider(missed, curve.rtol), "membership advantage": advantage.note, "mu": mu.note}
    said = [f"{name} {note}" for name, note in notes.items() if note is not None]
    content |= {"meaning": advantage.meaning, **({"note": "; ".join(said)} if said else {})}
    lines += [advantage.meaning, *said]
    return Answer("\n".join(lines), content, files=plotted(options, curve.plot))


COMMAND = Command(
    "tradeoff",
    "what an attacker gains: the least misses for a share of false alarms",
    _arguments,
    _run,
    "tradeoff --n 1000 --q 0.1 --false-positive 1/100",
)
