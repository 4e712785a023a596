"""Measures the benefit of memory: the user's own experiment, and weights from outcomes."""
