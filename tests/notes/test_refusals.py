"""What the documents' own functions refuse."""

from fractions import Fraction

import dpcalc as dp
from dpcalc.notes.barrier.lower_bound import Randomizer
from dpcalc.notes.collections.membership import presence_ratio
from dpcalc.notes.collections.records import bit_counts, collection, record, replaced
from tests.refusals import refusals

NAMES = {
    "F": Fraction, "Randomizer": Randomizer, "record": record, "collection": collection, "replaced": replaced,
    "bit_counts": bit_counts, "presence_ratio": presence_ratio,
    "COINS": dp.RandomizedResponse("1/4"), "BITS": dp.KRandomization(n=3, q="1/5", bits=2),
    "FIFTY": ["010101"] * 50, "LONG": dp.KRandomization(n=10**15, q="1/5", bits=101),
    "ASKED": {"n": 10, "lam": 2, "delta": "0.1"},
    "ILL": {"table": [{"age": 1, "ill": 2}] * 4, "quasi": "age", "sensitive": "ill"},
}  # fmt: skip

test_refusals = refusals(
    """
Randomizer(zero=("1/2", "1/2"), one=("1/2", "1/3")) | one = ('1/2', '1/3') ~
Randomizer(zero=("0", "1"), one=("1/2", "1/2")) | zero = ('0', '1') ~
Randomizer(zero=("1/2", "1/2"), one=("1/2", "1/4", "1/4")) | one = ('1/2', '1/4', '1/4') ~ as many probabilities
Randomizer.of(BITS) | bits = 2 ~
distinguish(COINS, n=0, rate="1/2") | n = 0 ~
distinguish(COINS, n=5, rate="1.5") | rate = '1.5' ~
barrier(COINS, [10], exponent=1) | exponent = 1 ~
barrier(COINS, [10], exponent="0.501") | exponent = '0.501' ~ a rational with a denominator of at most 100
barrier(COINS, [4], scale=3) | n = 4 ~ an n that is at least scale n^exponent
barrier(COINS, [4], scale=0) | scale = 0 ~
record(110) | record = 110 ~ a bit vector such as '110' or (1, 1, 0)
record("") | record = '' ~ a bit vector
collection([]) | records = [] ~ one or more records
collection(["11", "1"]) | records = '1' ~ records of 2 bits, as the first one
replaced(["11"], 2, "00") | place = 2 ~ a whole number from 1 to 1
bit_counts((1, 2, 3)) | outcome = (1, 2, 3) ~ 2^L counts
query_pmf(["1"], q="0.5") | q = '0.5' ~ a flip probability with 0 < q < 1/2
anonymous_q(["1", "0"], anonymity=0) | anonymity = 0 ~
anonymous_q(["1", "0"], anonymity="much") | anonymity = 'much' ~
presence_ratio(["01"], q="0.2") | records = ['01'] ~ two or more records
presence("1", ["01"], q="0.2") | vector = '1' ~ a vector of 2 bits
rappor_epsilon(q="0.2", hashes=0) | hashes = 0 ~
compare(["1"], ["1", "0"], q="0.2") | neighbour = ['1', '0'] ~ as many records, one of them changed
compare(["11"], ["1"], q="0.2") | neighbour = ['1'] ~ records of 2 bits
compare(["1", "1"], ["0", "0"], q="0.2") | neighbour = ['0', '0'] ~ a collection that differs in exactly one row
maximal_collections(n=2, bits=1, q="0.2", lam="1/2") | lam = '1/2' ~
vector_delta(BITS) | lam or epsilon is missing
vector_delta(BITS, lam=2, rtol=1) | rtol = 1 ~
least_q(**ASKED, bits=2, rounds=3) | bits = 2 ~
least_q(**ASKED, bits=2, categories=4) | bits = 2 ~
least_q(**ASKED, bits=0) | bits = 0 ~
least_q(**ASKED, dataset="any") | dataset = 'any' ~
least_q(**ASKED, dataset="identical", rounds=2) | dataset = 'identical' ~
closeness(**ILL, epsilon=-1) | epsilon = -1 ~ a number >= 0
closeness(**ILL, epsilon=1, distance="cosine") | distance = 'cosine' ~ one of variational, l1, l2, kullback-leibler
n_closeness(**ILL, epsilon=-1, n=1) | epsilon = -1 ~ a number >= 0
n_closeness(**ILL, epsilon=1, n=1, distance="cosine") | distance = 'cosine' ~
n_closeness(**ILL, epsilon=1, n=0) | n = 0 ~ a whole number from 1 to 4
n_closeness(**ILL, epsilon=1, n=5) | n = 5 ~ a whole number from 1 to 4
closeness(**ILL | {"quasi": []}, epsilon=1) | quasi = [] ~ one or more columns, each once
closeness(**ILL | {"quasi": ["ill"]}, epsilon=1) | quasi = ['ill'] ~ one or more columns, each once
closeness(**ILL | {"quasi": ["age", "age"]}, epsilon=1) | quasi = ['age', 'age'] ~ one or more columns, each once
""",
    **NAMES,
)

