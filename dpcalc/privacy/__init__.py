"""How private is it? Ratios of outcomes, delta, profiles and trade-off curves of any mechanism."""
