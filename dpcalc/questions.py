"""The registry: a question is one row, and its arguments are declared once.

Commands and sweeps are built from the rows. A row names a public function, which is loaded when it is called. Arguments
are text: the library reads numbers exactly, and says what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """One argument of a question, or of a command.

    Attributes:
        name: of the argument of the function, and of the option.
        help: what it is, what is allowed, and the default.
        needed: whether it must be given.
        default: of the command; None for the function's own.
        metavar: the word for the value in the help.
        nargs: how many values it takes, as in argparse.
        flag: whether it has no value.
        place: whether it is positional, typed without its name.
        typed: whether only the command has it, and not the function.
        values: all values, if they are few: a shell offers them.
        instead: other arguments that may be given in its place.
        endings: of the file that is written, if it names one; none for any.
    """

    name: str
    help: str
    needed: bool = False
    default: Any = None
    metavar: str | None = None
    nargs: str | None = None
    flag: bool = False
    place: bool = False
    typed: bool = False
    values: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    @property
    def file(self) -> bool:
        """Whether it names a file that is written, or a folder of such files."""
        return (self.metavar or "").startswith(("FILE", "DIR"))


N = Argument("n", "users, at least 1; each has a record", needed=True)
Q = Argument("q", "the probability that a report is flipped, 0 < q < 1/2", needed=True)
K = Argument("k", "reports of the same bit by each user (default 1)", default="1")
BITS = Argument("bits", "bits per record", needed=True)
ONES = Argument("ones", "how many of the n records are 1", needed=True)

#: Users who hide nobody: ``dpcalc.cli.command`` reads these options.
LOSSES = (
    Argument("dropouts", "users whose reports do not arrive, such as 40 or 5%%: they hide nobody", typed=True),
    Argument(
        "colluding", "users who tell what they sent, or never flip, such as 40 or 5%%: they hide nobody", typed=True
    ),
)
USERS = (N._replace(help="users, at least 1: the honest ones, or all with --dropouts or --colluding"), *LOSSES)

LAM = Argument("lam", "how many times likelier an event may become, lambda >= 1; give it or --epsilon")
LIMIT = (LAM, Argument("epsilon", "its logarithm: lambda = e^epsilon"))
DELTA = Argument("delta", "the target, 0 < delta < 1", needed=True)
RTOL = Argument("rtol", "relative width of the answer (default 1e-6; for histograms and rounds an aim of 1e-3)")

#: Symmetric reports, or asymmetric ones as in RAPPOR.
CHANCES = (
    Q._replace(help="the probability that a report is flipped, 0 < q < 1/2; or give --a and --b", instead=("a", "b")),
    Argument("a", "the probability that a report is 1 if the bit is 1, 0 < b < a < 1"),
    Argument("b", "the probability that a report is 1 if the bit is 0"),
)

#: A histogram instead of single bits.
HISTOGRAM = (
    Argument("categories", "collect a histogram of this many categories, at least 2"),
    Argument(
        "neighbours",
        'of a histogram: one record is replaced ("replace", default) or becomes zeros ("delete")',
        values=("replace", "delete"),
    ),
)
HELD = Argument("ones", "of a histogram: how many categories each record holds (default 1)")
AT_MOST = Argument("at_most", "of a histogram, in place of --ones: each record holds so many categories or fewer")
ROUNDS = Argument("rounds", "how many times everybody reports, with other data each time (default 1)")

CONFIDENCE = Argument("confidence", "0 < confidence < 1 (default 0.95)", default="0.95")
METHOD = Argument(
    "method", "exact (default), chebyshev, hoeffding or normal", values=("exact", "chebyshev", "hoeffding", "normal")
)

CERTIFICATE = Argument(
    "certificate", "write the answer with its proof there; check.py checks it with Python alone", metavar="FILE",
    typed=True,
)  # fmt: skip
FORMAL = Argument(
    "formal", "write the answer as a theorem for Coq and for the checker that Coq proved (.v or .txt)", metavar="FILE",
    typed=True, endings=(".v", ".txt"),
)  # fmt: skip
AXIOMS = Argument(
    "axioms", "say what the answer rests on: theorems by number, which of them Coq has checked, FLINT, doubles",
    flag=True, typed=True,
)  # fmt: skip

OTHERS = Argument(
    "ones",
    "single bits: only the datasets with this many ones among the other n - 1 records; "
    "with --categories: how many categories each record holds (default 1)",
)


class Question(NamedTuple):
    """One row.

    Attributes:
        function: the name of the public function.
        answer: the name of what it returns.
        summary: what is asked, in a line.
        arguments: in the order of the help.
        example: a command line.
        mechanism: whether n, q, k and so on describe the mechanism that the function looks at.
        swept: whether it may be swept: it returns an enclosure or a bracket.
    """

    function: str
    answer: str
    summary: str
    arguments: tuple[Argument, ...]
    example: str
    mechanism: bool = False
    swept: bool = False

    @property
    def call(self) -> Callable[..., Any]:
        """The function."""
        found: Callable[..., Any] = getattr(import_module("dpcalc"), self.function)
        return found

    @property
    def own(self) -> dict[str, Argument]:
        """The arguments of the function, or of its mechanism, by name."""
        return {argument.name: argument for argument in self.arguments if not argument.typed}

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the call, by name, with the mechanism made."""
        return of_mechanism(given, held=HELD in self.arguments) if self.mechanism else dict(given)


