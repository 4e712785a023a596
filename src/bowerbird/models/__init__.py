"""Who computes? Models behind the ports of `core.ports`."""
