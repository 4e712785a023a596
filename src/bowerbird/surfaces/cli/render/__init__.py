"""One module a verb: how its outcome reads on a terminal or in a prompt."""