def of_mechanism(given: Mapping[str, Any], *, held: bool = False) -> dict[str, Any]:
    """The arguments of a call, by name, with the mechanism made from those that describe it.

    ``held`` says whether ``ones`` always belongs to the mechanism, as the ones of a histogram's record.
    """
    from dpcalc.choose.collected import collected

    parts = signature(collected).parameters.keys() - (() if held or "categories" in given else {"ones"})
    described = {name: x for name, x in given.items() if name in parts}
    return {"mechanism": collected(**described), **{name: x for name, x in given.items() if name not in parts}}


#: In the order of the help.
QUESTIONS = (
    Question(
        "delta", "delta", "the least delta for an epsilon, over every dataset",
        (*USERS, *CHANCES, K, *LIMIT, *HISTOGRAM, ROUNDS, OTHERS, CERTIFICATE, FORMAL, AXIOMS,
         RTOL._replace(help="relative width (default 1e-4 over every dataset, 1e-12 for one; "
                            "histograms and rounds: an aim of 1e-2)")),
        "delta --n 1e6 --q 0.1 --epsilon 0.0125", mechanism=True, swept=True,
    ),
    Question(
        "epsilon", "epsilon", "the least epsilon for a delta, over every dataset",
        (*USERS, *CHANCES, K, DELTA._replace(help="the target, 0 <= delta < 1"), *HISTOGRAM, ROUNDS, OTHERS,
         CERTIFICATE, FORMAL, AXIOMS, RTOL),
        "epsilon --n 1e5 --q 0.0067 --delta 1e-9 --categories 16 --rounds 30", mechanism=True, swept=True,
    ),
    Question(
        "least_q", "q", "the least q for (epsilon, delta)-differential privacy",
        (*USERS, *LIMIT, DELTA, RTOL, K, *HISTOGRAM, HELD, AT_MOST, ROUNDS,
         Argument("bits", "bits per record, reported as vectors (default 1)"),
         Argument("dataset", 'of vectors: "every" dataset (default), or "identical" records',
                  values=("every", "identical")), CERTIFICATE, FORMAL),
        "least-q --n 50000 --epsilon 1 --delta 1e-8", swept=True,
    ),
    Question(
        "least_n", "n", "the fewest honest users for (epsilon, delta)-differential privacy",
        (Q, *LIMIT, DELTA, RTOL, K, *HISTOGRAM, HELD, AT_MOST, ROUNDS, *LOSSES, CERTIFICATE, FORMAL),
        "least-n --q 0.1 --epsilon 0.5 --delta 1e-6", swept=True,
    ),
    Question(
        "most_k", "k", "the most reports by each user for (epsilon, delta)-differential privacy",
        (*USERS, Q, *LIMIT, DELTA, RTOL, *HISTOGRAM, HELD, AT_MOST, ROUNDS, CERTIFICATE, FORMAL),
        "most-k --n 1000 --q 1/4 --lam 2 --delta 1e-6", swept=True,
    ),
    Question(
        "most_rounds", "rounds", "the most rounds within a budget (epsilon, delta)",
        (*USERS, Q, *LIMIT, DELTA, RTOL, K, *HISTOGRAM, HELD, CERTIFICATE),
        "most-rounds --n 1e4 --q 0.1 --epsilon 1 --delta 1e-6", mechanism=True, swept=True,
    ),
    Question(
        "count_interval", "s", "the 3-sigma interval of the pooled count",
        (N, Q, K, ONES, Argument("sigmas", "standard deviations (default 3)")),
        "count-interval --n 1000 --q 0.009 --ones 999", mechanism=True,
    ),
    Question(
        "coverage", "coverage", "how often an interval contains the true number of ones",
        (N, Q, K, ONES, CONFIDENCE, METHOD),
        "coverage --n 100 --q 0.1 --ones 5 --confidence 0.95 --method normal", mechanism=True,
    ),
    Question(
        "required_n", "n", "the fewest users for an estimate as accurate as wanted",
        (Argument("error", "the largest error allowed for the estimated fraction of ones, 0 < error < 1", needed=True),
         Q, K, CONFIDENCE,
         METHOD._replace(help="hoeffding (default) or chebyshev, a promise; normal, the width of the interval",
                         values=("hoeffding", "chebyshev", "normal")),
         Argument("numbers", "of the mean of numbers in a range, each rounded at random to a bit", flag=True)),
        "required-n --error 0.01 --q 0.1 --confidence 0.95",
    ),
    Question(
        "gaussian_sigma", "sigma", "the least sigma of the Gaussian mechanism of sensitivity 1",
        (*LIMIT, DELTA, RTOL._replace(help="relative width (default 1e-12)")),
        "gaussian-sigma --epsilon 1 --delta 1e-6", swept=True,
    ),
)  # fmt: skip
