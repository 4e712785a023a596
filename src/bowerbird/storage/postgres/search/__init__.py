"""Candidates by words and by meaning, read from the file."""
