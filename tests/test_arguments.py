"""What a caller may get wrong in any public function: refused in one line that names the argument."""

import copy
import inspect
import math
import pickle
import re
from decimal import Decimal

import numpy as np
import pytest

import dpcalc as dp
from dpcalc import claims
from dpcalc.errors import DomainError, DpcalcError

POOL = dp.KRandomization(n=3, q="1/4")
FLEET = dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=1, q="1/5", k=2)])
COINS = dp.RandomizedResponse("1/4")
THREE = dp.FiniteMechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])


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
    "AsymmetricBits": {"n": 3, "chances": ("1/2", "1/4"), "k": 1, "categories": 3, "neighbours": "replace"},
    "Binomial": {"trials": 3, "probability": "1/4"},
    "CategoryResponse": {"categories": 3, "flip": "1/4"},
    "event_states": {"reports": 3, "data": [(3, 3)]},
    "Filter": {"epsilon": 1, "delta": "1e-3", "set_aside": "1e-4", "neighbours": "delete"},
    "DiscreteGaussian": {"sigma": 3},
    "DiscreteLaplace": {"epsilon": 1},
    "NegativeBinomial": {"shape_1": "1/2", "shape_2": "1/2", "epsilon": 1},
    "RoundedGaussian": {"sigma": 3},
    "RoundedLaplace": {"scale": 3},
    "Skellam": {"mu_1": 1, "mu_2": 2},
    "FiniteNoise": {"masses": ["1/4", "3/4"]},
    "Dummies": {"count": 3, "probability": "1/4"},
    "Fleet": {"groups": [dp.Group(n=3, q="1/4")], "dummies": [dp.Dummies(2)], "honest": [2], "neighbours": "replace"},
    "Geometric": {"ratio": "1/4", "bound": 3},
    "Group": {"n": 3, "q": "1/4", "k": 1},
    "NoisyCount": {"noise": dp.Poisson(3), "sensitivity": 1},
    "Thresholded": {"threshold": 2, "sampled": "1/4", "noise": None, "neighbours": "replace"},
    "Poisson": {"mean": 3},
    "RoundedNumbers": {"n": 3, "q": "1/4", "k": 1, "low": 0, "high": 2},
    "KRandomization": {"n": 3, "q": "1/4", "k": 1, "bits": 1},
    "Rounds": {"rounds": [(POOL, 2)], "at_most": 1},
    "RandomizedResponse": {"q": "1/4"},
    "UnaryEncoding": {"n": 3, "categories": 3, "q": "1/4", "k": 1, "ones": 1, "neighbours": "replace", "at_most": 2},
    "Sampled": {"clients": POOL, "share": "1/2", "released": "ones"},
    "Shuffle": {"randomizer": THREE, "n": 3},
    "hadamard_response": {"categories": 3, "lam": 2},
    "k_ary_response": {"categories": 3, "lam": 2},
    "linked_unary_encoding": {"categories": 3, "q": "1/4", "p": "1/2"},
    "rappor": {"categories": 3, "f": "1/2", "p": "1/4", "q": "3/4"},
    "subset_selection": {"categories": 3, "size": 1, "lam": 2},
    "anonymity": {"records": ["1", "0"], "q": "1/4"},
    "anonymous_q": {"records": ["1", "0"], "anonymity": "1/4", "rtol": "1e-6"},
    "audit": {"table": [{"mechanism": "bits", "n": 3, "q": "1/4", "epsilon": 1, "delta": "0.1"}]},
    "barrier": {"response": COINS, "ns": [10], "scale": 1, "exponent": "1/2"},
    "binomial_at_least": {"n": 3, "p": "1/4", "s": 1},
    "binomial_at_most": {"n": 3, "p": "1/4", "s": 1},
    "blanket_bound": {"mechanism": POOL, "lam": 2},
    "classical_q": {"lam": 2, "k": 1, "bits": 1},
    "closeness": {"table": ROWS, "quasi": "age", "sensitive": "ill", "epsilon": 1, "distance": "l1"},
    "compare": {"records": ["1", "0"], "neighbour": ["1", "1"], "q": "1/4", "k": 1},
    "confidence_interval": {"mechanism": POOL, "s": [1], "confidence": "0.9", "method": "exact"},
    "count_interval": {"mechanism": POOL, "ones": 1, "sigmas": 3},
    "coverage": {"mechanism": POOL, "ones": 1, "confidence": "0.9", "method": "exact"},
    "delta": {"mechanism": POOL, "lam": 2},
    "distinguish": {"response": COINS, "n": 3, "rate": 1},
    "epsilon": {"mechanism": POOL, "delta": "0.1", "rtol": "1e-6"},
    "estimate": {"mechanism": POOL, "s": 1},
    "exceedance": {"mechanism": POOL, "lam": 2},
    "gaussian_sigma": {"delta": "0.1", "lam": 2, "rtol": "1e-6"},
    "identical_exceedance": {"mechanism": POOL, "lam": 2},
    "least_b": {"n": 3, "a": "1/2", "delta": "0.1", "lam": 2, "k": 1, "categories": 3, "rtol": "0.1"},
    "least_bound": {"delta": "0.1", "lam": 2, "ratio": "1/2", "sensitivity": 1},
    "least_mean": {"delta": "0.1", "lam": 2, "sensitivity": 1, "rtol": "1e-6"},
    "least_mu": {"delta": "0.1", "lam": 2, "sensitivity": 1, "rtol": "1e-6"},
    "least_noise": {"kind": "poisson", "delta": "0.1", "lam": 2, "sensitivity": 1, "rtol": "1e-6"},
    "least_scale": {"delta": "0.1", "lam": 2, "shape": 1, "sensitivity": 1, "rtol": "1e-6"},
    "least_sigma": {"delta": "0.1", "lam": 2, "sensitivity": 1, "rtol": "1e-6"},
    "least_trials": {"delta": "0.1", "lam": 2, "probability": "1/4", "sensitivity": 1},
    "least_threshold": {"delta": "0.1", "lam": 2, "sampled": "1/4", "noise": None, "neighbours": "add-remove"},
    "least_users": {"fleet": FLEET, "delta": "0.3", "lam": 2, "rtol": "0.1"},
    "least_n": {"q": "1/4", "delta": "0.1", "lam": 2, "k": 1, "rounds": 1, "neighbours": "replace", "rtol": "1e-2"},
    "least_q": {"n": 3, "delta": "0.1", "lam": 2, "k": 1, "rounds": 2, "neighbours": "replace"}
    | {"bits": 1, "dataset": "every", "rtol": "1e-2"},
    "local_q": {"n": 3, "lam": 2, "k": 1, "bits": 1, "sigmas": 3, "sides": 1, "dataset": "every", "rtol": "1e-6"},
    "local_sigma": {"lam": 2, "k": 1, "sigmas": 3, "dataset": "every", "n": 3, "sides": 1},
    "log_concavity": {"sequence": [1, 2, 1]},
    "log_concavity_in_ones": {"mechanism": POOL},
    "maximal_collections": {"n": 2, "bits": 1, "q": "1/4", "k": 1},
    "most_a": {"n": 3, "ratio": 9, "delta": "0.3", "lam": 2, "arm": "ones", "k": 1, "rtol": "0.1"},
    "most_k": {"n": 3, "q": "1/4", "delta": "0.3", "lam": 2, "rounds": 1, "neighbours": "replace", "rtol": "0.1"},
    "most_rounds": {"mechanism": POOL, "delta": "0.8", "lam": 2, "rtol": "0.1"},
    "n_closeness": {"table": ROWS, "quasi": "age", "sensitive": "ill", "epsilon": 1, "n": 1},
    "plan": {"n": 3, "lam": 2, "ks": [1], "sigmas": 3, "bits": 2},
    "pmf": {"mechanism": POOL, "ones": 1},
    "pool": {"reports": [[1], [0]]},
    "presence": {"vector": "1", "records": ["1"], "q": "1/4"},
    "privacy_loss": {"mechanism": POOL, "interval": "0.1"},
    "privacy_ratios": {"records": ["1", "0"], "neighbour": ["1", "1"], "q": "1/4", "k": 1},
    "profile": {"mechanism": POOL, "epsilons": [1]},
    "query_pmf": {"records": ["1", "0"], "q": "1/4", "k": 1},
    "randomize": {"bits": [1, 0], "q": "1/4", "k": 1, "rng": 7},
    "rappor_epsilon": {"q": "1/4", "hashes": 1, "k": 1},
    "generating_function": {"mechanism": POOL, "ones": 1},
    "ratio": {"mechanism": POOL, "s": 1},
    "ratios": {"mechanism": POOL, "ones": 1},
    "ratio_bound": {"mechanism": POOL, "s": 1},
    "record_epsilon": {"x": "1", "changed": "0", "q": "1/4", "k": 1},
    "required_n": {"error": "0.1", "confidence": "0.9", "q": "1/4", "k": 1, "method": "normal"},
    "sqrt_barrier": {"q": "1/4", "ns": [10], "exponents": ["1/2"], "scale": 1},
    "sweep": {"function": "delta", "table": [{"n": 3, "q": "1/4", "lam": 2}]},
    "tradeoff": {"mechanism": POOL, "rtol": "1e-3"},
    "variance": {"mechanism": POOL, "fraction": "1/2"},
    "vector_delta": {"mechanism": POOL, "lam": 2},
}


