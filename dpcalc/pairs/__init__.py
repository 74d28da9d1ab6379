"""What can two neighbours show? Two laws of one count, their divergence, and what a family of such pairs is."""
