"""One module a verb: its arguments, its examples, and what it runs."""
