r"""A plan: for each number of repeats k, the noise each bound asks for, its cost and its true guarantee.

private     (epsilon, delta)-differential privacy over every dataset; asked for by giving delta
classical   no outcome above lambda                                        (K16, 4.47)
closed      the notes' 3-sigma bound, all records 1, in closed form        (K16, 4.45, 5.24)
real        the same with the exact ratio at the real end of the window
lattice     the same at the worst integer outcome inside the window
two-sided   the lattice bound for the reciprocal ratio too
every       that for every dataset, each in its own window; where the search takes long the product bound, which is
            proven for every dataset, too

Only ``classical`` and ``private`` are differential privacy. Each q is rounded up to the digits that are printed. The
rest is computed at that q: sigma, the local epsilon, the exact probabilities that an outcome breaks the limit, and the
worst delta at lambda over every dataset.

Source: K16, sections 4.3 and 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from dpcalc.accuracy.counted import Counted
from dpcalc.choose.choices import Choice, Plan, Row, as_printed
from dpcalc.choose.collected import collected, exposed, is_bit
from dpcalc.choose.least import least_q
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided
from dpcalc.families.table import family
from dpcalc.local.solvers import classical_q, local_q, over_windows
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization, RoundedNumbers
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import flag, one_of, one_or_many
from dpcalc.numbers.rational import Number, deviations, integer, positive
from dpcalc.pairs.family import Progress
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.ratio import Outside, outside
from dpcalc.registered import registered
from dpcalc.worst.datasets import Dataset, Delta

_Side = TypeVar("_Side")

_LEAST_EXCESS = Fraction(1, 10**50)  # of lambda over 1: doubles cannot steer below it
_RTOL = Fraction(1, 10**5)  # of the worst delta, which is shown to 4 digits
_STEPS = 500_000  # of the search over every dataset: a second
_ANY = Fraction(1, 4)  # where the flip probability does not matter


class Case(NamedTuple):
    """What a row of a plan is about.

    Attributes:
        collected: what everybody reports; its q does not matter.
        numbers: whether the bit is a number from 0 to 1, rounded at random (``RoundedNumbers``): as private as any bit.
        limit: lambda.
        delta: the target, or None.
        window: half the notes' window, in standard deviations.
    """

    collected: Mechanism
    numbers: bool
    limit: Limit
    delta: Fraction | None
    window: Fraction

    @property
    def once(self) -> Any:
        """What is collected in one round."""
        return self.collected.kinds[0][0]


def _least_q(at: Case) -> Bracket:
    given: dict[str, Any] = {**at.limit.argument}
    return least_q(at.collected, delta=at.delta or 0, **given)


def _classical(at: Case) -> Bracket:
    return classical_q(**at.limit.argument, k=exposed(at.collected))


def _local(**more: Any) -> Callable[[Case], Bracket]:
    """``local_q``, by a method."""

    def least(at: Case) -> Bracket:
        given: dict[str, Any] = {**at.limit.argument, **more}
        return local_q(n=at.once.n, k=at.once.k, bits=at.once.bits, sigmas=at.window, **given)

    return least


def _every(at: Case) -> Bracket:
    with suppress(Undecided):
        return over_windows(at.once.n, at.once.k, at.limit, at.window, sides=2, most=_STEPS)
    return _local(dataset="every", sides=2, method="product")(at)


#: In the order in which a plan shows them: the mechanisms that a bound knows, and its least q. The notes look at one
#: count; K16 stops before the other bounds for vectors in 6.1.2.
COLUMNS: dict[str, tuple[Callable[[Mechanism], bool], Callable[[Case], Bracket]]] = {
    "private": (lambda asked: True, _least_q),
    "classical": (lambda asked: True, _classical),
    "closed": (lambda asked: isinstance(asked, KRandomization), _local(method="closed")),
    "real": (is_bit, _local(method="real")),
    "lattice": (is_bit, _local(method="lattice")),
    "two-sided": (is_bit, _local(method="lattice", sides=2)),
    "every": (is_bit, _every),
}


def plan(
    n: Number,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    ks: Number | Sequence[Number] = (1, 2, 5, 10, 20, 50),
    sigmas: Number = 3,
    budget: Number | None = None,
    rounds: Number = 1,
    categories: Number | None = None,
    ones: Number = 1,
    neighbours: str = "replace",
    bits: Number = 1,
    numbers: bool = False,
    max_local_epsilon: Number | None = None,
    bounds: str | Sequence[str] = "all",
    progress: Progress | None = None,
    on_row: Callable[[Row], None] | None = None,
) -> Plan:
    """What each bound asks for at each k, what it costs in accuracy and what it guarantees.

    Histograms and several rounds have the classical and the private choice only; sigma is that of one category's count
    in one round. Records of several bits have the closed bound, too; sigma is that of one bit's count, the private q is
    proven for every dataset (see ``least_q``), and no Gaussian limit is known.

    Args:
        n: records of honest users (``mechanisms.fleet``); sigma is that of their estimated ones.
        lam: the ratio limit lambda = e^epsilon > 1; give it or
        epsilon: > 0.
        delta: adds the (epsilon, delta) choice, its Gaussian limit and the best k.
        ks: reports per record, one row each; a single number gives one row.
        sigmas: half the window of the notes' bounds, in standard deviations.
        budget: the largest number k n of reports (of one category in one round) that the best k may take.
        rounds: how many times all records report.
        categories: of a one-hot histogram; default: each record is a single bit.
        ones: how many categories each record holds, in a histogram.
        neighbours: of a histogram: "replace" or "delete", see ``UnaryEncoding``.
        bits: L, bits per record, for records that are reported as vectors.
        numbers: whether users hold numbers in [0, 1] that are rounded at random to a bit (``RoundedNumbers``): sigma is
            then of their sum, the rounding included at its most, and no Gaussian limit is given.
        max_local_epsilon: the largest local epsilon of one record's reports that the best k may have.
        bounds: "all", or the names of one or more.
        progress: called with the share of the work done.
        on_row: called with each row as soon as it is found.

    Raises:
        DomainError: an argument out of range.

    >>> row = plan(n=1000, lam=2, ks=[1]).rows[0]
    >>> print(row.choices["classical"].q, row.choices["classical"].printed)
    1/3 0.333334
    """
    records = integer(n, "n", minimum=1)
    limit = Limit.of(lam=lam, epsilon=epsilon)
    if limit.excess < _LEAST_EXCESS:
        name, value, least = ("epsilon", epsilon, "1e-50") if lam is None else ("lam", lam, "1 + 1e-50")
        raise DomainError(name, value, f"a number >= {least}")
    target = None if delta is None else target_delta(delta)
    window = deviations(sigmas)
    allowed = None if budget is None else integer(budget, "budget", minimum=1)
    most = None if max_local_epsilon is None else positive(max_local_epsilon, "max_local_epsilon", "a local epsilon")
    names = [one_of(name, "bounds", COLUMNS) for name in (COLUMNS if bounds == "all" else one_or_many(bounds))]
    if delta is None and bounds != "all" and "private" in names and len(names) == 1:
        raise DomainError("delta", ..., "a delta, with the bound private")
    repeats = list(dict.fromkeys(integer(k, "k", minimum=1) for k in one_or_many(ks)))
    if not repeats:
        raise DomainError("ks", ks, "at least one number of reports per record")
    kinds = [
        collected(
            n=records, q=_ANY, k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, bits=bits
        )
        for k in repeats
    ]
    asked = kinds[0]
    if flag(numbers, "numbers") and not is_bit(asked.kinds[0][0]):
        raise DomainError("numbers", numbers, "leave it out: numbers are rounded to single bits")
    cases = [Case(kind, numbers, limit, target, window) for kind in kinds]
    applying = tuple(
        name
        for name, (answers, _) in COLUMNS.items()
        if name in names and answers(asked) and (name != "private" or target is not None)
    )
    rows = []
    for done, one in enumerate(cases):
        rows.append(_row(one, applying))
        if on_row:
            on_row(rows[-1])
        if progress:
            progress((done + 1) / len(repeats))
    return Plan(
        n=records,
        limit=limit,
        delta=target,
        deployment=asked,
        numbers=numbers,
        rows=tuple(rows),
        gaussian=_gaussian(cases[0]),
        budget=allowed,
        max_local_epsilon=most,
        bounds=applying,
    )


def _gaussian(at: Case) -> Enclosure | None:
    if at.delta is None or at.numbers or (isinstance(at.collected, KRandomization) and at.collected.bits > 1):
        return None
    changed = at.collected.changed  # counts, each of which shows the Gaussian mechanism's shift
    return gaussian_sigma(**at.limit.argument, delta=at.delta) * sqrt(Fraction(changed))


def _row(at: Case, bounds: Sequence[str]) -> Row:
    choices: dict[str, Choice] = {}
    missing: dict[str, str] = {}
    for name in bounds:
        try:
            choices[name] = _choice(name, at, COLUMNS[name][1](at), missing)
        except (NoSolution, TooLarge, Undecided) as error:
            missing[name] = str(error)
    return Row(k=at.once.k, reports=at.once.k * at.once.n, choices=choices, missing=missing)


def _choice(name: str, at: Case, q: Bracket, missing: dict[str, str]) -> Choice:
    """The choice at the printed q; ``missing`` is told why a figure could not be computed."""
    printed = as_printed(q.value)
    used = Fraction(printed)
    asked, once = at.collected.altered(q=used), at.once.altered(q=used)
    variance = Counted.of(RoundedNumbers(n=once.n, q=used, k=once.k) if at.numbers else once).variance()

    def beside(column: str, find: Callable[[], _Side]) -> _Side | None:
        try:
            return find()
        except (TooLarge, Undecided) as error:
            missing[f"{column} at {name}"] = str(error)
            return None

    def broken() -> Outside | None:
        if is_bit(asked):
            return outside(asked, at.limit, asked.n - 1, exact=False)  # exact pmfs would take as long as all else
        if not isinstance(asked, KRandomization):
            return None
        found: Outside = registered("identical_exceedance")(asked, **at.limit.argument)
        return found

    def kept() -> Enclosure:
        if name == "classical":  # no outcome is above lambda
            return Delta(Fraction(0), Fraction(0), Dataset(0, 0)) if is_bit(asked) else Enclosure.of(0)
        if name != "private":
            return _delta(asked, at.limit)
        most = q.at_upper.upper  # delta falls in q
        try:
            found = _delta(asked, at.limit)
        except (TooLarge, Undecided):
            return Enclosure(Fraction(0), most)
        return found if found.upper <= most else replace(found, upper=most)

    return Choice(
        bound=name,
        q=q,
        printed=printed,
        sigma=sqrt(variance),
        local_epsilon=asked.local_epsilon,
        outside=beside("P[ratio > lambda]", broken),
        delta=beside("delta", kept),
    )


def _delta(asked: Mechanism, limit: Limit) -> Enclosure:
    """The worst delta."""
    if isinstance(asked, KRandomization) and not is_bit(asked):
        worst: Enclosure = registered("vector_delta")(asked, **limit.argument, exact=False).every_dataset
        return worst
    pairs = family(asked)
    width = _RTOL if is_bit(asked) else pairs.delta_width.of(None)
    found: Enclosure = pairs.delta(limit, rtol=width, exact=False)  # an exact one would take as long as all else
    return found