class Lines:
    """What Python writes on several lines."""

    def __repr__(self):
        return "one\ntwo\n" * 99


LOOP = []
LOOP.append(LOOP)

#: Never a number, a mechanism, a list of bits, a table, a column or the name of a method.
WRONG = [
    object(), [[None]], {"a": 1}, {1j, 2j}, slice(3), 1j, "a\x00b", "x" * 100_000, len, Lines(), LOOP,
    ..., NotImplemented, math.nan, math.inf, Decimal("sNaN"), Decimal("-Infinity"), True, np.True_,
    np.timedelta64(5, "D"), np.timedelta64(5, "ns"), np.datetime64("2020-01-01"), np.complex128(1j), np.float64("nan"),
    np.array([-5, -6]), np.full((2, 2), -5), np.full((2, 2, 2, 2), -0.5), np.array([None, 1]), np.array(["x", "y"]),
    np.array([[True], [False]]) * -1.5, np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    np.ma.array([-1, -2], mask=[0, 1]), np.array([1j]),
]  # fmt: skip

#: Allowed here and there, or far too long; refused or answered, and in one line of words.
ODD = [
    None, [], (), "", {}, set(), iter(()), range(0), np.array([]), np.zeros((2, 0, 3)), np.array(1), np.array("1/4"),
    np.array("exact"), np.array([1]), b"1", bytearray(b"1"), memoryview(b"12"), "\ud800", "1\n", "1e4000", "-1e4000",
    10**5000, -(10**5000), Decimal("1e100000"), 1e308, 5e-324,
]  # fmt: skip


