"""The calculator's questions where numpy cannot be imported: the same answers, by balls and rationals."""

import subprocess
import sys
from fractions import Fraction

import pytest

import dpcalc as dp

QUESTIONS = [
    "dp.delta(dp.KRandomization(n=200, q='0.1'), epsilon='0.3')",
    "dp.delta(dp.KRandomization(n=10**6, q='0.1'), epsilon='0.0125')",
    "dp.delta(dp.Rounds([(dp.KRandomization(n=20, q='0.3'), 20)]), epsilon=1)",
    "dp.delta(dp.UnaryEncoding(n=10, q='0.2', categories=3), epsilon=1)",
    "dp.epsilon(dp.KRandomization(n=500, q='0.1'), delta='1e-6')",
    "dp.epsilon(dp.UnaryEncoding(n=300, q='0.2', categories=16, neighbours='delete'), delta='1e-6')",
    "dp.least_q(n=50_000, epsilon=1, delta='1e-8').enclosure",
    "dp.least_n(q='0.1', epsilon='0.5', delta='1e-6').enclosure",
    "dp.most_k(n=1000, q='1/4', lam=2, delta='1e-6').enclosure",
    "dp.most_rounds(dp.KRandomization(n=5, q='0.45'), epsilon='0.5', delta='1e-2').enclosure",
    "dp.plan(n=1000, lam=2, ks=[1], delta='1e-6').recommended.q.enclosure",
    "dp.estimate(dp.KRandomization(n=1000, q='0.1'), 400).sigma",
    "dp.tradeoff(dp.KRandomization(n=100, q='0.1')).false_negative('0.05')",
    "dp.vector_delta(dp.KRandomization(n=3000, q='1/5', bits=2), lam='3/2').identical",
]

CODE = """
import sys
sys.modules["numpy"] = None
import dpcalc as dp
for question in sys.stdin.read().splitlines():
    found = eval(question)
    print(found.lower, found.upper)
assert not {"sympy", "mpmath"} & set(sys.modules)
"""


NEEDED = """
import sys
sys.modules["numpy"] = None
import dpcalc as dp
try:
    dp.profile(dp.KRandomization(n=3, q="1/4"), [0, 1])
except dp.DpcalcError as error:
    print(error)
"""


def test_what_needs_numpy_says_so():
    done = subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "a profile is an array of numpy: pip install numpy\n")


IDLE = """
import sys
import dpcalc as dp
for n, k in (1, 1), (1, 10**15), (10, 10**13):
    dp.delta(dp.KRandomization(n=n, q="0.4", k=k), epsilon=1)
print("numpy" in sys.modules)
"""


def test_numpy_is_not_imported_where_doubles_do_not_serve():
    done = subprocess.run([sys.executable, "-c", IDLE], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "False\n")


@pytest.fixture(scope="module")
def without():
    done = subprocess.run(
        [sys.executable, "-c", CODE], input="\n".join(QUESTIONS), capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return dict(zip(QUESTIONS, done.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_number_is_enclosed_without_numpy(without, question):
    low, high = map(dp.Enclosure.of, without[question].split())
    found = eval(question)
    assert low.value <= found.upper
    assert found.lower <= high.value
    assert high.value <= low.value * Fraction(6, 5)  # it is an answer
