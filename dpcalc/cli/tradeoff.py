"""``dpcalc tradeoff``: what an attacker gains, as the least share of misses for a share of false alarms."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import dpcalc
from dpcalc.cli.command import Command, Printed, given
from dpcalc.numbers.promise import wider
from dpcalc.questions import HISTOGRAM, OTHERS, ROUNDS, USERS, Argument, K, Q, of_mechanism
from dpcalc.report import least, most

_ARGUMENTS = (
    *USERS, Q, K, Argument("false-positive", "share of false alarms, 0 to 1", needed=True),
    Argument("prior", "the attacker's belief before; prints the belief after an alarm too"),
    *HISTOGRAM, ROUNDS, OTHERS,
    Argument("rtol", "relative width aimed at (default 1e-4; of rounds and histograms 1e-2)"),
    Argument("plot", "draw the whole curve to a .png, .pdf or .svg file", metavar="FILE"),
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    alpha = vars(options)["false-positive"]
    names = ("n", "q", "k", "categories", "neighbours", "rounds", "ones", "rtol")
    curve = dpcalc.tradeoff(**of_mechanism(given(**{name: vars(options)[name] for name in names})))
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
    meanings = [
        f"false negatives: lower: holds for {mu.proven_for}; upper: reached by {mu.attained_by}",
        f"membership advantage: {advantage.meaning}",
        f"{'mu' if options.prior is None else 'mu and posterior'}: {mu.meaning}",
    ]
    content |= {"meaning": "; ".join(meanings), **({"note": "; ".join(said)} if said else {})}
    lines += [*meanings, *said]
    return Printed("\n".join(lines), content, files={"plot": curve.plot})


COMMAND = Command(
    "tradeoff",
    "what an attacker gains: the least false-negative rate of any attack, given its false-positive rate",
    _ARGUMENTS,
    _run,
    "tradeoff --n 1000 --q 0.1 --false-positive 1/100",
)
