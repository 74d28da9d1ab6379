r"""The layout of digits: what is certain about a number between two rationals, written in decimal.

The digits shown are those that every number in [lower, upper] shares: truncated, never rounded, and ``...`` where they
stop. Where they stop far too early, as between 15.99999 and 16, both ends are shown, rounded outward.

With e = floor(log10 \|x\|) a number has the digits floor(\|x\| 10^(count - 1 - e)); all of it is integer
arithmetic.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from itertools import takewhile

_END_DIGITS = 8  # of either end, where no digit of the number is certain
_ZEROS = 5  # leading zeros, the one before the point too, that are written out: 0.000012, but 1.2e-6
_FORMAT = re.compile(r"\.(?:([1-9]\d{0,2})g|(\d{1,3})[ef])", re.ASCII)
_WHOLE = 21  # digits of an exact whole number, zeros included, that are written without an exponent: 10^20 is


def decimal(lower: Fraction, upper: Fraction, count: int) -> str:
    """The certain digits of a number in [lower, upper], at most ``count``.

    Both ends are written instead where no digit is certain, or fewer than half of those that the width suggests: next
    to 16 the first digits of the ends differ, however close the ends are.

    >>> decimal(Fraction(1, 8), Fraction(1, 8), 17), decimal(Fraction(1, 3), Fraction(1, 3), 5)
    ('0.125', '0.33333...')
    >>> decimal(Fraction("15.99999484"), Fraction(16), 17)
    '[15.999994, 16]'
    """
    digits, exponent = shared_digits(lower, upper, count)
    if lower == upper == 0:
        return "0"
    twice = 2 * len(digits)
    if lower != upper and (not digits or (twice < count and twice < telling_digits(lower, upper, 0) - 1)):
        known = min(telling_digits(lower, upper, _END_DIGITS), max(count, _END_DIGITS))
        return f"[{rounded(lower, known, -1)}, {rounded(upper, known, 1)}]"
    sign = "-" if upper < 0 else ""
    away = 1 if lower > 0 else -1
    ended = lower == upper and abs(_scaled(lower, len(digits) - 1 - exponent, away)) == int(digits)
    if ended:
        digits = digits.rstrip("0")
    return sign + _layout(digits, exponent, "" if ended else "...")


def shared_digits(lower: Fraction, upper: Fraction, count: int) -> tuple[str, int]:
    """The leading digits shared by every number in [lower, upper], and the decimal exponent of the first.

    >>> shared_digits(Fraction(314159, 100000), Fraction(314161, 100000), 17)
    ('3141', 0)
    """
    if lower <= 0 <= upper or lower > upper:  # ends that an enclosure refuses: a debugger prints it all the same
        return "", 0
    small, large = sorted((abs(lower), abs(upper)))
    exponent = _exponent(small)
    if _exponent(large) != exponent:
        return "", 0
    both = zip(*(str(_scaled(end, count - 1 - exponent, -1)) for end in (small, large)), strict=True)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], both)), exponent


def telling_digits(lower: Fraction, upper: Fraction, least: int) -> int:
    """How many digits of the ends are worth printing: one more than their distance leaves, and at least ``least``.

    >>> telling_digits(Fraction("15.99999484"), Fraction(16), 0), telling_digits(Fraction(-1), Fraction(1), 8)
    (7, 8)
    """
    if lower <= 0 <= upper:  # the distance is no less than either end
        return max(least, 1)
    return max(least, 1 + max(0, _exponent((upper if lower > 0 else lower) / (upper - lower))))


def _exponent(x: Fraction) -> int:
    """floor(log10 |x|), exactly; of 0 it is 0."""
    size = abs(x) or Fraction(1)
    least = (size.numerator.bit_length() - size.denominator.bit_length()) * 30_103 // 100_000 - 1  # log10(2)
    return least + len(str(_scaled(size, -least, -1))) - 1


def _scaled(x: Fraction, power: int, toward: int) -> int:
    """x 10^power, rounded toward infinity (``toward`` = 1) or minus infinity (-1)."""
    above, below = x.numerator, x.denominator
    if power >= 0:
        above *= 10**power
    else:
        below *= 10**-power
    return -(-above // below) if toward > 0 else above // below


def rounded(x: Fraction, count: int, toward: int) -> str:
    """``x`` to ``count`` digits, rounded toward infinity (``toward`` = 1) or minus infinity (-1).

    >>> rounded(Fraction(2, 3), 4, 1), rounded(Fraction(2, 3), 4, -1), rounded(Fraction(1, 10**7), 4, 1)
    ('0.6667', '0.6666', '1e-7')
    """
    if x == 0:
        return "0"
    exponent = _exponent(x)
    digits = str(abs(_scaled(x, count - 1 - exponent, toward)))
    return ("-" if x < 0 else "") + _layout(digits.rstrip("0"), exponent + len(digits) - count, "")


def _layout(digits: str, exponent: int, dots: str) -> str:
    if -_ZEROS <= exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits + dots
    if 0 <= exponent < max(len(digits), _WHOLE if not dots else 0):
        whole, rest = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
        return whole + ("." + rest if rest else "") + (dots if rest or not dots else "." + dots)
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + dots + f"e{exponent:+}"


def at_places(x: Fraction, places: int, toward: int) -> Decimal:
    """``x`` to so many decimal places, rounded toward infinity (``toward`` = 1) or minus infinity (-1).

    >>> at_places(Fraction(2, 3), 2, 1), at_places(Fraction(2, 3), 2, -1), at_places(Fraction(1234), -2, 1)
    (Decimal('0.67'), Decimal('0.66'), Decimal('1.3E+3'))
    """
    units = _scaled(x, places, toward)
    return Decimal(units).scaleb(-places, Context(prec=max(1, units.bit_length())))


def formatted(x: Fraction, spec: str, toward: int) -> str | None:
    """``x`` in a format such as ``.3g``, ``.2e`` or ``.4f``, rounded as ``rounded`` does; None for other formats.

    >>> formatted(Fraction(2, 3), ".2e", 1), formatted(Fraction(2, 3), ".2f", -1), formatted(Fraction(2, 3), "17", 1)
    ('6.67e-1', '0.66', None)
    """
    found = _FORMAT.fullmatch(spec)
    if found is None:
        return None
    count, kind = int(found[1] or found[2]), spec[-1]
    if kind == "g":
        return rounded(x, count, toward)
    places = count if kind == "f" or not x else count - _exponent(x)
    return format(at_places(x, places, toward), spec)


def usable(x: Fraction, count: int, toward: int) -> str:
    """``rounded``, with more digits where a number below 1/2 would be rounded to 1/2, which is no flip probability.

    >>> usable(Fraction(1, 3), 4, 1), usable(Fraction(4999999, 10**7), 4, 1)
    ('0.3334', '0.4999999')
    """
    while Fraction(text := rounded(x, count, toward)) >= Fraction(1, 2) > x:
        count += 1
    return text


def plural(count: int, one: str) -> str:
    """So many of something, in words.

    >>> plural(1, "round"), plural(2_000, "round")
    ('1 round', '2,000 rounds')
    """
    return f"{count:,} {one}{'' if count == 1 else 's'}"
