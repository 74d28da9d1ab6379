r"""The least q, users and threshold, the most repeats and rounds for a target (epsilon, delta).

All are over every dataset. The worst delta, for fixed and for adaptive datasets, falls in q and in n, by
post-processing: reports flipped with q' > q are reports flipped with q and then once more; anybody can add the reports
of one more user, whatever they hold in each round (2.2, 2.3 and C14). So q and n have one threshold each.

In k it usually grows, but not always: reports have no owners once pooled, so that dropping one of each record is not
post-processing. At n = 60, q = 1/30 and lambda = 28 the worst delta is 0.0520 with two repeats and 0.0509 with three.

It rises with the number of rounds (C14), and falls as a threshold rises, to what the noise gives (T5). Of N users of a
fleet group g has ceil(s_g N), where s_g is its share in the given fleet; the number of dummies is fixed. The worst
delta falls in N, as it falls with more honest users in any group (``mechanisms.fleet``).

*Asymmetric reports.* One of the chances a and b is sought, which determines the other. The worst delta rises in both
local ratios a/b and (1 - b)/(1 - a), in one round and in several (A4, A5). Hence it is monotone

*with a fixed*      in b: as b rises to a both ratios fall, ``least_b``.
*with a/b fixed*    in a: as a falls the other ratio falls, ``most_a``, arm "ones". Of the (a, b) of one local epsilon
                    these are the ones with a/b = e^epsilon, from a = 0 up to the symmetric pair.
*with (1-b)/(1-a)*  fixed, in 1 - b: arm "zeros", the same with both bits exchanged: the other (a, b) of one local
                    epsilon. Both arms end at the symmetric pair, which has the largest delta of them all.

Source: proof notes, 2.2, 2.3, C14, T5, A4 and A5.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from dpcalc.choose.collected import asked_about, collected, exposed, is_bit
from dpcalc.choose.crossing import NEIGHBOURS, Sought, deltas, shown, solved_for, tolerance
from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.families.table import family
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import LARGEST, Number, between

if TYPE_CHECKING:  # a single bit needs it not
    from dpcalc.mechanisms.noise import Noise

_LEAST_Q, _MOST_Q = Fraction(1, 10**300), Fraction(1, 2) - Fraction(1, 10**12)
_FAINT, _FARTHEST = Fraction(1, 10**18), 250  # such a q is sought up to this epsilon: its square is still a double
_SHORT = 20  # digits of the q at which delta is 0
_BESIDE = 1 - Fraction(1, 10**12)  # the search for a chance stops at this share of the largest one
_TRIED_K = 8  # the largest k tried to find one that holds: delta may fall before it rises


def least_q(
    n: Number | Mechanism, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    bits: Number = 1, dataset: str = "every", at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """The least flip probability at which the pooled counts are (epsilon, delta)-differentially private.

    Args:
        n: records of honest users: whoever drops out or colludes hides nobody (``mechanisms.fleet``). Or a mechanism in
            place of all that describes one: bits, numbers or a histogram, or rounds of these, whose own q is ignored.
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: >= 0.
        k: reports per record.
        rounds: how many times all records report; their data may differ every time.
        categories: of a one-hot histogram; default: each record is a single bit.
        ones: how many categories each record holds, in a histogram.
        neighbours: of a histogram: "replace" or "delete", see ``UnaryEncoding``.
        bits: L, bits per record, for records that are reported as vectors; see ``vector_delta``.
        dataset: "every" one, or records that are "identical" but for the changed one.
        at_most: in place of ``ones``: each record holds at most so many categories.
        rtol: relative width of the bracket, at least 1e-9; default: 1e-6. For rounds and histograms it is only aimed
            at (see ``Rounds``); for these and for vectors the default is 1e-3.

    Returns:
        A bracket: at ``lower`` one dataset's delta is above the target; from ``upper`` on no dataset's is. For vectors
        in every dataset the ends come from different proofs, identical records and the blanket bound, and lie apart.
        Above epsilon = 250 a q below 1e-18 is not searched for: the ends are then 0 and a q at which delta is 0.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target already holds at q = 1e-300, or still fails at q = 0.499999999999.
        Undecided: no bracket of this width was found.

    >>> print(least_q(n=1000, lam=2, delta="1e-6"))
    0.047557...
    """
    asked = asked_about(
        n, "n", {"q": _LEAST_Q}, k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, bits=bits,
        at_most=at_most,
    )  # fmt: skip
    if one_of(dataset, "dataset", ("every", "identical")) == "identical" and not isinstance(asked, KRandomization):
        raise DomainError("dataset", dataset, '"every" for rounds and histograms')
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    width, told = _width(asked, rtol), exposed(asked)
    local = 1 / (1 + limit.root(told).lower)  # delta is 0 from there on
    silent = min(Fraction(rounded(local, _SHORT, 1)), _MOST_Q)
    if silent < _FAINT and limit.steer() > _FARTHEST:  # unflipped reports have delta = 1
        all_told, nothing = (Promise.that(Enclosure.of(x)) for x in (1, 0))
        found = Bracket(lower=Fraction(0), upper=silent, at_lower=all_told, at_upper=nothing, rtol=width, target=target)
    elif isinstance(asked, KRandomization) and (asked.bits > 1 or dataset == "identical"):
        from dpcalc.registered import registered

        found = registered("least_vector_noise")(
            n=asked.n, k=asked.k, bits=asked.bits, limit=limit, target=target, rtol=rtol, dataset=dataset
        )
    else:
        most = max(one.n for one, _ in asked.kinds)
        lost = (1 - target) * silent / (2 * most * told)  # where all others hold 0, its ones show
        sought = Sought(max(_LEAST_Q, min(_FAINT, lost)), silent, width, name="q")
        return solved_for(lambda q: asked.altered(q=q), limit, target, sought)
    return replace(found, mechanism=asked.altered(q=found.value))


def least_n(
    q: Number | Mechanism, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """The fewest honest users with whom the pooled counts are (epsilon, delta)-differentially private.

    A batch must be larger by as many users as may drop out, never flip, or tell what they sent. Arguments as in
    ``least_q``; in place of q a mechanism, whose own n is ignored, or a fleet, of which its shares count.

    Returns:
        A bracket of whole numbers: ``lower`` users are too few, with ``upper`` the target is proven. The two are
        neighbours if n is below 1/rtol. If one user is enough, both ends are 1. Of n users each group of a fleet has
        its share, rounded up: ``mechanism`` has these groups.

    Raises:
        DomainError: an argument out of range.
        NoSolution: more than 10^15 reports would be needed.
        Undecided: no bracket of this width was found.

    >>> fewest = least_n(q="1/10", epsilon=1, delta="1e-6")
    >>> fewest.upper - fewest.lower
    Fraction(1, 1)
    """
    asked = q if isinstance(q, Fleet) else asked_about(
        q, "q", {"n": 1}, k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, at_most=at_most
    )  # fmt: skip
    sought = Sought(Fraction(1), Fraction(_most_users(asked)), _width(asked, rtol), True, "n", enough=True)
    return solved_for(
        lambda n: asked.altered(n=n), Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), sought
    )  # fmt: skip


def _most_users(asked: Any) -> int:
    """So many may report at most."""
    if not isinstance(asked, Fleet):
        return LARGEST // max(int(one.k) for one, _ in asked.kinds)
    room = LARGEST - sum(one.count for one in asked.dummies) - sum(group.k for group in asked.groups)
    return room * sum(group.n for group in asked.groups) // sum(group.reports for group in asked.groups)


def _width(asked: Mechanism, rtol: Number | None) -> Fraction:
    """By default finer where a record changes one count, once: a single bit, or a one-hot record that is deleted."""
    return tolerance(rtol, "1e-6" if is_bit(asked.simplest) else "1e-3")


def most_k(
    n: Number | Mechanism, *, q: Number | None = None, delta: Number, lam: Number | None = None,
    epsilon: Number | None = None, rounds: Number = 1, categories: Number | None = None, ones: Number = 1,
    neighbours: str = "replace", at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """A number of repeats that is (epsilon, delta)-differentially private while one more is not.

    Arguments as in ``least_q``; of a mechanism k is ignored; rtol is for rounds and histograms.

    Returns:
        A bracket of whole numbers, neighbours for single bits in one round: the target holds at ``lower`` (its
        ``value``) and fails at ``upper``. As delta need not grow with k (see above), the target may hold again above
        ``upper``, or fail below ``lower``.

    Raises:
        DomainError: an argument out of range.
        NoSolution: every k up to 8 (of rounds and histograms k = 1) breaks the target, or a million reports per record
            (or 10^15 in all) do not.
        Undecided: a delta is too near the target; with more than 2,000 reports, one that equals it to 9 digits.

    >>> most_k(n=1000, q="1/4", lam=2, delta="1e-6").value
    Fraction(20, 1)
    >>> most_k(n=100_000, q="0.00014", lam=100, delta="1e-9").value  # k = 1 fails: delta is 8e-7 there
    Fraction(3, 1)
    """
    asked = asked_about(
        n, "n", {"k": 1}, q=q, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, at_most=at_most
    )
    most = min(10**6, LARGEST // max(one.n for one, _ in asked.kinds))
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    width, tried = _width(asked, rtol), 1
    if is_bit(asked):
        width, tried = NEIGHBOURS, min(_TRIED_K, most)
    problem = lambda k: (family(asked.altered(k=k)), limit)  # noqa: E731
    sought = Sought(Fraction(most), Fraction(1), width, True, "k")
    every, _ = deltas(problem, target, sought)
    for good in range(1, tried + 1):
        found = every(Fraction(good), sought.fineness(Fraction(good), target, None))
        if found.upper <= target:
            break
        if found.lower <= target:
            raise Undecided(f"delta at k = {good} is too near the target", found)
    else:
        reports = f"1 to {tried} reports" if tried > 1 else "one report"
        raise NoSolution(f"delta is above {shown(target)} with {reports} per record; more were not tried")
    if good == most:
        raise NoSolution(f"delta is at most {shown(target)} even at k = {most:,}, the last value searched")
    return solved_for(lambda k: asked.altered(k=k), limit, target, replace(sought, holding=Fraction(good)))


def least_b(
    n: Number, *, a: Number, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, neighbours: str = "replace", rtol: Number = "1e-3",
) -> Bracket:  # fmt: skip
    """The least b at which asymmetric bits with this a are (epsilon, delta)-differentially private.

    a is the chance that a report is 1 if the bit is 1, 1e-100 < a < 1; 1/2 is optimized unary encoding. Other arguments
    as in ``least_q``. With more than 10,000 users several rounds take minutes.

    Returns:
        A bracket: at ``lower`` one dataset's delta is above the target, or that of a strategy that looks at earlier
        counts (its ``meaning`` says which); from ``upper`` up to a no dataset's is.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target already holds at b = 1e-300, or fails even next to a.
        Undecided: no bracket of this width was found.

    >>> print(least_b(n=1000, a="1/2", epsilon=1, delta="1e-6"))
    0.00282...
    """
    likely = between(a, "a", "1e-100", 1, "a probability")
    asked = partial(collected, n=n, k=k, rounds=rounds, categories=categories, neighbours=neighbours)
    return solved_for(
        lambda b: asked(a=likely, b=b), Limit.of(lam=lam, epsilon=epsilon), target_delta(delta),
        Sought(_LEAST_Q, _BESIDE * likely, tolerance(rtol)),
    )  # fmt: skip


def most_a(
    n: Number, *, ratio: Number, delta: Number, lam: Number | None = None, epsilon: Number | None = None,
    arm: str = "ones", k: Number = 1, rounds: Number = 1, categories: Number | None = None,
    neighbours: str = "replace", rtol: Number = "1e-3",
) -> Bracket:  # fmt: skip
    """The largest a, or 1 - b, that keeps the target, for asymmetric bits with a given a/b, or (1 - b)/(1 - a).

    With arm = "ones" the ratio is a/b, and a is sought; with "zeros" it is (1 - b)/(1 - a), and 1 - b is sought. It is
    above 1, and the larger of the two is e^(local epsilon). Other arguments as in ``least_b``.

    Returns:
        A bracket: up to ``lower`` no dataset's delta is above the target; at ``upper`` one is.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target holds even next to 1, or fails even at 1e-300.
        Undecided: no bracket of this width was found.

    >>> print(most_a(n=1000, ratio=3, epsilon="1/2", delta="1e-6"))
    0.96...
    """
    largest = between(ratio, "ratio", 1, 10**18, "a ratio")
    ones = one_of(arm, "arm", ("ones", "zeros")) == "ones"
    asked = partial(collected, n=n, k=k, rounds=rounds, categories=categories, neighbours=neighbours)
    return solved_for(
        lambda x: asked(a=x, b=x / largest) if ones else asked(a=1 - x / largest, b=1 - x),
        Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), Sought(_BESIDE, _LEAST_Q, tolerance(rtol)),
    )  # fmt: skip


def most_rounds(
    mechanism: Mechanism,
    *,
    delta: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    rtol: Number | None = None,
) -> Bracket:
    """How many times a mechanism may be run on the same people within a budget (epsilon, delta).

    Args:
        mechanism: what is run in every round.
        delta: the budget, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width to which each end is found, at least 1e-9 (default 1e-3); at least one round.

    Returns:
        A bracket of whole numbers. With ``lower`` rounds (its ``value``) the budget holds, even if later datasets
        depend on earlier counts. With ``upper`` rounds it is broken: by datasets fixed in advance or, for few rounds of
        few outcomes, by a strategy that looks at earlier counts; its ``meaning`` says which.

    Raises:
        DomainError: an argument out of range.
        NoSolution: one round breaks the budget, or the most rounds that ``Rounds`` takes (a million counts) keep it.
        Undecided: the ends of delta leave this open.

    >>> from dpcalc import KRandomization
    >>> most = most_rounds(KRandomization(n=1000, q="1/4"), epsilon=1, delta="1e-6")
    >>> print(f"{most}; {most.upper} are too many")
    41; 42 are too many
    """
    single = family(mechanism)
    limit, target, once = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), Rounds([mechanism])
    width = tolerance(rtol)
    alone = single.delta(limit, rtol=single.delta_width.of(None))
    if alone.lower > target:
        raise NoSolution(f"one round breaks the budget: delta = {alone}")
    return solved_for(
        lambda times: Rounds([(mechanism, times)]), limit, target,
        Sought(Fraction(MOST_ROUNDS // once.changed), Fraction(1), width, True, "rounds"),
    )  # fmt: skip


def least_users(
    fleet: Fleet, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, rtol: Number | None = None
) -> Bracket:
    """The fewest honest users with whom a fleet of these shares keeps the target: ``least_n(fleet, ...)``.

    The relative width that is aimed at is 1e-3 by default.

    >>> from dpcalc import Group
    >>> fewest = least_users(Fleet([Group(n=1, q="1/4"), Group(n=9, q="1/5")]), epsilon=1, delta="0.01")
    >>> print(fewest, [group.n for group in fewest.mechanism.groups])
    14 [2, 13]
    """
    if not isinstance(fleet, Fleet):
        raise DomainError("fleet", fleet, "a Fleet, such as Fleet([Group(n=1000, q='0.1')])")
    return least_n(fleet, delta=delta, lam=lam, epsilon=epsilon, rtol=tolerance(rtol))


def least_threshold(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sampled: Number = 1,
    noise: Noise | None = None, neighbours: str = "add-remove",
) -> Bracket:  # fmt: skip
    """The least count that may be released for (epsilon, delta)-differential privacy.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        sampled: the chance that a client reports, 0 < sampled <= 1.
        noise: added to each count; None: none.
        neighbours: "add-remove" or "replace".

    Returns:
        A bracket of neighbouring whole numbers: the target fails at ``lower`` and holds at ``upper`` (its ``value``)
        and all larger ones. If it holds at 1, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: no threshold up to 10^15 is enough, as without noise where every client reports.
        TooLarge: outcomes must be listed (see ``Thresholded``), and are too many.
        Undecided: a delta equals the target to 300 digits.

    >>> least_threshold(sampled="0.105", epsilon=1, delta="1e-8").value
    Fraction(11, 1)
    """
    from dpcalc.mechanisms.noisy_count import Thresholded

    asked = Thresholded(1, sampled=sampled, noise=noise, neighbours=neighbours)
    # from 1 on, as the outcomes of a large threshold may be too many to be listed
    sought = Sought(Fraction(1), Fraction(LARGEST), NEIGHBOURS, True, "threshold", enough=True)
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    return solved_for(lambda threshold: asked.altered(threshold=threshold), limit, target, sought, start=0.0)
