r"""Checks a certificate of dpcalc without dpcalc: ``python check.py answer.json``.

It prints the theorem that is proven and exits with 0, or prints the first step that fails and exits with 1. There is no
floating point: only whole numbers, fractions, and disks whose centres and radii are whole numbers in a unit 2^e.
Nothing in the file is believed: its question and its answer are the claim, all else is a witness, which says where to
look. Numbers in brackets are theorems of notebooks/proof_notes.md; with a letter, lemmas of the pages that it names.
The format is described in notebooks/certificates.md.

The sections: arithmetic (1), reading a file (2), then one for each kind of claim, which begins with its theorem: single
bits by sums (3), on circles (4), over all datasets (5), noise (6), thresholds (7), fleets (8), few people (9), rounds
(10), the local bound (11); then questions and answers (12), and what is printed (13).
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    sys.path.pop(0)  # the folder of this file, where others have names of the standard library

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact
from fractions import Fraction
from itertools import accumulate, chain, count, islice, pairwise, permutations, repeat
from math import ceil, factorial, floor, isqrt, lcm
from typing import Any, NamedTuple

SCHEMA = "dpcalc certificate 1"
EXACT = Context(MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])  # multiplies long whole numbers quickly
LOG_2 = Fraction(693147180559945309417232121458, 10**30)  # about; a search for a logarithm starts there
BYTES = 1 << 23  # the longest file
LONGEST = 1 << 19  # characters of the longest number in it
DIGITS = "0x[0-9a-f]+|[0-9]{1,4300}"  # Python refuses more decimal digits, as reading them takes long
WORK = 18 * 10**12  # bit operations at most: about 20 seconds
STEP = 2 * 10**6  # bit operations charged for one step of Python, such as making a disk
FINEST = 1 << 64  # above the numerator of a grid's ratio
ROOM = 1 << 27  # bytes of the numbers that may be held at once, about

# --- 1. Whole numbers, disks, and what they cost ----------------------------------------------------------------------
#
# An operation on disks returns a disk that holds the result for every choice of numbers from the given disks. Work is
# charged by the length of its numbers, and long work before it is done: a file that asks for too much is refused. So is
# a file that asks for long lists, before they are made.


class Unproven(Exception):
    """The first step that fails."""


def need(condition: bool, step: str) -> None:
    """Refuse the file unless the condition is true."""
    if condition is not True:
        raise Unproven(step)


@dataclass
class Exam:
    """One examination: the bits that its disks keep, the bit operations that are allowed, and those charged so far."""

    bits: int = 192
    most: int = 1 << 99
    spent: int = 0

    def spend(self, x: int, y: int, times: int = 1) -> None:
        """Charge, in advance, for so many products or divisions of x by y bits, and for Python's steps."""
        self.spent += times * (STEP + x * y)
        need(self.spent <= self.most, "too much to be looked at")

    def disk(self, x: Fraction | int) -> "Disk":
        """A disk that holds a rational number."""
        self.spend(self.bits, bits_of(x))
        shift = self.bits + x.denominator.bit_length() - x.numerator.bit_length()
        top, rest = divmod(x.numerator << max(shift, 0), x.denominator << max(-shift, 0))
        return Disk(self, top, 0, -shift, 1 if rest else 0)

    def scaled(self, x: int, e: int) -> Fraction:
        """x 2^e."""
        need(abs(e) < 1 << 22, "a number is out of range")
        self.spend(4 * x.bit_length(), abs(e))  # also for later comparisons
        return Fraction(x << max(e, 0), 1 << max(-e, 0))


