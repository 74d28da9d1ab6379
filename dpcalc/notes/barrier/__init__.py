"""What no local protocol can beat: the sqrt(n) barrier of LOC, its lemmas and the truth."""
