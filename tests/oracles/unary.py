"""Histograms of one-hot records by their definition: every dataset, every vector of counts, in fractions."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations


def universe(categories, ones):
    """Every record; ``ones`` may be several numbers."""
    sizes = [ones] if isinstance(ones, int) else ones
    return [
        tuple(int(j in held) for j in range(categories))
        for size in sizes
        for held in combinations(range(categories), size)
    ]


def neighbours(categories, ones, relation):
    """Ordered pairs (x, y) of what the changed record may be, and what the others may be."""
    records, empty = [x for x in universe(categories, ones) if any(x) or relation == "replace"], (0,) * categories
    if relation == "replace":
        return list(permutations(records, 2)), records
    return [pair for x in records for pair in ((x, empty), (empty, x))], [*records, empty]


def reported(counts, record, q, k):
    """The law of the vector of counts once a record has reported k times, bit by bit; weights over q's denominator."""
    lie, truth = q.numerator, q.denominator - q.numerator
    for j, told in list(enumerate(record)) * k:
        found = {}
        for seen, old in counts.items():
            one = (*seen[:j], seen[j] + 1, *seen[j + 1 :])
            found[one] = found.get(one, 0) + old * (truth if told else lie)
            found[seen] = found.get(seen, 0) + old * (lie if told else truth)
        counts = found
    return counts


def datasets(n, categories, ones, q, k, relation):
    """All choices of the n - 1 others, and the law of their counts."""
    records = neighbours(categories, ones, relation)[1]
    laws = {(): {(0,) * categories: 1}}
    for size in range(1, n):
        laws = {
            chosen: reported(laws[chosen[:-1]], records[chosen[-1]], q, k)
            for chosen in combinations_with_replacement(range(len(records)), size)
        }
    return [([records[i] for i in chosen], law) for chosen, law in laws.items()]


def everything(n, categories, ones, q, k, lam, relation):
    """(others, x, y, delta) for all datasets and neighbours: sum of [P - lambda Q]_+ over every vector of counts."""
    pairs, _ = neighbours(categories, ones, relation)
    whole = lam.denominator * q.denominator ** (n * categories * k)
    for others, law in datasets(n, categories, ones, q, k, relation):
        laws = {record: reported(law, record, q, k) for pair in pairs for record in pair}
        for x, y in pairs:
            total = sum(
                max(0, lam.denominator * p - lam.numerator * laws[y][seen]) for seen, p in laws[x].items()
            )  # fmt: skip
            yield others, x, y, Fraction(total, whole)
