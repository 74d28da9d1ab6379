"""What a caller may get wrong in any public function: refused in one line that names the argument."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import dpcalc as dp
from dpcalc import claims
from dpcalc.errors import DomainError, DpcalcError

POOL = dp.KRandomization(n=3, q="1/4")
COINS = dp.RandomizedResponse("1/4")


# --- text where a list is meant ---------------------------------------------------------------------------


def test_one_number_or_id_is_a_list_of_one():
    assert [row.k for row in dp.plan(n=20, lam=2, ks="12").rows] == [12]
    assert [row.k for row in dp.plan(n=20, lam=2, ks=12).rows] == [12]
    assert [verdict.id for verdict in claims.run("K16-5.12")] == ["K16-5.12"]
    assert [row.n for row in dp.barrier(COINS, "100", scale=1)] == [100]
    found = dp.sqrt_barrier(q="1/4", ns="100", exponents="1/2")
    assert found.ns == (100,)
    assert list(found.columns) == [0.5]


def test_the_numbers_of_people_may_be_an_iterator():
    found = dp.sqrt_barrier(q="1/4", ns=iter([10, 100]))
    assert [len(column) for column in found.columns.values()] == [2, 2, 2]


@pytest.mark.parametrize("text", ["110", b"110"])
def test_text_is_no_list_of_records_or_pairs(text):
    calls = [
        ("records", lambda: dp.query_pmf(text, q="1/4")),
        ("records", lambda: dp.anonymity(text, q="1/4")),
        ("records", lambda: dp.presence("1", text, q="1/4")),
        ("records", lambda: dp.compare(text, ["1", "1", "1"], q="1/4")),
        ("neighbour", lambda: dp.privacy_ratios(["1", "1", "1"], text, q="1/4")),
        ("neighbours", lambda: dp.FiniteMechanism([[1, 0], [0, 1]], neighbours=text)),
        ("neighbours", lambda: dp.FiniteMechanism([[1, 0], [0, 1]], neighbours=["01"])),
        ("matrix", lambda: dp.FiniteMechanism(text)),
    ]
    for argument, call in calls:
        with pytest.raises(DomainError) as refusal:
            call()
        assert refusal.value.argument == argument


# --- what is no number, no mechanism and no list ----------------------------------------------------------

ROWS = [{"age": 20, "ill": "no"}, {"age": 30, "ill": "yes"}]

#: Every public function and class, with arguments that are allowed.
CALLS = {
    "Enclosure": {"lower": 1, "upper": 2},
    "FiniteMechanism": {"matrix": [[1, 0], [0, 1]], "neighbours": [(0, 1)]},
    "KRandomization": {"n": 3, "q": "1/4", "k": 1, "bits": 1},
    "RandomizedResponse": {"q": "1/4"},
    "anonymity": {"records": ["1", "0"], "q": "1/4"},
    "barrier": {"response": COINS, "ns": [10], "scale": 1, "exponent": "1/2"},
    "binomial_at_least": {"n": 3, "p": "1/4", "s": 1},
    "binomial_at_most": {"n": 3, "p": "1/4", "s": 1},
    "blanket_bound": {"mechanism": POOL, "lam": 2},
    "classical_q": {"lam": 2, "k": 1, "bits": 1},
    "closeness": {"table": ROWS, "quasi": "age", "sensitive": "ill", "epsilon": 1, "distance": "l1"},
    "compare": {"records": ["1", "0"], "neighbour": ["1", "1"], "q": "1/4", "k": 1},
    "confidence_interval": {"mechanism": POOL, "s": 1, "confidence": "0.9", "method": "exact"},
    "count_interval": {"mechanism": POOL, "ones": 1, "sigmas": 3},
    "coverage": {"mechanism": POOL, "ones": 1, "confidence": "0.9", "method": "exact"},
    "delta": {"mechanism": POOL, "lam": 2},
    "distinguish": {"response": COINS, "n": 3, "rate": 1},
    "epsilon": {"mechanism": POOL, "delta": "0.1", "rtol": "1e-6"},
    "estimate": {"mechanism": POOL, "s": 1},
    "exceedance": {"mechanism": POOL, "lam": 2},
    "gaussian_sigma": {"delta": "0.1", "lam": 2, "rtol": "1e-6"},
    "identical_exceedance": {"mechanism": POOL, "lam": 2},
    "least_n": {"q": "1/4", "delta": "0.1", "lam": 2, "k": 1, "rtol": "1e-6"},
    "least_q": {"n": 3, "delta": "0.1", "lam": 2, "k": 1, "rtol": "1e-6"},
    "local_q": {"n": 3, "lam": 2, "k": 1, "bits": 1, "sigmas": 3, "method": "real", "sides": 1, "rtol": "1e-6"},
    "local_sigma": {"lam": 2, "k": 1, "sigmas": 3},
    "log_concavity": {"sequence": [1, 2, 1]},
    "log_concavity_in_ones": {"mechanism": POOL},
    "maximal_collections": {"n": 2, "bits": 1, "q": "1/4", "k": 1},
    "most_k": {"n": 3, "q": "1/4", "delta": "0.3", "lam": 2},
    "n_closeness": {"table": ROWS, "quasi": "age", "sensitive": "ill", "epsilon": 1, "n": 1},
    "plan": {"n": 3, "lam": 2, "ks": [1], "sigmas": 3},
    "pmf": {"mechanism": POOL, "ones": 1},
    "pool": {"reports": [[1], [0]]},
    "presence": {"vector": "1", "records": ["1"], "q": "1/4"},
    "privacy_ratios": {"records": ["1", "0"], "neighbour": ["1", "1"], "q": "1/4", "k": 1},
    "profile": {"mechanism": POOL, "epsilons": [1]},
    "query_pmf": {"records": ["1", "0"], "q": "1/4", "k": 1},
    "randomize": {"bits": [1, 0], "q": "1/4", "k": 1, "rng": 7},
    "rappor_epsilon": {"q": "1/4", "hashes": 1, "k": 1},
    "ratio": {"mechanism": POOL, "s": 1},
    "ratio_bound": {"mechanism": POOL, "s": 1},
    "record_epsilon": {"x": "1", "changed": "0", "q": "1/4", "k": 1},
    "required_n": {"error": "0.1", "confidence": "0.9", "q": "1/4", "k": 1, "method": "normal"},
    "sqrt_barrier": {"q": "1/4", "ns": [10], "exponents": ["1/2"], "scale": 1},
    "sweep": {"function": "delta", "table": [{"n": 3, "q": "1/4", "lam": 2}]},
    "variance": {"mechanism": POOL, "fraction": "1/2"},
    "vector_delta": {"mechanism": POOL, "lam": 2},
}

#: Never a number, a mechanism, a list of bits, a table, a column or the name of a method.
WRONG = [
    object(), [[None]], {"a": 1}, slice(3), 1j, "a\x00b", len, np.timedelta64(5, "D"), np.timedelta64(5, "ns"),
    np.datetime64("2020-01-01"), np.array([-5, -6]),
]  # fmt: skip


def test_the_calls_are_those_of_every_public_function():
    errors = {"DomainError", "DpcalcError", "NoSolution", "TooLarge", "Undecided"}
    assert {name for name in dp.__all__ if callable(getattr(dp, name))} == set(CALLS) | errors
    for name, given in CALLS.items():
        getattr(dp, name)(**given)
        assert set(given) <= set(inspect.signature(getattr(dp, name)).parameters)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("again", [copy.deepcopy, lambda answer: pickle.loads(pickle.dumps(answer))])
def test_a_copy_of_an_answer_equals_it(name, again):
    answer = getattr(dp, name)(**CALLS[name])
    assert np.array_equal(again(answer), answer)


@pytest.mark.parametrize(("name", "argument"), [(name, one) for name, given in CALLS.items() for one in given])
def test_what_cannot_be_meant_is_a_domain_error_in_one_line(name, argument):
    for wrong in WRONG:
        if argument == "method" and isinstance(wrong, np.ndarray):
            continue  # compared with text, an array is an array
        with pytest.raises(DpcalcError) as refusal:
            getattr(dp, name)(**{**CALLS[name], argument: wrong})
        assert isinstance(refusal.value, DomainError), wrong
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", [name for name, given in CALLS.items() if "mechanism" in given])
@pytest.mark.parametrize("wrong", [1000, "1/4", None, COINS])
def test_a_number_or_a_response_is_no_mechanism(name, wrong):
    with pytest.raises(DomainError, match=r"^mechanism = .* is not allowed: give a KRandomization"):
        getattr(dp, name)(**{**CALLS[name], "mechanism": wrong})


@pytest.mark.parametrize("name", ["barrier", "distinguish"])
@pytest.mark.parametrize("wrong", ["1/4", 0.25, POOL])
def test_a_number_or_a_pool_is_no_response(name, wrong):
    with pytest.raises(DomainError, match=r"^response = .* is not allowed: give a RandomizedResponse"):
        getattr(dp, name)(**{**CALLS[name], "response": wrong})


def test_a_claim_is_asked_for_by_text():
    for call in (lambda: claims.run(5), lambda: claims.run([None]), lambda: claims.claims([["K16-4.45"]])):
        with pytest.raises(DomainError, match=r"^id = "):
            call()
    with pytest.raises(DomainError, match=r"^document = 5"):
        claims.claims(document=5)


def test_the_name_of_a_distance_and_the_order_of_values_are_checked():
    for distance in ([], {}, None, 5):
        with pytest.raises(DomainError, match=r"^distance = "):
            dp.closeness(ROWS, quasi="age", sensitive="ill", epsilon=1, distance=distance)
    for order in (5, "noyes", [["no"], ["yes"]]):
        with pytest.raises(DomainError, match=r"^order = "):
            dp.closeness(ROWS, quasi="age", sensitive="ill", epsilon=1, order=order)
