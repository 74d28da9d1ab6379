"""What does the full outcome space of bit vectors leak? Ratios and maxima, collection by collection."""
