r"""dpcalc: exact, certified privacy accounting for pooled randomized response.

Five functions answer most questions about ``m = KRandomization(n=50_000, q="1/1000")``:

=====================================================  ===========================================================
plan(n=50_000, epsilon=1, delta="1e-8")                which q and k to use, what they promise and cost
least_q(n=50_000, epsilon=1, delta="1e-8")             the least noise for a promise
delta(m, epsilon=1), epsilon(m, delta="1e-8")          what a mechanism promises, over every dataset
estimate(m, 1200).interval("0.95")                     what the pooled count says about the number of ones
=====================================================  ===========================================================

What is measured in place of ``m``: ``Rounds`` (many days), ``UnaryEncoding`` (one-hot histograms), ``AsymmetricBits``
(chances for 1 and 0), ``Fleet`` (groups with their own noise), ``Sampled`` (clients), ``NoisyCount`` (noise
that others add), ``Shuffle`` (any finite randomizer), ``Thresholded`` (small counts hidden). More solvers: ``least_n``,
``most_k``, ``most_rounds``, ``least_users``, ``least_threshold``, ``least_noise``, ``least_b``, ``most_a``,
``anonymous_q``, ``local_q``. What an attacker gains: ``tradeoff``. What may still run on a budget: ``Filter``.
Accuracy: ``required_n``, ``coverage``, ``confidence_interval``. An answer with its proof in a file: ``certificate``.
Many questions at once: ``profile``, ``sweep``. Others' promises, judged: ``audit``. The documents' claims:
``claims``.

Symbols, each with one meaning everywhere:

=========  =====================================================================================================
n          records (users), each holding a bit or a vector of ``bits`` bits; for privacy those of honest users only
k          reports per record; all k n reports are pooled without names (shuffle model)
q, p       flip (lie) probability of every reported bit, 0 < q < 1/2, and p = 1 - q; rho = p/q are the odds
s, S       a pooled count of ones, 0 <= s <= k n, and the random one
ones, m    how many records (for privacy: of the n - 1 that do not change) hold 1
lambda     a limit on likelihood ratios, e^epsilon; ``lam=`` takes it, ``epsilon=`` its logarithm (nats)
delta      the hockey-stick divergence at lambda: sum of [P - lambda Q]_+ over the outcomes
sigma      the standard deviation of the estimated count, in records
=========  =====================================================================================================

Numbers go in as they are written (0.1 is 1/10); rationals or enclosures with rational ends come out.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import get_data
from typing import Any

from dpcalc.version import __version__ as __version__

_PUBLIC = (get_data("dpcalc", "__init__.pyi") or b"").decode("utf-8")

#: Where each public name lives, as the stub beside this file tells type checkers.
_HOMES = {name: home for home, name in re.findall(r"^from (\S+) import ([a-zA-Z]\w*)", _PUBLIC, re.MULTILINE)}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for, so that ``import dpcalc`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dpcalc' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    if not hasattr(home, name):  # a module
        import_module(f"{home.__name__}.{name}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return __all__
