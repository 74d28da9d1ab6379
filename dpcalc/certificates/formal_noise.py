"""A noisy count as a theorem that Coq proves, or as the input of the extracted program: ``noise_exact`` of noise.v.

Its checker sums up, in whole numbers, what every change of the count needs: there is nothing to look for.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from dpcalc import check
from dpcalc.certificates.coq import FILE, frac, next_to, ratio, two
from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure

_WIDER = Fraction(1, 10**9)


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
        about = {"lam": f"(Lambda {ratio(x)})", "epsilon": f"(Epsilon {ratio(x)})", "delta": ratio(x)}[name]
        asked = f"Noise_{self.what} {self._listed} {self.most}%nat {about} {ratio(self.lower)} {ratio(self.upper)}"
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
        low, high = (check.shown(end, way) for end, way in ((self.lower, ROUND_FLOOR), (self.upper, ROUND_CEILING)))
        holds = {
            "delta": f"delta = {high} is enough, and no delta below {low} is (both rounded outward).",
            "epsilon": f"every epsilon from {high} on holds, none up to {low} does (both rounded outward).",
        }[self.what]
        noise = f"noise of {len(self.weights)} outcomes, sensitivity = {self.most}"
        return f"{noise}, {name} = {x}, every dataset, both directions:\n   {holds}"

    @property
    def statement(self) -> str:
        """What the theorem says, in Coq's words."""
        ((name, x),) = self.given.items()
        dp = f"DP_noise (weighted R {self._listed}%num) {self.most} lam"
        low, high = frac(self.lower), frac(self.upper)
        if name == "delta":
            dp = f"{dp} {frac(x)}"
            return (
                f"forall epsilon lam : R, is_exp epsilon lam ->\n"
                f"  ({high} <= epsilon -> {dp}) /\\\n  (0 < epsilon <= {low} -> ~ {dp})"
            )
        limit = f"lam = {frac(x)}" if name == "lam" else f"is_exp {frac(x)} lam"
        return f"forall lam : R, {limit} ->\n  {dp} {high} /\\\n  (forall delta : R, {dp} delta -> {low} <= delta)"


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
        upper, lower = max(upper, _short(holds, upper, 1)), min(lower, _short(fails, lower, -1))
    elif holds > delta or not (fails > delta or lower <= 0):
        raise Undecided("an end was not found to be so", Enclosure(lower, upper))
    return FormalNoise(
        check.weights(asked.part("noise")), asked.whole("sensitivity"), given, max(lower, Fraction(0)), upper, low,
        high, max(terms, more),
    )  # fmt: skip


def _short(found: Fraction, end: Fraction, way: int) -> Fraction:
    """The end, or one a little further out where that is not found to be so."""
    if (found - end) * way <= 0:
        return end
    if (found - end * (1 + way * _WIDER)) * way > 0:
        raise Undecided("an end was not found to be so", Enclosure.of(end))
    return end * (1 + way * _WIDER)
