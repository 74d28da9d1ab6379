"""A fleet by listing every record of every user: the law of the count, report by report, in fractions."""

from itertools import product

from tests.oracles.asymmetric import excess, law


def count(users, dummies):
    """The law of the count of users (bit, q, k) and of dummies, each a chance."""
    return law([1 - q if bit else q for bit, q, k in users for _ in range(k)] + list(dummies))


def everything(groups, dummies, lam):
    """delta for every (group, ones of the others, bit of the likelier dataset); groups are (n, q, k)."""
    found, laws = {}, {}
    for changed, (_, q, k) in enumerate(groups):
        rest = [(g, *groups[g][1:]) for g in range(len(groups)) for _ in range(groups[g][0] - (g == changed))]
        for bits in product((0, 1), repeat=len(rest)):
            ones = tuple(
                sum(bit for bit, (g, *_) in zip(bits, rest, strict=True) if g == h) for h in range(len(groups))
            )
            users = [(bit, *own) for bit, (_, *own) in zip(bits, rest, strict=True)]
            key = changed, ones
            if key not in laws:  # who of a group holds the ones does not matter
                laws[key] = [count([*users, (bit, q, k)], dummies) for bit in (0, 1)]
                for bit in (0, 1):
                    found[changed, ones, bit] = excess(laws[key][bit], laws[key][1 - bit], lam)
    return found


def with_and_without(groups, dummies, lam):
    """delta for every (group, ones of the others, bit where likelier, bit in the other); None is no record."""
    found = {}
    for changed, (_, q, k) in enumerate(groups):
        sizes = [n - (g == changed) for g, (n, _, _) in enumerate(groups)]
        for ones in product(*(range(size + 1) for size in sizes)):
            users = [
                (int(i < m), *own) for m, size, (_, *own) in zip(ones, sizes, groups, strict=True) for i in range(size)
            ]
            absent = count(users, dummies)
            for bit in (0, 1):
                present = count([*users, (bit, q, k)], dummies)
                found[changed, ones, None, bit] = excess(absent, present, lam)
                found[changed, ones, bit, None] = excess(present, absent, lam)
    return found
