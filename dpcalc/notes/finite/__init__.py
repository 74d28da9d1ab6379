"""Finite mechanisms as the documents define them: neighbours, events, mixtures."""
