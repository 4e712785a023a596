"""Readers of what other memories keep: each turns a store of theirs into notes for admission."""
