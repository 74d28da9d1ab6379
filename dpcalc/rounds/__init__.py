"""What do many rounds add up to? Losses on a lattice, products of few outcomes, and the family of rounds."""
