"""How is the noise distributed that is added to a count? Exact masses, certified tails, sums of independent parts."""
