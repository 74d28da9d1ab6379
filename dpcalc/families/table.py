"""Which pairs of laws can neighbouring datasets of a mechanism show? Each mechanism names its family."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.pairs.family import Family
from dpcalc.pairs.named import NamedPairs

_ALLOWED = (
    "a KRandomization, UnaryEncoding, AsymmetricBits, Rounds, Fleet, NoisyCount, Sampled, Shuffle or Thresholded; "
    "a FiniteMechanism has a delta and an epsilon of its own"
)


def family(mechanism: object, ones: Any = None) -> Family[Any]:
    """The family of a mechanism, or of one dataset of it.

    Args:
        mechanism: any that is released as counts.
        ones: the dataset, as the mechanism describes it; default: all of them.

    Raises:
        DomainError: it is no such mechanism; its datasets are not described so.
    """
    if not isinstance(mechanism, Mechanism):
        raise DomainError("mechanism", mechanism, _ALLOWED)
    simple = mechanism.simplest
    module, name = simple.family.split(":")
    found: Family[Any] = getattr(import_module(f"dpcalc.{module}"), name).of(simple)
    return found if ones is None else found.given(ones)


def pairs_by_name(mechanism: Mechanism) -> NamedPairs[Any]:
    """The family of one round's mechanism, which names its pairs."""
    found = family(mechanism)
    assert isinstance(found, NamedPairs)
    return found
