"""Benchmarks the product as users run it, with baselines for comparison."""