def hold(bits: int, times: int) -> None:
    """Refuse, in advance, lists of so many numbers of so many bits in all if they do not fit into memory."""
    need(times * (48 + bits // 7) <= ROOM, "too much to be looked at")


class Disk:
    """All complex numbers within c 2^e of (a + b i) 2^e. The sum of two disks holds every sum, and so on.

    Bits beyond ``exam.bits`` are cut off, and the radius grows by more than what is lost.
    """

    __slots__ = ("a", "b", "c", "e", "exam")

    def __init__(self, exam: Exam, a: int, b: int = 0, e: int = 0, c: int = 0) -> None:
        bits = exam.bits
        exam.spend(8 * bits, bits)  # for the products of a, b and c that made it
        self.exam, self.a, self.b, self.e, self.c = exam, a, b, e, c
        cut = (abs(a) | abs(b) | c).bit_length() - bits
        if cut > 0:
            self.a, self.b, self.e, self.c = a >> cut, b >> cut, e + cut, (c >> cut) + 3

    def of(self, a: int, b: int = 0, e: int = 0, c: int = 0) -> "Disk":
        """Another disk of the same examination."""
        return Disk(self.exam, a, b, e, c)

    def modulus(self) -> int:
        """An upper bound of the centre's modulus, in units of 2^e."""
        return isqrt(self.a * self.a + self.b * self.b) + 1 if self.a or self.b else 0

    def around(self) -> "Disk":
        """A disk about 0 that holds this one: all that is kept is a bound of the modulus."""
        return self.of(0, 0, self.e, self.modulus() + self.c)

    def __add__(self, y: "Disk") -> "Disk":
        if self.e < y.e:
            return y + self
        if not (self.a or self.b or self.c) or not (y.a or y.b or y.c):
            return self if self.a or self.b or self.c else y
        shift, deep = self.e - y.e, 2 * self.exam.bits
        if shift > 2 * deep:  # y is far smaller: a bound of it is added to the radius
            return self + self.of(0, 0, self.e - deep, ((y.modulus() + y.c) >> (shift - deep)) + 1)
        return self.of((self.a << shift) + y.a, (self.b << shift) + y.b, y.e, (self.c << shift) + y.c)

    def off(self, y: "Disk") -> int:
        """The radius of the product."""
        return (abs(self.a) + abs(self.b) + self.c) * y.c + (abs(y.a) + abs(y.b)) * self.c

    def __mul__(self, y: "Disk") -> "Disk":
        return self.of(self.a * y.a - self.b * y.b, self.a * y.b + self.b * y.a, self.e + y.e, self.off(y))

    def plus(self, x: "Disk", y: "Disk") -> "Disk":
        """The sum of this disk's real part and that of x y; two roundings down widen the radius. Made for speed."""
        a, c, shift = x.a * y.a - x.b * y.b, x.off(y), self.e - x.e - y.e
        if self.a and shift >= 0:
            return self.of(self.a + (a >> shift), 0, self.e, self.c + (c >> shift) + 2)
        return self.of(self.a, 0, self.e, self.c) + self.of(a, 0, x.e + y.e, c)

    def __neg__(self) -> "Disk":
        return self.of(-self.a, -self.b, self.e, self.c)

    def __pow__(self, n: int) -> "Disk":
        found: Disk = power(self.of(1), self, n)
        return found

    def over(self, i: int) -> "Disk":
        """z / i; the radius covers three roundings down."""
        self.exam.spend(6 * self.exam.bits, i.bit_length())
        shift = self.exam.bits
        return self.of((self.a << shift) // i, (self.b << shift) // i, self.e - shift, (self.c << shift) // i + 3)

    def inverse(self) -> "Disk":
        """1/z: the radius is c / (|z| (|z| - c)), z the centre, and covers two roundings down."""
        self.exam.spend(16 * self.exam.bits, self.exam.bits)
        square = self.a * self.a + self.b * self.b
        least, shift = isqrt(square), square.bit_length() + self.exam.bits
        need(least > self.c, "a divisor may be 0")
        off = (self.c << shift) // (least * (least - self.c)) + 3
        return self.of((self.a << shift) // square, (-self.b << shift) // square, -self.e - shift, off)

    def ends(self) -> tuple[Fraction, Fraction]:
        """A lower and an upper bound of the real part."""
        return self.exam.scaled(self.a - self.c, self.e), self.exam.scaled(self.a + self.c, self.e)


def power(found: Any, x: Any, n: int) -> Any:
    """found x^n."""
    while n > 0:
        found, n, x = (found * x if n & 1 else found), n >> 1, (x * x if n > 1 else x)
    return found


def bits_of(x: Fraction | int) -> int:
    """The length of numerator and denominator, in bits."""
    return x.numerator.bit_length() + x.denominator.bit_length()


def taylor(z: Disk, order: int) -> list[Disk]:
    """z^i / i! for i = 0, ..., order."""
    return list(accumulate(range(1, order + 1), lambda x, i: (x * z).over(i), initial=z.of(1)))


def exp(z: Disk) -> Disk:
    """e^z: the Taylor sum at z / 2^halved, squared ``halved`` times. The terms left out are below the last one."""
    halved = max(0, max(z.a.bit_length(), z.b.bit_length(), z.c.bit_length()) + z.e) + 12
    need(halved < 100, "an exponent is out of range")
    terms = taylor(z.of(z.a, z.b, z.e - halved, z.c), z.exam.bits // 13 + 3)
    total = sum(terms, terms[-1].around())
    for _ in range(halved):
        total = total * total
    return total


def log(z: Disk, start: Disk | None = None) -> Disk:
    """A disk that holds a logarithm of every z: that which Halley's iteration reaches from ``start``.

    It ends at some y. Then log z = y + log(1 + w) with 1 + w = z e^-y, by the series in w.
    """
    y = start or z.exam.disk((z.e + z.a.bit_length()) * LOG_2)
    for _ in range(60):
        y = z.of(y.a, y.b, y.e)
        w = z * exp(-y) + z.of(-1)
        if w.modulus().bit_length() + w.e < -z.exam.bits // 6:
            break
        y = y + w * z.of(2) * (w + z.of(2)).inverse()
    else:
        need(False, "a logarithm was not found")  # w belongs to the y before the last
    need(z.exam.scaled(w.modulus() + w.c, w.e) < Fraction(1, 2), "a logarithm was not found")
    for i, x in enumerate(accumulate([w] * 6, Disk.__mul__), 1):
        y = y + (x if i % 2 else -x).over(i)
    return y + (w**7).around()  # bounds all later terms, as |w| <= 1/2


def geometric(x: Disk) -> Disk:
    """x + x^2 + ... for a real x >= 0."""
    rest = x.of(1) + -x
    need(rest.ends()[0] > 0, "a geometric series does not converge")
    return x * rest.inverse()


def convolved(exam: Exam, x: list[int], y: list[int]) -> list[int]:
    """The convolution of two lists of whole numbers >= 0: its entries are the digits of one long product."""
    size = (max(x) * max(y) * len(x)).bit_length() // 8 + 1
    hold(8 * size, 8 * (len(x) + len(y)))  # the product, its digits, and what it is made of
    short, long = sorted((8 * size * len(x), 8 * size * len(y)))
    exam.spend(2 * short // isqrt(isqrt(short)), long)  # Python multiplies by Karatsuba's algorithm
    exam.spend(0, 0, (len(x) + len(y)) // 4)
    one, other = (int.from_bytes(b"".join(a.to_bytes(size, "little") for a in z), "little") for z in (x, y))
    digits = (one * other).to_bytes(size * (len(x) + len(y)), "little")
    return [int.from_bytes(digits[size * i : size * (i + 1)], "little") for i in range(len(x) + len(y) - 1)]


# --- 2. What stands in a file -----------------------------------------------------------------------------------------
#
# Whole numbers, and rationals as strings. Unknown entries, numbers that are not exact, and repeated entries are
# refused.


class Entries(dict[str, Any]):
    """An object of the file, or one that is made of its entries, and the examination that it belongs to."""

    def __init__(self, exam: Exam, found: dict[str, Any]) -> None:
        super().__init__(found)
        self.exam = exam

    def only(self, names: str) -> None:
        """Refuse entries with other names."""
        other = min(self.keys() - set(names.split()), default=None)
        need(other is None, f"unknown entry: {other}")

    def part(self, name: str) -> "Entries":
        """The object under this name."""
        need(type(self.get(name)) is dict, f"{name} is missing")
        return Entries(self.exam, self[name])

    def parts(self, name: str) -> "list[Entries]":
        """The list of objects under this name."""
        found: Any = self.get(name)
        need(type(found) is list and all(type(one) is dict for one in found), f"{name} are missing")
        need(len(found) <= 20_000, "too much to be looked at")
        self.exam.spend(0, 0, 4 * len(found))
        return [Entries(self.exam, one) for one in found]

    def number(self, name: str, default: int | None = None) -> Fraction:
        """The rational under this name: a whole number, or a string such as 2/3; long ones have hexadecimal digits."""
        x = self.get(name, default)
        text = str(x) if type(x) in (int, str) else ""
        need(len(text) <= LONGEST, f"{name} is too long")
        found = re.fullmatch(rf"(-?)({DIGITS})(?:/({DIGITS}))?", text)
        need(found is not None, f"{name} is no number")
        sign, *parts = found.groups("1") if found else ()
        up, down = (int(part, 16 if part[:2] == "0x" else 10) for part in parts)
        need(down > 0, f"{name} is divided by 0")
        self.exam.spend(0, 0)
        self.exam.spend(2 * up.bit_length(), down.bit_length())  # for the greatest common divisor, and for comparisons
        return Fraction(-up if sign == "-" else up, down)

    def whole(self, name: str, low: int = 0, high: int = 10**15, default: int | None = None) -> int:
        """The whole number under this name, from low to high."""
        x = self.number(name, default)
        need(x.denominator == 1 and low <= x <= high, f"{name} is not a whole number from {low} to {high}")
        return int(x)


def written(x: Fraction) -> str:
    """A rational as the string that a file holds."""
    short = max(x.numerator.bit_length(), x.denominator.bit_length()) < 400
    return str(x) if short else f"{x.numerator:#x}/{x.denominator:#x}"


# --- 3. Single bits: the law, and sums --------------------------------------------------------------------------------
#
# Each of n records holds a bit, which is reported k times. Each report is flipped with probability q < 1/2; p = 1 -
# q. S is the number of ones among the k n reports. One record changes: it is 0 under P_0 and 1 under P_1; m of the
# other n - 1 records hold 1. Let d_t = P_0(S = t) - lambda P_1(S = t) and h_t = d_0 + ... + d_t.
# Theorem (1.3, 1.4, 1.5). The d_t change sign once, from + to -. delta_m, the largest h_t, is h_t at the last t with
# d_t > 0; it is 0 if (p/q)^k <= lambda. The m = 0, ..., n - 1 stand for all datasets in both directions; at lambda =
# 1 the lower half of them does.


class Law(NamedTuple):
    """A question about single bits in one round. lambda lies from ``least`` to ``most``; delta falls as it grows."""

    exam: Exam
    n: int
    q: Fraction
    k: int
    least: Fraction
    most: Fraction
    ranges: list[tuple[int, int]]  # the m that are asked about, the ends included


def limit(asked: Entries) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of lambda."""
    need(("lam" in asked) != ("epsilon" in asked), "either lam or epsilon is given")
    given = asked.number("lam" if "lam" in asked else "epsilon")
    need(given >= 1 if "lam" in asked else 0 <= given <= 10**6, "lambda is below 1, or epsilon beyond 1,000,000")
    if "lam" in asked:
        return given, given
    low, high = exp(asked.exam.disk(given)).ends() if given else (Fraction(1), Fraction(1))
    return max(low, Fraction(1)), high


def law_of(asked: Entries) -> Law:
    """The question about single bits in one round."""
    n, q, k, (least, most) = asked.whole("n", 1), asked.number("q"), asked.whole("k", 1), limit(asked)
    need(0 < q < Fraction(1, 2) and n * k <= 10**15, "q is not between 0 and 1/2, or there are too many reports")
    if "ones" not in asked:
        return Law(asked.exam, n, q, k, least, most, [(0, (n - 1) // 2 if most == 1 else n - 1)])  # (1.5)
    ones = asked.whole("ones", 0, n - 1)
    return Law(asked.exam, n, q, k, least, most, [(m, m) for m in sorted({ones, n - 1 - ones})])


def odds(law: Law) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of (p/q)^k, the largest likelihood ratio of an outcome (1.4)."""
    size = law.k * bits_of(law.q)
    if size < 10**5:
        law.exam.spend(size, size + bits_of(law.least))
        return (1 / law.q - 1) ** law.k, (1 / law.q - 1) ** law.k
    return (law.exam.disk(1 / law.q - 1) ** law.k).ends()


def masses(a: int, b: int, whole: int, ones: int, zeros: int) -> Iterator[int]:
    """whole^N P(S = s) for s = 0, 1, ..., where S counts the reports that are 1, of N = ones + zeros (1.11).

    A report of a one is 1 with chance a/whole, of a zero with b/whole. The recursion compares coefficients of
    (c + a z)(d + b z) G' = (ones a (d + b z) + zeros b (c + a z)) G, with c = whole - a and d = whole - b.
    """
    c, d = whole - a, whole - b
    before, here = 0, c**ones * d**zeros
    drift, ahead, both, back = ones * a * d + zeros * b * c, a * d + b * c, a * b, c * d
    for s in count():
        yield here
        next_one = (drift - ahead * s) * here + both * (ones + zeros - s + 1) * before
        before, here = here, next_one // (back * (s + 1))


def summed(law: Law, lam: Fraction, ones: int, zeros: int, t: int) -> tuple[Fraction, int, int]:
    """h_t exactly, and two numbers with the signs of d_t and d_{t+1}, for so many ones and zeros among the others."""
    k, up, whole = law.k, law.q.numerator, law.q.denominator
    reports, digit = k * (ones + zeros + 1), whole.bit_length()
    last, long = min(t, reports), reports * digit + bits_of(lam)
    law.exam.spend(long, 10 * (2 * digit + reports.bit_length() + 30), last + 4)
    law.exam.spend(2 * long, long)
    found = []
    for change in 0, 1:
        law_of_one = masses(whole - up, up, whole, k * (ones + change), k * (zeros + 1 - change))
        below = sum(islice(law_of_one, last))
        here, after = next(law_of_one), next(law_of_one)
        found.append((below + here, here, after))
    h, here, after = (lam.denominator * x - lam.numerator * y for x, y in zip(*found, strict=True))
    return Fraction(h, lam.denominator * whole**reports), here, after


# --- 4. Single bits: sums on a circle ---------------------------------------------------------------------------------
#
# Theorem (3.1, 4.1 to 4.5). d_t is the mean of G K z^-t at points of a circle, h_t that of G K z^-t / (1 - z),
# up to the aliases (3.2) and the points left out (3.5), which are bounded. With ones + x and zeros - x others and
# t = t_0 + slope x + u each point gets the factor e^(x g - u l), l = log z: a polynomial in x and u, and the remainder
# of Taylor's formula.


def inverted(law: Law, lam: Fraction, ones: int, zeros: int, half: int, w: Entries) -> list[list[Any]]:
    """Polynomials for h_t and d_t, piece by piece, at ``ones`` + x and ``zeros`` - x others with |x| <= half.

    t = t_0 + slope x + u. On each piece the sum over the circle (3.1) is expanded in x and u (4.1, 4.3); a piece is a
    range of real u or, where the slope is whole, a single whole number.
    """
    exam, disk = law.exam, law.exam.disk
    one, nothing = Disk(exam, 1), Disk(exam, 0)
    exam.spend(bits_of(law.q) + bits_of(lam), 2000)  # for the steps that take them at their full length
    t, points, kept, order = w.whole("t"), w.whole("points", 3), w.whole("kept", 1), w.whole("order", 0, 40, 0)
    pieces, wide = w.whole("pieces", 1, 999, 1), w.whole("wide", 0, 1, 0)
    slope, step = w.number("slope", 0), w.number("step", 1)
    left, r, right = w.number("left"), w.number("r"), w.number("right")
    need(kept * pieces * (order + 1) ** 2 <= 10**8 and pieces * (order + 1) ** 2 <= 10**5, "too much to be looked at")
    need(0 < left < r < 1 and r < right, "0 < left < r < 1 and r < right (3.2)")
    need(points % 2 == 1 and kept <= (points + 1) // 2, "an odd number of points, none of them taken twice (3.1)")
    need(step > 0 and (wide == 1 or (slope.denominator == 1 and step == 1)), "some whole t are left out (4.4)")
    far, width = ceil(pieces * step), disk(step / 2 * wide)
    k, q, p, of_lam, of_r, reach = law.k, disk(law.q), disk(1 - law.q), disk(lam), disk(r), Disk(exam, half)
    half_turn = log(Disk(exam, -1), Disk(exam, 0, 3))  # pi i, the logarithm of -1 that is nearest to 3 i
    log_r = log(of_r) if half or wide else nothing

    def largest(x: Fraction) -> Disk:  # of G |K| x^-t over all of x and u (3.2, 4.2)
        z = disk(x)
        a, b = q + p * z, p + q * z
        at = a ** (k * ones) * b ** (k * zeros) * (b**k + of_lam * a**k) * z.inverse() ** t
        at = at * disk(max(Fraction(1), 1 / x)) ** far
        if half:
            moved = log(a * b.inverse()) * Disk(exam, k) + -log(z) * disk(slope)
            at = at * exp(moved.around() * reach)
        return at

    found: list[list[Any]] = [[{}, {}] for _ in range(pieces)]
    missed = [[nothing, nothing] for _ in range(pieces)]
    root, zeta = one, exp(half_turn * disk(Fraction(2, points)))
    log_ratio = None
    for j in range(kept):
        z = of_r * root
        a, b = q + p * z, p + q * z
        onward, over = z.inverse(), (one + -z).inverse()
        value = a ** (k * ones) * b ** (k * zeros) * (b**k + -of_lam * a**k) * onward**t
        value, terms, rest = value * disk(Fraction(2 if j else 1, points)), [((0, 0), one)], nothing
        if half or wide:
            log_z, per_x = log_r + half_turn * disk(Fraction(2 * j, points)), nothing
            if half:
                log_ratio = log(a * b.inverse(), log_ratio)  # any one: k x is whole (4.1)
                per_x = (log_ratio * Disk(exam, k) + -log_z * disk(slope)) * reach
            if wide:
                value, onward = value * exp(-log_z * width), exp(-log_z * disk(step))
            in_x, in_u = taylor(per_x, order if half else 0), taylor(-log_z * width, order if wide else 0)
            terms = [((i, j), x * u) for i, x in enumerate(in_x) for j, u in enumerate(in_u) if i + j <= order]
            most = per_x.around() + (log_z * width).around()
            rest = (most ** (order + 1) * exp(most)).over(factorial(order + 1))  # (4.3)
        exam.spend(0, 0, (pieces + 1) * len(terms) // 2)  # for looking up and storing each coefficient
        for piece, miss in zip(found, missed, strict=True):
            for i, here in enumerate((value * over, value)):
                miss[i] = miss[i] + (here * rest).around()
                for at, term in terms:
                    piece[i][at] = piece[i].get(at, nothing).plus(here, term)
            value = value * onward
        root = root * zeta

    alias = largest(right) * geometric((of_r * disk(right).inverse()) ** points)  # (3.2)
    alias = alias + largest(left) * geometric((disk(left) * of_r.inverse()) ** points)  # (3.2)
    constant = disk(lam - 1) * geometric(of_r**points) if right >= 1 else nothing  # (3.2)
    gone = nothing
    if kept <= (points - 1) // 2:  # (3.5)
        first, second = root.ends(), (root * zeta).ends()  # cosines
        stride = min(first[0] - second[1], (1 + first[0]) / (Fraction(points, 2) - kept))
        fades = [((q * p * of_r) * (x * x).inverse() * Disk(exam, k)).ends()[0] for x in (q + p * of_r, p + q * of_r)]
        exam.spend(bits_of(fades[0]), bits_of(fades[1]), 4)
        spread = min((ones + x) * fades[0] + (zeros - x) * fades[1] for x in (-half, half))
        need(stride > 0 and spread > 0, "the points left out do not fade (3.5)")
        gone = exp(disk(-spread * (1 - first[1]))) * (one + geometric(exp(disk(-spread * stride))))
        gone = gone * disk(Fraction(2, points)) * largest(r)
    for (h, d), miss in zip(found, missed, strict=True):
        h[0, 0] = h[0, 0] + constant + (alias + miss[0] + gone * disk(1 / (1 - r))).around()
        d[0, 0] = d[0, 0] + (alias + miss[1] + gone).around()
    return found


def extent(table: dict[tuple[int, int], Disk]) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of the real part of sum c_ij x^i y^j for |x|, |y| <= 1 (4.5)."""
    exam = table[0, 0].exam
    unit = min(z.e for z in table.values())
    apart = max(z.e for z in table.values()) - unit
    need(apart < 1 << 16, "coefficients are too far apart")
    exam.spend(exam.bits + apart, 8, len(table))
    exam.spend(2 * (exam.bits + apart), 2 * (exam.bits + apart))
    ends = {at: ((z.a - z.c) << (z.e - unit), (z.a + z.c) << (z.e - unit)) for at, z in table.items()}
    least, top = ends.pop((0, 0))
    least -= sum(max(-low, high) for low, high in ends.values())
    for linear, square in ((1, 0), (2, 0)), ((0, 1), (0, 2)):
        (low, high), (_, bend) = ends.pop(linear, (0, 0)), ends.pop(square, (0, 0))
        steep = max(-low, high)
        top += steep + bend if steep >= -2 * bend else steep * steep // (-4 * bend) + 1
    return exam.scaled(least, unit), exam.scaled(top + sum(max(-low, high) for low, high in ends.values()), unit)


# --- 5. Single bits: one dataset from below, all of them from above ---------------------------------------------------
#
# Theorem (1.3, 2.3, 4.4). Every h_t of one dataset is at most delta. For low <= m <= high, delta_m is at most the
# largest h_t of the records that all these datasets share: low ones and n - 1 - high zeros. Or all h_t with such m are
# bounded at once, by an envelope. If d > 0 at some t and d < 0 at a later one, the largest h_t lies between them.


def attained(law: Law, w: Entries) -> Fraction:
    """A lower bound of delta: h_t of one dataset, for any t (1.3)."""
    m = w.whole("m", 0, law.n - 1)
    need(any(low <= m <= high for low, high in law.ranges), "m is not asked about")
    w.only("m by t" if w.get("by") == "sum" else "m by t r left right points kept")
    if w.get("by") == "sum":
        return summed(law, law.most, m, law.n - 1 - m, w.whole("t"))[0]
    need(w.get("by") == "circle", "how the dataset is shown: by sum or circle")
    return extent(inverted(law, law.most, m, law.n - 1 - m, 0, w)[0][0])[0]


def top(law: Law, low: int, high: int, w: Entries, kept: bool = False) -> Fraction:
    """An upper bound of delta_m for low <= m <= high: of the records that all share (2.3), or by an envelope.

    ``kept``: whether no outcome has a ratio above lambda.
    """
    by, others = w.get("by"), law.n - 1
    if by == "ratio":
        w.only("from to by")
        need(kept, "some outcome shows a ratio above lambda (1.4)")
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
    found = inverted(law, law.least, *pool, w)
    ends = ceil(1 / w.number("step", 1))  # that many pieces in a row hold a whole t
    need(all(extent(d)[0] > 0 for _, d in found[:ends]), "d_t > 0 on the first pieces is not proven (4.4)")
    need(all(extent(d)[1] < 0 for _, d in found[-ends:]), "d_t < 0 on the last pieces is not proven (4.4)")
    return max(extent(h)[1] for h, _ in found)


def covered(law: Law, w: Entries) -> Fraction:
    """An upper bound of delta_m for all m that are asked about."""
    listed, found = w.parts("blocks"), Fraction(0)
    kept = any(block.get("by") == "ratio" for block in listed) and odds(law)[1] <= law.least  # once: this may take long
    blocks = iter(listed)
    for low, high in law.ranges:
        while low <= high:
            block = next(blocks, Entries(w.exam, {}))
            need("from" in block and block.whole("from") == low, f"no block begins at m = {low}")
            last = block.whole("to", low, high)
            found = max(found, top(law, low, last, block, kept))
            low = last + 1
    need(next(blocks, None) is None, "a block too many")
    return found


# --- 6. Noise on a count ----------------------------------------------------------------------------------------------
#
# A count is released with noise, which is s with probability proportional to w_s. One record changes the count by at
# most D, up or down; or, with a share g, by 1 with probability g.
# Theorem (N1, N3, N9, N13, N15). Let P_s = w_s and Q_s = (1-g) w_s + g w_{s-c}. delta is the largest of the sums of
# [P_s - lambda Q_s]_+ and of [Q_s - lambda P_s]_+ over 1 <= c <= D, divided by the sum of w. If w is log-concave, c = D
# is the worst: all noises are, but lists and shapes below 1.
# Theorem (N14). Let v_s be whole numbers with sum |w_s - v_s| <= e, V their sum, and S the same largest sum for v. Then
# delta is at most (S + lambda e)/(V - e) and at least (S - lambda e)/(V + e). For a sum of noises v is the convolution
# of the v_i, and V + e the product of the V_i + e_i.

PARAMETERS = {  # a noise has one of these entries, and perhaps some of the others in its row
    "weights": "",
    "chance": "trials",
    "mean": "minus",
    "shape": "ratio scale minus",
    "square": "rounded",
    "ratio": "bound",
    "scale": "bound rounded",
}


def weights(noise: Entries) -> list[int]:
    """The weights of all outcomes, in order: listed, geometric (ratio^|x| for |x| <= bound) or binomial."""
    if "weights" in noise:
        listed = noise["weights"]
        need(type(listed) is list and len(listed) <= 20_000, "weights are missing, or too many")
        found = [Entries(noise.exam, {"weight": weight}).number("weight") for weight in listed]
        need(all(x.denominator == 1 and x >= 0 for x in found), "a weight is no whole number")
        return [int(x) for x in found]
    name, length = ("ratio", "bound") if "ratio" in noise else ("chance", "trials")
    x, size = noise.number(name), noise.whole(length, 0, 10_000)
    need(0 < x < 1, f"{name} is not between 0 and 1")
    noise.exam.spend(size * bits_of(x), size * bits_of(x), 2 * size + 1)
    if name == "chance":
        return list(islice(masses(x.numerator, x.numerator, x.denominator, 0, size), size + 1))
    return [x.numerator ** abs(s) * x.denominator ** (size - abs(s)) for s in range(-size, size + 1)]


def area(exam: Exam, y: Fraction, square: Fraction) -> Disk:
    """The integral of e^(-t^2/(2 v)) from 0 to y, v the square: e^(-y^2/(2 v)) (y + y^3/(3 v) + y^5/(15 v^2) + ...).

    Each of the terms left out is at most half of the one before.
    """
    term, total, factor = exam.disk(y), Disk(exam, 0), exam.disk(y * y / square)
    for i in range(ceil(y * y / square) + exam.bits):
        total, term = total + term, (term * factor).over(2 * i + 3)
    return (total + term.around() * Disk(exam, 2)) * exp(exam.disk(-y * y / square / 2))


def falling(noise: Entries) -> Iterator[tuple[Disk, Disk]]:
    """The weights of 0, 1, 2, ..., each with a bound of the ratio of any later weight to the weight before it."""
    exam, one = noise.exam, Disk(noise.exam, 1)
    sizes = {name: noise.number(name) for name in ("mean", "shape", "square", "ratio", "scale") if name in noise}
    need(all(0 < size < (1 if name == "ratio" else 10**31) for name, size in sizes.items()), "a size is out of range")
    shape, rounded = sizes.get("shape", Fraction(1)), noise.whole("rounded", 0, 1, 0)
    half = exp(exam.disk(Fraction(-1, 2) / (sizes.get("square") or sizes.get("scale") or Fraction(1))))
    ratio = exam.disk(sizes["ratio"]) if "ratio" in sizes else half * half
    steps: Iterator[Disk] = repeat(ratio)
    if "square" in sizes:
        if rounded:
            yield from strips(exam, sizes["square"], ratio)
        steps = accumulate(steps, Disk.__mul__, initial=half)
    elif "mean" in sizes:
        steps = (exam.disk(sizes["mean"] / x) for x in count(1))
    elif "shape" in sizes:
        need(("ratio" in sizes) != ("scale" in sizes), "either ratio or scale is given")
        steps = (ratio * exam.disk((shape + x - 1) / x) for x in count(1))
    elif rounded:
        steps = chain([half * (half + one).over(2)], steps)
    weight = one
    for step in steps:
        yield weight, ratio if shape < 1 else step
        weight = weight * step


def strips(exam: Exam, square: Fraction, ratio: Disk) -> Iterator[tuple[Disk, Disk]]:
    """The same for Gaussian noise that is rounded: areas under the bell curve."""
    before, step = -area(exam, Fraction(1, 2), square), Disk(exam, 1)
    for x in count():
        here = area(exam, x + Fraction(1, 2), square)
        yield here + -before, step
        before, step = here, step * ratio


def around(noise: Entries) -> tuple[list[int], int]:
    """Weights in whole numbers, rounded down, and a bound of the sum of their errors."""
    first = next((name for name in PARAMETERS if name in noise), "weights")
    noise.only(f"{first} {PARAMETERS[first]}")
    if first in ("weights", "chance") or (first == "ratio" and "bound" in noise):
        return weights(noise), 0
    bound = noise.whole("bound", 0, 10_000) if "bound" in noise else None
    sides, side, off = 1 if first in ("mean", "shape") else 2, list[int](), 0
    for weight, later in islice(falling(noise), 10_001):
        need(weight.e + noise.exam.bits < 1 << 15, "the noise is too large")
        low, high = (end * 2**noise.exam.bits for end in weight.ends())
        off += (ceil(high) - max(0, floor(low))) * (sides if side else 1)
        side.append(max(0, floor(low)))
        if len(side) - 1 == bound:
            break
        if not side[-1] and bound is None:
            off += sides * ceil((weight * geometric(later)).ends()[1] * 2**noise.exam.bits)
            break
    else:
        need(False, "the noise has too many outcomes")
    if sides == 1:
        return (side[::-1] if noise.whole("minus", 0, 1, 0) else side), off
    return [*side[:0:-1], *side], off


def product(exam: Exam, pairs: Iterable[tuple[list[int], int]]) -> tuple[list[int], int]:
    """The weights of a sum of noises, and a bound of the sum of their errors."""
    listed, least, most = [1], 1, 1
    for one, off in pairs:
        listed, least, most = convolved(exam, listed, one), least * sum(one), most * (sum(one) + off)
    return listed, most - least


def of_noise(noise: Entries) -> tuple[list[int], int]:
    """The same of one noise, or of a sum of noises."""
    if "sum" not in noise:
        return around(noise)
    noise.only("sum")
    return product(noise.exam, map(around, noise.parts("sum")))


def noisy(asked: Entries, lam: Fraction) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of delta."""
    noise, most, share = asked.part("noise"), asked.whole("sensitivity", 1), asked.number("share", 1)
    need(0 < share <= 1 and (share == 1 or most == 1), "share is not from 0 to 1, or of a sensitivity above 1")
    listed, off = of_noise(noise)
    changes = min(most, len(listed))
    parts = noise.parts("sum") if "sum" in noise else [noise]
    all_of_them = any("weights" in part or ("shape" in part and part.number("shape") < 1) for part in parts)
    return quotient(asked.exam, listed, off, lam, range(1 if all_of_them else changes, changes + 1), share)


def quotient(
    exam: Exam, listed: list[int], off: int, lam: Fraction, changes: range, share: Fraction = Fraction(1)
) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of the largest quotient over these changes."""
    total, (u, v), (g, whole) = sum(listed), lam.as_integer_ratio(), share.as_integer_ratio()
    need(total > off, "the noise has no outcome")
    long = (whole * (total + off)).bit_length()
    exam.spend(long, bits_of(lam) + bits_of(share), 2 * (len(changes) + 1) * len(listed))
    exam.spend(2 * long + bits_of(lam), long + bits_of(lam), 2)  # for two common divisors
    best = 0
    for change in changes:
        moved = zip(chain(listed, repeat(0, change)), chain(repeat(0, change), listed), strict=True)
        best = max(best, excess(((whole * x, (whole - g) * x + g * y) for x, y in moved), u, v))
    return (
        Fraction(max(0, best - u * whole * off), v * whole * (total + off)),
        Fraction(best + u * whole * off, v * whole * (total - off)),
    )


def excess(pairs: Iterable[tuple[int, int]], u: int, v: int) -> int:
    """The larger one of the sums of [v x - u y]_+ and of [v y - u x]_+ over the pairs (x, y)."""
    ahead = back = 0
    for x, y in pairs:
        ahead, back = ahead + max(0, v * x - u * y), back + max(0, v * y - u * x)
    return max(ahead, back)


# --- 7. Counts below a threshold --------------------------------------------------------------------------------------
#
# Each of n people reports with probability p, 0 < p < 1; X_n of them do. The count is released if it is K or more.
# Theorem (T1). Let q = 1-p. delta over all n is the largest of
#   0,
#   p P(X_n = K-1) - (lambda-1) P(X_n >= K) at the last n >= K-1 with n (lambda-1+p) < (K-1) lambda, and
#   if lambda q < 1, lambda p P(X_n = K-1) - (lambda-1) P(X_n < K) at the last n with n (1 - lambda q) < K-1.


def hidden(asked: Entries, lam: Fraction) -> tuple[Fraction, Fraction]:
    """delta of a count that is released from a threshold on: both bounds are exact."""
    k, p = asked.whole("threshold", 1), asked.number("sampled")
    need(0 < p < 1, "sampled is not between 0 and 1")
    asked.exam.spend(2 * bits_of(p), 2 * bits_of(lam))
    (with_it, above), found = reached(asked.exam, k, p, (k - 1) * lam / (lam - 1 + p)), Fraction(0)
    if lam * (1 - p) < 1:
        without, beyond = reached(asked.exam, k, p, (k - 1) / (1 - lam * (1 - p)))
        found = lam * without - (lam - 1) * (1 - beyond)
    found = max(Fraction(0), with_it - (lam - 1) * above, found)
    return found, found


def reached(exam: Exam, k: int, p: Fraction, end: Fraction) -> tuple[Fraction, Fraction]:
    """p P(X_n = k - 1) and P(X_n >= k) at the last n below ``end``, or at n = k - 1 if that is larger."""
    n, up, whole = max(k, ceil(end)) - 1, p.numerator, p.denominator
    long = (n + 1) * bits_of(p)
    exam.spend(long, 10 * (bits_of(p) + n.bit_length() + 30), k + 4)
    exam.spend(2 * long, long, 2)
    law = masses(up, up, whole, 0, n)
    below, last = sum(islice(law, k - 1)), next(law)
    return p * Fraction(last, whole**n), 1 - Fraction(below + last, whole**n)


# --- 8. Fleets, and histograms of asymmetric bits ---------------------------------------------------------------------
#
# Each of the n people of a group holds a bit and reports it k times; a report of a 1 is 1 with probability a, a
# report of a 0 with probability b < a. Released is how many reports are 1, over all groups and dummies, which are
# nobody's reports.
# Theorem (11.10). delta is the largest sum of [P - lambda Q]_+ and of [Q - lambda P]_+, where P and Q are the laws
# with m and m+1 ones in some group, 0 <= m < n, and with any number of ones in each other group.
# Theorem (A3). If each of n people holds one of d categories, and all counts are released, delta is the largest such
# sum for two counts: P with m+1 and e ones, Q with m and e+1, m + e < n; m + e = n-1 if d = 2.


def pooled(asked: Entries, lam: Fraction) -> tuple[Fraction, Fraction]:
    """delta of the count of all groups: both bounds are exact."""
    groups, (u, v), nobody, best, whole = asked.parts("groups"), lam.as_integer_ratio(), [1], 0, 1
    need(1 <= len(groups) <= 20, "from 1 to 20 groups are expected")
    for one in asked.parts("dummies") if "dummies" in asked else []:
        one.only("count chance")
        chance = one.number("chance")
        nobody = convolved(one.exam, nobody, next(laws(one.exam, one.whole("count", 1, 10_000), 1, chance, chance)))
    for pairs, number, whole in of_category(asked) if "categories" in asked else of_groups(groups, nobody):
        asked.exam.spend(whole.bit_length(), 4 * bits_of(lam) + 1200, number // 2 + 3)
        best = max(best, excess(pairs, u, v))
    asked.exam.spend(2 * whole.bit_length() + bits_of(lam), whole.bit_length() + bits_of(lam))  # a common divisor
    return Fraction(best, v * whole), Fraction(best, v * whole)


#: The masses of all outcomes under P and Q in whole numbers, how many there are, and the sum of either.
Pair = tuple[Iterable[tuple[int, int]], int, int]


def of_groups(groups: list[Entries], nobody: list[int]) -> Iterator[Pair]:
    """The pairs of the pooled count."""
    for i, own in enumerate(groups):
        for rest in beside(nobody, groups[:i] + groups[i + 1 :]):
            for here, there in pairwise(convolved(own.exam, rest, law) for law in of_group(own)):
                yield zip(here, there, strict=True), len(here), sum(here)


def of_category(asked: Entries) -> Iterator[Pair]:
    """The pairs of the two counts that a replaced record changes."""
    need(len(asked.parts("groups")) == 1 and "dummies" not in asked, "categories are those of one group")
    (group,), categories = asked.parts("groups"), asked.whole("categories", 2)
    found, n, whole, number = list[list[int]](), group.whole("n"), 1, 1
    for law in of_group(group):
        whole, number = sum(law), len(law)
        hold(whole.bit_length(), (n + 1) * number)
        found.append(law)
    for m in range(n):
        for e in range(0 if categories > 2 else n - 1 - m, n - m):
            asked.exam.spend(whole.bit_length(), whole.bit_length(), number**2 // 4 + 2)
            here, there = law_of_both(found[m + 1], found[e]), law_of_both(found[m], found[e + 1])
            yield zip(here, there, strict=True), number**2, whole**2


def law_of_both(one: list[int], other: list[int]) -> Iterator[int]:
    """The law of two counts."""
    return (x * y for x in one for y in other)


def beside(rest: list[int], groups: list[Entries]) -> Iterator[list[int]]:
    """The laws of ``rest`` and these groups together, for all numbers of ones in each, in whole numbers."""
    if not groups:
        yield rest
    for law in of_group(groups[0]) if groups else []:
        yield from beside(convolved(groups[0].exam, rest, law), groups[1:])


def of_group(group: Entries) -> Iterator[list[int]]:
    """The laws of a group's reports if 0, 1, ..., n of its people hold a 1."""
    group.only("n a b k")
    a, b = group.number("a"), group.number("b")
    need(b < a, "a is not above b")
    return laws(group.exam, group.whole("n", 1, 10_000), group.whole("k", 1, 10_000), a, b)


def laws(exam: Exam, n: int, k: int, a: Fraction, b: Fraction) -> Iterator[list[int]]:
    """The laws of the k n reports if 0, 1, ..., n people hold a 1, in whole numbers of the same unit."""
    need(b > 0 and a < 1, "a chance is not between 0 and 1")
    whole, reports = lcm(a.denominator, b.denominator), n * k
    long = reports * whole.bit_length()
    exam.spend(bits_of(a), bits_of(b), 4)
    hold(long, 2 * reports)
    for ones in range(n + 1):
        exam.spend(long, 10 * (2 * whole.bit_length() + reports.bit_length() + 30), reports + 1)
        exam.spend(2 * long, long)
        here = masses(int(a * whole), int(b * whole), whole, k * ones, k * (n - ones))
        yield list(islice(here, reports + 1))


# --- 9. What few people add up to: shuffled randomizers, sampled clients ----------------------------------------------
#
# Each of n people holds an input and sends a report, drawn from the law of that input. A report is a vector of whole
# numbers: the unit vector of its kind, unless the question lists other vectors. The sum of all reports is released.
# Theorem (S4). delta is the largest sum of [P - lambda Q]_+, where P and Q are the laws if one person holds x or y,
# over all inputs x and y, and over how many of the other n - 1 people hold each input.


def table(asked: Entries, name: str) -> list[list[Fraction]]:
    """Rows of numbers, of the same length."""
    rows: Any = asked.get(name)
    need(type(rows) is list and 1 <= len(rows) <= 100 and all(type(row) is list for row in rows), f"{name} are missing")
    need(1 <= len(rows[0]) <= 100 and all(len(row) == len(rows[0]) for row in rows), f"{name} are not as long")
    asked.exam.spend(0, 0, len(rows) * len(rows[0]))
    return [[Entries(asked.exam, {name: x}).number(name) for x in row] for row in rows]


def shuffled(asked: Entries, lam: Fraction) -> tuple[Fraction, Fraction]:
    """delta of the sum of all reports: both bounds are exact."""
    inputs, n, (u, v), best = table(asked, "inputs"), asked.whole("people", 1, 10_000), lam.as_integer_ratio(), 0
    kinds, parts = len(inputs[0]), sum(x.denominator.bit_length() for row in inputs for x in row)
    asked.exam.spend(parts, parts)  # for their common multiple
    whole = lcm(*(x.denominator for row in inputs for x in row))
    long = n * whole.bit_length()
    asked.exam.spend(whole.bit_length(), whole.bit_length(), len(inputs) * kinds)
    laws = [[int(x * whole) for x in row] for row in inputs]
    need(all(min(row) >= 0 and sum(row) == whole for row in laws), "the chances of an input do not add up to 1")
    reports = [[Fraction(i == j) for i in range(kinds)] for j in range(kinds)]
    reports = table(asked, "reports") if "reports" in asked else reports
    need(len(reports) == kinds, "as many reports as chances are expected")
    need(all(x.denominator == 1 and 0 <= x <= 10_000 for row in reports for x in row), "a report is no whole number")
    digit = n * int(max(map(max, reports))) + 1
    asked.exam.spend(kinds * digit.bit_length(), 1, kinds * kinds)
    places = [sum(int(x) * digit**i for i, x in enumerate(row)) for row in reports]
    asked.exam.spend(long, long + bits_of(lam), 4)  # for powers and common divisors
    each = [mixed(asked.exam, {0: 1}, list(zip(places, row, strict=True))) for row in laws]
    for others in crowds(asked.exam, {0: 1}, each, n - 1):
        found = list[dict[int, int]]()
        for law in each:
            found.append(mixed(asked.exam, others, list(law.items()), sum(map(len, [others, *found]))))
        for here, there in permutations(found, 2):
            asked.exam.spend(long, bits_of(lam), len(here) // 4 + 2)
            best = max(best, sum(max(0, v * x - u * there.get(s, 0)) for s, x in here.items()))
    return Fraction(best, v * whole**n), Fraction(best, v * whole**n)


def crowds(exam: Exam, law: dict[int, int], each: list[dict[int, int]], n: int) -> Iterator[dict[int, int]]:
    """The laws with n more people, for all numbers of them that hold each input."""
    for left in range(n, -1, -1):
        if len(each) > 1:
            yield from crowds(exam, law, each[1:], left)
        elif not left:
            yield law
        law = mixed(exam, law, list(each[0].items())) if left else law


def mixed(exam: Exam, law: dict[int, int], report: list[tuple[int, int]], others: int = 0) -> dict[int, int]:
    """The law of the sum with one more report, given as pairs (place, weight). So many ``others`` are held besides."""
    found: dict[int, int] = {}
    exam.spend(max(law.values()).bit_length() + 1, 64, len(law) * len(report) // 8 + 2)
    long = sum(max(x).bit_length() for x in (law, law.values(), *zip(*report, strict=True)))
    for i, (place, x) in enumerate(law.items()):
        if i % 64 == 0:
            hold(long + 700, others + len(found) + 64 * len(report))
        for move, y in report:
            if y:
                found[place + move] = found.get(place + move, 0) + x * y
    return found


#: Kinds of question that are summed up without a witness: their entries, and the function.
SUMMED = {
    "noise": ("noise sensitivity share", noisy),
    "threshold": ("threshold sampled", hidden),
    "groups": ("groups dummies categories", pooled),
    "inputs": ("inputs people reports", shuffled),
}


def summable(asked: Entries) -> str:
    """Which of these kinds a question is of; empty if of none."""
    return next((kind for kind in SUMMED if kind in asked), "")


# --- 10. Rounds and histograms ----------------------------------------------------------------------------------------
#
# Theorem (C1, C2, C4, C6). Take upper bounds of delta of one round at lambda = g^j, for some steps j and their
# opposites. The lower convex hull of (0, 1) and these points is the privacy profile of a pair. That pair dominates all
# datasets in both directions. As many of these pairs as counts change (C13, C17) dominate all strategies. Losses are
# added in whole numbers (C22).


@dataclass(frozen=True)
class Losses:
    """A pair (P, Q): P masses of the losses first <= 0, first + 1, ..., where P = g^loss Q; ``beyond`` where Q = 0.

    Masses are in units of 2^-exam.bits, rounded up. A loss below the window counts as its lowest one, a loss above it
    as infinite. All this only raises delta: masses may be added, and Q may be lowered (C22).
    """

    exam: Exam
    window: int
    first: int
    masses: list[int]
    beyond: int

    def __mul__(self, y: "Losses") -> "Losses":
        """The pair of both rounds: the convolution's entries are the digits of one long decimal product."""
        size = len(str(max(*self.masses, *y.masses) ** 2 * len(y.masses)))
        length = len(self.masses) + len(y.masses) - 1
        self.exam.spend((size + 4) * (length + 20), 100_000)  # even if all masses are 0
        whole, first = Decimal(1), self.first + y.first
        for masses in self.masses, y.masses:
            whole = EXACT.multiply(whole, Decimal("".join(str(mass).zfill(size) for mass in masses)))
        digits = f"{whole:f}".zfill(size * length)
        bits = self.exam.bits
        found = [upward(int(digits[i : i + size]), bits) for i in range(0, len(digits), size)]
        low, end = max(0, -self.window - first), self.window + 1 - first
        beyond = self.beyond * (sum(y.masses) + y.beyond) + sum(self.masses) * y.beyond
        beyond = upward(beyond, bits) + sum(found[end:])
        return Losses(self.exam, self.window, first + low, [sum(found[: low + 1]), *found[low + 1 : end]], beyond)

    def delta(self, g: Fraction, lam: Fraction) -> Fraction:
        """An upper bound of the sum of [P - lambda Q]_+, for lambda >= 1 (C9)."""
        unit = least = 1 << self.exam.bits  # least: at most g^-loss, in units
        self.exam.spend(3 * self.exam.bits, bits_of(g) + bits_of(lam), len(self.masses))
        total = self.beyond * unit
        for mass in self.masses[-self.first :]:
            total += mass * max(0, unit - lam.numerator * least // lam.denominator)
            least = least * g.denominator // g.numerator
        return Fraction(total, unit * unit)


def upward(x: int, bits: int) -> int:
    """x / 2^bits, rounded up."""
    return -(-x >> bits)


def rounded(exam: Exam, value: Fraction) -> Fraction:
    """An upper bound of delta, rounded up to a multiple of 2^-exam.bits, at most 1."""
    return Fraction(min(ceil(value * (1 << exam.bits)), 1 << exam.bits), 1 << exam.bits)


def round_at(kind: Entries, g: Fraction, step: int) -> Entries:
    """The question about one round, at lambda = g^step rounded down: delta is not smaller there, as it falls."""
    kind.exam.spend(step * bits_of(g), step * bits_of(g), 2)
    lam = Fraction(floor(g**step * 2**64), 2**64)
    names = SUMMED[summable(kind)][0] if summable(kind) else "n q k"
    return Entries(kind.exam, {"lam": written(lam), **{name: kind[name] for name in names.split() if name in kind}})


def chords(exam: Exam, points: dict[int, Fraction], g: Fraction, window: int) -> Losses:
    """The pair whose privacy profile is the hull of the points and their opposites: it dominates the round (C2, C6)."""
    last, unit = max(points), 1 << exam.bits
    longest = last * bits_of(g) + exam.bits
    exam.spend(longest, longest, 16 * len(points))  # for products and common divisors
    both = points | {-step: 1 - (1 - value) / g**step for step, value in points.items()}
    kept, slopes = [(0, Fraction(0), Fraction(1))], list[Fraction]()
    for step in sorted(both):
        corner = step, g**step, both[step]
        while slopes and slopes[-1] >= slope(kept[-1], corner):
            del kept[-1], slopes[-1]
        slopes.append(slope(kept[-1], corner))
        kept.append(corner)
    while slopes and slopes[-1] >= 0:
        del kept[-1], slopes[-1]
    slopes.append(Fraction(0))  # flat in the end
    masses = dict.fromkeys(range(-last, last + 1), 0)
    for (step, x, _), (before, after) in zip(kept[1:], pairwise(slopes), strict=True):
        masses[step] = ceil(x * (after - before) * unit)
    return Losses(exam, window, -last, list(masses.values()), ceil(kept[-1][2] * unit))


def slope(one: tuple[int, Fraction, Fraction], other: tuple[int, Fraction, Fraction]) -> Fraction:
    """The slope of the chord between two corners: a step j, g^j, and a bound of delta there."""
    return (other[2] - one[2]) / (other[1] - one[1])


def dominating(kind: Entries, g: Fraction, w: Entries, window: int) -> Losses:
    """A pair that dominates all datasets of one count."""
    w.only("knots")
    need(len(w.parts("knots")) <= 1000, "too much to be looked at")
    points = {}
    for knot in w.parts("knots"):
        knot.only("step blocks")
        step = knot.whole("step", 0, 9999)
        points[step] = rounded(kind.exam, bounded(round_at(kind, g, step), knot))
    return chords(kind.exam, points, g, window)


def counts(kind: Entries) -> int:
    """How many counts one record changes in all rounds of a kind, each of any dataset (C13, C17 to C21, T6)."""
    times, kept = kind.whole("times", 1, 10**9, default=1), summable(kind)
    histogram = "categories" in kind and not kept
    bits = "n q k" + " categories ones at_most neighbours" * histogram
    kind.only(f"{SUMMED[kept][0] if kept else bits} times")
    if not histogram:
        return times
    need(kind.get("neighbours") in ("replace", "delete"), "neighbours: replace or delete")
    need("ones" not in kind or "at_most" not in kind, "either ones or at_most is given")
    categories, deleted = kind.whole("categories", 2), kind["neighbours"] == "delete"
    if "at_most" in kind:
        held = kind.whole("at_most", 1, categories)
        return times * (held if deleted else min(2 * held, categories))
    ones = kind.whole("ones", 1, categories, default=1)
    return times * (ones if deleted else 2 * min(ones, categories - ones))


def composed(asked: Entries, pairs: Iterable[Losses], g: Fraction) -> Fraction:
    """An upper bound of delta of several rounds; later data may depend on earlier counts (C4)."""
    total: Losses | None = None
    for kind, pair in zip(asked.parts("rounds"), pairs, strict=True):
        total = power(total or Losses(pair.exam, pair.window, 0, [1 << pair.exam.bits], 0), pair, counts(kind))
    if total is None:
        raise Unproven("there are no rounds")
    return total.delta(g, limit(asked)[0])


def together(asked: Entries, lam: Fraction) -> Fraction:
    """A lower bound of delta of rounds of noise: that of the counts' sum, if each changes by its sensitivity (N14)."""
    kinds = asked.parts("rounds")
    need(all("noise" in kind and "share" not in kind for kind in kinds), "of rounds only noise is shown from below")
    noises = (repeat(of_noise(kind.part("noise")), counts(kind)) for kind in kinds)
    listed, off = product(asked.exam, chain.from_iterable(noises))
    changes = min(len(listed), sum(counts(kind) * kind.whole("sensitivity", 1) for kind in kinds))
    return quotient(asked.exam, listed, off, lam, range(changes, changes + 1))[0]


def bounded(asked: Entries, file: Entries) -> Fraction:
    """An upper bound of delta."""
    if kind := summable(asked):
        return SUMMED[kind][1](asked, limit(asked)[0])[1]
    if "rounds" not in asked:
        return covered(law_of(asked), file)
    g, window = file.number("grid"), file.whole("window", 1, 10**6)
    need(g > 1, "the grid does not rise")
    bits = asked.exam.bits
    need(g.numerator < FINEST and window * bits <= 10**7 and bits <= 7000, "too much to be looked at")
    kinds, shown = asked.parts("rounds"), file.parts("rounds")
    need(len(kinds) == len(shown), "as many lists of knots as kinds of rounds are expected")
    return composed(asked, (dominating(kind, g, w, window) for kind, w in zip(kinds, shown, strict=True)), g)


# --- 11. The closed local bound ---------------------------------------------------------------------------------------
#
# Claim: the bound is above lambda at the lower end and at most lambda at the upper end. It is (1 + x)^k, or 1/(1 - x)
# for two sides, with x^2 = z^2 ((1/pq - 3)^L - 1)/(k n).


def local(asked: Entries, q: Fraction) -> tuple[Fraction, Fraction]:
    """A lower and an upper bound of (1 + x)^k, or 1/(1 - x) for two sides; x^2 = z^2 ((1/pq - 3)^L - 1)/(k n)."""
    exam = asked.exam
    n, k, bits, sides = (asked.whole(name, 1) for name in ("n", "k", "bits", "sides"))
    need(0 < q < Fraction(1, 2) and (sides == 1 or (sides, k) == (2, 1)), "q or the sides are out of range")
    need(asked.number("sigmas") > 0, "sigmas are not positive")
    exam.spend(bits_of(q), bits_of(q))  # for two common divisors
    square = exam.disk(1 / (q * (1 - q)) - 3) ** bits + Disk(exam, -1)
    square = square * exam.disk(asked.number("sigmas") ** 2 / (k * n))
    ends = [int(end * 4**exam.bits) for end in square.ends()]
    exam.spend(ends[1].bit_length(), ends[1].bit_length(), 8)
    low, high = (isqrt(end) for end in ends)
    unit = Fraction(1, 1 << exam.bits)
    need(sides == 1 or (high + 1) * unit < 1, "x is not below 1")
    if sides == 2:
        return 1 / (1 - low * unit), 1 / (1 - (high + 1) * unit)
    return (exam.disk(1 + low * unit) ** k).ends()[0], (exam.disk(1 + (high + 1) * unit) ** k).ends()[1]


# --- 12. Questions and answers ----------------------------------------------------------------------------------------
#
# Theorem (2.2, 2.3, C14). delta falls in q, in n and in epsilon, and rises with the rounds. So an answer is proven by
# one dataset whose delta is above the target at one end, and by an upper bound for all datasets at the other.

NAMES = "n q k " + " ".join(entries for entries, _ in SUMMED.values())
QUESTIONS = {  # what may be given, what is asked for, and what follows from the two ends
    "delta": (f"{NAMES} lam epsilon ones rounds", "", ""),
    "epsilon": (f"{NAMES} delta ones rounds", "epsilon", "; delta falls in epsilon"),
    "least_q": ("n k lam epsilon delta rounds", "q", "; delta falls in q: 2.2"),
    "least_n": ("q k lam epsilon delta rounds", "n", "; delta falls in n: 2.3"),
    "most_k": ("n q lam epsilon delta", "k", "; nothing is said of other k"),
    "most_rounds": ("lam epsilon delta rounds", "times", "; and so do fewer: C14"),
    "local_q": ("n k bits sigmas sides lam epsilon", "q", "; the bound falls in q"),
}


def at(asked: Entries, unknown: str, x: Fraction) -> Entries:
    """The question at a value of the unknown."""
    if "rounds" not in asked or unknown == "epsilon":
        return Entries(asked.exam, {**asked, unknown: written(x)})
    need(not any(unknown in kind for kind in asked.parts("rounds")), f"{unknown} is given")
    return Entries(asked.exam, {**asked, "rounds": [{**kind, unknown: written(x)} for kind in asked.parts("rounds")]})


def from_below(asked: Entries, file: Entries) -> Fraction:
    """A lower bound of delta."""
    if kind := summable(asked):
        return SUMMED[kind][1](asked, limit(asked)[1])[0]
    if "rounds" in asked:
        return together(asked, limit(asked)[1])
    return attained(law_of(asked), file.part("dataset"))


def above(asked: Entries, file: Entries, target: Fraction) -> bool:
    """Whether delta is proven to be above the target."""
    if target or summable(asked):
        return from_below(asked, file) > target
    law = law_of(asked)
    return odds(law)[0] > law.most


def proven(file: Entries) -> str:
    """The sentence that states the claim, once it is proven; else ``Unproven`` is raised."""
    file.only("schema question answer bits dataset blocks grid window rounds")
    asked, answer = file.part("question"), file.part("answer")
    what, default = str(asked.get("what")), 0 if "rounds" in asked else None
    lower, upper = answer.number("lower", default), answer.number("upper", default)
    need(file.get("schema") == SCHEMA and what in QUESTIONS, f"{SCHEMA}, and one of its questions, is expected")
    given, unknown, _ = QUESTIONS[what]
    asked.only("what " + given)
    answer.only("lower upper")
    released = ["n q k ones", "rounds", *(entries for entries, _ in SUMMED.values())]
    need(
        sum(bool(asked.keys() & set(entries.split())) for entries in released) < 2,
        "more than one of single bits, rounds, noise, threshold, groups, inputs",
    )
    file.exam.bits = file.whole("bits", 64, 20000)
    need(lower <= upper or "upper" not in answer, "lower is above upper")
    if what == "delta":
        need(lower > 0 or upper < 1, "the answer claims nothing")
        need(lower <= 0 or from_below(asked, file) >= lower, "delta is not proven to be so large")
        need(upper >= 1 or bounded(asked, file) <= upper, "delta is not proven to be so small")
        return sentence(asked, upper, lower if lower > 0 else None)
    if what == "local_q":
        least, most = limit(asked)
        need(local(asked, lower)[0] > most, "the bound is not proven to fail at the lower end")
        need(local(asked, upper)[1] <= least, "the bound is not proven to hold at the upper end")
        return sentence(asked, upper, lower)
    target = asked.number("delta")
    need(0 <= target < 1, "delta is not from 0 to 1")
    need(what != "most_k" or upper == lower + 1, "the ends are no neighbours")
    fails, holds = (upper, lower) if what.startswith("most") else (lower, upper)
    possible = fails > (1 if what == "least_n" else 0)  # else no smaller value exists that could fail
    if possible:
        need(above(at(asked, unknown, fails), file, target), "the target is not proven to fail where it should")
    need(bounded(at(asked, unknown, holds), file) <= target, "the target is not proven to hold")
    return sentence(asked, holds, fails if possible else None)


# --- 13. What is said ------------------------------------------------------------------------------------------------

ROUNDS = (
    "in every round, chosen adaptively or not, of which one record changes: its value; where neighbours = delete it is "
    "emptied, where there is a threshold it is added or removed, where noise is added the count changes by at most the "
    "sensitivity (C1, C2, C4, C6, C9, C13, C17, C22, and the theorems of each round)"
)
BITS = "of which one record's value changes, in both directions (1.3 to 1.5, 2.3, 3, 4)"
DATASETS = {  # the datasets that a question with this entry is about, and the theorems
    "rounds": ROUNDS,
    "noise": "of which one record changes the count by at most the sensitivity, in both directions (N1, N3, N13, N14)",
    "threshold": "of which one record is added or removed (T1)",
    "groups": "of which one record's value changes, in both directions (11.10, A3)",
    "inputs": "of which one record's value changes, in both directions (S4)",
    "ones": f"with so many ones among the other records {BITS}",
    "n": BITS,
    "q": BITS,
}


def sentence(asked: Entries, every: Fraction, one: Fraction | None) -> str:
    """What is proven: the question as it stands in the file, the answer, and by which theorems.

    ``every``: the end that is proven for all datasets. ``one``: the end that one dataset shows, if any.
    """
    what, (_, unknown, follows) = asked["what"], QUESTIONS[asked["what"]]
    question = json.dumps({name: value for name, value in asked.items() if name != "what"})
    asked.exam.spend(2 * (bits_of(every) + bits_of(one or 0)), bits_of(every) + bits_of(one or 0))
    ways = (ROUND_FLOOR, ROUND_CEILING) if what.startswith("most") else (ROUND_CEILING, ROUND_FLOOR)
    exact = every == one and bits_of(every) < 300
    high, low = (written(x) if exact else shown(x, way) for x, way in zip((every, one or every), ways, strict=True))
    holds, fails = f"{unknown} = {high} holds", f"{unknown} = {low} fails"
    if what == "local_q":
        return f"Proven: {question}: {holds} and {fails} for the closed local bound{follows}."
    if what == "delta":
        holds, fails = f"the least delta is at most {high}", f"at least {low}"
    datasets = next(words for name, words in DATASETS.items() if name in asked)
    shows = f", {fails} for one of them" if one is not None else ""
    return f"Proven: {question}: {holds} for every dataset {datasets}{shows}{follows}."


def shown(x: Fraction, way: str) -> str:
    """A number in 15 decimal digits, rounded up or down as told; a whole number as it is."""
    digits = Context(15, way, MIN_EMIN, MAX_EMAX)
    return written(x) if x.denominator == 1 else str(digits.divide(Decimal(x.numerator), Decimal(x.denominator)))


def examined(data: bytes, work: int = WORK) -> tuple[bool, str]:
    """Whether the claim of a file is proven within ``work`` bit operations, and what to print: the claim or why not."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "an entry stands there twice")
        return dict(pairs)

    def refuse(text: str) -> Any:
        raise Unproven(f"{text} is no exact number")

    try:
        exam = Exam(most=work)
        need(len(data) <= BYTES, "the file is too long")
        exam.spend(len(data), 2 * 10**5)
        hold(512, sum(data.count(mark) for mark in b",[{"))
        found = json.loads(data.decode(), object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse)
        need(type(found) is dict, "the file holds no object")
        return True, proven(Entries(exam, found))
    except Exception as step:  # whatever went wrong, nothing is proven
        text = str(step) if isinstance(step, Unproven) else repr(step)
        if isinstance(step, (json.JSONDecodeError, UnicodeDecodeError)):
            text = f"the file is no certificate, as it is no JSON: {step}"
        return False, f"Not proven: {ascii(text)[1:-1][:200]}"


def read(path: str) -> bytes:
    """The bytes of a file, up to one more than are allowed.

    Raises:
        Unproven: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read(BYTES + 1)
    except (OSError, ValueError, MemoryError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else reason
        raise Unproven(ascii(f"{path} cannot be read: {why}")[1:-1][:200]) from reason


def main(paths: list[str]) -> int:
    """Check the files, print a line for each, and return the exit status: 0 if all are proven, else 1."""
    paths = [path for path in paths if path not in ("-h", "--help")]
    failed = not paths
    if failed:
        tell("Nothing to check, give the path of a certificate, or several.")
    for path in paths:
        wait(f"checking {ascii(path)[1:-1]} ...")
        try:
            accepted, said = examined(read(path))
        except Unproven as reason:
            accepted, said = False, f"Nothing to check: {reason}"
        failed = failed or not accepted
        wait("")
        tell(said if len(paths) == 1 else f"{ascii(path)[1:-1]}: {said}")
    return 1 if failed else 0


def wait(line: str) -> None:
    """On a terminal, say what is being done, as it may take a while; an empty line wipes it."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def tell(line: str) -> None:
    """Print a line at once, without Python's buffer, which would be written once more at exit after an error."""
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
    except BrokenPipeError:
        status = 141  # the reader has closed the pipe
    except OSError as reason:
        print(f"What was found cannot be written: {reason.strerror}", file=sys.stderr)
        status = 74
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
