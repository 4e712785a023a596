"""Bowerbird as other frameworks ask for a memory: a file a framework, and an extra of its name."""
