"""Decides what may be stored and shown, and how far it is trusted."""
