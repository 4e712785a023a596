"""Injection of memory into an agent's session: entries are chosen, measured and cited here."""
