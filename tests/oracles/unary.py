"""Histograms by their definition: what records may be, and what they send, in whole numbers."""

from itertools import combinations, permutations


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
