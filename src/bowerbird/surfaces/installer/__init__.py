"""Connects agents: adds our entries to their files, and removes them again."""
