"""Readers by kind of file: each turns one file's text into pieces."""
