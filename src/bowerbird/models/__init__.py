"""Models that compute vectors, behind the ports of `core.ports`."""
