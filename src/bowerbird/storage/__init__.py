"""Where does it rest? One file behind the ports of `core.ports`."""
