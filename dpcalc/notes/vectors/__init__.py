"""What does the pool of bit vectors leak? Identical records, and a bound for every dataset."""
