"""The book's table of mechanisms and questions: every cell is asked, and says what the answer says."""

from contextlib import suppress
from pathlib import Path

import pytest

import dpcalc as dp

PAGE = Path(__file__).parents[1] / "notebooks" / "about" / "coverage.md"

BIT = dp.KRandomization(n=20, q="1/4")
HISTOGRAM = dp.UnaryEncoding(n=20, categories=3, q="1/4")
ASYMMETRIC = dp.AsymmetricBits(n=3, chances=("3/4", "1/8"))
FLEET = dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/3")])
NOISE = dp.NoisyCount(dp.Binomial(40, "1/2"))
THRESHOLD = dp.Thresholded(3, sampled="1/2")
SHUFFLE = dp.Shuffle(dp.k_ary_response(3, lam=3), n=20)

MECHANISMS = {
    "a bit": BIT,
    "a bit, k reports": dp.KRandomization(n=40, q="1/4", k=2),
    "a histogram": HISTOGRAM,
    "asymmetric bits": ASYMMETRIC,
    "a histogram of them": dp.AsymmetricBits(n=20, chances=("1/2", "1/5"), categories=3),
    "sampled clients": dp.Sampled(BIT, "1/2"),
    "sampled, their number released": dp.Sampled(BIT, "1/2", "ones and reports"),
    "a fleet": FLEET,
    "noise": NOISE,
    "discrete Gaussian noise": dp.NoisyCount(dp.DiscreteGaussian(3)),
    "discrete Laplace noise": dp.NoisyCount(dp.DiscreteLaplace("1/3")),
    "Skellam noise": dp.NoisyCount(dp.Skellam(9, 4)),
    "shares of Laplace noise": dp.NoisyCount(dp.NegativeBinomial("7/10", "7/10", epsilon=1)),
    "rounded Laplace noise": dp.NoisyCount(dp.RoundedLaplace(3)),
    "rounded Gaussian noise": dp.NoisyCount(dp.RoundedGaussian(3)),
    "a sum of noises": dp.NoisyCount(dp.Binomial(20, "1/2") + dp.DiscreteLaplace("1/3")),
    "a sampled contribution to noise": dp.Sampled(NOISE, "1/2"),
    "a shuffle": SHUFFLE,
    "rounded numbers": dp.RoundedNumbers(n=20, q="1/4", high=9),
    "a histogram, at most two categories": dp.UnaryEncoding(n=20, categories=3, q="1/4", at_most=2),
    "a threshold": THRESHOLD,
    "a threshold, records replaced": dp.Thresholded(2, sampled="3/4", neighbours="replace"),
    "rounds of a bit": dp.Rounds([(BIT, 3)]),
    "rounds of a histogram": dp.Rounds([(HISTOGRAM, 3)]),
    "rounds of asymmetric bits": dp.Rounds([(ASYMMETRIC, 3)]),
    "rounds of a fleet": dp.Rounds([(FLEET, 3)]),
    "rounds of noise": dp.Rounds([(NOISE, 3)]),
    "rounds of several": dp.Rounds([(BIT, 3), NOISE]),
}
WIDE = {"rtol": "1e-2"}
QUESTIONS = {
    "`delta`": lambda m: dp.delta(m, epsilon=1, **WIDE),
    "`epsilon`": lambda m: dp.epsilon(m, delta="1e-2", **WIDE),
    "`profile`": lambda m: dp.profile(m, [1], **WIDE),
    "`tradeoff`": lambda m: dp.tradeoff(m, rtol="0.1").advantage,
    "`most_rounds`": lambda m: dp.most_rounds(m, epsilon=3, delta="1/2", rtol="0.3"),
    "`privacy_loss`": lambda m: dp.privacy_loss(m, interval="0.1"),
    "`pessimistic=False`": lambda m: dp.privacy_loss(m, interval="0.1", pessimistic=False),
    "`certificate`": lambda m: dp.certificate(dp.delta, m, epsilon=1),
    "in `Rounds`": lambda m: dp.delta(dp.Rounds([(m, 2)]), epsilon=1, rtol="1e-1"),
}


def shown():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    heading, body = cells[0], cells[2:]
    return {row[0]: dict(zip(heading[1:], row[1:], strict=True)) for row in body}


def test_the_page_has_every_row_and_column():
    assert list(shown()) == list(MECHANISMS)
    assert all(list(row) == list(QUESTIONS) for row in shown().values())


def test_every_note_is_there_and_used():
    notes = {line[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "(" and line[2:3] == ")"}
    used = {cell.strip("()") for row in shown().values() for cell in row.values()} - {"yes"}
    assert notes == used


SLOW = {"`certificate`", "`most_rounds`", "`pessimistic=False`", "in `Rounds`"}


@pytest.mark.parametrize("question", [pytest.param(x, marks=[pytest.mark.soak] * (x in SLOW)) for x in QUESTIONS])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_cell_says_whether_there_is_an_answer(mechanism, question):
    ask, cell = QUESTIONS[question], shown()[mechanism][question]
    if cell == "yes":
        with suppress(dp.NoSolution):  # an answer too
            ask(MECHANISMS[mechanism])
    else:
        with pytest.raises(dp.DomainError):
            ask(MECHANISMS[mechanism])
