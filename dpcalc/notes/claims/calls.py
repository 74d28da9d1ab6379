"""How to compute what a claim is about: a Python expression for every numbered equation and for the main formulas.

``dp`` is dpcalc. The values are examples, the documents' own where they have some (n = 1000, lambda = 2, q = 0.009); a
step of a derivation is computed by what it is a step of.
"""

from __future__ import annotations

_EXAMPLE = 'dp.KRandomization(n=1000, q="0.009")'
_SMALL = 'dp.KRandomization(n=5, q="1/4")'
_IN_ONES = f"dp.log_concavity_in_ones({_SMALL}, compute=True)"
_TWICE = 'dp.KRandomization(n=50, q="1/4", k=2)'
_THREE = '["11", "11", "11"]'
_RATIOS = f'dp.privacy_ratios({_THREE}, ["00", "11", "11"], q="1/4")'
_MATRIX = 'dp.FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])'
_ROWS = '[{"group": group, "ill": ill} for group, ill in zip("aaabb", (0, 0, 1, 0, 1))]'
_TABLE = f'{_ROWS}, quasi="group", sensitive="ill", epsilon="1/4"'
_AT = 'dp.symbolic.n: 1000, dp.symbolic.q: "9/1000"'
_OF_THE_MEAN = (
    "dp.symbolic.estimate().subs(dp.symbolic.s, dp.symbolic.k * (dp.symbolic.p * dp.symbolic.t"
    " + dp.symbolic.q * (dp.symbolic.n - dp.symbolic.t))).simplify()"
)
_WINDOW = f"dp.symbolic.window_bound().subs({{{_AT}, dp.symbolic.k: 1, dp.symbolic.z: 3}}).evalf()"
_WINDOW_10 = _WINDOW.replace("symbolic.k: 1,", "symbolic.k: 10,")

