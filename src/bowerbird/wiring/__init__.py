"""Connects the packages: the only one that imports storage and models."""
