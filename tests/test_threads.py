"""FLINT keeps one precision for all threads: several threads get what one gets, and find the precision as it was.

The checker's precision and meter belong to the file that is examined.
"""

import json
import pickle
import re
import subprocess
import sys
import threading
import time
from itertools import cycle
from pathlib import Path

import pytest
from flint import ctx

import dpcalc as dp
from dpcalc import check
from dpcalc.errors import DpcalcError
from dpcalc.numbers.ball import working_precision

THREADS = 4


def pool(n, q, k=1, bits=1):
    return dp.KRandomization(n=n, q=q, k=k, bits=bits)


class Stopped(Exception):
    """Raised by a caller's own progress function."""


def stop(share):
    raise Stopped


#: Every way to an answer by balls, by doubles and by integers, some of them refused; each takes milliseconds.
CALLS = [
    lambda: dp.delta(pool(300, "0.1"), epsilon="0.25", ones=17),
    lambda: dp.delta(pool(300, "0.1"), lam="1.3", ones=17),
    lambda: dp.delta(pool(10**6, "0.1"), epsilon="0.0125", ones=17, rtol="1e-40"),
    lambda: dp.delta(pool(2000, "0.1", 3), epsilon="0.1"),
    lambda: dp.delta(pool(10**5, "0.2"), epsilon="0.02", rtol="1e-12"),
    lambda: dp.delta(pool(10**6, "0.1"), epsilon="0.0125", progress=stop),
    lambda: dp.delta(pool(10**12, "0.3"), epsilon=1, ones=0),
    lambda: dp.epsilon(pool(1000, "0.1"), delta="1e-6"),
    lambda: dp.least_q(n=200, lam=2, delta="1e-3"),
    lambda: dp.gaussian_sigma(epsilon="0.1", delta="1e-9"),
    lambda: dp.exceedance(pool(20_000, "0.1"), lam=2),
    lambda: dp.ratio(pool(100, "0.1", 2), 7),
    lambda: dp.binomial_at_most(10**9, "0.1", 10**8 - 10**5),
    lambda: dp.binomial_at_most(10**9, "0.1", 10**8 - 10**5, rtol="1e-400"),
    lambda: dp.local_q(n=1000, lam=2, k=3, method="real"),
    lambda: dp.vector_delta(pool(20, "0.1", bits=2), epsilon=1),
    lambda: dp.blanket_bound(pool(1000, "0.3", bits=3), epsilon=1),
    lambda: dp.confidence_interval(pool(1000, "0.2"), 300, confidence="0.95", method="normal"),
    lambda: dp.distinguish(dp.RandomizedResponse("1/4"), n=1000, rate="1/100"),
    lambda: pool(50, "0.2").local_epsilon,
    lambda: dp.KRandomization.from_epsilon(n=3, epsilon="0.4"),
    lambda: dp.FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]]).epsilon(delta="1/100"),
    lambda: dp.delta(pool(10, "0.1"), epsilon=2, ones=10),
    lambda: dp.delta(dp.Rounds([(pool(300, "0.1"), 10)]), epsilon=1),
    lambda: dp.delta(dp.Rounds([(pool(3, "0.3"), 2), (dp.NoisyCount(dp.DiscreteGaussian(3)), 5)]), epsilon=2),
    lambda: dp.most_rounds(pool(1000, "0.3"), epsilon=1, delta="1e-6"),
    lambda: dp.delta(dp.UnaryEncoding(n=300, categories=5, q="0.2"), epsilon="0.5"),
    lambda: dp.delta(dp.NoisyCount(dp.DiscreteLaplace(lam=2) + dp.DiscreteGaussian(2)), epsilon=1),
    lambda: dp.epsilon(dp.NoisyCount(dp.Skellam(3, 2), 2), delta="1e-5"),
    lambda: dp.epsilon(dp.NoisyCount(dp.RoundedGaussian("2.5")), delta="1e-5"),
    lambda: dp.delta(dp.NoisyCount(dp.NegativeBinomial("1/2", "1/2", lam=4), 2), lam="3/2"),
    lambda: dp.delta(dp.Thresholded(5, noise=dp.DiscreteLaplace(1)), epsilon=1),
    lambda: dp.delta(dp.Thresholded(9, sampled="1/3"), lam=2),
    lambda: dp.delta(dp.Fleet([dp.Group(n=200, q="0.1"), dp.Group(n=30, q="0.2", k=2)]), epsilon="0.5"),
    lambda: dp.delta(dp.AsymmetricBits(n=100, chances=("3/4", "1/5")), epsilon="0.5"),
    lambda: dp.delta(dp.Sampled(pool(200, "0.1"), "1/3"), epsilon="0.3"),
    lambda: dp.delta(dp.Sampled(dp.NoisyCount(dp.Binomial(40, "1/3")), "1/3"), epsilon="0.3"),
    lambda: dp.delta(dp.Shuffle(dp.k_ary_response(3, lam=3), n=20), lam="3/2"),
    lambda: dp.tradeoff(pool(300, "0.1")).false_negative("0.1"),
    lambda: dp.certificate(dp.delta, pool(700, "1/10"), epsilon=1).text,
]


def answer(call):
    """What the call gives, or how it is refused, to the last digit."""
    try:
        return pickle.dumps(call())
    except (DpcalcError, Stopped) as refusal:
        return f"{type(refusal).__name__}: {refusal}"


