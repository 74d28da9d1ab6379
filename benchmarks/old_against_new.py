"""Two checkouts are asked the same questions: which answers are disjoint, wider or slower?

    python benchmarks/old_against_new.py OLD NEW
    python benchmarks/old_against_new.py OLD NEW --random 20 --seed 1 --kinds noise thresholds

There are 67 questions of all kinds, chosen once, and with ``--random`` so many more of each kind. A question is the
text of a Python call, to be typed again; the seed, the kind and its number make a random one.

Each checkout has one worker, which is a process of its own Python with the checkout's own dpcalc. It tells the exact
ends of every number of an answer, and the processor time with empty caches: the median of a few where that is short.
What is slower is asked again, and its least times count. A worker beyond the limit is ended by its own profiling timer
(SIGPROF); the questions after it get a new one.

=========  ============================================================================================
disjoint   two numbers that should be one have no value in common, or the answers are of another form
lost       the old checkout has an answer, the new one has none
wider      a number of the new answer is wider by more than ``--wider``
slower     the new answer takes more than ``--slower`` times as long, and 3 ms more
=========  ============================================================================================

The exit status is 1 if an answer is disjoint or lost.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import slowest

__all__ = ["KINDS", "Answer", "Finding", "Worker", "chosen", "compared", "drawn", "findings", "report"]

SLACK = 0.003  # seconds by which a slower answer is slower at least
_SHORT, _REPEATS = 1.0, 7  # seconds in which an answer is repeated, and how often at most
_ASKED = 3  # times, of what seems slower
_BAD = {"disjoint", "lost"}


# --- questions ----------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """Questions of one kind: those that were chosen, and what draws random ones."""

    chosen: tuple[str, ...]
    draws: tuple[Callable[[slowest.Draw], str], ...]


def _of(*mechanisms: str, sensitivity: bool = False) -> tuple[Callable[[slowest.Draw], str], ...]:
    """Random questions about mechanisms, whose texts have {names} for what is drawn."""

    def ask(draw: slowest.Draw) -> str:
        mechanism = _filled(draw, draw.one(*mechanisms))
        limit = f"epsilon={draw.power(-2, 1, 3)!r}"
        return str(draw.one(
            f"dp.delta({mechanism}, {limit})", f"dp.delta({mechanism}, {limit})",
            f"dp.epsilon({mechanism}, delta={draw.delta()})",
            f"dp.profile({mechanism}, [{draw.power(-2, 0, 2)!r}, {draw.power(0, 1, 2)!r}])",
        ))  # fmt: skip

    return (ask,)


def _filled(draw: slowest.Draw, text: str) -> str:
    n, k = draw.whole(1, 10**6), draw.k(3)
    b, a = sorted((draw.random.uniform(0.001, 0.6), draw.random.uniform(0.1, 0.99)))
    return text.format(
        n=n, few=min(n, 200), k=k, q=draw.q(n), a=f"{a:.3g}", b=f"{b:.3g}", noise=slowest.noise(draw),
        other=slowest.noise(draw), share=draw.one("1/2", "1/10", "1/100"), categories=draw.whole(2, 50),
        threshold=draw.whole(1, 50), changed=draw.one(1, 1, 2, 5), times=draw.one(2, 2, 3, 10, 30),
        epsilon=draw.power(-1, 0.7, 3), delta=draw.power(-9, -2, 3), count=draw.part(n * k), confidence="0.95",
        rows=draw.whole(2, 5),
    )  # fmt: skip


def _calls(*texts: str) -> tuple[Callable[[slowest.Draw], str], ...]:
    """Random questions whose texts have {names} for what is drawn."""
    return (lambda draw: _filled(draw, draw.one(*texts)),)


_BITS = "dp.KRandomization(n={n}, q='{q}', k={k})"
_FLEET = "dp.Fleet([dp.Group(n={n}, q='{q}'), dp.Group(n={few}, q='1/4', k={k})])"

#: Every kind of question.
KINDS: dict[str, Kind] = {
    "delta of bits": Kind((
        "dp.delta(dp.KRandomization(n=7, q='1/5'), lam='3/2')",
        "dp.delta(dp.KRandomization(n='1e3', q='1/10'), epsilon='0.4')",
        "dp.delta(dp.KRandomization(n='1e5', q='0.0067', k=3), epsilon=1)",
        "dp.delta(dp.KRandomization(n='1e7', q='1/10'), epsilon='0.004')",
        "dp.delta(dp.KRandomization(n='1e9', q='1/10'), epsilon='4e-4')",
        "dp.delta(dp.KRandomization(n='1e5', q='1/4', k=10), epsilon='0.03', ones=0)",
    ), (slowest.delta,)),
    "epsilon of bits": Kind((
        "dp.epsilon(dp.KRandomization(n='1e5', q='1/10'), delta='1e-9')",
        "dp.epsilon(dp.KRandomization(n='1e5', q='1e-4', k=2), delta='1e-6', ones=0)",
        "dp.epsilon(dp.KRandomization(n='1e7', q='1/10'), delta='1e-9')",
    ), (slowest.epsilon,)),
    "solvers": Kind((
        "dp.least_q(n=50_000, epsilon=1, delta='1e-8')",
        "dp.least_q(n=1_000, lam=2, delta='1e-6', k=10)",
        "dp.least_n(q='0.1', epsilon='0.5', delta='1e-6')",
        "dp.most_k(n=1_000, q='1/4', lam=2, delta='1e-6')",
        "dp.least_q(n=10_000, epsilon=1, delta='1e-6', categories=16)",
    ), (slowest.least_q, slowest.least_n, slowest.most_k)),
    "profiles, trade-offs, losses": Kind((
        "dp.profile(dp.KRandomization(n=1_000, q='1/10'), ['0.05', '0.2', 1])",
        "dp.tradeoff(dp.KRandomization(n=100, q='1/4')).advantage",
        "dp.tradeoff(dp.NoisyCount(dp.DiscreteGaussian(3))).gaussian_mu('0.1')",
        "list(dp.privacy_loss(dp.KRandomization(n=20, q='1/4'), interval='0.1').get_delta_for_epsilon([0.5, 1.0]))",
    ), (slowest.profile, *_calls(
        f"dp.tradeoff({_BITS}, rtol='0.01').advantage", "dp.tradeoff(dp.NoisyCount({noise}), rtol='0.01').advantage",
    ))),
    "ratios": Kind((
        "dp.ratio(dp.KRandomization(n=9, q='1/4', k=2), 3, ones=4)",
        "dp.ratio_bound(dp.KRandomization(n=50, q='1/4', k=2), 30)",
        "dp.exceedance(dp.KRandomization(n=1_000, q='1/10'), epsilon='0.3')",
    ), (slowest.at_outcome("ratio"), slowest.at_outcome("ratio_bound"), slowest.exceedance)),
    "histograms": Kind((
        "dp.delta(dp.UnaryEncoding(n=1_000, categories=16, q='1/20'), epsilon=1)",
        "dp.delta(dp.UnaryEncoding(n=20, categories=3, q='1/4', at_most=2), epsilon=1)",
        "dp.epsilon(dp.UnaryEncoding(n='1e5', categories=16, q='0.0067', neighbours='delete'), delta='1e-9')",
    ), _of(*(f"dp.UnaryEncoding(n={{n}}, categories={{categories}}, q='{{q}}', k={{k}}, neighbours='{away}')"
             for away in ("replace", "delete")))),
    "asymmetric bits": Kind((
        "dp.delta(dp.AsymmetricBits(n=1_000, chances=('0.9', '0.1')), epsilon='0.2')",
        "dp.epsilon(dp.AsymmetricBits(n=500, chances=('1/2', '1/100')), delta='1e-6')",
        "dp.delta(dp.AsymmetricBits(n=20, chances=('1/2', '1/5'), categories=3), epsilon=1)",
        "dp.least_b(n=1_000, a='1/2', epsilon=1, delta='1e-6')",
    ), _of("dp.AsymmetricBits(n={n}, chances=('{a}', '{b}'))", "dp.AsymmetricBits(n={few}, chances=('{a}', '{b}'), "
           "categories={categories})")),
    "fleets": Kind((
        "dp.delta(dp.Fleet([dp.Group(n=500, q='1/10'), dp.Group(n=500, q='1/10')]), epsilon='0.2')",
        "dp.delta(dp.Fleet([dp.Group(n=1_000, q='1/10'), dp.Group(n=100, q='1/4', k=2)]), epsilon='0.2')",
        "dp.epsilon(dp.Fleet([dp.Group(n=300, q='1/5')], dummies=[dp.Dummies(50)]), delta='1e-6')",
        "dp.least_users(dp.Fleet([dp.Group(n=100, q='1/5'), dp.Group(n=50, q='1/3')]), epsilon=1, delta='1e-6')",
    ), _of(_FLEET, "dp.Fleet([dp.Group(n={n}, chances=('{a}', '{b}'))], dummies=[dp.Dummies({few})])")),
    "sampled": Kind((
        "dp.delta(dp.Sampled(dp.KRandomization(n=200, q='1/4'), '1/10'), epsilon='0.1')",
        "dp.epsilon(dp.Sampled(dp.NoisyCount(dp.DiscreteLaplace(1)), '1/10'), delta='1e-6')",
    ), _of("dp.Sampled(dp.KRandomization(n={few}, q='{q}'), '{share}')", "dp.Sampled(dp.NoisyCount({noise}), '{share}')"
           )),
    "noise": Kind((
        "dp.delta(dp.NoisyCount(dp.DiscreteGaussian(5)), epsilon='1/2')",
        "dp.delta(dp.NoisyCount(dp.DiscreteLaplace(lam=2), 2), lam='3/2')",
        "dp.delta(dp.NoisyCount(dp.Poisson('1e4'), 3), epsilon='0.2')",
        "dp.delta(dp.NoisyCount(dp.Geometric('1/2', 25), 2), lam=3)",
        "dp.epsilon(dp.NoisyCount(dp.Binomial('1e6', '1/2')), delta='1e-8')",
        "dp.epsilon(dp.NoisyCount(dp.NegativeBinomial('7/10', '7/10', epsilon=1)), delta='1e-6')",
        "dp.delta(dp.NoisyCount(dp.RoundedGaussian(3)), epsilon=1)",
    ), _of("dp.NoisyCount({noise}, {changed})")),
    "sums of noises": Kind((
        "dp.delta(dp.NoisyCount(dp.Skellam('1e3', '1e3')), epsilon='0.1')",
        "dp.delta(dp.NoisyCount(dp.DiscreteLaplace('1/20') + dp.DiscreteLaplace('1/3')), epsilon='0.0499')",
        "dp.epsilon(dp.NoisyCount(dp.Binomial(100, '1/2') + dp.DiscreteGaussian(2)), delta='1e-6')",
    ), _of("dp.NoisyCount({noise} + {other}, {changed})")),
    "noise solvers": Kind((
        "dp.least_sigma(epsilon=1, delta='1e-6')",
        "dp.least_trials(epsilon=1, delta='1e-8')",
        "dp.least_scale(epsilon='0.5', delta='1e-6', shape='9/10')",
    ), _calls(*(f"dp.least_{what}(epsilon='{{epsilon}}', delta='{{delta}}', sensitivity={{changed}})"
                for what in ("sigma", "trials", "mean", "mu", "scale", "bound")))),
    "thresholds": Kind((
        "dp.delta(dp.Thresholded(20, sampled='0.105'), epsilon=1)",
        "dp.delta(dp.Thresholded(2, sampled='3/4', neighbours='replace'), epsilon=1)",
        "dp.delta(dp.Thresholded(13, noise=dp.DiscreteLaplace(1)), epsilon=2)",
        "dp.least_threshold(epsilon=1, delta='1e-8', sampled='0.105')",
    ), (*_of("dp.Thresholded({threshold}, sampled='{share}')", "dp.Thresholded({threshold}, noise={noise})",
             "dp.Thresholded({threshold}, noise={noise} + {other})"),
        *_calls("dp.least_threshold(epsilon='{epsilon}', delta='{delta}', noise={noise})"))),
    "shuffles": Kind((
        "dp.delta(dp.Shuffle(dp.k_ary_response(3, lam=3), n=20), epsilon=1)",
        "dp.epsilon(dp.Shuffle(dp.k_ary_response(4, lam=10), n=1_000), delta='1e-6')",
    ), _of("dp.Shuffle(dp.k_ary_response({rows}, lam=3), n={few})")),
    "rounds": Kind((
        "dp.delta(dp.Rounds([(dp.KRandomization(n=1_000, q='1/10'), 30)]), epsilon=1)",
        "dp.epsilon(dp.Rounds([(dp.KRandomization(n='1e4', q='1/10'), 5)]), delta='1e-6')",
        "dp.delta(dp.Rounds([(dp.NoisyCount(dp.DiscreteGaussian(5)), 30)]), epsilon=2)",
        "dp.delta(dp.Rounds([(dp.KRandomization(n=20, q='1/4'), 3), dp.NoisyCount(dp.Poisson(10))]), epsilon=1)",
        "dp.delta(dp.Rounds([(dp.Thresholded(9, sampled='1/1000'), 5)]), epsilon=1)",
        "dp.most_rounds(dp.KRandomization(n='1e4', q='0.1'), epsilon=1, delta='1e-6')",
    ), (*_of(f"dp.Rounds([({_BITS}, {{times}})])", "dp.Rounds([(dp.NoisyCount({noise}), {times})])",
             "dp.Rounds([(dp.Thresholded({threshold}, noise={noise}), {times})])"),
        *_calls(f"dp.most_rounds({_BITS}, epsilon='{{epsilon}}', delta='{{delta}}')"))),
    "estimates and plans": Kind((
        "dp.estimate(dp.KRandomization(n=1_000, q='1/10'), 180).interval('0.95')",
        "dp.plan(n=50_000, epsilon=1, delta='1e-8')",
        "dp.coverage(dp.KRandomization(n=100, q='1/10'), ones=5, confidence='0.95', method='normal')",
    ), (slowest.interval, slowest.plan)),
    "certificates and audits": Kind((
        "dp.certificate(dp.delta, dp.KRandomization(n=100, q='1/10'), epsilon=1).upper",
        "dp.certificate(dp.least_q, n=1_000, lam=2, delta='1e-6').upper",
        "dp.audit([dict(mechanism='bits', n=30, q='1/4', epsilon='0.1', delta='1/1000')]).rows[0].delta",
    ), _calls(f"dp.certificate(dp.delta, {_BITS}, epsilon={{epsilon}}).upper",
              "dp.audit([dict(mechanism='bits', n={n}, q='{q}', epsilon={epsilon}, delta={delta})]).rows[0].delta")),
    "the documents": Kind((
        "dp.local_q(n=1_000, lam=2, k=3)",
        "dp.local_q(n=50, lam=2, method='lattice', sides=2)",
    ), (slowest.local_q, slowest.barrier, slowest.maximal, slowest.records, slowest.formula, slowest.tail)),
}  # fmt: skip


def chosen(kinds: Sequence[str] = tuple(KINDS)) -> list[str]:
    """The questions that were chosen once."""
    return [text for kind in kinds for text in KINDS[kind].chosen]


def drawn(seed: int, count: int, kinds: Sequence[str] = tuple(KINDS)) -> list[str]:
    """So many random questions of each kind, the same for the same seed."""
    found = []
    for kind in kinds:
        for number in range(count):
            draw = slowest.Draw(random.Random(f"{seed} {kind} {number}"))
            found.append(str(draw.random.choice(KINDS[kind].draws)(draw)))
    return found


# --- asking -------------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What became of a question in one checkout.

    Attributes:
        ends: the ends of every number of the answer, in order; None if there is no answer.
        seconds: of processor time.
        text: the words of the answer, or why there is none.
    """

    ends: tuple[tuple[Fraction, Fraction], ...] | None
    seconds: float
    text: str


