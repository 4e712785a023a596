"""Completion for the shells, written from the parsers."""
