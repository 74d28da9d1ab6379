"""A noisy count as a theorem that Coq proves, or as the input of the extracted program: ``noise_exact`` of noise.v.

Coq's checker sums up delta of every change of the count in whole numbers: no witness is needed.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc import check
from dpcalc.certificates.coq import OneRound, Theorem, next_to, statement, widened
from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure


def formal_noise(asked: check.Entries, answer: check.Entries) -> Theorem:
    """The theorem, which Coq's checker will accept.

    Args:
        asked: the question of a certificate.
        answer: its answer.

    Raises:
        DomainError: the question or its answer is none of a certificate.
        Undecided: the numbers that Coq would compute do not prove the claim.
    """
    given = {name: asked.number(name) for name in ("lam", "epsilon", "delta") if name in asked}
    lower, upper, delta = answer.number("lower"), answer.number("upper"), given.get("delta")
    if lower > upper or len(given) != 1:
        raise DomainError("certificate", dict(asked), "one of lam, epsilon and delta, and lower at most upper")
    limits = [("epsilon", end) if delta is not None else next(iter(given.items())) for end in (upper, lower)]
    (low, terms), (high, more) = next_to(*limits[0], above=False), next_to(*limits[1], above=True)
    low = max(low, Fraction(1))
    (_, holds), (fails, _) = check.noisy(asked, low), check.noisy(asked, max(high, Fraction(1)))
    if delta is None:
        upper, lower = widened(holds, upper, 1), widened(fails, lower, -1)
    elif holds > delta or not (fails > delta or lower <= 0):
        raise Undecided("an end was not found to hold", Enclosure(lower, upper))
    weights, most, what = check.weights(asked.part("noise")), asked.whole("sensitivity"), str(asked["what"])
    ((name, x),), listed, lower = given.items(), f"[:: {'; '.join(map(str, weights))}]", max(lower, Fraction(0))
    dp = f"DP_noise (weighted R {listed}%num) {most} lam"
    return Theorem(
        what=what, given=given, lower=lower, upper=upper, lambda_low=low, lambda_high=high, terms=max(terms, more),
        opening=(
            f"noise_{what} {len(weights)} {' '.join(map(str, weights))} {most}", f"Noise_{what} {listed} {most}%nat"
        ),
        about=f"noise of {len(weights)} outcomes, sensitivity = {most}, {name} = {x}, every dataset, both directions",
        statement=statement(name, x, lower, upper, dp, dp), witness=OneRound(),
    )  # fmt: skip
