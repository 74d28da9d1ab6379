"""What do the five source documents say? Their claims, and what they need beyond the core, which imports none of it."""
