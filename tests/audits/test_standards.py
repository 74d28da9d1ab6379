"""The table of promises found in standards, code and registers, and the test vectors that the book publishes."""

import importlib.util
import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpcalc import check
from dpcalc.audits.reading import rows_of
from dpcalc.audits.verdict import judge
from tests import registry
from tests.oracles import noise, summed

BOOK = Path(__file__).parents[2] / "notebooks"
ROWS = rows_of(BOOK / "standards.csv")
VECTORS = json.loads((BOOK / "test_vectors.json").read_text(encoding="utf-8"))["vectors"]

VERDICTS = {
    "coins for the table's row (3, 10e-6), s = 1": "kept",
    "coins for the table's row (1, 10e-6), s = 1": "kept",
    "coins for the table's row (0.1, 10e-6), s = 1": "kept",
    "coins by 8 ln(2/d)/e^2, epsilon = 1": "loose by 25.2 %",
    "coins by 8 ln(2/d)/e^2, epsilon = 2": "broken",
    "2,000 coins": "loose by 278 %",
    "padding, epsilon 0.1": "kept",
    "padding, epsilon 0.01": "kept",
    "padding, epsilon 1, delta 1e-7": "kept",
    "padding, epsilon 1, delta 1e-8": "kept",
    "padding, sensitivity 10": "broken",
    "padding, sensitivity 10, read as epsilon 10": "kept",
    "padding, sensitivity 1000": "broken",
    "padding, sensitivity 1000, read as epsilon 10": "kept",
    "released histogram, cap 8": "broken",
    "released histogram, cap 8, read as epsilon 16": "kept",
    "values hidden below 20, sampled": "loose by 214 %",
    "truncated Laplace, rounded, a draw": "kept",
    "reach and one frequency bucket, read as epsilon 1": "broken",
    "reach and one frequency bucket, read as epsilon 2.402": "kept",
    "histogram noise, epsilon 0.317": "broken",
    "histogram noise, epsilon 0.906": "kept",
    "histogram noise, epsilon 1.528": "kept",
    "histogram noise, epsilon 0.317, sigma 23.395": "kept",
    "flipped histogram, epsilon_0 = 5": "loose by 6.5",
    "flipped histogram, epsilon_0 = 5, deletion": "loose by 49.5 %",
    "Exposure Notifications, if n = 100,000": "loose by 691 %",
    "Iconic scenes, a registry entry": "cannot be judged",
    "Census, DHC persons, as one Gaussian": "loose by 7.73 %",
    "Census, DHC housing, as one Gaussian": "loose by 7.04 %",
    "Census, redistricting, rho 2.56, as one Gaussian": "loose by 4",
    "Census, redistricting, rho 0.07, as one Gaussian": "loose by 8.3",
    "Facebook URLs": "kept",
    "Wikimedia, as one Gaussian": "loose by 25",
    "variation ratio, k = 4": "broken",
    "variation ratio, k = 50": "broken",
}
SLOW = ("histogram noise", "flipped histogram, epsilon_0 = 5")
#: Rows without a certificate: nothing is proven of one, and the checker knows no shuffles and no real noise.
WITHOUT = ("Iconic scenes", "variation ratio", "Census", "Facebook", "Wikimedia")
#: Its certificate takes a minute.
LONG = "flipped histogram, epsilon_0 = 5"

EACH = [
    pytest.param(place, id=row["name"], marks=[pytest.mark.soak] if row["name"].startswith(SLOW) else [])
    for place, row in enumerate(ROWS)
]


def test_every_row_has_a_verdict_here():
    assert [row["name"] for row in ROWS] == list(VERDICTS)


@pytest.mark.parametrize("place", EACH)
def test_a_promise_found_in_public_has_its_verdict_and_a_certificate_that_says_as_much(place):
    found = judge(place + 1, ROWS[place])
    assert found.title.startswith(VERDICTS[found.name])  # of a histogram some digits are known
    if found.name == LONG:
        return
    made = found.certificate()
    assert isinstance(made, str) is found.name.startswith(WITHOUT)
    if isinstance(made, str):
        return
    accepted, said = check.examined(made.text.encode())
    assert accepted, said
    promised = Fraction(ROWS[place]["delta"])
    assert made.lower > promised if found.word == "broken" else made.upper <= promised


def by_definition(vector):
    """delta of a small vector with a rational lambda; None for others."""
    lam, kind = Fraction(vector.get("lam", 1)), vector["mechanism"]
    if "lam" not in vector:
        return None
    if kind == "bits" and vector["k"] == "1" and int(vector["n"]) <= 7:
        return summed.delta(registry.bits(int(vector["n"]), vector["q"])[1]().values(), lam)
    if kind == "binomial" and vector["sensitivity"] == "1":
        return noise.delta(noise.binomial(int(vector["trials"]), Fraction(vector["probability"])), 1, lam)
    if kind == "geometric" and "ratio" in vector:
        law = noise.geometric(Fraction(vector["ratio"]), int(vector["bound"]))
        return noise.delta(law, int(vector["sensitivity"]), lam)
    return None


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: f"{one['mechanism']}")
def test_a_vector_is_true_by_the_definition(vector):
    lower, upper = (Fraction(vector["delta"][end]) for end in ("lower", "upper"))
    assert 0 <= lower <= upper <= 1
    exact = by_definition(vector)
    assert exact is None or lower == exact == upper


def test_many_vectors_are_small_enough_for_the_definition():
    assert sum(by_definition(vector) is not None for vector in VECTORS) >= 12


def script():
    """The one that makes them."""
    spec = importlib.util.spec_from_file_location("build_test_vectors", BOOK / "build_test_vectors.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_vectors_are_made_by_one_command():
    made = script()
    assert len(made.CASES) == len(VECTORS)
    cheap = ("binomial", "geometric", "threshold", "asymmetric bits")
    again = [made.vector(case) for case in made.CASES if case["mechanism"] in cheap]
    assert again == [vector for vector in VECTORS if vector["mechanism"] in cheap]