def test_the_calls_are_those_of_every_public_function():
    errors = {"DomainError", "DpcalcError", "NoSolution", "TooLarge", "Undecided"}
    answers = {"Bracket", "Delta", "Estimate", "GeneratingFunction", "Interval"}  # what functions return
    answers |= {"Plan", "Pmf", "Promise", "Ratios", "RoundsDelta"}
    others = {"certificate"}  # its arguments are those of another function (tests/certificates)
    assert {name for name in dp.__all__ if callable(getattr(dp, name))} == set(CALLS) | errors | answers | others
    for name, given in CALLS.items():
        getattr(dp, name)(**given)
        taken = inspect.signature(getattr(dp, name)).parameters
        assert set(given) <= set(taken) or "asked" in taken  # what ``least_noise`` takes


@pytest.mark.parametrize(
    "name", [name for name in CALLS if name != "privacy_loss"]
)  # dp-accounting's objects compare by identity
@pytest.mark.parametrize("again", [copy.deepcopy, lambda answer: pickle.loads(pickle.dumps(answer))])
def test_a_copy_of_an_answer_equals_it(name, again):
    answer = getattr(dp, name)(**CALLS[name])
    assert np.array_equal(again(answer), answer)


ANSWERED = [name for name in CALLS if name.islower() and name not in ("privacy_loss", "pool")]


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_shows_its_number_in_a_list_and_in_a_notebook(name):
    answer = getattr(dp, name)(**CALLS[name])
    if not type(answer).__module__.startswith("dpcalc") or isinstance(answer, dp.FiniteMechanism):
        return
    assert not re.search(r"\d{25}|Fraction\(\d{9}", repr(answer))
    assert "\n" not in repr(answer)
    shown = answer._repr_html_()
    assert shown.startswith("<pre>")
    assert not re.search("<[^p/]", shown)


EACH = [(name, argument) for name, given in CALLS.items() for argument in given]
#: Of these some odd values are answered, in seconds.
SLOW = (
    ("most_rounds", "lam"), ("most_rounds", "rtol"), ("least_users", "delta"), ("plan", "lam"), ("local_q", "rtol"),
    ("local_q", "sigmas"), ("local_sigma", "sigmas"), ("least_sigma", "lam"), ("least_scale", "shape"),
    ("least_mu", "lam"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "argument"), EACH)
def test_what_cannot_be_meant_is_a_domain_error_in_one_line(name, argument):
    for wrong in WRONG:
        with pytest.raises(DpcalcError) as refusal:
            getattr(dp, name)(**{**CALLS[name], argument: wrong})
        assert isinstance(refusal.value, DomainError), wrong
        assert readable(refusal.value)


