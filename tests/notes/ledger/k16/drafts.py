"""K16, sections 7 and 8, below the line "IGNORE BELOW THIS POINT": two records, lists of reports, one report 0.

D holds records 1 = 1...1 but for the one that changes to 0 = 0...0 (``outcomes`` has the notation).
"""

from __future__ import annotations

from fractions import Fraction as F
from math import factorial

from tests.notes.ledger.k16.vectors import Outcome, one_zero
from tests.notes.ledger.ledger import Answer, Ledger, Range

ledger = Ledger("K16")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

NOT_ZERO = Range("case", "n <= 4, L <= 3, n L <= 9, q = 1/4 and 2/5, every s other than 0",
    lambda: one_zero(zeros=False))

def given(case: Outcome) -> tuple[F, F]:  # p(s|0) and p(s|1)
    s = case.reports[-1]
    return case.given(s, case.zero), case.given(s, case.one)

@erratum("7.6")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    printed = (p / q + (q / p) * p**1 * q ** (1 - 1) * (q / p)) / (1 + p**1 * q ** (1 - 1) * (q / p))
    assert printed != true == (p / q + (q / p) * p**1 * q**-1 * (q / p)) / (1 + p**1 * q**-1 * (q / p))
    return f"q = 1/4, records 1 and x = 1, reports 0 and 1: {printed} against {true}"

@erratum("7.7")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    right, printed = ((p / q) * (1 + (q / p) ** 2 * f * (q / p)) / (1 + f * (q / p)) for f in (p / q, p * q**0))
    assert printed != true == right
    return f"q = 1/4, records 1 and x = 1, reports 0 and 1: {printed} against {true}"

@erratum("7.8")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, records 1 and x = 1, reports 0 and 1: l_1 = 0, l_2 = 1
    true = (p * p + q * q) / (q * p + p * q)
    right, printed = ((p / q) * (1 + f * (q / p) * (q / p)) / (1 + f * (p / q) * (q / p)) for f in (F(1), q**1))
    assert printed != true == right
    return f"q = 1/4, records 1 and x = 1, reports 0 and 1: {printed} against {true}"

@erratum("7.11")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # D_m = {0, 1}, reports 0 and 1; D_1 = {1}
    terms = [p * p, q * q]  # the changed record reports 0 and the other 1; it reports 1 and the other 0
    true, printed = sum(terms), sum(terms[: 2 - 1])
    assert printed != true
    return f"q = 1/4, records 0 and 1, reports 0 and 1: {printed} against {true}"

@erratum("7.12")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, n = 3, D_2 = {1, 1}, reports 0, 0, 1; the changed record reports 0 or 1:
    terms = {0: 2 * p * q, 1: q * q}  # P(S - s_i|D_2): one 0 and one 1 are left, or two 0
    change, same = ({s: own[s] * terms[s] for s in (0, 1)} for own in ((p, q), (q, p)))
    printed, each_once = ([sum(side[s] for s in seen) for side in (change, same)] for seen in ((0, 0, 1), (0, 1)))
    assert printed[0] / printed[1] == F(37, 15) != F(19, 9) == each_once[0] / each_once[1]
    return f"q = 1/4, records 1 1 1, reports 0 0 1: {printed[0] / printed[1]} against {each_once[0] / each_once[1]}"

@erratum("7.13")
def _() -> str:
    p = F(3, 4)  # L = 1, D = {1, 1}, both reports 1
    true, printed = p * p, factorial(2) * p * p
    assert printed > 1 > true
    return f"q = 1/4, records 1 1, reports 1 1: {printed} against {true}"

@erratum("7.14")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}, both reports 1
    true, printed = q * p, sum(q * factorial(2 - 1) * p for i in range(2))
    assert printed != true
    return f"q = 1/4, records 0 1, reports 1 1: {printed} against {true}"

@erratum("7.17")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0: K = 2, M = 0
    true = (p * q) / (q * q)
    printed = F(2, 2) * sum(p / q for i in range(2))
    assert printed != true == F(2, 2) * (p / q)
    return f"q = 1/4, records 1 1, reports 0 0: {printed} against {true}"

@erratum("7.18")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, D_m = {0, 1}; reports 0 and 1, and reports 1 and 1
    P, lists = {"00": p, "01": q, "10": q, "11": p}, ("01", "11")  # P[x + v] = p(v|x)
    printed = [sum(P["0" + s[i]] * factorial(1) * P["1" + s[1 - i]] for i in range(2)) for s in lists]
    assert printed[0] == p * p + q * q
    assert printed[1] == 2 * q * p  # right, and twice q p, the probability of 1, 1
    return f"q = 1/4, records 0 1, reports 1 1: {printed[1]} against {q * p}"

@erratum("7.19")
def _() -> str:
    p = F(3, 4)  # L = 1, D = {x, 1} with x = 1, both reports 1
    true, printed = p * p, sum(p * factorial(2 - 1) * p for i in range(2))
    assert printed > 1 > true
    return f"q = 1/4, records 1 1, reports 1 1: {printed} against {true}"

@erratum("7.21")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # L = 1, D = {1, 1}, D_m = {0, 1}, both reports 0
    true = (p * q) / (q * q)
    printed = (p / q + p / q) / 1
    assert printed != true == (p / q + p / q) / 2
    return f"q = 1/4, records 1 1, reports 0 0: {printed} against {true}"

@claim("8.2", NOT_ZERO)
def _(case: Outcome) -> Answer:
    n, (a, b), own, other = case.n, given(case), case.given(case.zero, case.zero), case.given(case.zero, case.one)
    return own * b ** (n - 1) + (n - 1) * other * a * b ** (n - 2), case.after
