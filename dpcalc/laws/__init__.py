"""How is a count distributed? Exact coefficients where they fit, certified tails and inversion at any size."""
