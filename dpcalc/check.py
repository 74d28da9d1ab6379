r"""Checks a certificate of dpcalc without dpcalc: ``python check.py answer.json``.

It prints what is proven and exits with 0, or prints the first step that fails and exits with 1. There is no floating
point: whole numbers, fractions, and disks whose centres and radii are whole. Nothing in the file is believed: its
question and answer are the claim, the rest only says where to look. Numbers in brackets are theorems of
notebooks/proof_notes.md, with a C lemmas of notebooks/proofs_composition.md; notebooks/certificates.md has the format.

n records hold a bit each, every bit is reported k times, each report is flipped with probability q < 1/2, p = 1 - q; S
of the k n reports are 1. One record changes, m of the other n - 1 hold 1. It is 0 under P_0 and 1 under P_1. Let
d_t = P_0(S = t) - lambda P_1(S = t) and h_t = d_0 + ... + d_t. The d change sign once: delta_m, the largest h_t, is h_t
at the last t with d_t > 0 (1.3). All datasets in both directions are m = 0, ..., n - 1 (1.5).
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    sys.path.pop(0)  # the folder of this file, where others have names of the standard library

import json
import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, factorial, floor, isqrt
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "dpcalc certificate 1"
LOOKED_AT = 10**8  # products of disks: some minutes
SUMMED = 1 << 31  # bits, of all numbers together, up to which a law is summed up


class Unproven(Exception):
    """The first step that fails."""


def need(condition: bool, step: str) -> None:
    """Every check: what is not so is not proven."""
    if condition is not True:
        raise Unproven(step)


class Disk:
    """All complex numbers within c 2^e of (a + b i) 2^e. The sum of two disks holds every sum, and so on."""

    bits = 192  # of a, b and c: the rest is cut, and the radius grows by more than that
    products = 0  # taken so far

    def __init__(self, a: int, b: int = 0, e: int = 0, c: int = 0) -> None:
        cut = max(0, (abs(a) | abs(b) | c).bit_length() - Disk.bits)
        self.a, self.b, self.e, self.c = a >> cut, b >> cut, e + cut, (c >> cut) + (3 if cut else 0)

    def modulus(self) -> int:
        """At least that of the centre, in units of 2^e."""
        return isqrt(self.a * self.a + self.b * self.b) + 1 if self.a or self.b else 0

    def around(self) -> "Disk":
        """The disk about 0 that holds it: a bound."""
        return Disk(0, 0, self.e, self.modulus() + self.c)

    def __add__(self, y: "Disk") -> "Disk":
        if self.e < y.e:
            return y + self
        if not (self.a or self.b or self.c) or not (y.a or y.b or y.c):
            return self if self.a or self.b or self.c else y
        shift, deep = self.e - y.e, 2 * Disk.bits
        if shift > 2 * deep:  # y is far below: all of it goes into the radius
            return self + Disk(0, 0, self.e - deep, ((y.modulus() + y.c) >> (shift - deep)) + 1)
        return Disk((self.a << shift) + y.a, (self.b << shift) + y.b, y.e, (self.c << shift) + y.c)

    def __mul__(self, y: "Disk") -> "Disk":
        Disk.products += 1 + (Disk.bits >> 11) ** 2  # about the time that it takes
        need(Disk.products <= LOOKED_AT, "too much to be looked at")
        c = (abs(self.a) + abs(self.b) + self.c) * y.c + (abs(y.a) + abs(y.b)) * self.c
        return Disk(self.a * y.a - self.b * y.b, self.a * y.b + self.b * y.a, self.e + y.e, c)

    def __neg__(self) -> "Disk":
        return Disk(-self.a, -self.b, self.e, self.c)

    def __pow__(self, n: int) -> "Disk":
        found: Disk = power(Disk(1), self, n)
        return found

    def inverse(self) -> "Disk":
        """1/z, off by at most c / (|z| (|z| - c)), and by two floors."""
        square = self.a * self.a + self.b * self.b
        least, shift = isqrt(square), square.bit_length() + Disk.bits
        need(least > self.c, "a divisor may be 0")
        off = (self.c << shift) // (least * (least - self.c)) + 3
        return Disk((self.a << shift) // square, (-self.b << shift) // square, -self.e - shift, off)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Between which numbers the real part lies."""
        return scaled(self.a - self.c, self.e), scaled(self.a + self.c, self.e)


