"""Indexing: finds files, parses them, cuts them into passages, embeds and stores these."""
