"""Renders the results of benchmarks."""
