"""What is run? Local randomizers, pooled counts, finite mechanisms, exact sampling."""
