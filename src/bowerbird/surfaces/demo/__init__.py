"""A small made-up project to try things on: its notes, its decisions and one conversation."""
