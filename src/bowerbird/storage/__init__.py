"""Storage: implementations of the ports in `core.ports`."""