_K16 = {
    "s2-bit s2-vector s2-truth s2-lie s2-pmf s2-likeliest s2-least-likely s3-product": 'dp.query_pmf(["11"], q="1/4")',
    "s2-half": "dp.symbolic.ratio(1).subs(dp.symbolic.q, '1/2').simplify()",
    "s2-coin": 'dp.RandomizedResponse.from_f("1/2")',
    "s2-presence s3-collection": 'dp.presence("11", ["11", "10", "00"], q="1/4")',
    "s3-definition": f"{_MATRIX}.epsilon()",
    "s3-max-ratio s3-sum": f"{_MATRIX}.lam()",
    "s3-record-form s3-record-suffices s3-one-row": 'dp.record_epsilon("11", "00", q="1/4")',
    "s3-anonymity": 'dp.anonymity(["11", "10", "00"], q="1/4")',
    "s4.1-S s4.3-moments 4.48": f"dp.pmf({_EXAMPLE}, ones=1000).mean",
    "4.49": f"dp.pmf({_EXAMPLE}, ones=1000).variance",
    "4.50": f"dp.pmf({_EXAMPLE}, ones=999).mean",
    "4.51": f"dp.pmf({_EXAMPLE}, ones=999).variance",
    "4.1": f"dp.estimate({_EXAMPLE}, 300)",
    "4.2 5.2": _OF_THE_MEAN,
    "4.3 s4.3-variance 4.40 4.41 4.43 4.44": f"dp.variance({_EXAMPLE})",
    "4.4": f"dp.symbolic.sigma().subs({{{_AT}, dp.symbolic.k: 1}}).evalf()",
    "T4.1 4.6 s4.2-grows s4.2-substituted s4.2-difference s4.2-conclusion s4.2-all-ones": _IN_ONES,
    "4.5": _IN_ONES.replace("compute", "strict=True, compute"),
    "4.7": "dp.symbolic.generating_function().subs({dp.symbolic.k: 1, dp.symbolic.m: dp.symbolic.m + 1})",
    "s4.2-G_m 4.8": "dp.symbolic.generating_function().subs(dp.symbolic.k, 1)",
    "4.9": "dp.symbolic.generating_function().subs({dp.symbolic.k: 1, dp.symbolic.m: dp.symbolic.m - 1})",
    "s4.2-ratio s4.3-falls": f"list(dp.ratios({_SMALL}, ones=2))",
    "s4.2-Q": "dp.symbolic.generating_function()"
    ".subs({dp.symbolic.k: 1, dp.symbolic.m: dp.symbolic.m - 1, dp.symbolic.n: dp.symbolic.n - 2})",
    "s4.2-factored s4.2-roots": f"dp.generating_function({_SMALL}, ones=3).roots",
    "4.10 4.13": f"list(dp.pmf({_SMALL}, ones=3))",
    "s4.2-coefficients 4.11 4.14": f"list(dp.pmf({_SMALL}, ones=2))",
    "4.12 4.15": f"list(dp.pmf({_SMALL}, ones=1))",
    "4.16 4.18 4.19 4.20": "((dp.symbolic.x + 2) * (dp.symbolic.x + 3) * (dp.symbolic.x + 7)).expand()",
    "L1 s4.2-second-factor 4.17 4.21 4.22 4.23 4.24 4.26 4.27 4.28 4.29": "dp.log_concavity([42, 41, 12, 1])",
    "4.30": f"dp.pmf({_SMALL}, ones=5)[3]",
    "4.31 s4.2-wlog": f"dp.pmf({_SMALL}, ones=4)[3]",
    "4.32 s4.3-largest s4.3-ratio-again": 'dp.ratio(dp.KRandomization(n=100, q="3/10"), 0)',
    "s4.3-one-at-the-mean": 'dp.ratio(dp.KRandomization(n=100, q="3/10"), 70)',
    "s4.3-window-end": f"dp.ratios({_EXAMPLE}).window(3).maximum",
    "s4.3-smallest": 'dp.ratio(dp.KRandomization(n=100, q="3/10"), 100)',
    "s4.3-5e-53": 'float(dp.pmf(dp.KRandomization(n=100, q="3/10"), ones=100)[0])',
    "4.33 4.54": f"dp.count_interval({_EXAMPLE}, ones=1000)",
    "4.34 s4.3-99.98": f"dp.exceedance({_EXAMPLE}, lam=2)",
    "4.35 4.36 4.37 4.38 4.39": _WINDOW,
    "4.42 s4.3-sigma-3": "dp.local_sigma(lam=2)",
    "4.45 s4.3-q-0.009 s5-recalled": "dp.local_q(n=1000, lam=2)",
    "4.46": 'dp.KRandomization(n=1000, q="1/3").local_ratio',
    "4.47": "dp.classical_q(lam=2)",
    "s4.3-37-times": "dp.classical_q(lam=2).value / dp.local_q(n=1000, lam=2).enclosure",
    "s4.3-sigma-44.7": "float(dp.variance(dp.KRandomization(n=1000, q=dp.classical_q(lam=2).value))) ** 0.5",
    "s4.3-10-fold": "float(dp.variance(dp.KRandomization(n=1000, q=dp.classical_q(lam=2).value)) / "
    "dp.variance(dp.KRandomization(n=1000, q=dp.local_q(n=1000, lam=2).value))) ** 0.5",
    "s5-error-9": "3 * dp.local_sigma(lam=2)",
    "s4.3-direction": "dp.local_q(n=1000, lam=2, sides=2)",
    "4.52": 'dp.count_interval(dp.KRandomization(n=1000, q="0.333"), ones=1000)',
    "4.53": 'dp.count_interval(dp.KRandomization(n=1000, q="0.333"), ones=999)',
    "4.55": f"dp.count_interval({_EXAMPLE}, ones=999)",
    "s5-sqrt-k s5-insignificant 5.23": "dp.local_sigma(lam=2, k=10)",
    "s5-same-privacy": 'dp.least_q(n=1000, k=10, lam=2, delta="1e-6")',
    "s5.1-count": 'dp.pmf(dp.KRandomization(n=1000, q="0.009", k=10), ones=300).mean',
    "s5.3-window": 'dp.count_interval(dp.KRandomization(n=1000, q="0.009", k=10), ones=1000)',
    "5.1": 'dp.estimate(dp.KRandomization(n=1000, q="0.009", k=10), 3000)',
    "5.3": 'dp.variance(dp.KRandomization(n=1000, q="0.009", k=10))',
    "5.4": f"dp.symbolic.sigma().subs({{{_AT}, dp.symbolic.k: 10}}).evalf()",
    "s5.2-Gm s5.2-Gm-1": "dp.symbolic.generating_function()",
    "s5.2-all-ones 5.5": 'dp.log_concavity_in_ones(dp.KRandomization(n=3, q="1/4", k=2), compute=True)',
    "5.6": 'dp.pmf(dp.KRandomization(n=3, q="1/4", k=2), ones=3)[4]',
    "5.7 5.8": 'dp.pmf(dp.KRandomization(n=3, q="1/4", k=2), ones=2)[4]',
    "5.9": f"dp.ratio({_TWICE}, 70)",
    "5.10": "dp.symbolic.ratio(2)",
    "5.11": "(3 - 1) / (5 - 1) < 3 / 5",
    "5.12": 'dp.claims.run("K16-5.12")[0].finding.witness',
    "5.13": f"dp.ratio_bound({_TWICE}, 70)",
    "5.14 5.15 5.16 5.17 5.18 5.19 5.20 5.21 5.22": _WINDOW_10,
    "5.24": "dp.local_q(n=1000, lam=2, k=10)",
    "6.1 7.11 7.14 7.18": 'dp.query_pmf(["00", "11", "11"], q="1/4")',
    "6.2 6.3 6.6 6.7 7.12 7.15 7.16": _RATIOS,
    "6.4 6.5": 'dp.query_pmf(["11", "11"], q="1/4")',
    "6.8 6.9": "dp.symbolic.vector_ratio(3)",
    "6.10 8.4 8.5 8.6 8.7 8.8": 'dp.ratio(dp.KRandomization(n=3, q="1/4", bits=2), (1, 2, 0))',
    "6.11": "dp.local_q(n=1000, lam=2, bits=10)",
    "7.1": 'dp.privacy_ratios(["10", "01"], ["00", "01"], q="1/4")',
    "7.2 7.5 7.6 7.7 7.8": 'dp.privacy_ratios(["11", "01"], ["00", "01"], q="1/4")',
    "7.3": 'dp.query_pmf(["00"], q="1/4")',
    "7.4": 'dp.query_pmf(["11"], q="1/4")',
    "7.10 7.13": f'dp.query_pmf({_THREE}, q="1/4")',
    "7.17": f"dp.ratio({_SMALL}, 3)",
    "7.19": 'dp.query_pmf(["01", "11", "11"], q="1/4")',
    "7.20 7.21": 'dp.privacy_ratios(["01", "11", "11"], ["00", "11", "11"], q="1/4")',
    "8.1": f'dp.query_pmf({_THREE}, q="1/4")[1, 2, 0, 0]',
    "8.2 8.3": 'dp.query_pmf(["00", "11", "11"], q="1/4")[1, 2, 0, 0]',
}
_KTEX = {
    "dpdef P1 dpcnt s1-pmf s1-zero": f'{_MATRIX}.is_private(epsilon="1.1")',
    "s1-quotients L1": f"{_MATRIX}.lam()",
    "s2.1-bit s2.1-vector s2.1-concise s2.1-independent s2.1-truth s2.1-likeliest": 'dp.query_pmf(["11"], q="1/4")',
    "s2.1-opposite s4-product": 'dp.query_pmf(["11"], q="1/4")',
    "s2.1-half": "dp.symbolic.ratio(1).subs(dp.symbolic.q, '1/2').simplify()",
    "s2.1-fair-coin": 'dp.RandomizedResponse.from_f("1/2")',
    "s2.2-space s2.2-total Adist": 'dp.query_pmf(["11", "10", "00"], q="1/4")',
    "s3-well-defined prcond": 'dp.privacy_ratios(["11", "10"], ["00", "10"], q="1/4")',
    "s3-epsilon s4-quotient s4-exp s4-rappor": 'dp.record_epsilon("11", "00", q="1/4")',
    "s3-which-pair": 'dp.maximal_collections(n=2, bits=2, q="1/4")',
    "s3.1-ones": f"dp.ratio({_SMALL}, 3)",
}
_DW = {
    "s-simplex s-simplex-range s-simplex-thirds": 'dp.FiniteMechanism([["1/3", "1/3", "1/3"]]).matrix',
    "s-randomized-algorithm": 'dp.FiniteMechanism([["1/3", "1/3", "1/3"]]).matrix',
    "s-histogram": '[list("aabcbacbaa").count(record) for record in "abc"]',
    "s-l1-norm": "sum((10, 8))",
    "s-norm-to-distance s-l1-distance s-distance-4 s-one-entry": "sum(abs(x - y) for x, y in zip((10, 8), (11, 11)))",
    "s-proof-neighbours": "sum(abs(x - y) for x, y in zip((10, 8), (11, 11)))",
    "s-dp s-every-event s-delta-range s-delta-minimum": f"{_MATRIX}.delta(lam=2)",
    "s-rr-yes-yes s-rr-yes-no": 'dp.query_pmf(["1"], q="1/4")',
    "s-rr-ratio s-rr-product": 'dp.RandomizedResponse("1/4").odds',
    "s-rr-ln-3 s-rr-private": 'dp.RandomizedResponse("1/4").epsilon',
    "s-convex-deterministic s-Birkhoff s-proof-weights": f"{_MATRIX}.deterministic_parts()",
    "s-deterministic-neighbours": "dp.FiniteMechanism([[1, 0], [0, 1]]).delta(lam=2)",
    "T-post-processing s-immune s-proof-bound": f'{_MATRIX}.after([["1/2", "1/2"], ["0", "1"]]).epsilon()',
    "s-proof-preimage s-proof-back": f'{_MATRIX}.after([["1/2", "1/2"], ["0", "1"]]).epsilon()',
}
_LOC_POOL = 'dp.KRandomization.from_gamma(n=100, gamma="1/4")'
_LOC = {
    "s-sums-estimate": f"dp.estimate({_LOC_POOL}, 60)",
    "s-privacy-trivial": f"{_LOC_POOL}.local_epsilon",
    "s-upper-report s-upper-two-k": f"dp.pmf({_LOC_POOL}, ones=50).mean",
    "s-upper-sign s-upper-chain-end s-upper-unbiased": _OF_THE_MEAN,
    "s-upper-hoeffding s-upper-confidence": f'dp.coverage({_LOC_POOL}, ones=50, confidence="0.95", method="hoeffding")',
    "s-upper-t": f'dp.confidence_interval({_LOC_POOL}, 60, confidence="0.95", method="hoeffding")',
    "s-upper-order": 'dp.required_n(error="0.05", confidence="0.95", q="1/4")',
    "s-upper-mse s-upper-point": f"dp.variance({_LOC_POOL})",
    "s-lower-best s-lower-nonvanishing s-main-sqrt": 'dp.sqrt_barrier(q="1/4", ns=[10**4])',
    "s-step2-groups s-note-d": 'dp.barrier(dp.RandomizedResponse("1/4"), 10**4)',
    "s-step2-alpha s-step2-tau s-step2-no-idea": 'dp.barrier(dp.RandomizedResponse("1/4"), 10**4)',
    "s-step2-chernoff s-step2-plugged s-step2-rare s-caseI-union": 'dp.binomial_at_most(10**4, "1/100", 50)',
    "s-caseI-zero s-caseI-error": 'dp.binomial_at_most(10**4, "1/100", 50)',
    "s-step2-twice": 'dp.binomial_at_least(100, "2/7", 38)',
    "s-ratio-product s-ratio-log L1.1 L1-mixture L1-privacy L1-scaled": 'dp.privacy_ratios(["0"], ["1"], q="1/4")',
    "L3.1 L3-centred": 'dp.privacy_ratios(["0"], ["1"], q="1/4")',
    "L1-r-lower L1-r-upper L1-V-lower L1-V-upper L1-exp": 'dp.claims.run("LOC-L1-exp")[0].finding',
    "L2 L2-32": 'dp.claims.run("LOC-L2")[0].finding',
    "L1-exp-minus": 'dp.claims.run("LOC-L1-exp-minus")[0].finding',
    "L1-log-plus": 'dp.claims.run("LOC-L1-log-plus")[0].finding',
    "L1-log-minus L1-half": 'dp.claims.run("LOC-L1-log-minus")[0].finding',
    "L2.1 L2.2 L2.3 L2-mass L2-mean L2-split L2-largest L2-union L2-one": 'dp.claims.run("LOC-L2.1")[0].finding',
    "L3 L3.2 L3.3 L3-last": 'dp.claims.run("LOC-L3")[0].finding',
    "s-caseI-complement s-caseII-equivalence": 'dp.distinguish(dp.RandomizedResponse("1/4"), n=100, rate="1/10")',
    "s-caseII-bound s-caseII-equals T1": 'dp.distinguish(dp.RandomizedResponse("1/4"), n=100, rate="1/10")',
}
_EC_POOL = 'dp.KRandomization.from_alpha(n=18, alpha="1/2")'
_EC = {
    "s-values s-P_Q s-P_L s-close-class s-close-dataset s-variational": f"dp.closeness({_TABLE})",
    "s-norms": f'dp.closeness({_TABLE}, distance="l2")',
    "s-KL": f'dp.closeness({_TABLE}, distance="kullback-leibler")',
    "s-n-close-class s-n-close-partition s-n-close-each": f"dp.n_closeness({_TABLE}, n=4)",
    "s-flip s-y s-alpha-1": 'dp.RandomizedResponse.from_alpha("1/2")',
    "s-mean-x s-mean-y-step s-mean-y": f"dp.pmf({_EC_POOL}, ones=9).mean",
    "s-p s-p-hat s-p-hat-expanded s-experiment": f"dp.estimate({_EC_POOL}, 9).fraction",
    "s-alpha-0": 'dp.KRandomization.from_alpha(n=18, alpha="1/1000").local_epsilon',
    "s-var-constant s-var-sum s-var-bound s-var-1": f'dp.variance({_EC_POOL}, fraction="1/3") / 18**2',
    "s-chebyshev s-linear s-accuracy": 'dp.required_n(error="0.1", confidence="0.95", q="1/4", method="chebyshev")',
    "s-dp": f"{_MATRIX}.epsilon()",
}

#: From a claim's ID to the expression.
CALLS = {
    f"{document}-{label}": call
    for document, calls in {"K16": _K16, "KTEX": _KTEX, "DW": _DW, "LOC": _LOC, "EC": _EC}.items()
    for labels, call in calls.items()
    for label in labels.split()
}
