"""Which pairs of laws can the neighbours of a mechanism show? One family for each mechanism."""
