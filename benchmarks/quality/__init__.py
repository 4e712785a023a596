"""Measures what a developer of the product decides by: stages, thresholds, and what is learned."""
