"""Parameters that are not allowed, by themselves or together, of every mechanism, noise and randomizer."""

from fractions import Fraction

import numpy as np

import dpcalc as dp
from dpcalc.mechanisms.sampling import bernoulli
from tests.refusals import refusals

NAMES = {
    "F": Fraction, "np": np, "bernoulli": bernoulli,
    "BIT": dp.KRandomization(n=3, q="1/4"), "BITS": dp.KRandomization(n=3, q="1/4", bits=2),
    "GROUP": dp.Group(n=3, q="1/4"), "LAPLACE": dp.DiscreteLaplace("1/2"),
    "COINS": dp.FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]]),
    "CROOKED": dp.FiniteMechanism([["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"]]),
    "UNLIKE": dp.FiniteMechanism([[Fraction(1, 3) + Fraction(x * y, 10**6) for y in (-1, 0, 1)] for x in range(20)]),
}  # fmt: skip

test_refusals = refusals(
    """
RandomizedResponse(0.5) | q = 0.5 ~ a flip probability with 0 < q < 1/2
RandomizedResponse.from_f(1) | f = 1 ~
RandomizedResponse.from_gamma("1/2") | gamma = '1/2' ~
RandomizedResponse.from_alpha(0) | alpha = 0 ~
RandomizedResponse.from_epsilon(0) | epsilon = 0 ~ a number > 0
KRandomization.from_epsilon(n=3, epsilon=-1, k=6) | epsilon = -1 ~ a number with 0 <= epsilon
KRandomization(n=0, q="1/4") | n = 0 ~ a whole number >= 1
KRandomization(n=1, q="1/4", k=0) | k = 0 ~ a whole number >= 1
KRandomization(n=1, q="1/4", bits=0) | bits = 0 ~ a whole number from 1 to
KRandomization(n=6, q="1/4", k=1e300) | k = 1e+300 ~
KRandomization(n=10**15, q="1/4", k=2) | n = 1000000000000000 ~ at most 1,000,000,000,000,000 reports
BITS.single_bit("ratio") | bits = 2 ~ bits = 1: ratio is defined for the count of single bits
pmf(BIT, ones=4) | ones = 4 ~
pmf(BITS, ones=1) | bits = 2 ~
UnaryEncoding(n=9, q="1/4", categories=1) | categories = 1 ~
UnaryEncoding(n=9, q="1/4", categories=4, ones=0) | ones = 0 ~
UnaryEncoding(n=9, q="1/4", categories=4, ones=5) | ones = 5 ~
UnaryEncoding(n=9, q="1/4", categories=4, ones=4) | ones = 4 ~ ones < categories
UnaryEncoding(n=9, q="1/4", categories=4, neighbours="add") | neighbours = 'add' ~ one of replace, delete
UnaryEncoding(n=2, q="1/4", categories=3, k="1e15") | k = '1e15' ~ at most 1,000,000,000,000,000 reports n k
UnaryEncoding(n=9, q="1/4", categories=10**7, ones=10**6) | ones = 1000000 ~ at most 1,000,000 counts that change
RoundedNumbers(n=2, q="1/4", low=2, high="1") | high = '1' ~ a number > low
AsymmetricBits(n=9, chances=("1/10", "1/2")) | chances = ('1/10', '1/2') ~
AsymmetricBits(n=9, chances=("1/2", "1/2")) | chances = ('1/2', '1/2') ~
AsymmetricBits(n=9, chances=("1/2",)) | chances = ('1/2',) ~
AsymmetricBits(n=9, chances=("1/2", "1/10"), categories=1) | categories = 1 ~
AsymmetricBits(n=9, chances=("1/2", "1/10"), neighbours="delete") | neighbours = 'delete' ~
Group(n=2, q="1/10", chances=("1/2", "1/10")) | q, chances = ('1/10', ('1/2', '1/10')) ~ exactly one
Dummies(3, 1) | probability = 1 ~
Dummies(0) | count = 0 ~
Fleet([]) | groups = [] ~ 1 to 20 Groups
Fleet([BIT]) | groups = [KRandomization(n=3, q='1/4')] ~ 1 to 20 Groups
Fleet(GROUP) | groups = Group(n=3, q='1/4') ~ 1 to 20 Groups
Fleet([GROUP, GROUP], honest=[1]) | honest = [1] ~ 2 whole numbers
Fleet([GROUP, GROUP], honest=[1, 4]) | honest = 4 ~ a whole number from 1 to 3
Fleet([Group(n=10**15, q="1/4"), GROUP]) | groups = [Group(n=1000000000000000, q='1/4'), Group(n=3, q='1/4')] ~ at most
Fleet([Group(n=10**15, q="1/4")], dummies=[Dummies(1)]) | groups = [Group(n=1000000000000000, q='1/4')] ~ at most
Fleet([GROUP], neighbours="remove") | neighbours = 'remove' ~ one of replace, add-remove
delta(Fleet([GROUP, GROUP]), lam=2, ones=3) | ones = 3 ~ 2 whole numbers
delta(Fleet([GROUP, GROUP]), lam=2, ones=[3, 3]) | ones = [3, 3] ~ fewer ones than users
delta(Fleet([GROUP, GROUP]), lam=2, ones=[4, 0]) | ones = 4 ~
Sampled(BIT, 0) | share = 0 ~
Sampled(BIT, 1) | share = 1 ~
Sampled(BIT, "1/2", "all") | released = 'all' ~
Sampled(BITS, "1/2") | bits = 2 ~
Sampled(3, "1/2") | clients = 3 ~
Sampled(Fleet([Group(n=3, q="1/4", k=2)]), "1/2") | clients = Fleet(groups
Sampled(UnaryEncoding(n=4, q="1/5", categories=2), "1/2") | clients = UnaryEncoding(
Sampled(AsymmetricBits(n=4, chances=("4/5", "1/5"), categories=2), "1/2") | clients = AsymmetricBits(
Sampled(NoisyCount(Binomial(9, "1/2"), 2), "1/2") | clients = NoisyCount(noise=Binomial(
Sampled(NoisyCount(Binomial(9, "1/2")), "1/2", "ones and reports") | clients = NoisyCount(
Thresholded(0) | threshold = 0 ~
Thresholded(2, sampled=0) | sampled = 0 ~
Thresholded(2, noise="laplace") | noise = 'laplace' ~
Thresholded(2, neighbours="delete") | neighbours = 'delete' ~ one of add-remove, replace
delta(Thresholded(2, sampled="1/2", noise=Poisson(3)), lam=2) | noise = Poisson(mean='3') ~ noise with a short list
delta(Thresholded(2), lam=2, ones=1) | ones = 1 is not allowed: leave it out
NoisyCount(5) | noise = 5 ~
NoisyCount(Poisson(1), 0) | sensitivity = 0 ~
NoisyCount(NegativeBinomial("1/2", 0, epsilon=1)) | noise = 'a part of shape 1/2' ~ noise that is log-concave
NoisyCount(NegativeBinomial("1/2", "1/2", epsilon=1) + LAPLACE + Poisson(1)) | noise = 'a part of shape 1/2' ~
NoisyCount(FiniteNoise(["1/2", 0, "1/2"]) + LAPLACE) | noise = 'a list of 3 masses in a sum' ~ a log-concave list
delta(NoisyCount(Poisson(1)), lam=2, ones=0) | ones = 0 is not allowed: leave it out
delta(NoisyCount(Poisson(1)), lam=2, rtol=2) | rtol = 2 ~
Binomial(0, "1/2") | trials = 0 ~
Binomial(5, 1) | probability = 1 ~
Poisson("1e-101") | mean = '1e-101' ~
Geometric(1, 5) | ratio = 1 ~
Geometric("1/2", -1) | bound = -1 ~
Geometric(None, 5) | ratio = None ~
Geometric("1/2", 5, epsilon=1) | ratio, epsilon = ('1/2', 1) ~ one of them
Geometric.from_epsilon(0, 5) | epsilon = 0 ~
FiniteNoise(["1/2", "1/3"]) | masses = ['1/2', '1/3'] ~
FiniteNoise("1") | masses = '1' ~
FiniteNoise(["3/2", "-1/2"]) | masses = ['3/2', '-1/2'] ~
DiscreteGaussian(0) | sigma = 0 ~
DiscreteGaussian() | sigma, square = (None, None) ~ one of them
DiscreteGaussian(3, square=9) | sigma, square = (3, 9) ~ one of them
DiscreteGaussian("1e16") | sigma = '1e16' ~
DiscreteGaussian.from_square(-1) | square = -1 ~
DiscreteLaplace(0) | epsilon = 0 ~
DiscreteLaplace(lam=1) | lam = 1 ~
Skellam(0, "0") | mu_2 = '0' ~ a number with 1e-100 <= mu_2
Skellam(-1, 2) | mu_1 = -1 ~ 0, or a number with
NegativeBinomial(0, 0, epsilon=1) | shape_2 = 0 ~
RoundedLaplace("0.0009") | scale = '0.0009' ~
RoundedLaplace("1e16") | scale = '1e16' ~
RoundedGaussian("0.04") | sigma = '0.04' ~
RoundedLaplace(1) + RoundedLaplace(1) | noise = RoundedLaplace(scale='1') ~ in a sum any noise but a rounded one
LAPLACE + RoundedGaussian(1) | noise = RoundedGaussian(sigma='1') ~ in a sum any noise but a rounded one
Shuffle([["1/2", "1/2"]], n=3) | randomizer = [['1/2', '1/2']] ~ a FiniteMechanism
Shuffle(FiniteMechanism([["1/2", "1/2"]]), n=3) | randomizer = FiniteMechanism(matrix=((
delta(Shuffle(CROOKED, n=3), lam=2, ones=2) | ones = 2 is not allowed: leave it out
delta(Shuffle(CROOKED, n=3), lam=2, rtol="1e-13") | rtol = '1e-13' ~
CategoryResponse(1, "1/2") | categories = 1 ~
CategoryResponse(2, 0) | flip = 0 ~
event_states(-1, []) | reports = -1 ~
event_states(1, [3]) | data = 3 ~
event_states(1, [(0, 1)]) | windows = 0 ~
event_states(1, [(1, 1)] * 2000) | data = 'more than 1,000 values' ~
k_ary_response(1, lam=2) | categories = 1 ~
k_ary_response(3, lam="1e5000") | lam = '1e5000' ~ a ratio limit >= 1, of at most 4,000 digits
subset_selection(3, 1, epsilon=10_001) | epsilon = 10001 ~
subset_selection(4, 4, lam=2) | size = 4 ~
subset_selection(4, 0, lam=2) | size = 0 ~
linked_unary_encoding(3, q="1/2") | q = '1/2' ~ q < p
linked_unary_encoding(3, q="1/4", p="1/4") | p = '1/4' ~ q < p
linked_unary_encoding(3, q="-1/4") | q = '-1/4' ~
rappor(3, f=1, p="1/4", q="3/4") | f = 1 ~
rappor(3, f="1/2", p="3/4", q="1/4") | q = '1/4' ~ p < q
FiniteMechanism([]) | matrix = [] ~ one or more rows
FiniteMechanism([[0.5, 0.6]]) | matrix[0] = [0.5, 0.6] ~ entries >= 0 that sum to exactly 1, not 11/10
FiniteMechanism([["1/2", "1/2"], ["3/2", "-1/2"]]) | matrix[1] = ['3/2', '-1/2'] ~ entries >= 0
FiniteMechanism([[1, 0], [1]]) | matrix[1] = [1] ~ 2 entries, as many as in row 0
FiniteMechanism([["x"]]) | matrix[0][0] = 'x' ~ a number such as 3
FiniteMechanism(["10", "01"]) | matrix[0] = '10' ~ a sequence of rows, each a sequence of probabilities
FiniteMechanism(7) | matrix = 7 ~ a sequence of rows
FiniteMechanism([[1], [1]], [(0, 2)]) | neighbours = 2 ~ a whole number from 0 to 1
FiniteMechanism([[1], [1]], [(1, 1)]) | neighbours = (1, 1) ~ pairs of two different rows
FiniteMechanism([[1], [1]], [0, 1]) | neighbours = 0 ~ pairs of two different rows
COINS.epsilon(rtol=1) | rtol = 1 ~
COINS.epsilon(2) | delta = 2 ~
COINS.lam(-1) | delta = -1 ~
COINS.after([[1]]) | number of rows = 1 ~ 2, one for each outcome before
COINS.after([[1], ["1/2"]]) | post[1] = ['1/2'] ~ entries >= 0 that sum to exactly 1, not 1/2
COINS.group(0) | size = 0 ~
randomize([0, 2], q="1/4") | bits = 2 ~ integers 0 and 1 (or booleans)
randomize([0.0, 1.0], q="1/4") | type of bits = 'float64' ~ integers 0 and 1 (or booleans)
randomize([], q="1/4") | shape of bits = (0,) ~ one or more bits in an array of shape (n,) or (n, L)
randomize(1, q="1/4") | shape of bits = () ~
randomize([[0, 1], [1]], q="1/4") | bits = [[0, 1], [1]] ~ a rectangular array of shape (n,) or (n, L)
randomize([1], q="1/2") | q = '1/2' ~ a probability with 0 < q < 1/2
randomize([1], q="1/4", rng="seed") | rng = 'seed' ~ None, a seed (a whole number >= 0) or a numpy Generator
randomize([1], q="1/4", rng=-1) | rng = -1 ~
bernoulli(F(1), 1, words=None) | q = Fraction(1, 1) ~ a probability with 0 <= q < 1
pool([1, 0]) | shape of reports = (2,) ~ one or more bits in an array of shape (n, k)
pool([[1, 3]]) | reports = 3 ~ integers 0 and 1 (or booleans)
""",
    **NAMES,
)

