"""The verdict on one promise, with its proof.

*kept*               delta at the promised epsilon is proven to be at most the promised delta, for every dataset;
*loose*              kept, and the same delta is proven for an epsilon that is smaller by more than 1 %, though no
                     parameter of the mechanism has its least value yet;
*broken*             a named dataset is proven to have a larger delta than was promised;
*cannot be judged*   something is missing or contradictory, or the promised delta lies between the two proven bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpcalc.audits.promised import ABOUT, KINDS, Promised
from dpcalc.certificates.certificate import Certificate, certificate
from dpcalc.choose.epsilon import epsilon
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided, one_line
from dpcalc.families.table import family
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import integer
from dpcalc.privacy.attained import attained
from dpcalc.privacy.cautions import cautions
from dpcalc.privacy.delta import delta
from dpcalc.report import bounded, bracket, bracket_lines, exactly, least, most, plain, promise


def _rooms(promised: Promised) -> dict[str, Bracket]:
    """The least values of parameters that keep the promise, all else the same, where they are found."""
    kind, found = KINDS[promised.kind], dict[str, Bracket]()
    if not promised.delta or any(promised.cells.get(column, 1) not in (1, "1") for column in ("copies", "counts")):
        return found
    for name, least_of in kind.solvers.items():
        if (promised.local and name == "n") or (promised.rounds > 1 and not kind.reports):
            continue
        with suppress(NoSolution, TooLarge, Undecided):
            found[name] = least_of(promised)(**promised.limit.argument, delta=promised.delta)
    return found


KEPT, LOOSE, BROKEN, UNJUDGED = "kept", "loose", "broken", "cannot be judged"
_LOOSE = Fraction(1, 100)  # a promise is loose if its epsilon is too large by more than this share
_ALIKE = Fraction(1, 1000)  # an epsilon so close to a local one, as a share, may be meant as that


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is proven of one row.

    Attributes:
        row: its place in the table, from 1.
        about: the row's name, source and note, if given: one line each, cut and escaped.
        word: kept, loose, broken or cannot be judged.
        promised: what the row promises; None if the row cannot be understood.
        why: why it cannot be judged; else empty.
        delta: at the promised epsilon; None if it cannot be judged.
        epsilon: the least one for the promised delta; None if there is none, or none is found.
        loose: by which share, at least, the epsilon of a loose promise is too large; None if any epsilon holds.
        rooms: the least values of parameters that keep the promise, by their names.
        remarks: what a reader should ask the author.
    """

    row: int
    about: Mapping[str, str]
    word: str
    promised: Promised | None = None
    why: str = ""
    delta: Promise | None = None
    epsilon: Promise | None = None
    loose: Fraction | None = None
    rooms: Mapping[str, Bracket] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The verdict in words."""
        if self.word != LOOSE:
            return self.word
        return "loose: any epsilon is kept" if self.loose is None else f"loose by {rounded(100 * self.loose, 3, -1)} %"

    @property
    def name(self) -> str:
        """The name of the row, or its number."""
        return self.about.get("name", f"row {self.row}")

    def lines(self) -> Iterator[str]:
        """The proof, what would be enough, the assumptions and the remarks, line by line."""
        if self.promised is None:
            yield self.why
            return
        yield f"{self.promised.words}; promised: {promise_words(self.promised)}"
        if self.why:
            yield self.why
        if self.delta is not None:
            yield f"proven: {bounded(self.delta, self.promised.delta, holds=self.word != BROKEN)}"
            if self.word == BROKEN:
                yield from attained(self.delta, self.promised.each)
        if self.epsilon is not None:
            yield f"epsilon = {most(self.epsilon)} is enough for delta = {exactly(self.promised.delta)}"
        elif self.word == BROKEN:
            yield f"no epsilon was found for which delta = {exactly(self.promised.delta)} holds"
        for name, least_one in self.rooms.items():
            yield f"{bracket_lines(name, least_one)[0].partition(' (')[0]} would do, all else the same"
        yield f"neighbours: {self.promised.neighbours}"
        yield from (f"assumed: {one}" for one in self.promised.assumed)
        yield from (f"note: {one}" for one in self.remarks)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        content: dict[str, Any] = {"row": self.row, **self.about, "verdict": self.word}
        if self.why:
            content["why"] = self.why
        if self.promised is None:
            return content
        content |= {
            "mechanism": self.promised.kind, "parameters": plain(self.promised.cells),
            "promised": {**plain(self.promised.limit.argument), "delta": str(self.promised.delta)},
            "neighbours": self.promised.neighbours, "assumed": list(self.promised.assumed),
        }  # fmt: skip
        if self.delta is not None:
            content |= {**promise("delta", self.delta), "attained": attained(self.delta, self.promised.each)}
        if self.epsilon is not None:
            content |= {"epsilon": plain(self.epsilon)}
        if self.word == LOOSE:
            content["loose"] = None if self.loose is None else str(self.loose)
        return content | {"least": [bracket(name, x) for name, x in self.rooms.items()], "remarks": list(self.remarks)}

    def certificate(self) -> Certificate | str:
        """A certificate of the verdict, for ``check.py``, or why there is none.

        For a promise that is kept it claims only that delta is at most the promised one: that takes less work.
        """
        if self.promised is None or self.delta is None:
            return f"not judged: {self.why}"
        limit: dict[str, Any] = dict(self.promised.limit.argument)
        broken, target, top = self.word == BROKEN, self.promised.delta, self.delta.upper
        answer = replace(self.delta, upper=min(Fraction(1), 2 * top) if broken else max(top, target) if top else top)
        try:
            made = certificate(delta, self.promised.mechanism, answer=answer, **limit)
        except DomainError as error:  # there are no certificates for such a mechanism
            return f"there is none of {self.promised.words}, but of {error.allowed}"
        except (TooLarge, Undecided) as error:
            return str(error)
        ends, shows = made.lower if broken else made.upper, target.__lt__ if broken else target.__ge__
        return made if ends is not None and shows(ends) else f"{made.ends} can be certified, which is not enough"


def judge(row: int, cells: Mapping[str, Any]) -> Verdict:
    """The verdict on the columns of a row that are not empty; rows are counted from 1."""
    about = {column: one_line(cells[column]) for column in ABOUT if column in cells}
    promised = None
    try:
        promised = Promised.of(cells)
        return _judged(row, about, promised)
    except DomainError as error:
        why = str(DomainError(f"row {row}: {error.argument}", error.value, error.allowed))
    except (NoSolution, TooLarge, Undecided) as error:
        why = f"row {row}: {error}"
    return Verdict(row=row, about=about, word=UNJUDGED, promised=promised, why=why)


def _judged(row: int, about: Mapping[str, str], promised: Promised) -> Verdict:
    found = _delta(promised)
    target = promised.delta
    if found.lower <= target < found.upper:
        raise Undecided(f"delta is at least {least(found)}, at most {most(found)}: both sides of the promise")
    broken, enough, spare = found.lower > target, None, _rooms(promised)
    with suppress(NoSolution, Undecided):
        enough = epsilon(promised.mechanism, delta=target)
    word, loose = (BROKEN, None) if broken else _looseness(promised, enough, spare)
    return Verdict(
        row=row, about=about, word=word, promised=promised, delta=found, epsilon=enough, loose=loose, rooms=spare,
        remarks=tuple(_remarks(promised, found)),
    )  # fmt: skip


def _delta(promised: Promised) -> Promise:
    """delta at the promised epsilon, narrowed until it is known whether it is above the promised one, if possible."""
    asked = family(promised.mechanism)
    width = asked.delta_width.of(None)
    found: Promise = asked.delta(promised.limit, rtol=width)
    for finer in (10, 100, 1000):
        if not found.lower <= promised.delta < found.upper:
            break
        found = asked.delta(promised.limit, rtol=width / finer)
    return found


def _looseness(promised: Promised, enough: Promise | None, spare: Mapping[str, Bracket]) -> tuple[str, Fraction | None]:
    """Whether a promise that holds is kept or loose, and by which share its epsilon is too large.

    Where some parameter has its least value already, less noise, or fewer users, would break it.
    """
    stated, tight = promised.limit.epsilon.lower, any(x.mechanism == promised.mechanism for x in spare.values())
    if enough is None or tight or stated <= enough.upper * (1 + _LOOSE):
        return KEPT, None
    return LOOSE, stated / enough.upper - 1 if enough.upper else None


def _remarks(promised: Promised, found: Promise) -> Iterator[str]:
    """Remarks where the promise means little, or another promise may have been meant."""
    if promised.local or not promised.delta:
        return
    stated, local = promised.limit.epsilon, list[Enclosure]()
    if isinstance(promised.once, KRandomization | UnaryEncoding):  # of one flipped bit, and of one user in one round
        local = [RandomizedResponse(promised.once.q).epsilon, promised.once.local_epsilon]
    alike = (stated.lower * (1 - _ALIKE) <= x.upper and x.lower <= stated.upper * (1 + _ALIKE) for x in local)
    if found.upper == 0 or any(alike):
        yield (
            "is the promised epsilon a local one, of single reports? Then it needs no delta; "
            "with a delta that of the released counts is meant"
        )
    if KINDS[promised.kind].reports:
        yield from cautions(n=integer(promised.cells["n"], "n", minimum=1), limit=promised.limit, delta=promised.delta)


def promise_words(promised: Promised) -> str:
    """What is promised, on one line."""
    ((name, value),) = promised.limit.argument.items()
    return f"{name} = {exactly(value)}, delta = {exactly(promised.delta)}{', local' if promised.local else ''}"
