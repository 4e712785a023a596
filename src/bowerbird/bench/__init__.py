"""Measures the product as a user would run it, beside what it must be better than."""
