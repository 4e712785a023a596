"""Importers: each reads the store of another memory tool into notes for admission."""
