"""Bowerbird: memory for AI agents."""
