"""The hook door: events from agents, parsed by one row per agent, answered in its format."""
