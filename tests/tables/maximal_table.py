"""The table of maximal collections: homogeneous or not, for every n and L in reach.

``python tests/tables/maximal_table.py`` (in an environment that has dpcalc) writes tests/data/maximal.json again.
"""

import json
from collections import Counter
from itertools import product
from pathlib import Path

from dpcalc.notes.collections.maximal import maximal_collections
from dpcalc.numbers.enclosure import Enclosure

PATH = Path(__file__).parents[1] / "data" / "maximal.json"
FLIPS = ("1/100", "1/5", "2/5", "9/20")
LIMIT = "3/2"
REACH = {(1, 1): 60, (1, 2): 10, (2, 1): 9, (2, 2): 4, (3, 1): 5, (3, 2): 2}  # the largest n for (L, k)


def cases():
    """(bits, k, n, q), in the order of the table."""
    return [(bits, k, n, q) for (bits, k), last in REACH.items() for n, q in product(range(1, last + 1), FLIPS)]


def row(bits, k, n, q):
    found = maximal_collections(n=n, bits=bits, k=k, q=q, lam=LIMIT)
    worst = found.worst
    return {
        "bits": bits,
        "k": k,
        "n": n,
        "q": q,
        "outcomes": len(found.outcomes),
        "not_homogeneous": [
            {"outcome": one.outcome, "ratio": str(one.ratio), "pair": str(one.pairs[0])} for one in found.exceptions
        ],
        "lam": LIMIT,
        "delta": str(Enclosure.of(worst.delta)),
        "delta_homogeneous": worst.homogeneous,
        "delta_others": sorted(Counter("".join(map(str, other)) for other in worst.pairs[0].others).items()),
    }


if __name__ == "__main__":
    PATH.write_text("[\n" + ",\n".join(json.dumps(row(*case)) for case in cases()) + "\n]\n")
