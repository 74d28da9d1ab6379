"""A noisy count as a theorem that Coq proves, or as the input of the extracted program: ``noise_exact`` of noise.v.

Its checker sums up, in whole numbers, what every change of the count needs: there is nothing to look for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcalc import check
from dpcalc.certificates.coq import FILE, held, next_to, ratio, stated, statement, two, widened
from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure


@dataclass(frozen=True, slots=True)
class FormalNoise:
    """A claim and its witness, as Coq's checker reads them.

    Attributes:
        weights: the noise, in proportion to whole numbers.
        most: by how much one record changes the count.
        given: lam or epsilon, or delta where epsilon is asked for.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        lambda_low, lambda_high: numbers at most and at least lambda, at the ends where they serve.
        terms: of the exponential series.
    """

    weights: list[int]
    most: int
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    lambda_low: Fraction
    lambda_high: Fraction
    terms: int

    @property
    def what(self) -> str:
        """The question."""
        return "epsilon" if "delta" in self.given else "delta"

    @property
    def numbers(self) -> str:
        """One line for the extracted program: the claim, then the witness."""
        ((name, x),) = self.given.items()
        found = [f"noise_{self.what}", len(self.weights), *self.weights, self.most]
        found += [two(x) if name == "delta" else f"{name} {two(x)}", two(self.lower), two(self.upper)]
        return " ".join(map(str, [*found, two(self.lambda_low), two(self.lambda_high), self.terms, 0, 0, 0])) + "\n"

    @property
    def coq(self) -> str:
        """A .v file."""
        ((name, x),) = self.given.items()
        ends = f"{ratio(self.lower)} {ratio(self.upper)}"
        asked = f"Noise_{self.what} {self._listed} {self.most}%nat {stated(name, x)} {ends}"
        return FILE.format(
            words=self.words, asked=asked, low=ratio(self.lambda_low), high=ratio(self.lambda_high), terms=self.terms,
            dataset=0, blocks="", bits=0, faint=0, statement=self.statement,
        )  # fmt: skip

    @property
    def _listed(self) -> str:
        return f"[:: {'; '.join(map(str, self.weights))}]"

    @property
    def words(self) -> str:
        """The claim in words."""
        ((name, x),) = self.given.items()
        noise = f"noise of {len(self.weights)} outcomes, sensitivity = {self.most}"
        return f"{noise}, {name} = {x}, every dataset, both directions:\n   {held(self.what, self.lower, self.upper)}"

    @property
    def statement(self) -> str:
        """What the theorem says, in Coq's words."""
        ((name, x),) = self.given.items()
        dp = f"DP_noise (weighted R {self._listed}%num) {self.most} lam"
        return statement(name, x, self.lower, self.upper, dp, dp)


def formal_noise(asked: check.Entries, answer: check.Entries) -> FormalNoise:
    """What Coq's checker is asked to accept, and will.

    Args:
        asked: the question of a certificate.
        answer: its answer.

    Raises:
        Undecided: the claim was not found to be so with the numbers that Coq would compute.
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
        raise Undecided("an end was not found to be so", Enclosure(lower, upper))
    return FormalNoise(
        check.weights(asked.part("noise")), asked.whole("sensitivity"), given, max(lower, Fraction(0)), upper, low,
        high, max(terms, more),
    )  # fmt: skip
