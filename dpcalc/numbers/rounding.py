"""The rounding of IEEE doubles.

Only round-to-nearest +, -, *, / and the square root are trusted, each with a relative error of at most u = ``UNIT``.
"""

UNIT = 2.0**-53
PRODUCT = 2.5 * UNIT  #: relative error of a complex product (proof notes, 9.6)
EXP = 40 * UNIT  #: relative error of an exponential: that of ``doubles.exp``, or of one rounded from a ball
