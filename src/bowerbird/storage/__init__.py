"""Storage: one file that implements the ports of `core.ports`."""
