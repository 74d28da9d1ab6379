"""Audits of privacy promises that others have made: which are kept, which are loose, which are broken."""
