r"""A plan: for each number of repeats k, the noise each bound asks for, its cost and its true guarantee.

The bounds are ``choose.columns``. Each q is rounded up to the digits that are printed. The rest is computed at that q:
sigma, the local epsilon, the exact probabilities that an outcome breaks the limit, and the worst delta at lambda over
every dataset.

Source: K16, sections 4.3 and 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from dpcalc.accuracy.counted import Counted
from dpcalc.choose.choices import Choice, Plan, Row, as_printed
from dpcalc.choose.columns import COLUMNS, Case, asked_bounds
from dpcalc.choose.deployment import Deployment
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided
from dpcalc.mechanisms.response import KRandomization, RoundedNumbers
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import one_of, one_or_many
from dpcalc.numbers.rational import Number, deviations, integer, positive
from dpcalc.pairs.family import Progress
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.ratio import Outside, outside
from dpcalc.registered import registered
from dpcalc.worst.datasets import Dataset, Datasets, Delta

_Side = TypeVar("_Side")

_LEAST_EXCESS = Fraction(1, 10**50)  # of lambda over 1: doubles cannot steer below it
_RTOL = Fraction(1, 10**5)  # of the worst delta, which is shown to 4 digits


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
    asked = [
        Deployment.of(
            k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, bits=bits, numbers=numbers
        )
        for k in repeats
    ]
    rows, applying = [], asked_bounds(asked[0], target, names)
    for done, one in enumerate(asked):
        rows.append(_row(Case(records, one, limit, target, window), applying))
        if on_row:
            on_row(rows[-1])
        if progress:
            progress((done + 1) / len(repeats))
    return Plan(
        n=records,
        limit=limit,
        delta=target,
        deployment=asked[0],
        rows=tuple(rows),
        gaussian=_gaussian(asked[0], limit, target),
        budget=allowed,
        max_local_epsilon=most,
        bounds=applying,
    )


def _gaussian(asked: Deployment, limit: Limit, target: Fraction | None) -> Enclosure | None:
    if target is None or asked.bits > 1 or asked.numbers:
        return None
    changed = asked.exposed // asked.k  # counts, each of which shows the Gaussian mechanism's shift
    return gaussian_sigma(**limit.argument, delta=target) * sqrt(Fraction(changed))


def _row(at: Case, bounds: Sequence[str]) -> Row:
    choices: dict[str, Choice] = {}
    missing: dict[str, str] = {}
    for name in bounds:
        try:
            choices[name] = _choice(name, at, COLUMNS[name].least(at), missing)
        except (NoSolution, TooLarge, Undecided) as error:
            missing[name] = str(error)
    return Row(k=at.collected.k, reports=at.collected.k * at.n, choices=choices, missing=missing)


def _choice(name: str, at: Case, q: Bracket, missing: dict[str, str]) -> Choice:
    """The choice at the printed q; ``missing`` is told why a figure could not be computed."""
    printed, asked = as_printed(q.value), at.collected
    used = Fraction(printed)
    one_count = KRandomization(n=at.n, q=used, k=asked.k)
    variance = Counted.of(RoundedNumbers(n=at.n, q=used, k=asked.k) if asked.numbers else one_count).variance()

    def beside(column: str, find: Callable[[], _Side]) -> _Side | None:
        try:
            return find()
        except (TooLarge, Undecided) as error:
            missing[f"{column} at {name}"] = str(error)
            return None

    def broken() -> Outside | None:
        if asked.single_bit:
            return outside(one_count, at.limit, at.n - 1, exact=False)  # exact pmfs would take as long as all else
        if asked.bits == 1:
            return None
        vectors = KRandomization(n=at.n, q=used, k=asked.k, bits=asked.bits)
        found: Outside = registered("identical_exceedance")(vectors, **at.limit.argument)
        return found

    def kept() -> Enclosure:
        if name == "classical":  # no outcome is above lambda
            return Delta(Fraction(0), Fraction(0), Dataset(0, 0)) if asked.single_bit else Enclosure.of(0)
        if name != "private":
            return _delta(at, used)
        most = q.at_upper.upper  # delta falls in q
        try:
            found = _delta(at, used)
        except (TooLarge, Undecided):
            return Enclosure(Fraction(0), most)
        return found if found.upper <= most else replace(found, upper=most)

    return Choice(
        bound=name,
        q=q,
        printed=printed,
        sigma=sqrt(variance),
        local_epsilon=asked.mechanism(at.n, used).local_epsilon,
        outside=beside("P[ratio > lambda]", broken),
        delta=beside("delta", kept),
    )


def _delta(at: Case, q: Fraction) -> Enclosure:
    """The worst delta at q."""
    asked, limit = at.collected, at.limit
    if asked.bits > 1:
        vectors = KRandomization(n=at.n, q=q, k=asked.k, bits=asked.bits)
        worst: Enclosure = registered("vector_delta")(vectors, **limit.argument, exact=False).every_dataset
        return worst
    if asked.single_bit:  # an exact one would take as long as all else
        return Datasets.symmetric(q, asked.k, at.n - 1).largest(limit, rtol=_RTOL)
    family = asked.family(at.n, q)
    found: Enclosure = family.delta(limit, rtol=family.delta_width.of(None))
    return found
