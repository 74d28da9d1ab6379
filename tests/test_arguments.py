"""What a caller may get wrong in any public function: refused in one line that names the argument."""

import pytest

import dpcalc as dp
from dpcalc import claims
from dpcalc.errors import DomainError

COINS = dp.RandomizedResponse("1/4")


# --- text where a list is meant ---------------------------------------------------------------------------


def test_one_number_or_id_is_a_list_of_one():
    assert [row.k for row in dp.plan(n=20, lam=2, ks="12").rows] == [12]
    assert [row.k for row in dp.plan(n=20, lam=2, ks=12).rows] == [12]
    assert [verdict.id for verdict in claims.run("K16-5.12")] == ["K16-5.12"]
    assert [row.n for row in dp.barrier(COINS, "100", scale=1)] == [100]
    found = dp.sqrt_barrier(q="1/4", ns="100", exponents="1/2")
    assert found.ns == (100,)
    assert list(found.columns) == [0.5]


def test_the_numbers_of_people_may_be_an_iterator():
    found = dp.sqrt_barrier(q="1/4", ns=iter([10, 100]))
    assert [len(column) for column in found.columns.values()] == [2, 2, 2]


@pytest.mark.parametrize("text", ["110", b"110"])
def test_text_is_no_list_of_records_or_pairs(text):
    calls = [
        ("records", lambda: dp.query_pmf(text, q="1/4")),
        ("records", lambda: dp.anonymity(text, q="1/4")),
        ("records", lambda: dp.presence("1", text, q="1/4")),
        ("records", lambda: dp.compare(text, ["1", "1", "1"], q="1/4")),
        ("neighbour", lambda: dp.privacy_ratios(["1", "1", "1"], text, q="1/4")),
        ("neighbours", lambda: dp.FiniteMechanism([[1, 0], [0, 1]], neighbours=text)),
        ("neighbours", lambda: dp.FiniteMechanism([[1, 0], [0, 1]], neighbours=["01"])),
        ("matrix", lambda: dp.FiniteMechanism(text)),
    ]
    for argument, call in calls:
        with pytest.raises(DomainError) as refusal:
            call()
        assert refusal.value.argument == argument
