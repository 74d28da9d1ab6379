"""How can an answer be checked without dpcalc? Certificates, which ``check.py`` proves or refuses."""
