"""What do the losses of given pairs add up to? On a lattice, outcome by outcome, and pairs above and below others."""
