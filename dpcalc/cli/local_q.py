"""``dpcalc local-q``: the least q under the notes' 3-sigma bound, for all records 1 or every dataset.

The bound is no differential privacy. Which delta that q has, at lambda and over every dataset, is said beside it.
"""

from __future__ import annotations

from argparse import Namespace

import dpcalc
from dpcalc.cli.asking import answered, command
from dpcalc.cli.command import Printed, given, limit
from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.questions import CERTIFICATE, LIMIT, Argument, K, N, Question
from dpcalc.registered import registered
from dpcalc.report import bracket, plain

_RTOL = "1e-3"  # of that delta
_WITNESS = ("ones", "outcome", "reciprocal", "ratio")
_QUESTION = Question(
    "local_q", "q", "the least q under the notes' 3-sigma bound: all records 1, or every dataset",
    (N, *LIMIT, K, Argument("bits", "bits per record (default 1)", default="1"),
    Argument("sigmas", "half the window, in standard deviations (default 3)", default="3"),
    Argument(
        "method", "all ones: closed (default), real or lattice, and variance or box for several bits; "
        "every dataset: lattice (default), product or closed",
        values=("closed", "product", "real", "lattice", "variance", "box"),
    ),
    Argument("sides", "1: the ratio; 2: its reciprocal too (default 1)", default="1"),
    Argument(
        "dataset", "all-ones, as in the notes (default); every: each dataset in its own window", default="all-ones",
        values=("all-ones", "every"),
    ),
    CERTIFICATE, Argument("rtol", "relative width (default 1e-12; closed has 40 digits)")),
    "local-q --n 1000 --lam 2 --method lattice",
)  # fmt: skip


def _run(options: Namespace) -> Printed:
    from dpcalc.numbers.limit import Limit

    found, answer = answered(_QUESTION, given(**{name: vars(options)[name] for name in _QUESTION.own}), options)
    about, delta = "every dataset, in its own window", _delta(found, options)
    if options.dataset != "every":
        about = "with all records 1; other datasets may exceed the limit in their own windows"
        about += " (--dataset every)" if options.bits == "1" else ""
    private = "this is not differential privacy: it says nothing of outcomes outside the window"
    if delta is not None:
        private += f"; at this q and {Limit.of(**limit(options))} delta is {delta:4}, over every dataset"
    lines, content = [answer.text, about, private], dict(answer.content)
    if found.witness is not None:
        content["witness"] = {name: getattr(found.witness, name) for name in _WITNESS}
        lines.append(f"fails: {found.witness}")
    if (first := found.first) is not None:  # where a bound that is not monotone holds first
        content["first"] = bracket("q", first)
        if 0 < first.lower <= first.upper < found.lower:
            lines.append(f"holds first at q = {first}")
        elif first.upper < found.lower:  # else it is the same threshold, as far as it is known
            lines.append(f"holds first: for every q up to {Enclosure.of(first.upper):6}, where only s = kn is likely")
    content["delta_at_lambda"] = plain(delta)
    return answer._replace(text="\n".join(lines), content=content)


def _delta(found: Bracket, options: Namespace) -> Enclosure | None:
    """The largest delta at lambda, over every dataset, at the q that is printed; None where it is not known."""
    from dpcalc.choose.choices import as_printed

    q = found.value if found.lower == found.upper else as_printed(found.value)
    m = dpcalc.KRandomization(n=options.n, q=q, k=options.k, bits=options.bits)
    try:
        if m.bits > 1:
            worst: Enclosure = registered("vector_delta")(m, **limit(options), exact=False).every_dataset
        else:
            worst = dpcalc.delta(m, **limit(options), rtol=_RTOL)
        return worst
    except (TooLarge, Undecided):
        return None


COMMAND = command(_QUESTION)._replace(run=_run)
