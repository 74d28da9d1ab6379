"""Promises that others have made, judged: which are kept, which are loose, which are broken."""
