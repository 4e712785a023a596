"""The dashboard: pages rendered on the server, for a person who opened them from a terminal."""
