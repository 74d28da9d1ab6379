"""The slowest of many random questions to public functions: none may hang, none should take more than five seconds.

    python benchmarks/slowest.py --count 2000 --seed 1 --limit 30 --workers 2

n up to 10^12, k up to 1,000, bits up to 16, and every other mechanism, half of these in rounds; flip probabilities and
limits lie often at the edges of what is allowed or of what is interesting. A question is the text of a Python call, to
be typed again; the seed and its number make it.

Every question is asked in a process of its own, one of ``workers`` that serve one after the other, and is charged for
its processor time. A process beyond the limit is ended by its own profiling timer (SIGPROF), which also stops a long
call into C; the questions after it get a new process.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import process_time
from typing import Any

import dpcalc as dp

__all__ = ["GOAL", "Outcome", "ask", "question", "report"]

GOAL = 5.0  # seconds of processor time
_SHOWN = 20
_WIDTH = 90  # characters of an answer that are shown


# --- questions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Draw:
    """Random arguments, as texts."""

    random: random.Random

    def one(self, *choices: Any) -> Any:
        """One of the choices; a callable is called."""
        choice = self.random.choice(choices)
        return choice() if callable(choice) else choice

    def power(self, low: float, high: float, digits: int = 4) -> str:
        """10^x for an x between the two, written with so many digits."""
        return f"{10 ** self.random.uniform(low, high):.{digits}g}"

    def whole(self, low: float, high: float) -> int:
        """A whole number, its logarithm anywhere between those of the two."""
        return round(math.exp(self.random.uniform(math.log(low), math.log(high))))

    def n(self, most: float = 10**12) -> int:
        small = (1, 2, 3, lambda: self.random.randint(1, 100))
        any_size = (lambda: self.whole(1, most),) * 5
        return min(int(most), self.one(*small, *any_size, lambda: 10 ** self.random.randint(0, 12), 10**12))

    def k(self, most: int = 1000) -> int:
        return min(most, self.one(1, 1, 1, 2, 3, 10, lambda: self.whole(1, 1000), 1000))

    def bits(self, most: int = 16) -> int:
        return self.random.randint(1, most)

    def q(self, n: int = 1000) -> str:
        """Common, tiny, next to 1/2, or such that few of n reports are lies."""
        few = lambda: f"{min(0.4, self.random.uniform(0.5, 40) / n):.4g}"  # noqa: E731
        beside_half = lambda: f"{0.5 - 10 ** self.random.uniform(-9, -1):.12g}"  # noqa: E731
        plain = lambda: f"{self.random.uniform(0.01, 0.49):.3g}"  # noqa: E731
        return self.one("1/10", "1/4", "9/20", plain, plain, few, beside_half, lambda: self.power(-12, -0.4))

    def limit(self, n: int = 1000, q: str = "1/4", k: int = 1, bits: int = 1) -> str:
        """epsilon or lambda: plain, of the size of the pool's own spread, next to 0, or next to the local epsilon."""
        chance = dp.RandomizedResponse(q).q
        mu = (1 - 2 * float(chance)) * math.sqrt(k * bits / (n * float(chance) * (1 - float(chance))))
        local = k * bits * float(dp.RandomizedResponse(q).epsilon)
        near = lambda: f"{min(1e6, mu * self.random.uniform(0.1, 8)):.6g}"  # noqa: E731
        edge = lambda: f"{min(1e6, local * self.one(0.9, 0.999, 0.999999, 1.001)):.12g}"  # noqa: E731
        epsilon = self.one("1", "0.1", "0.5", near, near, near, near, edge, lambda: self.power(-9, 0), "0")
        return self.one(*(f"epsilon={epsilon!r}",) * 4, "lam=2", "lam='3/2'", f"lam='{self.power(0.01, 6)}'")

    def delta(self) -> str:
        common = (lambda: self.power(-12, -1),) * 4
        edges = ("0.5", "0.9999", "1e-100", lambda: self.power(-300, -12), lambda: self.power(-1, -0.001))
        return repr(self.one("1e-6", "1e-9", *common, *edges))

    def part(self, total: int) -> int:
        """A count from 0 to a total."""
        return self.one(0, total, total // 2, lambda: self.random.randint(0, total))

    def pool(self, *, bits: int = 1, most: float = 10**12) -> tuple[str, str, int, int]:
        """A mechanism, a limit of its size, and its n and k."""
        n, k = self.n(most), self.k()
        q = self.q(n)
        more = f", bits={bits}" if bits > 1 else ""
        return f"dp.KRandomization(n={n}, q={q!r}, k={k}{more})", self.limit(n, q, k, bits), n, k

    def records(self, count: int, bits: int) -> list[str]:
        return ["".join(self.random.choices("01", k=bits)) for _ in range(count)]


def delta(draw: Draw) -> str:
    pool, limit, n, _ = draw.pool()
    more = draw.one("", "", "", ", rtol='1e-9'", f", ones={draw.part(n - 1)}", f", ones={draw.part(n - 1)}")
    return f"dp.delta({pool}, {limit}{more})"


def epsilon(draw: Draw) -> str:
    pool, _, n, _ = draw.pool()
    return f"dp.epsilon({pool}, delta={draw.delta()}{draw.one('', '', '', f', ones={draw.part(n - 1)}')})"


def least_q(draw: Draw) -> str:
    n, k = draw.n(), draw.k()
    return f"dp.least_q(n={n}, delta={draw.delta()}, {draw.limit(n, draw.q(n), k)}, k={k})"


def least_n(draw: Draw) -> str:
    n, k = draw.n(), draw.k()
    q = draw.q(n)
    return f"dp.least_n(q={q!r}, delta={draw.delta()}, {draw.limit(n, q, k)}, k={k})"


def most_k(draw: Draw) -> str:
    n = draw.n()
    q = draw.q(n)
    return f"dp.most_k(n={n}, q={q!r}, delta={draw.delta()}, {draw.limit(n, q, draw.k())})"


def plan(draw: Draw) -> str:
    n = draw.n()
    ks = draw.one("", "", f", ks=[{draw.k()}, {draw.k()}]")
    return f"dp.plan(n={n}, {draw.limit(n, draw.q(n))}{draw.one('', f', delta={draw.delta()}')}{ks})"


def local_q(draw: Draw) -> str:
    n, k = draw.n(), draw.k()
    method, sides = draw.one("closed", "real", "lattice", "lattice"), draw.one(1, 2)
    limit = draw.limit(n, draw.q(n), k)
    return f"dp.local_q(n={n}, {limit}, k={k}, bits={draw.one(1, 1, draw.bits)}, method={method!r}, sides={sides})"


def profile(draw: Draw) -> str:
    pool, _, _, _ = draw.pool()
    return f"dp.profile({pool}, [{', '.join(repr(draw.power(-6, 1)) for _ in range(5))}])"


def exceedance(draw: Draw) -> str:
    pool, limit, n, _ = draw.pool()
    return f"dp.exceedance({pool}, {limit}{draw.one('', f', ones={draw.part(n - 1)}')})"


def at_outcome(name: str) -> Callable[[Draw], str]:
    def call(draw: Draw) -> str:
        pool, _, n, k = draw.pool()
        return f"dp.{name}({pool}, {draw.part(n * k)})"

    return call


def _pmf(draw: Draw) -> str:
    pool, _, n, _ = draw.pool()
    return draw.one(f"dp.pmf({pool}, ones={draw.part(n)})", f"dp.log_concavity_in_ones({pool})")


def tail(draw: Draw) -> str:
    n = draw.n()
    p, s = draw.q(n), draw.part(n)
    spread = math.sqrt(n * float(dp.RandomizedResponse(p).q))
    near = max(0, min(n, round(float(dp.RandomizedResponse(p).q) * n + draw.random.uniform(-30, 30) * spread)))
    return f"dp.{draw.one('binomial_at_least', 'binomial_at_most')}({n}, {p!r}, {draw.one(s, near, near)})"


def _vector(name: str) -> Callable[[Draw], str]:
    def call(draw: Draw) -> str:
        pool, limit, _, _ = draw.pool(bits=draw.bits())
        return f"dp.{name}({pool}, {limit})"

    return call


def interval(draw: Draw) -> str:
    pool, _, n, k = draw.pool()
    confidence, method = draw.one("0.9", "0.95", "0.999999"), draw.one("exact", "normal", "hoeffding")
    more = f"confidence={confidence!r}, method={method!r}"
    q = draw.q()
    return draw.one(
        f"dp.confidence_interval({pool}, {draw.part(n * k)}, {more})",
        f"dp.coverage({pool}, ones={draw.part(n)}, {more})",
        f"dp.required_n(error={draw.power(-6, -0.5)!r}, confidence={confidence!r}, q={q!r}, k={k}, method={method!r})",
        f"dp.count_interval({pool}, ones={draw.part(n)})",
        f"dp.estimate({pool}, {draw.part(n * k)})",
        f"dp.variance({pool})",
    )


def barrier(draw: Draw) -> str:
    n, q = draw.n(), draw.q()
    rate = draw.one("1", repr(draw.power(-6, 6)), f"'{float(n) ** 0.5:.4g}'")
    return draw.one(
        f"dp.distinguish(dp.RandomizedResponse({q!r}), n={n}, rate={rate})",
        f"dp.barrier(dp.RandomizedResponse({q!r}), [{n}], exponent='1/2')",
        f"dp.sqrt_barrier(q={q!r})",
    )


def maximal(draw: Draw) -> str:
    limit = draw.one("", ", lam=2", ", lam='3/2'")
    return f"dp.maximal_collections(n={draw.n(30)}, bits={draw.bits(6)}, q={draw.q()!r}, k={draw.k(3)}{limit})"


def records(draw: Draw) -> str:
    bits = draw.bits(8)
    records, q, k = draw.records(draw.n(40), bits), draw.q(), draw.k(3)
    (other,) = draw.records(1, bits)
    neighbour = [other, *records[1:]]
    return draw.one(
        f"dp.query_pmf({records}, q={q!r}, k={k})",
        f"dp.anonymity({records}, q={q!r})",
        f"dp.presence({other!r}, {records}, q={q!r})",
        f"dp.compare({records}, {neighbour}, q={q!r}, k={k})",
        f"dp.privacy_ratios({records}, {neighbour}, q={q!r}, k={k})",
    )


def formula(draw: Draw) -> str:
    k, bits = draw.k(), draw.bits()
    limit = draw.limit(draw.n(), draw.q(), k)
    return draw.one(
        f"dp.classical_q({limit}, k={k}, bits={bits})",
        f"dp.local_sigma({limit}, k={k})",
        f"dp.gaussian_sigma({limit}, delta={draw.delta()})",
        f"dp.rappor_epsilon(q={draw.q()!r}, hashes={bits}, k={k})",
    )


def noise(draw: Draw) -> str:
    scale, less = draw.power(-1, 4, 3), draw.power(-3, 1, 3)
    return draw.one(
        f"dp.DiscreteGaussian({scale!r})",
        f"dp.RoundedGaussian({scale!r})",
        f"dp.DiscreteLaplace({less!r})",
        f"dp.RoundedLaplace({scale!r})",
        f"dp.Poisson({scale!r})",
        f"dp.Skellam({scale!r}, {draw.power(-1, 4, 3)!r})",
        f"dp.Binomial({draw.whole(1, 10**6)}, {draw.one('1/2', '1/2', '1/100', '0.9')!r})",
        f"dp.Geometric({draw.one('1/2', '9/10', '999/1000')!r}, {draw.whole(1, 10**4)})",
        f"dp.NegativeBinomial({draw.power(-2, 1, 2)!r}, {draw.power(-2, 1, 2)!r}, epsilon={less!r})",
    )


def _counted(draw: Draw) -> str:
    """A mechanism other than one count of bits."""
    n, k = draw.n(10**9), draw.k(3)
    q, held = draw.q(n), draw.whole(2, 100)
    b, a = sorted((draw.random.uniform(0.001, 0.6), draw.random.uniform(0.1, 0.99)))
    groups = ", ".join(f"dp.Group(n={(m := draw.n(10**8))}, q={draw.q(m)!r})" for _ in range(draw.random.randint(2, 4)))
    noisy = f"dp.NoisyCount({noise(draw)}, {draw.one(1, 1, 1, 2, 5)})"
    share, away = draw.one("1/10", "1/100", "1/2"), draw.one("'replace'", "'delete'")
    return draw.one(
        noisy,
        noisy,
        f"dp.NoisyCount({noise(draw)} + {noise(draw)})",
        f"dp.UnaryEncoding(n={n}, categories={held}, q={q!r}, k={k}, neighbours={away})",
        f"dp.AsymmetricBits(n={min(n, 10**5)}, chances=({a:.3g}, {b:.3g}))",
        f"dp.AsymmetricBits(n={min(n, 1000)}, chances=({a:.3g}, {b:.3g}), categories={held})",
        f"dp.Fleet([{groups}])",
        f"dp.Sampled({noisy}, {share!r})",
        f"dp.Sampled(dp.KRandomization(n={min(n, 1000)}, q={q!r}), {share!r})",
        f"dp.Thresholded({draw.whole(2, 100)}, sampled={share!r})",
        f"dp.Shuffle(dp.k_ary_response({draw.whole(2, 6)}, lam={draw.one(2, 3, 10)}), n={min(n, 60)})",
        f"dp.KRandomization(n={n}, q={q!r}, k={k})",
    )


def _of_any(draw: Draw) -> str:
    mechanism = _counted(draw)
    if draw.random.random() < 0.5:
        more = f", {_counted(draw)}" if draw.random.random() < 0.2 else ""
        mechanism = f"dp.Rounds([({mechanism}, {draw.one(2, 2, 3, 10, 30, 365)}){more}])"
    limit = f"epsilon={draw.one(draw.power(-3, 2, 3), draw.power(-1, 1, 3))!r}"
    return draw.one(
        f"dp.delta({mechanism}, {limit})",
        f"dp.delta({mechanism}, {limit})",
        f"dp.epsilon({mechanism}, delta={draw.delta()})",
        f"dp.epsilon({mechanism}, delta={draw.delta()})",
        f"dp.most_rounds({mechanism}, {limit}, delta={draw.delta()})",
    )


#: What is asked about, as often as it stands here.
_KINDS = [
    *[delta] * 4, *[epsilon] * 4, *[least_q] * 3, *[least_n] * 2, *[most_k] * 2, *[plan] * 2, *[local_q] * 2,
    *[_vector("vector_delta")] * 3, *[_vector("blanket_bound")] * 2, *[_vector("identical_exceedance")] * 2,
    exceedance, profile, at_outcome("ratio"), at_outcome("ratio_bound"), _pmf, tail, interval, barrier,
    maximal, records, formula, *[_of_any] * 12,
]  # fmt: skip


def question(seed: int, number: int) -> str:
    """The text of one question; the same for the same seed and number."""
    draw = Draw(random.Random(f"{seed} {number}"))
    return str(draw.random.choice(_KINDS)(draw))


# --- asking -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of a question.

    Attributes:
        question: its text.
        seconds: of processor time; the limit, where it was reached.
        kind: "answered", the name of what was raised, or "stopped" at the limit.
        text: the beginning of the answer, or the error's line.
    """

    question: str
    seconds: float
    kind: str
    text: str = ""


def ask(asked: Sequence[str], *, limit: float, workers: int = 1) -> Iterator[Outcome]:
    """The outcomes as they come."""
    left = list(reversed(asked))
    serving: dict[Connection, tuple[multiprocessing.process.BaseProcess, str]] = {}
    try:
        while left or serving:
            while left and len(serving) < workers:
                here, process = _start(limit)
                serving[here] = process, left.pop()
                here.send(serving[here][1])
            for here in [one for one in wait(list(serving)) if isinstance(one, Connection)]:
                process, text = serving[here]
                try:
                    yield here.recv()
                except EOFError:  # ended by its timer, or by the system
                    process.join()
                    kind = "stopped" if process.exitcode == -signal.SIGPROF else f"ended with {process.exitcode}"
                    yield Outcome(text, limit, kind)
                    del serving[here]
                    continue
                if left:
                    serving[here] = process, left.pop()
                    here.send(serving[here][1])
                else:
                    here.close()
                    del serving[here]
    finally:
        for process, _ in serving.values():
            process.kill()


def _start(limit: float) -> tuple[Connection, multiprocessing.process.BaseProcess]:
    method = multiprocessing.get_context("spawn")
    here, there = method.Pipe()
    process = method.Process(target=_serve, args=(there, limit), daemon=True)
    process.start()
    there.close()
    return here, process


def _serve(there: Connection, limit: float) -> None:
    """Answer questions until nobody asks; a warning is an outcome, as it should not be."""
    warnings.simplefilter("error")
    while True:
        try:
            text = there.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, limit)
        outcome = _outcome(text)
        signal.setitimer(signal.ITIMER_PROF, 0)
        there.send(outcome)


def _outcome(text: str) -> Outcome:
    start = process_time()
    try:
        value = eval(text, {"dp": dp})
    except Exception as error:
        return Outcome(text, process_time() - start, type(error).__name__, " ".join(str(error).split()))
    seconds = process_time() - start
    try:
        shown = " ".join(str(value).split())[:_WIDTH]
    except ValueError:  # Python prints no integer of more than 4,300 digits
        shown = f"a long {type(value).__name__}"
    return Outcome(text, seconds, "answered", shown)


# --- what is printed ----------------------------------------------------------------------------------------------


def report(outcomes: Sequence[Outcome], *, shown: int = _SHOWN) -> str:
    """How many of each kind, how many beyond the goal, and the slowest."""
    kinds = Counter(outcome.kind for outcome in outcomes)
    over = sum(outcome.seconds > GOAL for outcome in outcomes)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:shown]
    lines = [f"{len(outcomes):,} questions: {counts}; over {GOAL:g} s: {over:,}", "", "the slowest:"]
    return "\n".join([*lines, *map(_line, slowest)])


def _line(outcome: Outcome) -> str:
    answer = outcome.text[:_WIDTH] if outcome.kind == "answered" else f"{outcome.kind} {outcome.text}".strip()
    return f"{outcome.seconds:8.2f}  {outcome.question}\n{'':10}{answer}"


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=2000, help="questions (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds of processor time for one (default 30)")
    parser.add_argument("--workers", type=int, default=1, help="questions at a time (default 1)")
    options = parser.parse_args()
    asked = [question(options.seed, number) for number in range(options.count)]
    outcomes: list[Outcome] = []
    with suppress(KeyboardInterrupt):  # the report of what is known by then
        for outcome in ask(asked, limit=options.limit, workers=options.workers):
            outcomes.append(outcome)
            if outcome.seconds > GOAL or outcome.kind not in ("answered", "DomainError", "NoSolution", "TooLarge"):
                print(f"{len(outcomes):5}", _line(outcome), flush=True)
    print(report(outcomes))


if __name__ == "__main__":
    main()
