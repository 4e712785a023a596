"""Sessions of agents: observing what an agent does, and injecting what it needs."""
