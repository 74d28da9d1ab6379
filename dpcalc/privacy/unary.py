r"""One-hot histograms, and what their counts give away together.

Replacing a record changes 2 min(c, d - c) counts, deleting it c of them; all others cancel. So delta of one release is
that of as many rounds with datasets fixed beforehand, one count each, over the choices that records allow: all of them,
but for c = d/2 (``mechanisms.unary``). The worst need not be empty categories: as a rule everybody else holds what the
changed record held.

Source: proof notes, C17 to C21.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import CategoryCounts
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.privacy.accounted import Accounted, Progress
from dpcalc.privacy.rounds import Rounds, RoundsDelta

__all__ = ["UnaryEncoding"]


class UnaryEncoding(CategoryCounts, Accounted[RoundsDelta]):
    """A histogram of one-hot records whose bits are flipped: one pooled count for each category.

    Args:
        n: records, >= 1; for privacy those of honest users only (``mechanisms.fleet``).
        categories: >= 2.
        q: the lie probability of every bit, 0 < q < 1/2.
        k: reports per bit, >= 1.
        ones: categories that each record holds; 1 is one-hot.
        neighbours: which datasets are told apart. "replace": one record takes another value, which moves counts in
            opposite directions, 2 of them for one-hot records. "delete": one record becomes all zeros, as others may
            be too; for one-hot records delta is then that of the single count. Replacing is a deletion of the old and
            of the new value, and so about sqrt(2) times as far: compare numbers of the same relation only.

    In ``Rounds`` all counts of one release are given at once: what an adaptive choice may depend on are the releases
    before it.

    Raises:
        DomainError: an argument out of range; more than 10^15 reports n k; ``ones`` = ``categories`` with "replace".

    >>> UnaryEncoding(n=100_000, categories=16, q="0.0067")
    UnaryEncoding(n=100000, categories=16, q='67/10000')
    """

    __slots__ = ()

    @property
    def simplest(self) -> KRandomization | UnaryEncoding:
        """The only count that changes, if one-hot records are deleted; ``ones`` of the others hold its category."""
        return KRandomization(n=self.n, q=self.q, k=self.k) if self.changed == 1 else self

    def delta(
        self, limit: Limit, *, ones: Number | None, rtol: Number | None, progress: Progress | None = None
    ) -> RoundsDelta:
        """See ``dpcalc.delta``; a width that is asked for is kept, or ``Undecided`` raised."""
        return self._alone(ones, rtol).delta(limit, ones=None, rtol=rtol, progress=progress)

    def epsilon(self, target: Fraction, *, ones: Number | None, rtol: Number | None) -> Promise:
        """See ``dpcalc.epsilon``; as ``delta``."""
        return self._alone(ones, rtol).epsilon(target, ones=None, rtol=rtol)

    def _alone(self, ones: Number | None, rtol: Number | None) -> Rounds:
        if ones is not None:
            raise DomainError("ones", ones, "leave it out: each count of a histogram has its own ones")
        return Rounds([self], adaptive=rtol is None)
