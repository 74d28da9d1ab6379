"""Counts that are none of a mechanism, and other arguments that are not allowed."""

import dpcalc as dp
from tests.refusals import refusals

test_refusals = refusals(
    """
estimate(BIT, 11) | s = 11 ~ a whole number from 0 to 10
estimate(BITS, 3) | bits = 2 ~ bits = 1
estimate(BIT, 3).interval() | confidence, sigmas = (None, None) ~ exactly one of them
estimate(BIT, 3).interval("0.9", sigmas=3) | confidence, sigmas = ('0.9', 3) ~ exactly one of them
estimate(BIT, 3).interval(sigmas=0) | sigmas = 0 ~
estimate(BIT, 3).interval("0.9", method="wald") | method = 'wald' ~ one of exact, chebyshev, hoeffding, normal
confidence_interval(BIT, -1, confidence="0.9") | s = -1 ~
confidence_interval(BIT, 1, confidence="1") | confidence = '1' ~
coverage(BIT, ones=11, confidence="0.9") | ones = 11 ~
coverage(BIT, ones=1, confidence=0) | confidence = 0 ~
coverage(BIT, ones=1, confidence="0.9", method="wald") | method = 'wald' ~
required_n(error=0, confidence="0.9", q="1/4") | error = 0 ~
required_n(error="0.1", confidence="0.9", q="1/2") | q = '1/2' ~
required_n(error="0.1", confidence="0.9", q="1/4", method="exact") | method = 'exact' ~
required_n(error="0.1", confidence="0.9", q="0.1", k=1e16) | k = 1e+16 ~ at most
variance(MIXED) | chances = (Fraction(1, 2), Fraction(1, 5)) ~ a + b = 1
variance(BIT, fraction="1.1") | fraction = '1.1' ~
count_interval(BIT, ones=11) | ones = 11 ~
estimate(NUMBERS, 7) | s = 7 ~ a whole number from 0 to 6
estimate(NUMBERS, 4).interval("0.9") | method = 'exact' ~ hoeffding, chebyshev or normal: with k > 1
estimate(NUMBERS, 1).interval(1) | confidence = 1 ~
confidence_interval(FLEET, [1, 2, 1], confidence="0.9") | s = [1, 2, 1] ~ one pooled count, or 2, one for each group
confidence_interval(DUMMIES, [1, 2], confidence="0.9") | s = [1, 2] ~ one pooled count
confidence_interval(FLEET, 5, confidence="0.9") | s = 5 ~ a whole number from 0 to 4
confidence_interval(FLEET, [1, 3], confidence="0.9") | s = 3 ~ a whole number from 0 to 2
confidence_interval(FLEET, [], confidence="0.9") | s = [] ~ one pooled count
estimate(HISTOGRAM, []) | s = [] ~
estimate(HISTOGRAM, [[]]) | s = [] ~
estimate(HISTOGRAM, "12") | s = '12' ~
estimate(HISTOGRAM, 3) | s = 3 ~
estimate(HISTOGRAM, [1, 2]) | s = [1, 2] ~
estimate(HISTOGRAM, [1, 2, 51]) | s = 51 ~
estimate(HISTOGRAM, [[1, 2], [1], [1]]) | s = [[1, 2], [1], [1]] ~
confidence_interval(BIT, [], confidence="0.9") | s = [] ~
confidence_interval(BIT, [1, 11], confidence="0.9") | s = 11 ~
confidence_interval(BIT, [1, [2]], confidence="0.9") | s = [2] ~
estimate(KRandomization(n=10**15, q="1/8"), [1, 2]) | s = [1, 2] ~ a count, or one for each round, of at most
""",
    BIT=dp.KRandomization(n=10, q="1/4"),
    BITS=dp.KRandomization(n=10, q="1/4", bits=2),
    NUMBERS=dp.RoundedNumbers(n=3, q="1/4", k=2),
    FLEET=dp.Fleet([dp.Group(n=2, q="1/5"), dp.Group(n=2, q="1/3")]),
    MIXED=dp.Fleet([dp.Group(n=2, q="1/5"), dp.Group(n=2, chances=("1/2", "1/5"))]),
    DUMMIES=dp.Fleet([dp.Group(n=2, q="1/5"), dp.Group(n=2, q="1/3")], dummies=[dp.Dummies(2, "1/3")]),
    HISTOGRAM=dp.UnaryEncoding(n=50, categories=3, q="1/8"),
)