OUTCOMES = "the outcome space of 50 reports over 64 cells needs 370,020,081,089,776,792,180,480,276,569,696 outcomes"
test_what_does_not_fit = refusals(
    f"""
distinguish(COINS, n=10**21, rate=F(1, 10**10)) | a tail of the count of reports needs
query_pmf(FIFTY, q="0.2") | {OUTCOMES}
privacy_ratios(FIFTY, [*FIFTY[1:], "111111"], q="0.2") | {OUTCOMES}
maximal_collections(n=50, bits=6, q="0.2") | {OUTCOMES}
maximal_collections(n=12, bits=3, q="0.2") | the search for maximal collections needs 2,686,556,070 steps
maximal_collections(n=10**15, bits=24, q="0.2") | the outcome space of 1,000,000,000,000,000 reports over 16,777,216
maximal_collections(n=2, bits=25, q="0.2") | the list of all bit vectors needs 25 bits, the limit is 24 bits
maximal_collections(n=2, bits=10**15, q="0.2") | the list of all bit vectors needs
query_pmf(["1"] * 100_000, q="0.2") | the exact pmf of 100,000 reports needs 3,753,237,532 bytes
query_pmf(["1" * 10_000], q="0.2") | the list of all bit vectors needs 10,000 bits, the limit is 24 bits
anonymity([f"{{i:010b}}" * 2 for i in range(1024)], q="0.2") | the products over all records needs
presence_ratio(["0" * 30, "1" * 30], q="0.2") | the list of all vectors and records needs
identical_exceedance(KRandomization(n=1_000, q="0.2", bits=5), lam=2) | the list of all histograms of 1,000 reports
identical_exceedance(LONG, lam=2) | the likelihood ratio of a report needs 101 bits, the limit is 100 bits
vector_delta(LONG, lam=2) | the likelihood ratio of a report needs 101 bits, the limit is 100 bits
vector_delta(KRandomization(n=1, q="1/5", bits=10**15), lam=2) | the likelihood ratio of a report needs
""",
    dp.TooLarge,
    **NAMES,
)

test_what_is_never_or_always_so = refusals(
    """
anonymous_q(["1", "0"], anonymity=1) | the anonymity of this collection stays below 1
anonymous_q(["1"], anonymity="1e-9") | the anonymity of this collection stays below 0
anonymous_q(["10", "10", "01", "01"], anonymity=1) | every record occurs twice or more
anonymous_q(["11"] * 3, anonymity="7/4") | the anonymity of this collection stays below 1.75
anonymous_q(["1", "0"], anonymity=F(1, 10**301)) | it has that anonymity already at q = 1e-300, the least value searched
least_q(n=2, bits=2, lam=10**80, delta="0." + 600 * "9") | the target holds already at q = 1e-300
""",
    dp.NoSolution,
    **NAMES,
)
