"""The exact binomial test, in 60-digit arithmetic: shares no code."""

import mpmath


def p_value(successes, trials, q):
    """Twice the probability, under Binomial(trials, q), of the tail that starts at ``successes``; at most 1."""
    with mpmath.workdps(60):
        odds = mpmath.mpf(q.numerator) / (q.denominator - q.numerator)
        logs = (
            mpmath.loggamma(trials + 1) - mpmath.loggamma(successes + 1) - mpmath.loggamma(trials - successes + 1)
            + successes * mpmath.log(odds) - trials * mpmath.log1p(odds)
        )  # fmt: skip
        term = total = mpmath.exp(logs)
        i = successes
        up = successes > trials * q
        while 0 <= i <= trials and term > total * mpmath.mpf(10) ** -30:
            term *= odds * (trials - i) / (i + 1) if up else i / (odds * (trials - i + 1))
            i += 1 if up else -1
            total += term
        return min(mpmath.mpf(1), 2 * total)
