"""The HTTP server: the verbs on a loopback port, for clients with a token."""
