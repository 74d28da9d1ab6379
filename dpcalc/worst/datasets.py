"""How the worst datasets of single bits and of histograms are named, and delta with its dataset."""

from __future__ import annotations

from dataclasses import dataclass

from dpcalc.pairs.family import Attained


@dataclass(frozen=True, slots=True)
class Dataset:
    """A pair of neighbouring datasets and a direction.

    Attributes:
        ones: records holding 1 among the n - 1 that are the same in both.
        value: the changed record's bit (0 or 1) in the dataset under which the event is likelier.
    """

    ones: int
    value: int


@dataclass(frozen=True, slots=True)
class HistogramDataset:
    """A pair of neighbouring datasets of a histogram and a direction.

    Attributes:
        left: of the records that are the same in both, how many hold each category that the changed record holds in
            the dataset under which the event is likelier, and not in the other.
        entered: how many hold each category that it holds in the other only.
    """

    left: tuple[int, ...]
    entered: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delta(Attained):
    """An enclosure of delta, and the pair of datasets that attains its lower end."""

    dataset: Dataset
