"""Card games as plain Python: no Django, no clock, no global randomness."""
