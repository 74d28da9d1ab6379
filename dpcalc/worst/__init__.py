"""Which dataset is the worst? Bounds over ranges of datasets, one pass over all of them, one search."""
