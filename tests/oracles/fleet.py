"""A fleet by listing every record of every user: the law of the count, report by report, in fractions."""

from tests.oracles.asymmetric import law


def count(users, dummies):
    """The law of the count of users (bit, q, k) and of dummies, each a chance."""
    return law([1 - q if bit else q for bit, q, k in users for _ in range(k)] + list(dummies))