@pytest.mark.parametrize(
    ("name", "argument"), [pytest.param(*one, marks=pytest.mark.soak) if one in SLOW else one for one in EACH]
)
def test_odd_arguments_are_answered_or_refused_in_one_line(name, argument):
    for odd in ODD:
        refusal = refused(lambda odd=odd: getattr(dp, name)(**{**CALLS[name], argument: odd}))
        assert refusal is None or readable(refusal)


def refused(call):
    """The refusal; None for an answer. Any other exception is a failure."""
    try:
        call()
    except DpcalcError as refusal:
        return refusal
    return None


def readable(refusal):
    """Whether the message is one line of a length that is read; a value that Python cannot print does not get in."""
    return "\n" not in str(refusal) and len(str(refusal)) < 400


#: Arguments of methods, and those with a default that the calls above leave alone.
MORE = {
    "f": dp.RandomizedResponse.from_f,
    "gamma": dp.RandomizedResponse.from_gamma,
    "alpha": dp.RandomizedResponse.from_alpha,
    "epsilon of one": dp.RandomizedResponse.from_epsilon,
    "epsilon of a pool": lambda x: dp.KRandomization.from_epsilon(n=3, epsilon=x),
    "k of a pool": lambda x: dp.KRandomization.from_epsilon(n=3, epsilon=1, k=x),
    "epsilon": lambda x: dp.delta(POOL, epsilon=x),
    "ones": lambda x: dp.delta(POOL, lam=2, ones=x),
    "rtol": lambda x: dp.delta(POOL, lam=2, rtol=x),
    "delta of a plan": lambda x: dp.plan(n=3, lam=2, ks=[1], delta=x),
    "budget": lambda x: dp.plan(n=3, lam=2, ks=[1], budget=x),
    "order": lambda x: dp.closeness(ROWS, quasi="age", sensitive="ill", epsilon=1, order=x),
    "strict": lambda x: dp.log_concavity([1, 2, 1], strict=x),
    "strict in ones": lambda x: dp.log_concavity_in_ones(POOL, strict=x),
    "exact": lambda x: dp.vector_delta(POOL, lam=2, exact=x),
    "errata": lambda x: claims.run("K16-5.12", errata=x),
    "id": lambda x: claims.run(x),
    "document": lambda x: claims.run(document=x),
    "lam of a matrix": lambda x: dp.FiniteMechanism([[1, 0], [0, 1]]).delta(lam=x),
    "delta of a matrix": lambda x: dp.FiniteMechanism([[1, 0], [0, 1]]).lam(x),
    "interval": lambda x: dp.estimate(POOL, 1).interval(x),
    "method": lambda x: dp.estimate(POOL, 1).interval("0.9", method=x),
    "of": dp.Enclosure.of,
    "ones of a fleet": lambda x: dp.delta(FLEET, lam=2, ones=x),
    "rtol of a fleet": lambda x: dp.delta(FLEET, epsilon=1, rtol=x),
    "rtol of a fleet's epsilon": lambda x: dp.epsilon(FLEET, delta="0.1", rtol=x),
    "ones of a shuffled randomizer": lambda x: dp.delta(dp.Shuffle(THREE, n=3), lam=2, ones=x),
    "rtol of a shuffled randomizer": lambda x: dp.delta(dp.Shuffle(THREE, n=3), epsilon=1, rtol=x),
    "delta of a shuffled randomizer": lambda x: dp.epsilon(dp.Shuffle(THREE, n=3), delta=x),
    "epsilon of a randomizer": lambda x: dp.k_ary_response(3, epsilon=x),
    "outward": lambda x: dp.Enclosure(1, 2).outward(x),
    "sum": lambda x: dp.Enclosure(1, 2) + x,
    "order of numbers": lambda x: dp.Enclosure(1, 2) < x,
}


@pytest.mark.parametrize("name", MORE)
def test_methods_and_defaults_refuse_as_well(name):
    yes = [True, np.True_] if name in ("strict", "strict in ones", "exact", "errata") else []
    for value in WRONG + ODD:
        refusal = refused(lambda value=value: MORE[name](value))
        assert any(value is one for one in ODD + yes) if refusal is None else readable(refusal), value


def test_a_count_of_4000_digits_is_refused_in_a_short_line():
    with pytest.raises(
        DpcalcError, match=r"^the exact pmf of 20,[0,]*\.\.\.[0,]* \(4,001 digits\) reports needs"
    ) as refusal:
        dp.query_pmf(["1", "0"], q="1/4", k="1e4000")
    assert readable(refusal.value)


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
