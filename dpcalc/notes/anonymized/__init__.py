"""How far is each class of an anonymized table from the whole? Exact distances and (n, epsilon)-closeness."""
