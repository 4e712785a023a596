"""The HTTP door: the verbs over a loopback port, for whoever holds a token."""