class Worker:
    """A process that answers with the dpcalc of one checkout.

    Args:
        checkout: the folder with ``dpcalc`` in it.
        python: the interpreter; by default that of the checkout's own ``.venv``, or else this one.
        limit: seconds of processor time for a question.
    """

    def __init__(self, checkout: Path, python: Path | None = None, *, limit: float = 20.0) -> None:
        own = checkout / ".venv" / "bin" / "python"
        self._checkout, self._limit = checkout.resolve(), limit
        self._python = str(python or (own.absolute() if own.exists() else sys.executable))
        self._process: subprocess.Popen[str] | None = None

    def ask(self, question: str) -> Answer:
        """The answer; a worker that was ended is replaced."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        print(question, file=process.stdin, flush=True)
        line = process.stdout.readline()
        if not line:
            self.close()
            ended = "stopped" if process.returncode == -signal.SIGPROF else f"ended with {process.returncode}"
            return Answer(None, self._limit, ended)
        told = json.loads(line)
        ends = told["ends"]
        if ends is not None:
            ends = tuple((_fraction(lower), _fraction(upper)) for lower, upper in ends)
        return Answer(ends, told["seconds"], told["text"])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            with self._process:  # closes its pipes, at which it ends, and waits for that
                self._process = None

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self._python, __file__, "--answer", str(self._limit)], text=True, cwd=tempfile.gettempdir(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(self._checkout)},
        )  # fmt: skip


def _fraction(text: str) -> Fraction:
    return Fraction(*(int(part, 16) for part in text.split("/")))


# --- answering: in the worker, with the other checkout's dpcalc ----------------------------------------------------


def _answer(limit: float) -> None:
    """Answer the questions on stdin, each a line, until there are no more."""
    import dpcalc

    for line in sys.stdin:
        with redirect_stdout(sys.stderr):
            told = _told(line, {"dp": dpcalc}, limit)
        print(json.dumps(told), flush=True)


def _told(question: str, names: dict[str, Any], limit: float) -> dict[str, Any]:
    """The answer, bounded by the timer; then, without it, as a clock is coarse beside it, how long it takes."""
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        value, seconds = _timed(question, names)
    except Exception as error:  # whatever it is, the other checkout may have none
        lines = str(error).splitlines() or [""]
        return {"ends": None, "seconds": 0.0, "text": f"{type(error).__name__}: {lines[0]}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    repeats = min(_REPEATS, math.floor(_SHORT / max(seconds, 1e-9)))
    if repeats:
        seconds = statistics.median(_timed(question, names)[1] for _ in range(repeats))
    ends: list[tuple[str, str]] = []
    words: list[str] = []
    _read(value, ends, words)
    return {"ends": ends, "seconds": seconds, "text": " ".join(words)}


def _timed(question: str, names: dict[str, Any]) -> tuple[Any, float]:
    """The answer and its seconds, with empty caches."""
    for clear in _caches():
        clear()
    start = process_time()
    return eval(question, dict(names)), process_time() - start


def _caches() -> list[Callable[[], None]]:
    """What empties the caches of dpcalc's functions."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "dpcalc"]
    found = {id(value): value for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")}
    return [value.cache_clear for value in found.values()]


def _read(value: Any, ends: list[tuple[str, str]], words: list[str]) -> None:
    """The numbers of an answer, and its words: in a container, or in the public fields of a value."""
    if isinstance(value, dict):
        value = list(value.values())
    elif hasattr(value, "tolist"):  # an array
        value = value.tolist()
    if value is None or isinstance(value, bool | str) or (isinstance(value, float) and not math.isfinite(value)):
        if not any(one.isdigit() for one in str(value)):  # a number in words stands also by itself
            words.append(str(value))
    elif isinstance(value, int | float | Fraction):
        ends.append((_text(Fraction(value)),) * 2)
    elif hasattr(value, "answer"):  # an enclosure or a bracket
        lower, upper = value.lower, value.upper
        if getattr(value, "whole", False) and lower < upper:  # at one end it fails: what is sought is another number
            lower, upper = (lower + 1, upper) if value.holds_above else (lower, upper - 1)
        ends.append((_text(lower), _text(upper)))
    elif isinstance(value, list | tuple):
        for one in value:
            _read(one, ends, words)
    elif is_dataclass(value):
        for field in fields(value):
            if not field.name.startswith("_"):
                _read(getattr(value, field.name), ends, words)
    else:
        words.append(type(value).__name__)


def _text(x: Fraction) -> str:
    """In hexadecimal digits, which take no time however many they are."""
    return f"{x.numerator:x}/{x.denominator:x}"


# --- comparing ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What is worse about a new answer, or another than the old one.

    Attributes:
        what: "disjoint", "lost", "wider" or "slower".
        question: its text.
        old, new: what was compared.
        factor: new over old.
    """

    what: str
    question: str
    old: str
    new: str
    factor: float = math.nan


def compared(question: str, old: Answer, new: Answer, *, wider: float = 2, slower: float = 1.5) -> list[Finding]:
    """All findings about a question."""
    if old.ends is None:
        return []
    if new.ends is None:
        return [Finding("lost", question, _shown(old.ends), new.text)]
    if len(old.ends) != len(new.ends) or old.text != new.text:
        before, after = (f"{_shown(one.ends or ())} {one.text}" for one in (old, new))
        return [Finding("disjoint", question, before, after)]
    found = []
    for a, b in zip(old.ends, new.ends, strict=True):
        if max(a[0], b[0]) > min(a[1], b[1]):
            found.append(Finding("disjoint", question, _shown([a]), _shown([b])))
        elif b[1] - b[0] > Fraction(wider) * (a[1] - a[0]):
            factor = _factor(b[1] - b[0], a[1] - a[0])
            found.append(Finding("wider", question, _width(*a), _width(*b), factor))
    if new.seconds > max(slower * old.seconds, old.seconds + SLACK):
        before, after = (f"{1000 * one.seconds:.3g} ms" for one in (old, new))
        found.append(Finding("slower", question, before, after, new.seconds / max(old.seconds, 1e-9)))
    return found


def _factor(x: Fraction, y: Fraction) -> float:
    return math.exp(min(_log(x) - _log(y), 700.0)) if y else math.inf


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


def _width(lower: Fraction, upper: Fraction) -> str:
    """Relative to the larger end."""
    return f"{_decimal((upper - lower) / max(abs(lower), abs(upper), Fraction(1, 10**1000)))} wide"


def _shown(ends: Sequence[tuple[Fraction, Fraction]]) -> str:
    """The first three numbers."""
    texts = [
        _decimal(lower) if lower == upper else f"[{_decimal(lower)}, {_decimal(upper)}]" for lower, upper in ends[:3]
    ]
    return ", ".join(texts) + (", ..." if len(ends) > 3 else "")


def _decimal(x: Fraction) -> str:
    """Seven digits, whatever the size."""
    if not x or 1e-300 < abs(x) < 1e300:
        return f"{float(x):.7g}"
    return f"{'-' if x < 0 else ''}10^{_log(abs(x)) / math.log(10):.7g}"


def findings(
    asked: Sequence[str], old: Worker, new: Worker, *, wider: float = 2, slower: float = 1.5
) -> Iterator[tuple[str, Answer, Answer, list[Finding]]]:
    """Each question, both answers, and what there is to say."""
    for question in asked:
        before, after = old.ask(question), new.ask(question)
        found = compared(question, before, after, wider=wider, slower=slower)
        for _ in range(_ASKED - 1):
            if not any(one.what == "slower" for one in found):
                break
            before, after = (
                answer._replace(seconds=min(answer.seconds, worker.ask(question).seconds))
                for answer, worker in ((before, old), (after, new))
            )
            found = compared(question, before, after, wider=wider, slower=slower)
        yield question, before, after, found


def report(found: Sequence[Finding], asked: int, answered: int, seconds: tuple[float, float]) -> str:
    """How many of each, and a line for each of them with its question below."""
    counts = Counter(one.what for one in found)
    kinds = ", ".join(f"{counts[what]} {what}" for what in ("disjoint", "lost", "wider", "slower"))
    lines = [
        f"{asked} questions, {answered} with two answers: {kinds}; {seconds[0]:.1f} s before, {seconds[1]:.1f} s now"
    ]
    for one in sorted(found, key=lambda one: (one.what not in _BAD, one.what, -one.factor)):
        factor = "" if math.isnan(one.factor) else f"{one.factor:.3g} times"
        lines += [f"{one.what:9}{factor:12}{one.old} -> {one.new}", f"{'':9}{one.question}"]
    return "\n".join(lines)


def main() -> int:
    """Ask and print; 1 if anything is disjoint or lost."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path, help="a checkout")
    parser.add_argument("new", type=Path, help="another one")
    parser.add_argument("--old-python", type=Path, help="its Python (default: that of its .venv, or else this one)")
    parser.add_argument("--new-python", type=Path, help="its Python (default: that of its .venv, or else this one)")
    parser.add_argument("--random", type=int, default=0, help="random questions of each kind (default 0)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--wider", type=float, default=2.0, help="times the width that are too many (default 2)")
    parser.add_argument("--slower", type=float, default=1.5, help="times the seconds that are too many (default 1.5)")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for a question (default 20)")
    options = parser.parse_args()
    asked = [*chosen(options.kinds), *drawn(options.seed, options.random, options.kinds)]
    old, new = (
        Worker(checkout, python, limit=options.limit)
        for checkout, python in ((options.old, options.old_python), (options.new, options.new_python))
    )
    bad, answered, seconds = [], 0, [0.0, 0.0]
    try:
        for _, before, after, found in findings(asked, old, new, wider=options.wider, slower=options.slower):
            bad += found
            answered += before.ends is not None and after.ends is not None
            seconds = [seconds[0] + before.seconds, seconds[1] + after.seconds]
    finally:
        old.close()
        new.close()
    print(report(bad, len(asked), answered, (seconds[0], seconds[1])))
    return int(any(one.what in _BAD for one in bad))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        _answer(float(sys.argv[2]))
    else:
        sys.exit(main())
