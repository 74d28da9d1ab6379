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
``most_k``, ``most_rounds``, ``least_users``, ``least_threshold``, ``least_trials``, ``least_mean``, ``least_bound``,
``least_sigma``, ``least_scale``, ``least_mu``, ``least_b``, ``most_a``, ``anonymous_q``, ``local_q``. What an attacker
gains: ``tradeoff``. What may still run on a budget: ``Filter``. Accuracy: ``required_n``, ``coverage``,
``confidence_interval``. An answer with its proof in a file: ``certificate``. Many questions at once: ``profile``,
``sweep``. Others' promises, judged: ``audit``. The documents' claims: ``claims``.

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

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpcalc.version import __version__ as __version__

if TYPE_CHECKING:  # each under its own name once more, which makes it public
    from dpcalc.accuracy.estimator import Estimate as Estimate
    from dpcalc.accuracy.estimator import count_interval as count_interval
    from dpcalc.accuracy.estimator import estimate as estimate
    from dpcalc.accuracy.estimator import variance as variance
    from dpcalc.accuracy.intervals import confidence_interval as confidence_interval
    from dpcalc.accuracy.intervals import coverage as coverage
    from dpcalc.accuracy.intervals import required_n as required_n
    from dpcalc.accuracy.one_count import Interval as Interval
    from dpcalc.audits.audit import audit as audit
    from dpcalc.certificates.certificate import certificate as certificate
    from dpcalc.choose.choices import Plan as Plan
    from dpcalc.choose.epsilon import epsilon as epsilon
    from dpcalc.choose.filter import Filter as Filter
    from dpcalc.choose.least import least_n as least_n
    from dpcalc.choose.least import least_q as least_q
    from dpcalc.choose.least import most_k as most_k
    from dpcalc.choose.least_chances import least_b as least_b
    from dpcalc.choose.least_chances import most_a as most_a
    from dpcalc.choose.least_noise import least_bound as least_bound
    from dpcalc.choose.least_noise import least_mean as least_mean
    from dpcalc.choose.least_noise import least_mu as least_mu
    from dpcalc.choose.least_noise import least_scale as least_scale
    from dpcalc.choose.least_noise import least_sigma as least_sigma
    from dpcalc.choose.least_noise import least_trials as least_trials
    from dpcalc.choose.least_threshold import least_threshold as least_threshold
    from dpcalc.choose.least_users import least_users as least_users
    from dpcalc.choose.most_rounds import most_rounds as most_rounds
    from dpcalc.choose.plan import plan as plan
    from dpcalc.errors import DomainError as DomainError
    from dpcalc.errors import DpcalcError as DpcalcError
    from dpcalc.errors import NoSolution as NoSolution
    from dpcalc.errors import TooLarge as TooLarge
    from dpcalc.errors import Undecided as Undecided
    from dpcalc.interop import privacy_loss as privacy_loss
    from dpcalc.laws.generating_function import GeneratingFunction as GeneratingFunction
    from dpcalc.laws.log_concavity import log_concavity as log_concavity
    from dpcalc.laws.pmf import Pmf as Pmf
    from dpcalc.laws.tails import binomial_at_least as binomial_at_least
    from dpcalc.laws.tails import binomial_at_most as binomial_at_most
    from dpcalc.mechanisms.asymmetric import AsymmetricBits as AsymmetricBits
    from dpcalc.mechanisms.categories import CategoryResponse as CategoryResponse
    from dpcalc.mechanisms.categories import event_states as event_states
    from dpcalc.mechanisms.finite import FiniteMechanism as FiniteMechanism
    from dpcalc.mechanisms.fleet import Dummies as Dummies
    from dpcalc.mechanisms.fleet import Fleet as Fleet
    from dpcalc.mechanisms.fleet import Group as Group
    from dpcalc.mechanisms.noise import Binomial as Binomial
    from dpcalc.mechanisms.noise import DiscreteGaussian as DiscreteGaussian
    from dpcalc.mechanisms.noise import DiscreteLaplace as DiscreteLaplace
    from dpcalc.mechanisms.noise import FiniteNoise as FiniteNoise
    from dpcalc.mechanisms.noise import Geometric as Geometric
    from dpcalc.mechanisms.noise import NegativeBinomial as NegativeBinomial
    from dpcalc.mechanisms.noise import Poisson as Poisson
    from dpcalc.mechanisms.noise import RoundedGaussian as RoundedGaussian
    from dpcalc.mechanisms.noise import RoundedLaplace as RoundedLaplace
    from dpcalc.mechanisms.noise import Skellam as Skellam
    from dpcalc.mechanisms.noisy_count import NoisyCount as NoisyCount
    from dpcalc.mechanisms.pooled_count import generating_function as generating_function
    from dpcalc.mechanisms.pooled_count import log_concavity_in_ones as log_concavity_in_ones
    from dpcalc.mechanisms.pooled_count import pmf as pmf
    from dpcalc.mechanisms.randomizers import hadamard_response as hadamard_response
    from dpcalc.mechanisms.randomizers import k_ary_response as k_ary_response
    from dpcalc.mechanisms.randomizers import linked_unary_encoding as linked_unary_encoding
    from dpcalc.mechanisms.randomizers import rappor as rappor
    from dpcalc.mechanisms.randomizers import subset_selection as subset_selection
    from dpcalc.mechanisms.response import KRandomization as KRandomization
    from dpcalc.mechanisms.response import RandomizedResponse as RandomizedResponse
    from dpcalc.mechanisms.rounded import RoundedNumbers as RoundedNumbers
    from dpcalc.mechanisms.rounds import Rounds as Rounds
    from dpcalc.mechanisms.sampled import Sampled as Sampled
    from dpcalc.mechanisms.sampling import pool as pool
    from dpcalc.mechanisms.sampling import randomize as randomize
    from dpcalc.mechanisms.shuffle import Shuffle as Shuffle
    from dpcalc.mechanisms.thresholded import Thresholded as Thresholded
    from dpcalc.mechanisms.unary import UnaryEncoding as UnaryEncoding
    from dpcalc.notes import claims as claims
    from dpcalc.notes import symbolic as symbolic
    from dpcalc.notes.anonymized.closeness import closeness as closeness
    from dpcalc.notes.anonymized.closeness import n_closeness as n_closeness
    from dpcalc.notes.barrier.lower_bound import barrier as barrier
    from dpcalc.notes.barrier.lower_bound import distinguish as distinguish
    from dpcalc.notes.barrier.sqrt_barrier import sqrt_barrier as sqrt_barrier
    from dpcalc.notes.collections.anonymous import anonymous_q as anonymous_q
    from dpcalc.notes.collections.maximal import maximal_collections as maximal_collections
    from dpcalc.notes.collections.membership import anonymity as anonymity
    from dpcalc.notes.collections.membership import presence as presence
    from dpcalc.notes.collections.membership import rappor_epsilon as rappor_epsilon
    from dpcalc.notes.collections.membership import record_epsilon as record_epsilon
    from dpcalc.notes.collections.ratios import compare as compare
    from dpcalc.notes.collections.ratios import privacy_ratios as privacy_ratios
    from dpcalc.notes.collections.records import query_pmf as query_pmf
    from dpcalc.notes.local.bound import local_q as local_q
    from dpcalc.notes.local.bound import local_sigma as local_sigma
    from dpcalc.notes.local.classical import classical_q as classical_q
    from dpcalc.notes.vectors.blanket import blanket_bound as blanket_bound
    from dpcalc.notes.vectors.identical_records import identical_exceedance as identical_exceedance
    from dpcalc.notes.vectors.identical_records import vector_delta as vector_delta
    from dpcalc.numbers.bracket import Bracket as Bracket
    from dpcalc.numbers.enclosure import Enclosure as Enclosure
    from dpcalc.numbers.promise import Promise as Promise
    from dpcalc.privacy.delta import delta as delta
    from dpcalc.privacy.gaussian import gaussian_sigma as gaussian_sigma
    from dpcalc.privacy.profile import profile as profile
    from dpcalc.privacy.ratio import exceedance as exceedance
    from dpcalc.privacy.ratio import ratio as ratio
    from dpcalc.privacy.ratio import ratio_bound as ratio_bound
    from dpcalc.privacy.ratios import Ratios as Ratios
    from dpcalc.privacy.ratios import ratios as ratios
    from dpcalc.privacy.tradeoff import tradeoff as tradeoff
    from dpcalc.rounds.joint import RoundsDelta as RoundsDelta
    from dpcalc.sweeps.sweep import sweep as sweep
    from dpcalc.worst.datasets import Delta as Delta

