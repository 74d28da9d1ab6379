r"""Sampled clients: each reports with probability gamma, independently of the others and of what it holds.

Delta depends on what is released:

*the count of ones alone*     a client that does not report adds 0. For k = 1 that is an asymmetric report (gamma a,
                              gamma b): the same mechanism. For k > 1 a client adds (1 - gamma) delta_0 +
                              gamma Bin(k, a), which is not log-concave: a model that samples reports one by one would
                              have a smaller delta.
*the number of reports too*   the pair (t, s): t clients report, s ones among theirs.

A histogram's client sends its bits together or not at all, so that the counts depend on one another: histograms are
refused.

True bits with noise on their count can be sampled too: a record adds its 0 or 1 with probability gamma, and the noisy
count is released. The pair is Z and (1 - gamma) Z + gamma (Z + 1), in both directions.

Source: proof notes, A7, A8 and N13.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

from dpcalc.errors import DomainError, NoSolution
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.mechanism import CHANCE, Mechanism, Name, Parameter, Real, declared, instance, parameter
from dpcalc.mechanisms.noisy_count import CHANGES, NoisyCount
from dpcalc.mechanisms.response import Group, KRandomization
from dpcalc.mechanisms.unary import AsymmetricBits
from dpcalc.numbers.elementary import exp, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.promise import Promise

_RELEASED = ("ones", "ones and reports")
_Clients: TypeAlias = KRandomization | AsymmetricBits | Fleet | NoisyCount


@declared()
class Sampled(Mechanism):
    """A mechanism whose clients report with probability gamma only, independently.

    A ``Fleet`` whose groups have k = 1, and a ``NoisyCount`` of sensitivity 1, are sampled if only the ones are
    released: each record adds its 0 or 1 if its client reports.

    >>> from dpcalc import delta
    >>> clients = KRandomization(n=20, q="1/10")
    >>> print(delta(Sampled(clients, "3/10"), lam=3))
    4.9769918599665033...e-6
    >>> print(delta(Sampled(clients, "3/10", "ones and reports"), lam=3))
    4.9778148923418190...e-6
    """

    family = "families.sampled:SampledClients"

    clients: Parameter[_Clients, _Clients] = parameter(
        instance(
            _Clients,
            "a KRandomization of single bits, AsymmetricBits without categories, a Fleet of groups with k = 1, "
            "or a NoisyCount of sensitivity 1",
        ),
        "a ``KRandomization`` of single bits, ``AsymmetricBits`` without categories, a ``Fleet`` or a ``NoisyCount``",
    )
    share: Real = parameter(CHANCE, "gamma, 0 < gamma < 1")
    released: Name = parameter(
        partial(one_of, names=_RELEASED), '"ones", their count alone; or "ones and reports", how many report as well',
        default="ones",
    )  # fmt: skip

    def _check(self, _given: Mapping[str, Any]) -> None:
        match clients := self.clients:
            case Fleet() if self.numbered or any(group.k > 1 for group in clients.groups):
                allowed = "a Fleet only of groups with k = 1, and where the ones are released"
            case NoisyCount() if self.numbered or clients.sensitivity > 1:
                allowed = "a NoisyCount only of sensitivity 1, and where the ones are released"
            case AsymmetricBits() if clients.categories is not None:
                allowed = "no histogram: a client sends all its bits or none, so that the counts depend on one another"
            case KRandomization():
                clients.single_bit("Sampled")
                return
            case _:
                return
        raise DomainError("clients", clients, allowed)

    @property
    def numbered(self) -> bool:
        """Whether the number of clients that report is released too."""
        return self.released == _RELEASED[1]

    @property
    def noisy(self) -> bool:
        """Whether true bits are counted and noise is added."""
        return isinstance(self.clients, NoisyCount)

    @property
    def neighbours(self) -> str:
        """The relation of the clients."""
        found: str = self.clients.neighbours
        return found

    @property
    def group(self) -> Group:
        """The users, with the chances of one that reports; of the bits of one group."""
        found: Group = self.clients.group  # type: ignore[union-attr]
        return found

    @property
    def simplest(self) -> Mechanism:
        """Asymmetric reports, where every client sends one and only the ones are released."""
        if isinstance(self.clients, Fleet):
            groups = [self._thinned(group) for group in self.clients.groups]
            return Fleet(groups, dummies=self.clients.dummies, neighbours=self.clients.neighbours).simplest
        if not self.noisy and not self.numbered and self.group.k == 1:
            return Fleet([self._thinned(self.group)]).simplest
        return self

    def _thinned(self, group: Group) -> Group:
        a, b = group.chances
        return Group(n=group.n, chances=(self.share * a, self.share * b))

    @property
    def local_epsilon(self) -> Promise:
        """That of the clients: if all report, and this is seen, sampling hides nobody. From below, the loss of ones.

        Raises:
            NoSolution: the noise leaves the loss without a bound.
        """
        if isinstance(self.clients, NoisyCount):
            return self._largest_loss(self.clients)
        if self.simplest is not self:
            return self.simplest.local_epsilon
        return Promise((self.group.losses[0] * self.group.k).lower, self.group.local_epsilon.upper)

    def _largest_loss(self, count: NoisyCount) -> Promise:
        """The larger one of ln(1 - gamma + gamma e^x), the record being there, and -ln(1 - gamma + gamma e^-y)."""
        law = count.noise.law
        there, missing = law.mirror.largest_loss(1), law.largest_loss(1)
        if there is None:
            raise NoSolution("no epsilon gives delta = 0: the loss of a record that is there has no bound")
        shown = self._mixed(there)
        hidden = Enclosure.of(1 - self.share) if missing is None else self._mixed(-missing)
        return Promise(
            max(log(shown.lower).lower, log(1 / hidden.upper).lower),
            max(log(shown.upper).upper, log(1 / hidden.lower).upper),
            **CHANGES,
        )

    def _mixed(self, loss: Enclosure) -> Enclosure:
        """1 - gamma + gamma e^loss."""
        return Enclosure(exp(loss.lower).lower, exp(loss.upper).upper) * self.share + (1 - self.share)
