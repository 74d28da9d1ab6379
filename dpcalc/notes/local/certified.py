"""The local bound's closed form as a certificate's question."""

from __future__ import annotations

from typing import Any

from dpcalc import check
from dpcalc.certificates.questions import limit_given
from dpcalc.errors import DomainError
from dpcalc.notes.local.bound import local_q
from dpcalc.numbers.rational import integer, rational


def _closed(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("dataset", "all-ones") != "all-ones":
        raise DomainError("dataset", given["dataset"], '"all-ones": for every dataset there is no certificate')
    if given.get("method") not in (None, "closed"):
        raise DomainError("method", given["method"], '"closed": for the others there is no certificate')
    sizes = {name: integer(given.get(name, 1), name, minimum=1) for name in ("n", "k", "bits", "sides")}
    return {**sizes, "sigmas": check.written(rational(given.get("sigmas", 3), "sigmas")), **limit_given(given)}


CERTIFIED = {local_q: _closed}