#: Where each public name lives; loaded when first asked for, so that ``import dpcalc`` stays light.
_HOMES = {
    "dpcalc.accuracy.one_count": ("Interval",),
    "dpcalc.laws.pmf": ("Pmf",),
    "dpcalc.audits.audit": ("audit",),
    "dpcalc.rounds.joint": ("RoundsDelta",),
    "dpcalc.worst.datasets": ("Delta",),
    "dpcalc.choose.choices": ("Plan",),
    "dpcalc.numbers.bracket": ("Bracket",),
    "dpcalc.notes.barrier.sqrt_barrier": ("sqrt_barrier",),
    "dpcalc.accuracy.estimator": ("Estimate", "count_interval", "estimate", "variance"),
    "dpcalc.accuracy.intervals": ("confidence_interval", "coverage", "required_n"),
    "dpcalc.notes.barrier.lower_bound": ("barrier", "distinguish"),
    "dpcalc.notes.anonymized.closeness": ("closeness", "n_closeness"),
    "dpcalc.certificates.certificate": ("certificate",),
    "dpcalc.notes.collections.anonymous": ("anonymous_q",),
    "dpcalc.notes.local.classical": ("classical_q",),
    "dpcalc.choose.epsilon": ("epsilon",),
    "dpcalc.choose.filter": ("Filter",),
    "dpcalc.choose.least": ("least_n", "least_q", "most_k"),
    "dpcalc.choose.most_rounds": ("most_rounds",),
    "dpcalc.choose.least_chances": ("least_b", "most_a"),
    "dpcalc.choose.least_noise": (
        "least_bound",
        "least_mean",
        "least_mu",
        "least_scale",
        "least_sigma",
        "least_trials",
    ),
    "dpcalc.choose.least_threshold": ("least_threshold",),
    "dpcalc.choose.least_users": ("least_users",),
    "dpcalc.notes.local.bound": ("local_q", "local_sigma"),
    "dpcalc.choose.plan": ("plan",),
    "dpcalc.laws.generating_function": ("GeneratingFunction",),
    "dpcalc.laws.log_concavity": ("log_concavity",),
    "dpcalc.laws.tails": ("binomial_at_least", "binomial_at_most"),
    "dpcalc.errors": ("DomainError", "DpcalcError", "NoSolution", "TooLarge", "Undecided"),
    "dpcalc.mechanisms.categories": ("CategoryResponse", "event_states"),
    "dpcalc.mechanisms.finite": ("FiniteMechanism",),
    "dpcalc.mechanisms.asymmetric": ("AsymmetricBits",),
    "dpcalc.mechanisms.fleet": ("Dummies", "Fleet", "Group"),
    "dpcalc.mechanisms.noise": (
        "Binomial",
        "DiscreteGaussian",
        "DiscreteLaplace",
        "FiniteNoise",
        "Geometric",
        "NegativeBinomial",
        "Poisson",
        "RoundedGaussian",
        "RoundedLaplace",
        "Skellam",
    ),
    "dpcalc.mechanisms.pooled_count": ("generating_function", "log_concavity_in_ones", "pmf"),
    "dpcalc.mechanisms.randomizers": (
        "hadamard_response",
        "k_ary_response",
        "linked_unary_encoding",
        "rappor",
        "subset_selection",
    ),
    "dpcalc.notes.collections.records": ("query_pmf",),
    "dpcalc.mechanisms.response": ("KRandomization", "RandomizedResponse"),
    "dpcalc.mechanisms.sampling": ("pool", "randomize"),
    "dpcalc.numbers.enclosure": ("Enclosure",),
    "dpcalc.numbers.promise": ("Promise",),
    "dpcalc.mechanisms.noisy_count": ("NoisyCount",),
    "dpcalc.notes.collections.maximal": ("maximal_collections",),
    "dpcalc.notes.collections.ratios": ("compare", "privacy_ratios"),
    "dpcalc.privacy.gaussian": ("gaussian_sigma",),
    "dpcalc.interop": ("privacy_loss",),
    "dpcalc.notes.collections.membership": ("anonymity", "presence", "rappor_epsilon", "record_epsilon"),
    "dpcalc.privacy.profile": ("profile",),
    "dpcalc.privacy.ratio": ("exceedance", "ratio", "ratio_bound"),
    "dpcalc.privacy.ratios": ("Ratios", "ratios"),
    "dpcalc.mechanisms.sampled": ("Sampled",),
    "dpcalc.mechanisms.shuffle": ("Shuffle",),
    "dpcalc.mechanisms.thresholded": ("Thresholded",),
    "dpcalc.privacy.tradeoff": ("tradeoff",),
    "dpcalc.notes.vectors.blanket": ("blanket_bound",),
    "dpcalc.notes.vectors.identical_records": ("identical_exceedance", "vector_delta"),
    "dpcalc.privacy.delta": ("delta",),
    "dpcalc.mechanisms.rounded": ("RoundedNumbers",),
    "dpcalc.mechanisms.rounds": ("Rounds",),
    "dpcalc.mechanisms.unary": ("UnaryEncoding",),
    "dpcalc.sweeps.sweep": ("sweep",),
}

#: Modules that are part of the public surface themselves.
_MODULES = {"claims": "dpcalc.notes.claims", "symbolic": "dpcalc.notes.symbolic"}

__all__ = sorted([*_MODULES, *(name for names in _HOMES.values() for name in names)])


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(_MODULES[name])
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'dpcalc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
