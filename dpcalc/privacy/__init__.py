"""What does it leak? Ratios of outcomes, privacy profiles, and the worst dataset."""