test_what_does_not_fit = refusals(
    """
k_ary_response(1_025, lam=2) | the matrix of this randomizer needs
k_ary_response("1e4000", lam=2) | the matrix of this randomizer needs
subset_selection("1e4000", "1e3000", lam=2) | the matrix of this randomizer needs
subset_selection(30, 15, lam=2) | the matrix of this randomizer needs
hadamard_response("1e4000", lam=2) | the matrix of this randomizer needs
linked_unary_encoding("1e4000", q="1/4") | the matrix of this randomizer needs
rappor(17, f="1/2", p="1/4", q="3/4") | the matrix of this randomizer needs
randomize([0, 1], q="1/4", k=10**9) | the array of reports needs 2,000,000,000 bits, the limit is 1,000,000,000 bits
NoisyCount(FiniteNoise(["1/4", *[0] * 9_000, "3/4"]), 9_000) | every shift of noise that is not log-concave needs
Geometric("1/2", 10**6) + LAPLACE | a list of masses in a sum needs
Shuffle(hadamard_response(100, lam=3), n=3) | comparing all inputs needs
delta(Shuffle(UNLIKE, n=3), lam=2) | comparing all pairs of inputs
delta(Sampled(KRandomization(n=10**4, q=".1", k=2), "1/2"), epsilon=1) | every outcome of every dataset
""",
    dp.TooLarge,
    **NAMES,
)
