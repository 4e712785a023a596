"""Rerankers: a question and texts in, their order out."""