def power(found: Any, x: Any, n: int) -> Any:
    """found x^n."""
    while n > 0:
        found, n, x = (found * x if n & 1 else found), n >> 1, (x * x if n > 1 else x)
    return found


def scaled(x: int, e: int) -> Fraction:
    """x 2^e."""
    need(abs(e) < 1 << 22, "a number is out of range")
    return Fraction(x << max(e, 0), 1 << max(-e, 0))


def disk(x: Fraction | int) -> Disk:
    """A rational."""
    shift = Disk.bits + x.denominator.bit_length() - x.numerator.bit_length()
    top, rest = divmod(x.numerator << max(shift, 0), x.denominator << max(-shift, 0))
    return Disk(top, 0, -shift, 1 if rest else 0)


def taylor(z: Disk, order: int) -> list[Disk]:
    """z^i / i! for i = 0, ..., order."""
    return list(accumulate(range(1, order + 1), lambda x, i: x * z * disk(Fraction(1, i)), initial=Disk(1)))


def exp(z: Disk) -> Disk:
    """e^z: Taylor's sum at z / 2^halved, squared so often; what it leaves out is below the last term."""
    halved = max(0, max(z.a.bit_length(), z.b.bit_length(), z.c.bit_length()) + z.e) + 12
    need(halved < 100, "an exponent is out of range")
    terms = taylor(Disk(z.a, z.b, z.e - halved, z.c), Disk.bits // 11 + 4)
    total = sum(terms, terms[-1].around())
    for _ in range(halved):
        total = total * total
    return total


def log(z: Disk, start: Disk | None = None) -> Disk:
    """Some logarithm of every z of the disk: Halley's steps from anywhere, then that of 1 + w."""
    y = start or disk(Fraction((z.e + z.a.bit_length()) * 693, 1000))
    for _ in range(60):
        y = Disk(y.a, y.b, y.e)
        w = z * exp(-y) + Disk(-1)
        if w.modulus().bit_length() + w.e < -Disk.bits // 6:
            break
        y = y + w * Disk(2) * (w + Disk(2)).inverse()
    need(scaled(w.modulus() + w.c, w.e) < Fraction(1, 2), "a logarithm was not found")
    for i in range(1, 7):
        y = y + w**i * disk(Fraction((-1) ** (i - 1), i))
    return y + (w**7).around()  # all later terms: |w| <= 1/2


class Law(NamedTuple):
    """What is asked about: delta falls as lambda grows, and lambda lies from ``least`` to ``most``."""

    n: int
    q: Fraction
    k: int
    least: Fraction
    most: Fraction
    ranges: list[tuple[int, int]]  # of m


class Entries(dict[str, Any]):
    """An object of the file."""

    def only(self, names: str) -> None:
        """Refuse other entries."""
        need(set(self) <= set(names.split()), f"unknown entries: {sorted(set(self) - set(names.split()))}")

    def part(self, name: str) -> "Entries":
        """An object within."""
        need(type(self.get(name)) is dict, f"{name} is missing")
        return Entries(self[name])

    def parts(self, name: str) -> "list[Entries]":
        """A list of objects within."""
        found = self.get(name)
        need(type(found) is list and all(type(one) is dict for one in found), f"{name} are missing")
        return [Entries(one) for one in self[name]]

    def number(self, name: str, default: int | None = None) -> Fraction:
        """A rational: a whole number, or two of them in a string, long ones in hexadecimal digits."""
        x = self.get(name, default)
        text = str(x) if type(x) in (int, str) else ""
        found = re.fullmatch(r"(-?)(0x[0-9a-f]+|[0-9]+)(?:/(0x[0-9a-f]+|[0-9]+))?", text)
        need(found is not None, f"{name} is no number")
        sign, *parts = found.groups("1") if found else ()
        up, down = (int(part, 16 if part[:2] == "0x" else 10) for part in parts)
        need(down > 0, f"{name} is divided by 0")
        return Fraction(-up if sign == "-" else up, down)

    def whole(self, name: str, low: int = 0, high: int = 10**15, default: int | None = None) -> int:
        """A whole number within a range."""
        x = self.number(name, default)
        need(x.denominator == 1 and low <= x <= high, f"{name} is not a whole number from {low} to {high}")
        return int(x)


def binomial(count: int, up: int, down: int) -> list[int]:
    """The coefficients of (down + up z)^count."""
    ratios = accumulate(range(count), lambda x, i: x * (count - i) * up // ((i + 1) * down), initial=down**count)
    return list(ratios)


def summed(law: Law, lam: Fraction, ones: int, zeros: int, t: int) -> tuple[Fraction, int, int]:
    """h_t, and two numbers of the signs of d_t and d_{t+1}, exactly, for a pool of ones and zeros."""
    reports, up, whole = law.k * (ones + zeros + 1), law.q.numerator, law.q.denominator
    need((law.k + 3) * reports**2 * whole.bit_length() <= SUMMED, "too much to be summed up")
    first, second = binomial(law.k * ones, whole - up, up), binomial(law.k * zeros, up, whole - up)
    below = list(accumulate(second))
    laws = zip(binomial(law.k, up, whole - up), binomial(law.k, whole - up, up), strict=True)
    kernel = [lam.denominator * x - lam.numerator * y for x, y in laws]

    def others(s: int) -> int:  # at most s of their reports are 1
        return sum(x * below[min(s - i, len(below) - 1)] for i, x in enumerate(first[: max(s + 1, 0)]))

    seen = [others(t + 1 - j) for j in range(law.k + 3)]
    after, here, before = (sum(x * y for x, y in zip(kernel, seen[i:], strict=False)) for i in range(3))
    return Fraction(here, lam.denominator * whole**reports), here - before, after - here


def extent(table: dict[tuple[int, int], Disk]) -> tuple[Fraction, Fraction]:
    """Between which numbers the real part of sum c_ij x^i y^j stays for |x|, |y| <= 1 (4.5)."""
    unit = min(z.e for z in table.values())
    need(max(z.e for z in table.values()) < unit + (1 << 16), "coefficients are too far apart")
    ends = {at: ((z.a - z.c) << (z.e - unit), (z.a + z.c) << (z.e - unit)) for at, z in table.items()}
    least, top = ends.pop((0, 0))
    least -= sum(max(-low, high) for low, high in ends.values())
    for linear, square in ((1, 0), (2, 0)), ((0, 1), (0, 2)):
        (low, high), (_, bend) = ends.pop(linear, (0, 0)), ends.pop(square, (0, 0))
        steep = max(-low, high)
        top += steep + bend if steep >= -2 * bend else steep * steep // (-4 * bend) + 1
    return scaled(least, unit), scaled(top + sum(max(-low, high) for low, high in ends.values()), unit)


def geometric(x: Disk) -> Disk:
    """x + x^2 + ... for a real x >= 0."""
    rest = Disk(1) + -x
    need(rest.ends()[0] > 0, "a geometric series does not converge")
    return x * rest.inverse()


def inverted(law: Law, lam: Fraction, ones: int, zeros: int, half: int, w: Entries) -> list[list[Any]]:
    """Polynomials for h_t and d_t, piece by piece, at ``ones`` + x and ``zeros`` - x others with |x| <= half.

    t = t_0 + slope x + u. On each piece the sum over the circle (3.1) is expanded in x and u (4.1, 4.3); a piece is a
    range of real u or, where the slope is whole, a single whole number.
    """
    t, points, kept, order = w.whole("t"), w.whole("points", 3), w.whole("kept", 1), w.whole("order", 0, 40, 0)
    pieces, wide = w.whole("pieces", 1, 999, 1), w.whole("wide", 0, 1, 0)
    slope, step = w.number("slope", 0), w.number("step", 1)
    left, r, right = w.number("left"), w.number("r"), w.number("right")
    need(kept * pieces * (order + 1) ** 2 <= 10**8 and pieces * (order + 1) ** 2 <= 10**5, "too much to be looked at")
    need(0 < left < r < 1 and r < right, "0 < left < r < 1 and r < right (3.1 to 3.3)")
    need(points % 2 == 1 and kept <= (points + 1) // 2, "an odd number of points, none of them taken twice (3.1)")
    need(step > 0 and (wide == 1 or (slope.denominator == 1 and step == 1)), "some whole t are left out (4.4)")
    q, k, width, far = law.q, law.k, disk(step / 2 * wide), ceil(pieces * step)
    half_turn, log_r = log(Disk(-1), Disk(0, 3)), log(disk(r))  # pi i: next to 3 i there is no other

    def largest(x: Fraction) -> Disk:  # of G |K| x^-t over all of x and u (3.2, 4.2)
        a, b = disk(q + (1 - q) * x), disk(1 - q + q * x)
        at = a ** (k * ones) * b ** (k * zeros) * (b**k + disk(lam) * a**k) * disk(1 / x) ** t
        moved = (log(a) + -log(b)) * disk(k) + -log(disk(x)) * disk(slope) if half else Disk(0)
        return at * disk(max(Fraction(1), 1 / x)) ** far * exp(moved.around() * Disk(half))

    found: list[list[Any]] = [[{}, {}] for _ in range(pieces)]
    missed = [[Disk(0), Disk(0)] for _ in range(pieces)]
    root, zeta = Disk(1), exp(half_turn * disk(Fraction(2, points)))
    log_a = log_b = None
    for j in range(kept):
        z = disk(r) * root
        a, b = disk(q) + disk(1 - q) * z, disk(1 - q) + disk(q) * z
        value = a ** (k * ones) * b ** (k * zeros) * (b**k + -disk(lam) * a**k) * z.inverse() ** t
        value, over = value * disk(Fraction(2 if j else 1, points)), (Disk(1) + -z).inverse()
        log_z, per_x, onward = log_r + half_turn * disk(Fraction(2 * j, points)), Disk(0), z.inverse()
        if half:
            log_a, log_b = log(a, log_a), log(b, log_b)
            per_x = ((log_a + -log_b) * disk(k) + -log_z * disk(slope)) * disk(half)
        if wide:
            value, onward = value * exp(-log_z * width), exp(-log_z * disk(step))
        in_x, in_u = taylor(per_x, order if half else 0), taylor(-log_z * width, order if wide else 0)
        terms = [((i, j), x * u) for i, x in enumerate(in_x) for j, u in enumerate(in_u) if i + j <= order]
        reach = per_x.around() + (log_z * width).around()
        rest = reach ** (order + 1) * exp(reach) * disk(Fraction(1, factorial(order + 1)))  # (4.3)
        for piece, miss in zip(found, missed, strict=True):
            for i, here in enumerate((value * over, value)):
                miss[i] = miss[i] + (here * rest).around()
                for at, term in terms:
                    piece[i][at] = piece[i].get(at, Disk(0)) + here * term
            value = value * onward
        root = root * zeta

    alias = largest(right) * geometric(disk(r / right) ** points)  # (3.2)
    alias = alias + largest(left) * geometric(disk(left / r) ** points)  # (3.3)
    constant = disk(lam - 1) * geometric(disk(r) ** points) if right >= 1 else Disk(0)  # (3.2)
    gone = Disk(0)
    if kept <= (points - 1) // 2:  # (3.5)
        first, second = root.ends(), (root * zeta).ends()  # cosines
        stride = min(first[0] - second[1], (1 + first[0]) / (Fraction(points, 2) - kept))
        fades = [k * a * (1 - a) * r / (1 - a + a * r) ** 2 for a in (1 - q, q)]
        spread = min((ones + x) * fades[0] + (zeros - x) * fades[1] for x in (-half, half))
        need(stride > 0 and spread > 0, "the points left out do not fade (3.5)")
        gone = exp(disk(-spread * (1 - first[1]))) * (Disk(1) + geometric(exp(disk(-spread * stride))))
        gone = gone * disk(Fraction(2, points)) * largest(r)
    for (h, d), miss in zip(found, missed, strict=True):
        h[0, 0] = h[0, 0] + constant + (alias + miss[0] + gone * disk(1 / (1 - r))).around()
        d[0, 0] = d[0, 0] + (alias + miss[1] + gone).around()
    return found


def attained(law: Law, w: Entries) -> Fraction:
    """A lower bound of delta: h_t of one dataset, whatever t is (1.3)."""
    m = w.whole("m", 0, law.n - 1)
    need(any(low <= m <= high for low, high in law.ranges), "m is not asked about")
    w.only("m by t" if w.get("by") == "sum" else "m by t r left right points kept")
    if w.get("by") == "sum":
        return summed(law, law.most, m, law.n - 1 - m, w.whole("t"))[0]
    need(w.get("by") == "circle", "how the dataset is shown: by sum or circle")
    return extent(inverted(law, law.most, m, law.n - 1 - m, 0, w)[0][0])[0]


def odds(law: Law) -> tuple[Fraction, Fraction]:
    """Numbers around (p/q)^k, the largest ratio that an outcome shows (1.4)."""
    if law.k * law.q.denominator.bit_length() < 10**5:
        return (1 / law.q - 1) ** law.k, (1 / law.q - 1) ** law.k
    return (disk(1 / law.q - 1) ** law.k).ends()


def top(law: Law, low: int, high: int, w: Entries) -> Fraction:
    """An upper bound of delta_m for low <= m <= high: of the pool that these have in common (2.3), or by envelope."""
    by, others = w.get("by"), law.n - 1
    if by == "ratio":
        w.only("from to by")
        need(odds(law)[1] <= law.least, "some outcome shows a ratio above lambda (1.4)")
        return Fraction(0)
    if by == "sum":
        w.only("from to by t")
        value, here, after = summed(law, law.least, low, others - high, w.whole("t"))
        need(here > 0 >= after, "t is not the last one with d_t > 0 (1.3)")
        return value
    need(by in ("circle", "envelope"), "how a block is bounded: by ratio, sum, circle or envelope")
    w.only("from to by t r left right points kept order pieces slope step wide")
    middle = (low + high) // 2
    pool = (low, others - high, 0) if by == "circle" else (middle, others - middle, high - middle)
    found = [(extent(h)[1], extent(d)) for h, d in inverted(law, law.least, *pool, w)]
    ends = ceil(1 / w.number("step", 1))  # so many pieces hold a whole t
    need(min(d[0] for _, d in found[:ends]) > 0, "d_t > 0 on the first pieces is not proven (4.4)")
    need(max(d[1] for _, d in found[-ends:]) < 0, "d_t < 0 on the last pieces is not proven (4.4)")
    return max(h for h, _ in found)


def covered(law: Law, w: Entries) -> Fraction:
    """An upper bound of delta_m for all m that are asked about."""
    left, tops = w.parts("blocks"), [Fraction(0)]
    for low, high in law.ranges:
        while low <= high:
            need(len(left) > 0 and left[0].whole("from") == low, f"no block begins at m = {low}")
            last = left[0].whole("to", low, high)
            tops.append(top(law, low, last, left.pop(0)))
            low = last + 1
    need(not left, "a block too many")
    return max(tops)


def limit(asked: Entries) -> tuple[Fraction, Fraction]:
    """Numbers around lambda."""
    need(("lam" in asked) != ("epsilon" in asked), "either lam or epsilon is given")
    given = asked.number("lam" if "lam" in asked else "epsilon")
    need(given >= 1 if "lam" in asked else 0 <= given <= 10**6, "lambda is below 1, or epsilon beyond 1,000,000")
    low, high = (given, given) if "lam" in asked else exp(disk(given)).ends() if given else (Fraction(1), Fraction(1))
    return max(low, Fraction(1)), high


def written(x: Fraction) -> str:
    """As it stands in a file."""
    short = max(x.numerator.bit_length(), x.denominator.bit_length()) < 400
    return str(x) if short else f"{x.numerator:#x}/{x.denominator:#x}"


def law_of(asked: Entries) -> Law:
    """What is asked about single bits in one round."""
    n, q, k, (least, most) = asked.whole("n", 1), asked.number("q"), asked.whole("k", 1), limit(asked)
    need(0 < q < Fraction(1, 2) and n * k <= 10**15, "q is not between 0 and 1/2, or there are too many reports")
    if "ones" not in asked:
        return Law(n, q, k, least, most, [(0, (n - 1) // 2 if most == 1 else n - 1)])  # (1.5)
    ones = asked.whole("ones", 0, n - 1)
    return Law(n, q, k, least, most, [(m, m) for m in sorted({ones, n - 1 - ones})])


@dataclass(frozen=True)
class Losses:
    """A pair (P, Q): the P masses of the losses first <= 0, first + 1, ..., where P = g^loss Q, and of Q = 0.

    In units of 2^-Disk.bits, rounded up; a loss below the window counts as its lowest one, one above it as infinite:
    masses may be added, and Q may be lowered (C22).
    """

    window: int
    first: int
    masses: list[int]
    beyond: int

    def __mul__(self, y: "Losses") -> "Losses":
        """Of both rounds: the sums of products are the digits of one product."""
        size = (2 * max(*self.masses, *y.masses).bit_length() + len(y.masses).bit_length()) // 8 + 1
        whole, first = 1, self.first + y.first
        for masses in self.masses, y.masses:
            whole *= int.from_bytes(b"".join(mass.to_bytes(size, "little") for mass in masses), "little")
        digits = whole.to_bytes(size * (len(self.masses) + len(y.masses) - 1), "little")
        found = [upward(int.from_bytes(digits[i : i + size], "little")) for i in range(0, len(digits), size)]
        low, end = max(0, -self.window - first), self.window + 1 - first
        beyond = upward(self.beyond * (sum(y.masses) + y.beyond) + sum(self.masses) * y.beyond) + sum(found[end:])
        return Losses(self.window, first + low, [sum(found[: low + 1]), *found[low + 1 : end]], beyond)

    def delta(self, g: Fraction, lam: Fraction) -> Fraction:
        """The sum of P - lambda Q where it is above 0, for lambda >= 1 (C9)."""
        unit = least = 1 << Disk.bits  # at most g^-loss
        total = self.beyond * unit
        for mass in self.masses[-self.first :]:
            total += mass * max(0, unit - lam.numerator * least // lam.denominator)
            least = least * g.denominator // g.numerator
        return Fraction(total, unit * unit)


def upward(x: int) -> int:
    """x / 2^Disk.bits, rounded up."""
    return -(-x >> Disk.bits)


def law_at(kind: Entries, g: Fraction, step: int) -> Law:
    """A single round, at most at lambda = g^step: delta falls in lambda."""
    lam = Fraction(floor(g**step * 2**64), 2**64)
    return law_of(Entries({"lam": written(lam), **{name: kind.get(name) for name in ("n", "q", "k")}}))


def polygon(points: dict[int, Fraction], g: Fraction) -> dict[int, tuple[Fraction, Fraction]]:
    """Its corners (g^step, an upper bound of delta there), in both directions (C1)."""
    both = points | {-step: 1 - (1 - value) / g**step for step, value in points.items()}
    return {step: (g**step, both[step]) for step in sorted(both)}


def chords(points: dict[int, Fraction], g: Fraction, window: int) -> Losses:
    """The pair whose profile is the polygon: at or above all that are below its corners (C2, C6)."""
    corners, last, unit = polygon(points, g), max(points), 1 << Disk.bits
    line = [(Fraction(0), Fraction(1)), *corners.values()]
    slopes = [(low - high) / (after - before) for (before, high), (after, low) in pairwise(line)] + [Fraction(0)]
    masses = dict.fromkeys(range(-last, last + 1), 0)
    for (step, (x, _)), (before, after) in zip(corners.items(), pairwise(slopes), strict=True):
        need(after >= before, "the polygon is not convex (C6)")
        masses[step] = ceil(x * (after - before) * unit)
    return Losses(window, -last, list(masses.values()), ceil(points[last] * unit))


def rounded(value: Fraction) -> Fraction:
    """A bound of delta, upward."""
    return Fraction(min(ceil(value * (1 << Disk.bits)), 1 << Disk.bits), 1 << Disk.bits)


def dominating(kind: Entries, g: Fraction, w: Entries, window: int) -> Losses:
    """A pair at or above those of all datasets of one count."""
    w.only("knots")
    need(len(w.parts("knots")) <= 1000, "too much to be looked at")
    points = {}
    for knot in w.parts("knots"):
        knot.only("step blocks")
        step = knot.whole("step", 0, 9999)
        points[step] = rounded(covered(law_at(kind, g, step), knot))
    return chords(points, g, window)


def counts(kind: Entries) -> int:
    """How many counts of single bits change, in all rounds of a kind; each has any dataset (C13, C17 to C21)."""
    times, histogram = kind.whole("times", 1, 10**9, default=1), "categories" in kind
    kind.only("n q k times" + " categories ones neighbours" * histogram)
    if not histogram:
        return times
    need(kind.get("neighbours") in ("replace", "delete"), "neighbours: replace or delete")
    categories = kind.whole("categories", 2)
    ones = kind.whole("ones", 1, categories, default=1)
    return times * (ones if kind["neighbours"] == "delete" else 2 * min(ones, categories - ones))


def composed(asked: Entries, pairs: list[Losses], g: Fraction) -> Fraction:
    """An upper bound of delta of several rounds, whose datasets may depend on earlier counts (C4)."""
    total = Losses(pairs[0].window, 0, [1 << Disk.bits], 0)
    for kind, pair in zip(asked.parts("rounds"), pairs, strict=True):
        total = power(total, pair, counts(kind))
    return total.delta(g, limit(asked)[0])


def local(asked: Entries, q: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers around (1 + x)^k, or 1/(1 - x) for two sides: x^2 = z^2 ((1/pq - 3)^L - 1)/(k n)."""
    n, k, bits, sides = (asked.whole(name, 1) for name in ("n", "k", "bits", "sides"))
    need(0 < q < Fraction(1, 2) and (sides == 1 or (sides, k) == (2, 1)), "q or the sides are out of range")
    need(asked.number("sigmas") > 0, "sigmas are not positive")
    square = (disk(1 / (q * (1 - q)) - 3) ** bits + Disk(-1)) * disk(asked.number("sigmas") ** 2 / (k * n))
    low, high = (isqrt(int(end * 4**Disk.bits)) for end in square.ends())
    unit = Fraction(1, 1 << Disk.bits)
    need(sides == 1 or (high + 1) * unit < 1, "x is not below 1")
    if sides == 2:
        return 1 / (1 - low * unit), 1 / (1 - (high + 1) * unit)
    return (disk(1 + low * unit) ** k).ends()[0], (disk(1 + (high + 1) * unit) ** k).ends()[1]


TEXTS = ("neighbours", "rounds")  # entries of questions that are no numbers
QUESTIONS = {  # what is given, what is asked for, and its name
    "delta": ("n q k lam epsilon ones rounds", "", "the least delta"),
    "epsilon": ("n q k delta ones rounds", "epsilon", "the least epsilon"),
    "least_q": ("n k lam epsilon delta rounds", "q", "the least q"),  # delta falls in q (2.2)
    "least_n": ("q k lam epsilon delta rounds", "n", "the least n"),  # and in n (2.3)
    "most_k": ("n q lam epsilon delta", "k", "a k that holds while k + 1 fails"),
    "most_rounds": ("lam epsilon delta rounds", "times", "the largest number of rounds that holds"),  # (C14)
    "local_q": ("n k bits sigmas sides lam epsilon", "q", "the least q of the local bound"),
}


def at(asked: Entries, unknown: str, x: Fraction) -> Entries:
    """The question at a value of what it asks for."""
    if "rounds" not in asked or unknown == "epsilon":
        return Entries({**asked, unknown: written(x)})
    need(not any(unknown in kind for kind in asked.parts("rounds")), f"{unknown} is given")
    return Entries({**asked, "rounds": [{**kind, unknown: written(x)} for kind in asked.parts("rounds")]})


def bounded(asked: Entries, file: Entries) -> Fraction:
    """An upper bound of delta."""
    if "rounds" not in asked:
        return covered(law_of(asked), file)
    g, window = file.number("grid"), file.whole("window", 1, 10**6)
    need(g > 1, "the grid does not rise")
    need(g.numerator < 1 << 64 and window * Disk.bits <= 10**7, "too much to be looked at")
    rounds = zip(asked.parts("rounds"), file.parts("rounds"), strict=True)
    return composed(asked, [dominating(kind, g, w, window) for kind, w in rounds], g)


def proven(file: Entries) -> str:
    """The claim, if it is so."""
    file.only("schema question answer bits dataset blocks grid window rounds")
    asked, answer = file.part("question"), file.part("answer")
    what, default = str(asked.get("what")), 0 if "rounds" in asked else None
    lower, upper = answer.number("lower", default), answer.number("upper", default)
    need(file.get("schema") == SCHEMA and what in QUESTIONS, f"{SCHEMA}, and one of its questions, is expected")
    given, unknown, name = QUESTIONS[what]
    asked.only("what " + given)
    answer.only("lower upper")
    need("rounds" not in asked or not {"n", "q", "k", "ones"} & set(asked), "each of the rounds has its own n, q and k")
    Disk.bits = file.whole("bits", 64, 20000)
    need(lower <= upper or "upper" not in answer, "lower is above upper")
    if what == "delta":
        posed(asked)
        need(lower <= 0 or attained(law_of(asked), file.part("dataset")) >= lower, "delta is not proven to be so large")
        need(upper >= 1 or bounded(asked, file) <= upper, "delta is not proven to be so small")
    elif what == "local_q":
        least, most = limit(asked)
        need(local(asked, lower)[0] > most, "the bound is not proven to fail at the lower end")
        need(local(asked, upper)[1] <= least, "the bound is not proven to hold at the upper end")
    else:
        target = asked.number("delta")
        need(0 <= target < 1, "delta is not from 0 to 1")
        need(what != "most_k" or upper == lower + 1, "the ends are no neighbours")
        fails, holds = (upper, lower) if what.startswith("most") else (lower, upper)
        if fails > (1 if what == "least_n" else 0):  # below there is nothing
            law = law_of(at(asked, unknown, fails))
            above = odds(law)[0] > law.most if not target else attained(law, file.part("dataset")) > target
            need(above, "the target is not proven to fail where it should")
        need(bounded(at(asked, unknown, holds), file) <= target, "the target is not proven to hold")
    claim = f"Proven: for {'datasets chosen adaptively, ' if 'rounds' in asked else ''}{words(asked, given)} {name} is "
    if lower == upper and len(written(lower)) < 99:
        return f"{claim}{lower}."
    return f"{claim}{between(answer)}."


def posed(asked: Entries) -> None:
    """Refuse what is no question, whatever is answered."""
    if "rounds" not in asked:
        law_of(asked)
        return
    limit(asked)
    need(len(asked.parts("rounds")) > 0, "there are no rounds")
    for kind in asked.parts("rounds"):
        counts(kind), law_at(kind, Fraction(2), 0)


def between(answer: Entries) -> str:
    """Its ends in decimals."""
    ways = {"lower": ("at least", ROUND_FLOOR), "upper": ("at most", ROUND_CEILING)}
    return ", ".join(f"{way} {shown(answer.number(end), to)}" for end, (way, to) in ways.items() if end in answer)


def words(asked: Entries, names: str) -> str:
    """What is given, as it was read."""
    found = {name: written(asked.number(name)) for name in names.split() if name in asked and name not in TEXTS}
    if "neighbours" in asked:
        found["neighbours"] = asked["neighbours"]
    if "rounds" in asked:
        each = [words(kind, "times n q k categories ones neighbours") for kind in asked.parts("rounds")]
        found["rounds"] = f"[{'; '.join(each)}]"
    return ", ".join(f"{name} = {x}" for name, x in found.items())


def shown(x: Fraction, way: str) -> str:
    """In decimals, rounded outward."""
    digits = Context(15, way, MIN_EMIN, MAX_EMAX)
    return str(x if x.denominator == 1 else digits.divide(Decimal(x.numerator), Decimal(x.denominator)))


def examined(data: bytes) -> tuple[bool, str]:
    """Whether a file's claim is proven, and the claim or the step that fails."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "an entry stands there twice")
        return dict(pairs)

    def refuse(text: str) -> Any:
        raise Unproven(f"{text} is no exact number")

    try:
        Disk.products = 0
        found = json.loads(data.decode(), object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse)
        need(type(found) is dict, "the file holds no object")
        return True, proven(Entries(found))
    except Exception as step:  # whatever goes wrong, nothing is proven
        text = str(step) if isinstance(step, Unproven) else repr(step)
        return False, f"Not proven: {ascii(text)[1:-1][:200]}"


if __name__ == "__main__":
    try:
        accepted, said = examined(Path(sys.argv[1]).read_bytes())
    except (IndexError, OSError, MemoryError) as reason:
        accepted, said = False, f"Nothing to check, give the path of a certificate: {reason}"
    print(said)
    sys.exit(0 if accepted else 1)
