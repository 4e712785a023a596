"""Parses source code: grammars, and the extraction of outlines from each language's trees."""