def together(seconds, ambient):
    """What differs between threads side by side and one alone, and the number of answers compared.

    Every thread is new and goes through the calls once by itself: FLINT remembers what it computed, for each thread
    apart, and the last bits of an end may depend on it.
    """
    ctx.prec = ambient
    alone, wrong, done = [], [], []
    turn, ready = threading.Lock(), threading.Barrier(THREADS)

    def go_through():
        with turn:
            return [answer(call) for call in CALLS]

    reference = threading.Thread(target=lambda: (go_through(), alone.extend(go_through())))
    reference.start()
    reference.join()
    assert ctx.prec == ambient

    def work(first):
        go_through()
        ready.wait()
        end = time.monotonic() + seconds
        for i in cycle([*range(first, len(CALLS)), *range(first)]):
            found = answer(CALLS[i])
            done.append(i)
            if found != alone[i]:
                wrong.append((i, alone[i], found))
            if time.monotonic() > end:
                return

    threads = [threading.Thread(target=work, args=(i * len(CALLS) // THREADS,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong, len(done)


@pytest.fixture
def busy():
    """Threads that take turns far more often than usual; the precision is put back."""
    interval, precision = sys.getswitchinterval(), ctx.prec
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)
    ctx.prec = precision


@pytest.mark.soak
def test_threads_get_what_one_gets(busy):
    wrong, done = together(2, ambient=17)
    assert wrong == []
    assert done >= len(CALLS)
    assert ctx.prec == 17


def test_a_turn_ends_with_an_error_and_may_be_taken_within_a_turn(busy):
    ctx.prec = 77
    seen = []

    def turns():
        with working_precision(100):
            with working_precision(200):
                seen.append(ctx.prec)
            seen.append(ctx.prec)
            raise Stopped

    with pytest.raises(Stopped):
        turns()
    assert [*seen, ctx.prec] == [200, 100, 77]
    taken = []
    thread = threading.Thread(target=lambda: taken.append(dp.gaussian_sigma(lam=2, delta="1e-6")))
    thread.start()
    thread.join(timeout=30)
    assert taken, "the lock was kept"


def test_the_precision_is_set_in_one_place():
    """No module sets it but numbers/ball.py, under its lock."""
    package = Path(dp.__file__).parent
    setting = re.compile(r"workprec|workdps|extraprec|extradps|ctx\.(prec|dps) *=")
    places = {path.name for path in package.rglob("*.py") if setting.search(path.read_text(encoding="utf-8"))}
    assert places == {"ball.py"}


FORKED = """
import os, threading, time
from flint import ctx
import dpcalc as dp
from dpcalc.numbers.ball import working_precision

inside = threading.Event()

def hold():
    with working_precision(1000):
        inside.set()
        time.sleep(0.3)

holder = threading.Thread(target=hold)
holder.start()
inside.wait()
child = os.fork()
if not child:
    dp.gaussian_sigma(lam=2, delta="1e-6")
    os._exit(0 if ctx.prec == 53 else 1)
holder.join()
assert os.waitpid(child, 0)[1] == 0
assert ctx.prec == 53
dp.gaussian_sigma(lam=2, delta="1e-6")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_process_forked_in_the_middle_of_a_turn_can_take_turns():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], check=True, timeout=60)


# --- the checker ------------------------------------------------------------------------------------------------------


def beside(other, work):
    """What ``work`` returns while a second thread repeats ``other``."""
    ended = threading.Event()

    def repeat():
        while not ended.is_set():
            other()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        return work()
    finally:
        ended.set()
        thread.join()


ROUND = {"n": 1, "q": "1/4", "k": 1, "times": 4000}  # nearly everything is given away: delta is nearly 1
FALSE = {
    "schema": check.SCHEMA, "bits": 64, "grid": 3, "window": 300, "answer": {"upper": "1/1000000"},
    "question": {"what": "delta", "lam": 2, "rounds": [ROUND]},
    "rounds": [{"knots": [{"step": 1, "blocks": [{"from": 0, "to": 0, "by": "ratio"}]}]}],
}  # fmt: skip
PRECISE = {
    "schema": check.SCHEMA, "bits": 7000, "answer": {"lower": 0, "upper": "1/2"},
    "question": {"what": "delta", "n": 1, "q": "1/4", "k": 1, "lam": 1},
    "blocks": [{"from": 0, "to": 0, "by": "sum", "t": 0}],
}  # fmt: skip


def test_a_second_file_does_not_change_what_is_proven(busy):
    """Rounds composed in units of 2^-64 and read in units of 2^-7000 would have no delta at all."""
    false, precise = (json.dumps(file).encode() for file in (FALSE, PRECISE))
    alone = check.examined(false)
    assert alone == (False, "Not proven: delta is not proven to be so small")
    assert check.examined(precise)[0]
    assert beside(lambda: check.examined(precise), lambda: {check.examined(false) for _ in range(20)}) == {alone}


def test_a_certificate_is_made_and_checked_while_another_is_made():
    """In one thread: by a progress function."""
    question = (dp.delta, dp.Rounds([(pool(5, "0.3"), 3)])), {"lam": 2}
    alone, found = dp.certificate(*question[0], **question[1]).text, []

    def progress(share):
        if not found:
            found.append(dp.certificate(dp.delta, pool(3, "1/4"), lam=2).text)

    assert dp.certificate(*question[0], **question[1], progress=progress).text == alone
    assert check.examined(found[0].encode())[0]
