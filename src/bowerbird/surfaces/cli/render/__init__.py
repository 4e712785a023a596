"""One module a verb that has a text of its own: how its outcome reads on a terminal or in a prompt."""
